//! The trials of a suite and what came of each.

use std::collections::BTreeSet;

use super::recording;
use crate::data::CHECKS;
use crate::judge::PublishedMeasure;
use crate::suite::{Suite, trial_part};

/// One trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: TrialKind,
}

/// What a trial does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrialKind {
    /// The suite was read without mistakes.
    Loads,
    /// The check at this position of [`CHECKS`] has nothing against the data.
    Data(usize),
    /// The assertion at this position holds.
    Assertion(usize),
    /// At least one assertion of the candidate at this position was decided.
    Decided(usize),
    /// The recorded answers of the candidate at this position are what the suite wants them to be.
    Recording(usize),
    /// The verdict over the candidates is the one expected.
    Verdict,
    /// What the comparison at the first position claims holds of the candidate at the second.
    Claim(usize, usize),
    /// The measure of the published metric at this position keeps to its bound.
    Published(usize, PublishedMeasure),
    /// Enough turns of the candidate at this position stay within their budget.
    Turn(usize),
    /// What services bear of a load is what the suite asks; in live mode only.
    Load,
    /// Lists what was not decided; never fails.
    Undecided,
    /// Tells what the assertions can tell with these cases; asks nobody, and never fails.
    Plan,
    /// Writes the scorecard and compares it with the reviewed one.
    Scorecard,
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrialResult {
    /// It holds.
    Passed,
    /// It holds, and there is something to tell.
    PassedWith(String),
    /// The evidence does not decide it, for this one-line reason.
    Ignored(String),
    /// It does not hold or could not run; what a person should read.
    Failed(String),
}

/// The trials of a suite, sorted by name.
pub fn trials_of(suite: &Suite) -> Vec<Trial> {
    let mut trials = vec![
        Trial {
            name: trial_name(&[&suite.name, "loads"]),
            kind: TrialKind::Loads,
        },
        Trial {
            name: trial_name(&[&suite.name, "scorecard"]),
            kind: TrialKind::Scorecard,
        },
        Trial {
            name: plan_name(suite),
            kind: TrialKind::Plan,
        },
        Trial {
            name: trial_name(&[&suite.name, "undecided"]),
            kind: TrialKind::Undecided,
        },
    ];
    let checks = CHECKS.iter().enumerate();
    trials.extend(
        checks
            .filter(|(_, check)| (check.applies)(suite))
            .map(|(position, check)| Trial {
                name: data_name(suite, check.name),
                kind: TrialKind::Data(position),
            }),
    );
    if suite.load.is_some() {
        trials.push(Trial {
            name: load_name(suite),
            kind: TrialKind::Load,
        });
    }
    if suite.verdict.is_some() {
        trials.push(Trial {
            name: verdict_name(suite),
            kind: TrialKind::Verdict,
        });
    }
    for (position, comparison) in suite.comparisons.iter().enumerate() {
        trials.extend(comparison.candidates.iter().map(|candidate| Trial {
            name: claim_name(suite, position, *candidate),
            kind: TrialKind::Claim(position, *candidate),
        }));
    }
    for (position, column) in suite
        .published
        .iter()
        .flat_map(|table| &table.figures)
        .enumerate()
    {
        for (measure, bound) in [
            (PublishedMeasure::Spearman, &column.spearman),
            (PublishedMeasure::Error, &column.error),
        ] {
            if bound.is_some() {
                trials.push(Trial {
                    name: published_name(suite, position, measure),
                    kind: TrialKind::Published(position, measure),
                });
            }
        }
    }
    for (position, candidate) in suite.candidates.iter().enumerate() {
        if candidate.baseline {
            continue;
        }
        if suite.turn.is_some() {
            trials.push(Trial {
                name: turn_name(suite, position),
                kind: TrialKind::Turn(position),
            });
        }
    }
    let mut gated = BTreeSet::new();
    for (position, assertion) in suite.assertions.iter().enumerate() {
        trials.push(Trial {
            name: assertion_name(suite, position),
            kind: TrialKind::Assertion(position),
        });
        gated.insert(assertion.candidate);
    }
    for candidate in gated {
        let name = trial_name(&[&suite.name, &suite.candidates[candidate].name, "decided"]);
        trials.push(Trial {
            name,
            kind: TrialKind::Decided(candidate),
        });
    }
    for (position, candidate) in suite.candidates.iter().enumerate() {
        if recording::is_asserted(suite, candidate) {
            trials.push(Trial {
                name: trial_name(&[&suite.name, &candidate.name, "recording"]),
                kind: TrialKind::Recording(position),
            });
        }
    }
    trials.sort_by(|a, b| a.name.cmp(&b.name));
    trials
}

/// The trial name of the assertion at this position.
pub(crate) fn assertion_name(suite: &Suite, position: usize) -> String {
    let assertion = &suite.assertions[position];
    let question = &suite.questions[assertion.question].name;
    let metric = if question.is_empty() {
        assertion.metric.to_string()
    } else {
        format!("{question}.{}", assertion.metric)
    };
    trial_name(&[
        &suite.name,
        &suite.candidates[assertion.candidate].name,
        &metric,
    ])
}

/// The name of the trial of a check of the data.
pub(crate) fn data_name(suite: &Suite, check: &str) -> String {
    trial_name(&[&suite.name, "data", check])
}

/// The name of the trial of a candidate's turns.
pub(crate) fn turn_name(suite: &Suite, candidate: usize) -> String {
    trial_name(&[&suite.name, &suite.candidates[candidate].name, "turn"])
}

/// The name of the load's trial.
pub(crate) fn load_name(suite: &Suite) -> String {
    trial_name(&[&suite.name, "load"])
}

/// The name of the plan's trial.
pub(crate) fn plan_name(suite: &Suite) -> String {
    trial_name(&[&suite.name, "plan"])
}

/// The name of the verdict's trial.
pub(crate) fn verdict_name(suite: &Suite) -> String {
    trial_name(&[&suite.name, "verdict"])
}

/// The name of the trial of a published metric.
pub(crate) fn published_name(suite: &Suite, position: usize, measure: PublishedMeasure) -> String {
    let table = suite.published.as_ref();
    let column = table.and_then(|table| table.figures.get(position));
    let metric = column.map_or_else(String::new, |column| suite.published_metric(column));
    let what = format!("{}[{metric}]", measure.name());
    trial_name(&[&suite.name, "published", &what])
}

/// The name of the trial of a claim about the candidate at this position.
pub(crate) fn claim_name(suite: &Suite, comparison: usize, candidate: usize) -> String {
    let claim = suite.claim_name(&suite.comparisons[comparison]);
    trial_name(&[&suite.name, &suite.candidates[candidate].name, &claim])
}

/// The parts joined, spelled as in trial names.
pub(crate) fn trial_name(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| trial_part(part))
        .collect::<Vec<_>>()
        .join("::")
}
