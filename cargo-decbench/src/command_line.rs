//! The command line.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::approve::Approve;
use crate::check::Check;
use crate::completions::Completions;
use crate::diff::Diff;
use crate::explain::Explain;
use crate::generate::Generate;
use crate::import::Import;
use crate::init::Init;
use crate::label::Label;
use crate::plan::Plan;
use crate::qualify::Qualify;
use crate::record::Record;
use crate::report::Report;
use crate::schema::Schema;
use crate::split::Split;
use crate::suggest::Suggest;
use crate::terminal::Color;

/// Start suites, look at results and review changes of decisions tested with decbench.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-decbench",
    bin_name = "cargo decbench",
    version,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 when everything holds, 1 when something does not, 2 for wrong use or broken input."
)]
pub(crate) struct CommandLine {
    /// When output is coloured.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        env = "CARGO_TERM_COLOR",
        default_value_t,
        global = true
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    Approve(Approve),
    Check(Check),
    Completions(Completions),
    Diff(Diff),
    Explain(Explain),
    Generate(Box<Generate>),
    Import(Import),
    Init(Init),
    Label(Label),
    Plan(Plan),
    Qualify(Qualify),
    Record(Record),
    Report(Report),
    Schema(Schema),
    Split(Split),
    Suggest(Suggest),
}

/// The arguments of this process without the `decbench` that cargo passes on.
pub(crate) fn arguments(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|first| first == "decbench") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_task_shows_an_example() {
        for task in CommandLine::command().get_subcommands() {
            let help = task
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.contains("cargo decbench "), "{}", task.get_name());
        }
    }

    #[test]
    fn the_word_that_cargo_adds_is_passed_over() {
        let of = |words: &[&str]| arguments(words.iter().map(OsString::from)).len();
        assert_eq!(of(&["cargo-decbench", "decbench", "check"]), 2);
        assert_eq!(of(&["cargo-decbench", "check"]), 2);
    }
}
