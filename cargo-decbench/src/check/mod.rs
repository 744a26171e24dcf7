//! `cargo decbench check`: all mistakes of all suites, and what lies beside them that nothing uses.

mod approvals;
mod finding;
mod leftovers;
mod wording;

use clap::Args;
use decbench_core::config::Config;
use decbench_core::suite::{self, Suite};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::suites;
use crate::terminal;
use finding::Finding;

/// Checks every suite, its cases and `decbench.toml`, and finds recordings and snapshots that nothing uses, recordings of
/// another wording, and approvals of what has changed since.
///
/// Nothing is asked and no function is called.
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
    let config = package.folder.join("decbench.toml");
    if config.exists()
        && let Err(mistakes) = Config::load(&config)
    {
        findings.extend(mistakes.iter().map(Finding::located));
    }
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
