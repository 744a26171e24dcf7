//! `cargo decbench import`: what other tools hold becomes a suite, cases and recorded answers.
//!
//! A format is one file and one row of [`format::FORMATS`]. It puts what it reads into a [`harvest::Harvest`];
//! [`assemble`] redacts it and makes a suite of it, and [`mod@write`] puts that into files of their own.

mod assemble;
mod chat;
mod csv;
mod format;
mod harvest;
mod inspect;
mod jevassert;
mod jsonl;
mod langfuse;
mod lm_eval;
mod mapping;
mod otel;
mod posthog;
mod promptfoo;
mod question;
mod records;
mod report;
mod suite;
mod write;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use decbench_core::config::Config;

use crate::ending::{Done, Ending, Unusable};
use crate::packages::Where;
use crate::redact::Redactor;
use harvest::Harvest;
use mapping::Mapping;

/// Turns cases and answers of other tools into a suite whose recorded answers `cargo test` replays.
///
/// Addresses, numbers of phones, cards and accounts, and the names listed in decbench.toml are replaced before
/// anything is written. What production answered never becomes gold.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench import inspect logs/*.eval --to call-routing\n  cargo decbench import csv calls.csv --map state=text,gold=team,answer=routed_to"
)]
pub(crate) struct Import {
    /// Whose format it is.
    #[arg(value_parser = PossibleValuesParser::new(format::values()))]
    format: String,
    /// The files to read.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    place: Where,
    /// The suite to write: a bare name in the folder of suites, or a path with a slash or `.yaml`; by default a name from
    /// the files.
    #[arg(long, value_name = "SUITE")]
    to: Option<PathBuf>,
    /// Where parts of a case stand in a record: `state=text,gold=team`, dots lead into maps.
    #[arg(long, value_name = "PART=FIELD", value_delimiter = ',')]
    map: Vec<String>,
    /// All answers that the question allows, in their order; by default those that occur.
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    options: Vec<String>,
    /// The text of the question; by default what the model was told, where all were told the same.
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,
    /// The candidate's name; by default the model's.
    #[arg(long, value_name = "NAME")]
    candidate: Option<String>,
    /// Take what production answered for a reference, to be approved; it then agrees with itself until you do.
    #[arg(long)]
    references: bool,
    /// Overwrite files of an earlier import.
    #[arg(long)]
    force: bool,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Import) -> Done {
    let format = format::find(&task.format)?;
    let mapping = Mapping::parse(&task.map)?;
    let (target, config) = place(task)?;
    let mut harvest = Harvest::new(&mapping, task.candidate.as_deref());
    for file in (format.order)(&task.files) {
        harvest.begin(&file);
        (format.read)(&file, &mut harvest)?;
    }
    harvest.check_mapping()?;
    let name = match target.name {
        Some(name) => name,
        None => write::slug(harvest.name.as_deref().unwrap_or(format.name)),
    };
    let redactor = Redactor::new(&config.redact);
    let imported = assemble::assemble(harvest, task, format.name, &name, &redactor);
    let imported = imported.map_err(|refused| {
        report::left_out(&refused.left_out);
        refused.why
    })?;
    let files = write::write(&target.folder, &imported, task.force)?;
    report::print(&imported, &files, task.json);
    Ok(Ending::holds_if(imported.left_out.is_empty()))
}

/// Where the suite goes.
struct Target {
    folder: PathBuf,
    /// Its name, where the command line gives one.
    name: Option<String>,
}

fn place(task: &Import) -> Result<(Target, Config), Unusable> {
    let path = task.to.as_deref().filter(|to| !is_bare(to));
    // With a path no package is needed; its rules still hold where there is one.
    let package = match task.place.current() {
        Ok(package) => Some(package),
        Err(_) if path.is_some() => None,
        Err(error) => return Err(error),
    };
    let config = match &package {
        Some(package) => package.config()?,
        None => Config::default(),
    };
    let name = task.to.as_deref().map(write::stem);
    if let Some(name) = name.as_ref().filter(|name| write::slug(name) != **name) {
        return Err(Unusable::new(format!(
            "`{name}` is no name of a suite; `{}` would be one",
            write::slug(name)
        )));
    }
    let folder = match path {
        Some(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
        None => package.map(|package| package.suites).unwrap_or_default(),
    };
    Ok((Target { folder, name }, config))
}

/// Whether it is a suite's name alone, as every other task takes it, and no path.
fn is_bare(to: &Path) -> bool {
    let is_yaml = to
        .extension()
        .is_some_and(|ending| ending == "yaml" || ending == "yml");
    !is_yaml && !to.to_string_lossy().contains(std::path::is_separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_or_an_ending_makes_a_path() {
        for (to, bare) in [
            ("calls", true),
            ("calls.v2", true),
            ("./calls", false),
            ("a/calls", false),
            ("calls.yaml", false),
            ("calls.yml", false),
        ] {
            assert_eq!(is_bare(Path::new(to)), bare, "{to}");
        }
    }
}
