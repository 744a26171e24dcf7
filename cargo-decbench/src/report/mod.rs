//! `cargo decbench report`: one page per run.

pub(crate) mod card;
pub(crate) mod rows;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::page::{self, Chapter};
use crate::suites;
use crate::terminal;

/// Writes one HTML file about the last run: it needs no network and opens from the disk.
///
/// The file is for those who may see the cases: their texts are in it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  cargo test --test decisions\n  cargo decbench report --open")]
pub(crate) struct Report {
    #[command(flatten)]
    place: Where,
    /// Where the page is written, in place of target/decbench/report.html.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave the texts of the cases out.
    #[arg(long)]
    without_states: bool,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(task: &Report) -> Done {
    let packages = task.place.packages()?;
    let mut chapters = Vec::new();
    for package in &packages {
        for path in package.suite_files()? {
            chapters.extend(chapter(package, &path, task.without_states)?);
        }
    }
    let Some(first) = packages.first().filter(|_| !chapters.is_empty()) else {
        return Err(Unusable::new(
            "no suite has been run yet; run `cargo test` first, which writes the scorecards",
        ));
    };
    let output = task
        .output
        .clone()
        .unwrap_or_else(|| first.output.join("report.html"));
    let text = page::document(&chapters);
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Unusable::file(folder, error))?;
    }
    std::fs::write(&output, text).map_err(|error| Unusable::file(&output, error))?;
    terminal::did("Wrote", &output.display().to_string());
    if task.open {
        open(&output)?;
    }
    let failed = chapters.iter().any(Chapter::fails);
    Ok(Ending::holds_if(!failed))
}

/// A suite's part of the page; none where it was not run.
fn chapter(
    package: &Package,
    path: &Path,
    without_states: bool,
) -> Result<Option<Chapter>, Unusable> {
    let loaded = suites::load(path)?;
    let file = package
        .output
        .join(&loaded.suite.name)
        .join("scorecard.json");
    if !file.exists() {
        return Ok(None);
    }
    let card = card::read(&file)?;
    let mut rows = rows::gather(package, &loaded.suite)?;
    if suites::says_all(&loaded) && card.digest != loaded.suite.digest.to_string() {
        rows.notes.push(
            "the suite or its cases changed after the run; run `cargo test` again".to_owned(),
        );
    }
    if without_states {
        for case in &mut rows.cases {
            case.state.clear();
        }
    }
    Ok(Some(Chapter { card, rows }))
}

fn open(path: &Path) -> Result<(), Unusable> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    std::process::Command::new(program)
        .arg(path)
        .spawn()
        .map(|_| ())
        .map_err(|error| {
            Unusable::new(format!(
                "`{program}` does not start: {error}; open {} yourself",
                path.display()
            ))
        })
}
