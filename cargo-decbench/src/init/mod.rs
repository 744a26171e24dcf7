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
#[command(
    after_help = "Example:\n  cargo decbench init\n  cargo decbench init --yes --template tool-gate --name refunds"
)]
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
    let suite = |ending: &str| package.suites.join(format!("{}.{ending}", wanted.name));
    let (yaml, cases) = (suite("yaml"), suite("cases.jsonl"));
    if let Some(clash) = [&yaml, &cases].into_iter().find(|path| path.exists()) {
        return Err(Unusable::new(format!(
            "{} exists already and would be overwritten; choose another `--name`",
            clash.display()
        )));
    }
    // What can fail comes before the first file.
    let mut files = changed(&package, wanted.template)?;
    files.push((yaml.clone(), wanted.template.suite(&wanted.name)));
    files.push((cases.clone(), wanted.template.cases().to_owned()));
    files.extend(beside(&package));
    for (path, text) in &files {
        let verb = if path.exists() { "Changed" } else { "Created" };
        write(path, text)?;
        // Of another's file it is said why it was touched.
        let why = if path.starts_with(&package.folder) {
            ""
        } else {
            ": cargo reads profiles in the workspace's root alone"
        };
        terminal::did(verb, &format!("{}{why}", shown(&package, path)));
    }
    terminal::say(&format!(
        "\nNow run\n\n  cargo test -p {} --test decisions\n\nand then put your own cases into {} and your candidates into {}.\n",
        package.name,
        shown(&package, &cases),
        shown(&package, &yaml),
    ));
    Ok(Ending::Holds)
}

/// The manifests and the test target, where something is missing in them.
fn changed(package: &Package, template: Template) -> Result<Vec<(PathBuf, String)>, Unusable> {
    let mut files = manifest::with_test_target(package)?;
    let target = package.folder.join("tests").join("decisions.rs");
    let existing = match std::fs::read_to_string(&target) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Unusable::file(&target, error)),
    };
    let text = template::target(package, template, existing.as_deref())?;
    if existing.as_ref() != Some(&text) {
        files.push((target, text));
    }
    Ok(files)
}

/// What lies beside suites and is written once.
fn beside(package: &Package) -> Vec<(PathBuf, String)> {
    let schema = format!("{:#}\n", crate::schema::schema(crate::schema::Of::Suite));
    let attributes = "# Each line of a recording is one answer, so recordings merge line by line.\nanswers/**/*.jsonl text eol=lf merge=union\n";
    let ignored = ".lock\n*.snap.new\n*.pending-snap\n";
    [
        ("suite.schema.json", schema.as_str()),
        (".gitattributes", attributes),
        (".gitignore", ignored),
    ]
    .into_iter()
    .map(|(name, text)| (package.suites.join(name), text.to_owned()))
    .filter(|(path, _)| !path.exists())
    .collect()
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    template: Template,
    name: String,
}

fn write(path: &Path, text: &str) -> Result<(), Unusable> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Unusable::file(folder, error))?;
    }
    std::fs::write(path, text).map_err(|error| Unusable::file(path, error))
}

fn shown(package: &Package, path: &Path) -> String {
    path.strip_prefix(&package.folder)
        .unwrap_or(path)
        .display()
        .to_string()
}
