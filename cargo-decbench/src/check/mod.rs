//! `cargo decbench check`: all mistakes of all suites, and what lies beside them that nothing uses.

mod approvals;
mod finding;
mod leftovers;
mod wording;

use std::borrow::Cow;

use clap::Args;
use decbench_core::config::Config;
use decbench_core::diagnostic::Diagnostics;
use decbench_core::run::check_candidates_unlinked;
use decbench_core::suite::{self, Loaded, Suite};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::suites;
use crate::terminal;
use finding::Finding;

/// Checks every suite, its cases, its candidates and `decbench.toml`, and finds recordings and snapshots that nothing uses,
/// recordings of another wording, and approvals of what has changed since.
///
/// Nothing is asked and no function is called; whether the functions that suites name are there `cargo test` says.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  cargo decbench check\n  cargo decbench check -p my-app --json")]
pub(crate) struct Check {
    #[command(flatten)]
    place: Where,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
    /// Let warnings count as mistakes.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(task: &Check) -> Done {
    let mut findings = Vec::new();
    let mut suites = 0;
    for package in task.place.packages()? {
        let paths = package.suite_files()?;
        suites += paths.len();
        findings.extend(check_package(&package, &paths)?);
    }
    if suites == 0 {
        return Err(Unusable::new(format!(
            "there is no suite in {}, so nothing was checked; start one with `cargo decbench init`, or name the folder of suites with `--suites`",
            task.place.suites.display()
        )));
    }
    let mistakes = findings
        .iter()
        .filter(|finding| finding.is_error() || task.strict)
        .count();
    if task.json {
        let findings: Vec<_> = findings.iter().map(Finding::to_json).collect();
        let all = serde_json::json!({ "schema": 1, "suites": suites, "findings": findings });
        terminal::say(&format!("{all:#}\n"));
    } else {
        for finding in &findings {
            terminal::say(&format!("{}\n\n", finding.text()));
        }
        let warnings = findings.len() - mistakes;
        terminal::did(
            "Checked",
            &format!("{suites} suites: {mistakes} mistakes, {warnings} warnings"),
        );
    }
    Ok(Ending::holds_if(mistakes == 0))
}

fn check_package(
    package: &Package,
    paths: &[std::path::PathBuf],
) -> Result<Vec<Finding>, Unusable> {
    let mut findings = Vec::new();
    let config = match read_config(package) {
        Ok(config) => Some(config),
        Err(mistakes) => {
            findings.extend(mistakes.iter().map(Finding::located));
            None
        }
    };
    let mut read: Vec<Suite> = Vec::new();
    let mut all_read = true;
    for path in paths {
        match suite::load(path) {
            Err(mistakes) => {
                all_read = false;
                findings.extend(mistakes.iter().map(Finding::located));
            }
            Ok(loaded) => {
                findings.extend(loaded.warnings.iter().map(Finding::located));
                // Without its defaults a candidate may lack what it needs.
                if let Some(config) = &config {
                    findings.extend(candidates(package, &loaded, config));
                }
                if suites::says_all(&loaded) {
                    findings.extend(wording::unmatched(package, &loaded.suite)?);
                    findings.extend(approvals::stale(&loaded.suite));
                }
                read.push(loaded.suite);
            }
        }
    }
    // A suite that does not read may well be the one that uses a file.
    if all_read {
        findings.extend(leftovers::find(package, &read)?);
    }
    Ok(findings)
}

/// The package's `decbench.toml`; an empty one where it has none.
fn read_config(package: &Package) -> Result<Config, Diagnostics> {
    let path = package.folder.join("decbench.toml");
    if path.exists() {
        Config::load(&path)
    } else {
        Ok(Config::default())
    }
}

/// What no run would accept of the candidates, or would warn of.
fn candidates(package: &Package, loaded: &Loaded, config: &Config) -> Vec<Finding> {
    let mut suite = Cow::Borrowed(&loaded.suite);
    let all_known = suite
        .questions
        .iter()
        .all(|question| question.kind.is_open() || !question.options.is_empty());
    if !all_known {
        // Options that only a Rust type lists can neither be counted nor be found in a file.
        let known = suite.to_mut();
        known.questions.clear();
        known.candidates.retain(|one| one.provider != "recorded");
        for candidate in &mut known.candidates {
            candidate.questions = None;
        }
    }
    let found = check_candidates_unlinked(&suite, config, &package.name);
    let (Ok(found) | Err(found)) = found;
    found.iter().map(Finding::located).collect()
}
