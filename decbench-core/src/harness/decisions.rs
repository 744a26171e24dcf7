//! The trial over all suites of a crate: which candidate to take for which decision.

use std::fs;

use libtest_mimic::{Completion, Trial as MimicTrial};

use super::scorecard::{tell, write_files};
use crate::report::{DecisionRow, decisions_json, decisions_markdown, decisions_text};
use crate::run::{Settings, SuiteRun, Trial, TrialKind, trials_of};
use crate::suite::Suite;

/// The name of the trial; suites' own trials never have it.
const NAME: &str = "decbench::decisions";

/// The trial, where a suite asks for a verdict. It prints the table, writes it beside the suites' scorecards, and never
/// fails: what is wrong with a suite is told by the suite's own trials.
pub(super) fn trial(
    suites: Vec<&'static Suite>,
    settings: Option<&'static Settings>,
) -> Option<MimicTrial> {
    let suites: Vec<&Suite> = suites
        .into_iter()
        .filter(|suite| suite.verdict.is_some())
        .collect();
    if suites.is_empty() {
        return None;
    }
    Some(MimicTrial::ignorable_test(NAME, move || {
        if let Some(settings) = settings {
            let rows: Vec<DecisionRow> = suites
                .iter()
                .filter_map(|suite| row(suite, settings))
                .collect();
            tell(&format!("\n{NAME}\n{}\n", decisions_text(&rows).trim_end()));
            write(settings, &rows);
        }
        Ok(Completion::Completed)
    }))
}

fn row(suite: &Suite, settings: &Settings) -> Option<DecisionRow> {
    // The answers that the suite's own verdict and assertions read.
    let trials: Vec<Trial> = trials_of(suite)
        .into_iter()
        .filter(|trial| matches!(trial.kind, TrialKind::Verdict | TrialKind::Assertion(_)))
        .collect();
    SuiteRun::new(suite, settings, &trials).decision()
}

fn write(settings: &Settings, rows: &[DecisionRow]) {
    let json = serde_json::to_string_pretty(&decisions_json(rows)).unwrap_or_default();
    let written = fs::create_dir_all(&settings.output).and_then(|()| {
        write_files(
            &settings.output,
            [
                ("decisions.json", json + "\n"),
                ("decisions.md", decisions_markdown(rows)),
            ],
        )
    });
    if let Err(error) = written {
        tell(&format!(
            "decbench: the table of decisions cannot be written to {}: {error}\n",
            settings.output.display()
        ));
    }
}
