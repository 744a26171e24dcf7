//! One suite under way: answers are collected once per candidate, and every trial reads them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::candidate::{CandidateRun, answers_of};
use super::cards;
use super::explain;
use super::settings::Settings;
use super::trial::{Trial, TrialKind, TrialResult, assertion_name};
use crate::judge::{Judgement, Outcome, judge};
use crate::metric::{OnInconclusive, Requirement};
use crate::report::{AssertionLine, Scorecard};
use crate::score::measure;
use crate::suite::{Assertion, Suite};

/// A suite with the trials that are to run on it.
pub struct SuiteRun<'a> {
    suite: &'a Suite,
    settings: &'a Settings,
    /// Positions of the assertions whose answers are needed.
    wanted: Vec<usize>,
    candidates: Vec<OnceLock<CandidateRun<'a>>>,
    judgements: Vec<OnceLock<Vec<Judgement>>>,
}

impl<'a> SuiteRun<'a> {
    /// Prepares the selected trials; nothing is read or asked yet.
    pub fn new<'t>(
        suite: &'a Suite,
        settings: &'a Settings,
        trials: impl IntoIterator<Item = &'t Trial>,
    ) -> Self {
        let mut wanted = Vec::new();
        for trial in trials {
            match trial.kind {
                TrialKind::Assertion(position) => wanted.push(position),
                TrialKind::Decided(candidate) => {
                    wanted.extend(
                        (0..suite.assertions.len())
                            .filter(|at| suite.assertions[*at].candidate == candidate),
                    );
                }
                TrialKind::Undecided | TrialKind::Scorecard => {
                    wanted.extend(0..suite.assertions.len());
                }
                TrialKind::Loads | TrialKind::Gold => {}
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let candidates = suite.candidates.iter().map(|_| OnceLock::new()).collect();
        let judgements = suite.assertions.iter().map(|_| OnceLock::new()).collect();
        Self {
            suite,
            settings,
            wanted,
            candidates,
            judgements,
        }
    }

    /// The suite.
    pub fn suite(&self) -> &'a Suite {
        self.suite
    }

    /// Runs one trial, but for what a scorecard is compared with: that is the caller's.
    pub fn run(&self, trial: &Trial) -> TrialResult {
        match trial.kind {
            TrialKind::Loads | TrialKind::Scorecard => TrialResult::Passed,
            TrialKind::Gold => self.gold(trial),
            TrialKind::Assertion(position) => self.assertion(trial, position),
            TrialKind::Decided(candidate) => self.decided(trial, candidate),
            TrialKind::Undecided => self.undecided(),
        }
    }

    /// What the candidate at this position answered, collected at the first call.
    pub(super) fn candidate(&self, position: usize) -> &CandidateRun<'a> {
        self.candidates[position].get_or_init(|| {
            let assertions: Vec<&Assertion> = self
                .wanted
                .iter()
                .map(|at| &self.suite.assertions[*at])
                .filter(|assertion| assertion.candidate == position)
                .collect();
            answers_of(self.suite, position, &assertions, self.settings)
        })
    }

    /// What the evidence says of every requirement of the assertion at this position.
    pub fn judgements(&self, position: usize) -> &[Judgement] {
        self.judgements[position].get_or_init(|| {
            let assertion = &self.suite.assertions[position];
            let run = self.candidate(assertion.candidate);
            let judge_one = |requirement: &Requirement| {
                if let Some(reason) = &run.failed {
                    return Judgement::could_not_run(reason.clone());
                }
                let sheet = &run.sheets[assertion.question];
                let measurement = measure(
                    sheet,
                    &assertion.metric,
                    &requirement.selection,
                    requirement.confidence,
                );
                judge(&assertion.metric, requirement, &measurement)
            };
            assertion.requirements.iter().map(judge_one).collect()
        })
    }

    /// Positions of the assertions about one candidate.
    pub(super) fn assertions_of(&self, candidate: usize) -> impl Iterator<Item = usize> {
        (0..self.suite.assertions.len())
            .filter(move |position| self.suite.assertions[*position].candidate == candidate)
    }

    fn assertion(&self, trial: &Trial, position: usize) -> TrialResult {
        let assertion = &self.suite.assertions[position];
        let judgements = self.judgements(position);
        let worst = judgements
            .iter()
            .map(|judgement| shown(self.settings, assertion, judgement))
            .max()
            .unwrap_or(Shown::Passed);
        match worst {
            Shown::Passed => TrialResult::Passed,
            Shown::Ignored => {
                TrialResult::Ignored(self.lines(position, |at| !is_passed(at)).join("; "))
            }
            Shown::Failed => TrialResult::Failed(explain::assertion(self, trial, position)),
        }
    }

    fn decided(&self, trial: &Trial, candidate: usize) -> TrialResult {
        let any = self
            .assertions_of(candidate)
            .flat_map(|position| self.judgements(position))
            .any(|judgement| matches!(judgement.outcome, Outcome::Pass | Outcome::Fail));
        if any {
            TrialResult::Passed
        } else {
            TrialResult::Failed(explain::nothing_decided(self, trial, candidate))
        }
    }

    fn undecided(&self) -> TrialResult {
        let is_undecided = |judgement: &Judgement| judgement.outcome == Outcome::Inconclusive;
        let lines: Vec<String> = (0..self.suite.assertions.len())
            .flat_map(|position| {
                let name = assertion_name(self.suite, position);
                let lines = self.lines(position, is_undecided).into_iter();
                lines.map(move |line| format!("{name}: {line}"))
            })
            .collect();
        if lines.is_empty() {
            TrialResult::Passed
        } else {
            TrialResult::PassedWith(lines.join("\n"))
        }
    }

    /// One line about each judgement of an assertion that is asked for.
    fn lines(&self, position: usize, asked: impl Fn(&Judgement) -> bool) -> Vec<String> {
        let assertion = &self.suite.assertions[position];
        let judgements = self.judgements(position).iter().enumerate();
        judgements
            .filter(|(_, judgement)| asked(judgement))
            .map(|(at, judgement)| explain::one_line(assertion, at, judgement))
            .collect()
    }

    fn gold(&self, trial: &Trial) -> TrialResult {
        match explain::gold_floor(self.suite, self.settings) {
            None => TrialResult::Passed,
            Some(reason) => TrialResult::Failed(explain::with_rerun(self.settings, trial, &reason)),
        }
    }

    /// Every requirement with its outcome, by trial name.
    pub fn assertion_lines(&self) -> Vec<AssertionLine> {
        let mut lines = BTreeMap::new();
        for (position, assertion) in self.suite.assertions.iter().enumerate() {
            let trial = assertion_name(self.suite, position);
            let of_trial = assertion
                .requirements
                .iter()
                .zip(self.judgements(position))
                .map(|(requirement, judgement)| AssertionLine {
                    trial: trial.clone(),
                    candidate: self.suite.candidates[assertion.candidate].name.clone(),
                    question: self.suite.questions[assertion.question].name.clone(),
                    metric: assertion.metric.clone(),
                    requirement: requirement.clone(),
                    judgement: judgement.clone(),
                });
            lines.insert(trial.clone(), of_trial.collect::<Vec<_>>());
        }
        lines.into_values().flatten().collect()
    }

    /// The suite's scorecard.
    pub fn scorecard(&self) -> Scorecard {
        cards::scorecard(self)
    }

    pub(super) fn settings(&self) -> &'a Settings {
        self.settings
    }
}

/// How a judgement shows, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Passed,
    Ignored,
    Failed,
}

fn is_passed(judgement: &Judgement) -> bool {
    judgement.outcome == Outcome::Pass
}

fn shown(settings: &Settings, assertion: &Assertion, judgement: &Judgement) -> Shown {
    let waves_through = assertion
        .requirements
        .iter()
        .any(|requirement| requirement.on_inconclusive == OnInconclusive::Pass);
    match judgement.outcome {
        Outcome::Pass => Shown::Passed,
        Outcome::Inconclusive if waves_through => Shown::Passed,
        Outcome::Inconclusive if settings.strict => Shown::Failed,
        Outcome::Inconclusive => Shown::Ignored,
        Outcome::CouldNotRun if judgement.skipped => Shown::Ignored,
        Outcome::Fail | Outcome::CouldNotRun => Shown::Failed,
    }
}
