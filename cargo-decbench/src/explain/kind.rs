//! Trials that are no assertion: what each of them is, and what makes it red.

use decbench_core::run::TrialKind;
use decbench_core::suite::Suite;

use super::{Requirement, step, waiting};
use crate::report::card::{Assertion, Card};

/// The trial over all suites of a package.
pub(super) const DECISIONS: &str = "decbench::decisions";

/// What [`DECISIONS`] is.
pub(super) const ABOUT_DECISIONS: &str = "prints one table over the suites that ask for a verdict, which `decisions.md` in the folder of the run holds too; it is never red";

/// What the trial is and what makes it red; none for those that the scorecard tells of.
pub(super) fn about(kind: TrialKind, suite: &Suite) -> Option<String> {
    let name = &suite.name;
    Some(match kind {
        TrialKind::Loads => "reads the suite, its cases and the settings of its candidates; it is red where something is wrong with them, which `cargo decbench check` shows too".to_owned(),
        TrialKind::Plan => format!(
            "tells what the assertions can tell with these cases, as `cargo decbench plan {name}` does; it asks nobody and is never red"
        ),
        TrialKind::Undecided => "lists what the cases do not decide; it is never red".to_owned(),
        TrialKind::Scorecard => "writes the scorecard and compares it with the reviewed one under `snapshots`; it is red where they differ".to_owned(),
        TrialKind::Decided(at) => format!(
            "is red where none of the assertions about `{}` passed or failed, since nothing was tested then",
            suite.candidates[at].name
        ),
        TrialKind::Recording(at) => format!(
            "looks at the recorded answers of `{}`; it is red where they are older, or by another model, than `recording` allows",
            suite.candidates[at].name
        ),
        _ => return None,
    })
}

/// What the last run says of such a trial; nothing where only the run itself knows.
pub(super) fn found(kind: TrialKind, suite: &Suite, card: &Card) -> Option<Requirement> {
    match kind {
        TrialKind::Decided(at) => decided(suite, card, &suite.candidates[at].name),
        TrialKind::Undecided => undecided(card),
        _ => None,
    }
}

/// Whether anything was decided about a candidate; none where the run asserted nothing of it.
fn decided(suite: &Suite, card: &Card, candidate: &str) -> Option<Requirement> {
    let lines: Vec<&Assertion> = card
        .assertions
        .iter()
        .filter(|line| line.candidate == candidate)
        .collect();
    let is = |outcome: &'static str| move |line: &&&Assertion| line.outcome() == outcome;
    let count = |outcome| lines.iter().filter(is(outcome)).count();
    let settled = count("pass") + count("fail");
    if lines.is_empty() || settled > 0 {
        return (!lines.is_empty()).then(|| Requirement {
            outcome: "pass".to_owned(),
            evidence: Vec::new(),
            reason: format!("{settled} of {} assertions passed or failed", lines.len()),
            steps: Vec::new(),
        });
    }
    // Answers that are missing are quickly recorded; more cases are not quickly found.
    let first = lines
        .iter()
        .find(is("could_not_run"))
        .or_else(|| lines.iter().find(is("inconclusive")));
    Some(Requirement {
        outcome: first.map_or("skipped", |_| "fail").to_owned(),
        evidence: lines
            .iter()
            .map(|line| format!("{}: {}", line.trial, line.reason))
            .collect(),
        reason: "none of them passed or failed".to_owned(),
        steps: first.map_or_else(Vec::new, |line| {
            step::next(line, &waiting(suite), &suite.name, 0)
        }),
    })
}

/// What was not decided; none where all was.
fn undecided(card: &Card) -> Option<Requirement> {
    let open = card
        .assertions
        .iter()
        .filter(|line| line.outcome() == "inconclusive");
    let evidence: Vec<String> = open
        .map(|line| format!("{}: {}", line.trial, line.reason))
        .collect();
    (!evidence.is_empty()).then(|| Requirement {
        outcome: "inconclusive".to_owned(),
        reason: format!("{} assertions are open", evidence.len()),
        evidence,
        steps: Vec::new(),
    })
}
