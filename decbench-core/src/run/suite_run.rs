//! One suite under way: answers are collected once per candidate, and every trial reads them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::baseline::{Baseline, Earlier};
use super::candidate::{CandidateRun, Needed, answers_of, is_remote};
use super::data::DataRun;
use super::jury;
use super::needs::of_verdict;
use super::settings::Settings;
use super::trial::{Trial, TrialKind, assertion_name};
use crate::collect::Mode;
use crate::judge::{ClaimFinding, Finding, Judgement, LoadFinding, judge};
use crate::metric::{MetricId, Requirement};
use crate::report::{AssertionLine, PublishedLine};
use crate::score::measure;
use crate::suite::{Against, Assertion, Judging, Suite};

/// Why what reads the lock box is passed over.
const LOCKBOX_CLOSED: &str =
    "the lock box is closed: DECBENCH_LOCKBOX=1 opens it, and each time is a look that counts";

/// A suite with the trials that are to run on it.
pub struct SuiteRun<'a> {
    suite: &'a Suite,
    settings: &'a Settings,
    /// Positions of the assertions whose answers are needed.
    wanted: Vec<usize>,
    /// What the verdict reads beyond the base probe, as assertions would ask for it.
    pub(super) for_verdict: Vec<Assertion>,
    /// Positions of the remote candidates that are asked together, side by side; none where nothing is asked.
    together: Vec<usize>,
    asked_together: OnceLock<Vec<CandidateRun<'a>>>,
    /// Whether a single trial is to run.
    alone: bool,
    candidates: Vec<OnceLock<CandidateRun<'a>>>,
    /// The same with the agreement of another candidate, for those whose confidence comes from there.
    agreed: Vec<OnceLock<CandidateRun<'a>>>,
    /// The same with what judges say of the answers.
    judged: Vec<OnceLock<CandidateRun<'a>>>,
    judgements: Vec<OnceLock<Vec<Judgement>>>,
    /// What each check of the data found, and the files that they are compared with, at the first call for it.
    pub(super) data: DataRun,
    /// What services bore of the load, offered at the first call for it.
    pub(super) load: OnceLock<LoadFinding>,
    /// The verdict, reached at the first call for it.
    pub(super) verdict: OnceLock<Option<Finding>>,
    /// What was found of each comparison's candidates, at the first call for it.
    pub(super) claims: Vec<OnceLock<Vec<ClaimFinding>>>,
    /// The agreement with each published metric, found at the first call for it.
    pub(super) published: Vec<OnceLock<PublishedLine>>,
    /// What the baseline is, found at the first call for it.
    pub(super) baseline: OnceLock<Result<Baseline, String>>,
    /// What each candidate answered at the baseline.
    pub(super) earlier: Vec<OnceLock<Earlier<'a>>>,
}

impl<'a> SuiteRun<'a> {
    /// Prepares the selected trials; nothing is read or asked yet.
    pub fn new<'t>(
        suite: &'a Suite,
        settings: &'a Settings,
        trials: impl IntoIterator<Item = &'t Trial>,
    ) -> Self {
        let mut wanted = Vec::new();
        let mut for_verdict = Vec::new();
        let mut compared = Vec::new();
        let mut selected = 0;
        for trial in trials {
            selected += 1;
            match trial.kind {
                TrialKind::Assertion(position) => wanted.push(position),
                TrialKind::Decided(candidate) | TrialKind::Recording(candidate) => {
                    wanted.extend(
                        (0..suite.assertions.len())
                            .filter(|at| suite.assertions[*at].candidate == candidate),
                    );
                    compared.push(candidate);
                }
                TrialKind::Undecided | TrialKind::Scorecard => {
                    wanted.extend(0..suite.assertions.len());
                    for_verdict = of_verdict(suite, settings);
                    compared.extend(0..suite.candidates.len());
                }
                TrialKind::Verdict => {
                    for_verdict = of_verdict(suite, settings);
                    compared.extend(0..suite.candidates.len());
                }
                // A comparison reads the base probe, which is always asked.
                TrialKind::Claim(position, _) => {
                    let comparison = &suite.comparisons[position];
                    if let Against::Candidate(against) = comparison.against {
                        compared.push(against);
                    }
                    compared.extend(&comparison.candidates);
                }
                TrialKind::Published(position, _) => {
                    let figures = suite.published.iter().flat_map(|table| &table.figures);
                    let models = figures.skip(position).take(1).flat_map(|one| &one.models);
                    compared.extend(models.map(|(candidate, _)| *candidate));
                }
                TrialKind::Loads
                | TrialKind::Data(_)
                | TrialKind::Plan
                | TrialKind::Turn(_)
                | TrialKind::Load => {}
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        compared.extend(wanted.iter().map(|at| suite.assertions[*at].candidate));
        let others = compared.iter();
        let others = others.filter_map(|at| suite.candidates[*at].confidence_from);
        compared.extend(others.collect::<Vec<_>>());
        let judging = suite.open.as_ref().and_then(|open| open.judging.as_ref());
        if !compared.is_empty() {
            compared.extend(judging.and_then(|judging| judging.pairwise));
        }
        compared.sort_unstable();
        compared.dedup();
        compared.retain(|at| settings.mode != Mode::Replay && is_remote(suite, *at, settings));
        let cells = || suite.candidates.iter().map(|_| OnceLock::new()).collect();
        let judgements = suite.assertions.iter().map(|_| OnceLock::new()).collect();
        Self {
            suite,
            settings,
            wanted,
            for_verdict,
            alone: selected == 1,
            together: compared,
            asked_together: OnceLock::new(),
            candidates: cells(),
            agreed: cells(),
            judged: cells(),
            judgements,
            data: DataRun::default(),
            load: OnceLock::new(),
            verdict: OnceLock::new(),
            claims: suite.comparisons.iter().map(|_| OnceLock::new()).collect(),
            published: suite
                .published
                .iter()
                .flat_map(|table| &table.figures)
                .map(|_| OnceLock::new())
                .collect(),
            baseline: OnceLock::new(),
            earlier: suite.candidates.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The same about these candidates alone: asking one of them asks none of the others with it.
    #[must_use]
    pub fn about(mut self, positions: &[usize]) -> Self {
        self.together.retain(|at| positions.contains(at));
        self
    }

    /// The suite.
    pub fn suite(&self) -> &'a Suite {
        self.suite
    }

    /// Whether a single trial of the suite was asked for, so that what it tells is what somebody wants to read.
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// Who judges the suite's answers, where somebody does.
    pub(super) fn judging(&self) -> Option<&'a Judging> {
        self.suite.open.as_ref()?.judging.as_ref()
    }

    /// What the candidate at this position answered, judged where the suite has judges.
    pub(super) fn candidate(&self, position: usize) -> &CandidateRun<'a> {
        let Some(judging) = self.judging() else {
            return self.agreed(position);
        };
        self.judged[position].get_or_init(|| {
            let mut run = self.agreed(position).clone();
            self.have_judged(judging, position, &mut run);
            run
        })
    }

    /// Has answers of the candidate at this position judged.
    pub(super) fn have_judged(
        &self,
        judging: &Judging,
        position: usize,
        run: &mut CandidateRun<'a>,
    ) {
        let other = self.compared(judging, position);
        jury::judge(self.suite, position, run, other, self.settings);
    }

    /// Whom the answers of the candidate at this position are compared with, where that is somebody else.
    pub(super) fn compared(&self, judging: &Judging, position: usize) -> Option<&CandidateRun<'a>> {
        let other = judging.pairwise.filter(|other| *other != position)?;
        Some(self.answered(other))
    }

    /// What the candidate at this position answered, with the agreement of the one that its confidence comes from, before
    /// anybody judges it.
    fn agreed(&self, position: usize) -> &CandidateRun<'a> {
        let Some(other) = self.suite.candidates[position].confidence_from else {
            return self.answered(position);
        };
        self.agreed[position].get_or_init(|| {
            let mut run = self.answered(position).clone();
            run.agree_with(self.answered(other), &self.suite.candidates[other].name);
            run
        })
    }

    /// What the candidate at this position answered, collected at the first call.
    pub(super) fn answered(&self, position: usize) -> &CandidateRun<'a> {
        if let Ok(at) = self.together.binary_search(&position) {
            let needed = || {
                let each = self.together.iter().map(|at| self.needed(*at));
                answers_of(self.suite, &each.collect::<Vec<_>>(), self.settings)
            };
            return &self.asked_together.get_or_init(needed)[at];
        }
        self.candidates[position].get_or_init(|| {
            answers_of(self.suite, &[self.needed(position)], self.settings)
                .pop()
                .expect("one for one")
        })
    }

    pub(super) fn needed(&self, position: usize) -> Needed<'_> {
        let assertions = self
            .wanted
            .iter()
            .map(|at| &self.suite.assertions[*at])
            .chain(&self.for_verdict)
            .filter(|assertion| assertion.candidate == position)
            .collect();
        (position, assertions)
    }

    /// What the evidence says of every requirement of the assertion at this position.
    pub fn judgements(&self, position: usize) -> &[Judgement] {
        self.judgements[position].get_or_init(|| {
            let assertion = &self.suite.assertions[position];
            let run = self.candidate(assertion.candidate);
            let mixed = self.mixed(assertion.candidate, [assertion]);
            let judge_one = |requirement: &Requirement| {
                if requirement.selection.lockbox && !self.settings.lockbox {
                    return Judgement {
                        skipped: true,
                        ..Judgement::could_not_run(LOCKBOX_CLOSED)
                    };
                }
                let refused = run
                    .refused
                    .as_ref()
                    .filter(|_| requirement.selection.lockbox);
                if let Some(reason) = run.failed.as_ref().or(refused).or(mixed.as_ref()) {
                    return Judgement::could_not_run(reason.clone());
                }
                if assertion.metric.id == MetricId::Kappa
                    && let Some(refusal) = self.ceiling(assertion.question).and_then(|ceiling| {
                        let bound = &requirement.bound;
                        ceiling.refusal(assertion.metric.id, bound.side, bound.value())
                    })
                {
                    return Judgement::could_not_run(refusal);
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

    pub(super) fn settings(&self) -> &'a Settings {
        self.settings
    }
}
