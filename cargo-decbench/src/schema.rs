//! `cargo decbench schema`: what an editor knows of suites, cases and `decbench.toml`.
//!
//! Schemas come from the tables that the checks use, so that an editor accepts what the parser accepts. Where the
//! parser is stricter than a schema can say (an unknown metric, an answer outside the options), the check says so.

mod config;
mod free;
mod section;

use clap::{Args, ValueEnum};
use serde_json::Value as Json;

use crate::ending::Ending;
use crate::terminal;

/// Writes the JSON Schema of suites, cases or decbench.toml to standard output.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench schema suite > tests/suites/suite.schema.json\n\nAn editor with a YAML language server finds it through the first line of a suite:\n  # yaml-language-server: $schema=suite.schema.json"
)]
pub(crate) struct Schema {
    /// Of what.
    #[arg(value_enum)]
    of: Of,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Of {
    /// A suite file.
    Suite,
    /// A list of cases in YAML.
    Cases,
    /// One case, a line of a JSONL file.
    Case,
    /// decbench.toml.
    Config,
}

pub(crate) fn run(task: &Schema) -> Ending {
    terminal::say(&format!("{:#}\n", schema(task.of)));
    Ending::Holds
}

pub(crate) fn schema(of: Of) -> Json {
    match of {
        Of::Suite => section::suite(),
        Of::Cases => section::cases(),
        Of::Case => section::case(),
        Of::Config => config::schema(),
    }
}
