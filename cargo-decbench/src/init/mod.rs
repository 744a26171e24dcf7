//! `cargo decbench init`: a suite, cases and the test target, green at once.

mod manifest;
mod questions;
mod template;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::terminal;
use template::Template;

/// Writes a suite, its cases and the test target into the current package.
///
/// The suite is green at once: the embedded baseline answers it, with no key and no network. Nothing that exists is
/// overwritten.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  cargo decbench init\n  cargo decbench init --yes --template tool-gate --name refunds")]
pub(crate) struct Init {
    #[command(flatten)]
    place: Where,
    /// Ask nothing; take the flags and defaults.
    #[arg(short, long)]
    yes: bool,
    /// What kind of decision is tested.
    #[arg(long, value_enum)]
    template: Option<Template>,
    /// The suite's name; by default that of the template.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn run(task: &Init) -> Done {
    let package = task.place.current()?;
    let wanted = questions::ask(task)?;
    let files = files(&package, &wanted)?;
    let clash: Vec<String> = files
        .iter()
        .filter(|(path, _)| path.exists())
        .map(|(path, _)| path.display().to_string())
        .collect();
    if !clash.is_empty() {
        return Err(Unusable::new(format!(
            "{} exists already and would be overwritten; choose another `--name`",
            clash.join(", ")
        )));
    }
    let manifest = manifest::with_test_target(&package)?;
    for (path, text) in &files {
        write(path, text)?;
        terminal::did("Created", &shown(&package, path));
    }
    if let Some((path, text)) = manifest {
        write(&path, &text)?;
        terminal::did("Changed", &shown(&package, &path));
    }
    terminal::say(&format!(
        "\nNow run\n\n  cargo test -p {} --test decisions\n\nand then put your own cases into {}, and your candidates into {}.\n",
        package.name,
        shown(&package, &package.suites.join(format!("{}.cases.jsonl", wanted.name))),
        shown(&package, &package.suites.join(format!("{}.yaml", wanted.name))),
    ));
    Ok(Ending::Holds)
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    template: Template,
    name: String,
}

/// Every new file with its text; those of the target only where there is none yet.
fn files(package: &Package, wanted: &Wanted) -> Result<Vec<(PathBuf, String)>, Unusable> {
    let suite = |ending: &str| package.suites.join(format!("{}.{ending}", wanted.name));
    let mut files = vec![
        (suite("yaml"), wanted.template.suite(&wanted.name)),
        (suite("cases.jsonl"), wanted.template.cases().to_owned()),
    ];
    let target = package.folder.join("tests").join("decisions.rs");
    if !target.exists() {
        files.push((target, template::target(package)?));
    }
    let schema = package.suites.join("suite.schema.json");
    if !schema.exists() {
        let text = format!("{:#}\n", crate::schema::schema(crate::schema::Of::Suite));
        files.push((schema, text));
    }
    let attributes = package.suites.join(".gitattributes");
    if !attributes.exists() {
        let text = "# Recordings merge line by line; each line is one answer.\nanswers/**/*.jsonl text eol=lf merge=union\n";
        files.push((attributes, text.to_owned()));
    }
    let ignored = package.suites.join(".gitignore");
    if !ignored.exists() {
        files.push((ignored, ".lock\n*.snap.new\n*.pending-snap\n".to_owned()));
    }
    Ok(files)
}

fn write(path: &Path, text: &str) -> Result<(), Unusable> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Unusable::file(folder, error))?;
    }
    std::fs::write(path, text).map_err(|error| Unusable::file(path, error))
}

fn shown(package: &Package, path: &Path) -> String {
    path.strip_prefix(&package.folder).unwrap_or(path).display().to_string()
}
