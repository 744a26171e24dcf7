//! Runs one trial of a suite and words what came of it.

use super::settings::Settings;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialKind, TrialResult, assertion_name, verdict_name};
use super::{cards, claim, explain, verdict};
use crate::judge::{Judgement, Outcome};
use crate::metric::{OnInconclusive, Requirement};
use crate::report::{Scorecard, claim_line, plan_text, unsettled_text, verdict_sentence};

impl SuiteRun<'_> {
    /// Runs one trial, but for what a scorecard is compared with: that is the caller's.
    pub fn run(&self, trial: &Trial) -> TrialResult {
        match trial.kind {
            TrialKind::Loads | TrialKind::Scorecard => TrialResult::Passed,
            TrialKind::Plan => self.planned(),
            TrialKind::Data(position) => self.data_check(trial, position),
            TrialKind::Assertion(position) => self.assertion(trial, position),
            TrialKind::Decided(candidate) => self.decided(trial, candidate),
            TrialKind::Recording(candidate) => self.recording(trial, candidate),
            TrialKind::Verdict => self.judged_verdict(trial),
            TrialKind::Claim(position, candidate) => self.claim(trial, position, candidate),
            TrialKind::Published(position, measure) => {
                self.published_trial(trial, position, measure)
            }
            TrialKind::Turn(candidate) => self.turn(trial, candidate),
            TrialKind::Load => self.load_trial(trial),
            TrialKind::Undecided => self.undecided(),
        }
    }

    /// The suite's scorecard.
    pub fn scorecard(&self) -> Scorecard {
        cards::scorecard(self)
    }

    /// Nobody has to read a plan that is sound: it is told in full where it is asked for alone.
    fn planned(&self) -> TrialResult {
        let plan = self.plan();
        let text = plan_text(&plan);
        if self.is_alone() {
            return TrialResult::PassedWith(text);
        }
        match unsettled_text(&plan) {
            Some(unsettled) => TrialResult::PassedWith(unsettled),
            None => TrialResult::Passed,
        }
    }

    fn assertion(&self, trial: &Trial, position: usize) -> TrialResult {
        let assertion = &self.suite().assertions[position];
        let judgements = self.judgements(position);
        let each = assertion.requirements.iter().zip(judgements);
        let worst = each
            .map(|(requirement, judgement)| shown(self.settings(), requirement, judgement))
            .max()
            .unwrap_or(Shown::Passed);
        match worst {
            Shown::Passed => TrialResult::Passed,
            Shown::Ignored => {
                let is_open = |judgement: &Judgement| judgement.outcome != Outcome::Pass;
                TrialResult::Ignored(self.lines(position, is_open).join("; "))
            }
            Shown::Failed => TrialResult::Failed(explain::assertion(self, trial, position)),
        }
    }

    fn decided(&self, trial: &Trial, candidate: usize) -> TrialResult {
        let any = self
            .assertions_of(candidate)
            .flat_map(|position| self.judgements(position))
            .any(|judgement| matches!(judgement.outcome, Outcome::Pass | Outcome::Fail));
        let mut requirements = self
            .assertions_of(candidate)
            .flat_map(|position| &self.suite().assertions[position].requirements);
        if any {
            TrialResult::Passed
        } else if !self.settings().lockbox
            && requirements.all(|requirement| requirement.selection.lockbox)
        {
            TrialResult::Ignored("everything is judged on the lock box, which is closed".to_owned())
        } else {
            TrialResult::Failed(explain::nothing_decided(self, trial, candidate))
        }
    }

    fn judged_verdict(&self, trial: &Trial) -> TrialResult {
        let Some(finding) = self.verdict() else {
            return TrialResult::Passed;
        };
        match finding.judged {
            Outcome::Pass => TrialResult::PassedWith(verdict_sentence(finding)),
            Outcome::Inconclusive if !self.settings().strict => {
                TrialResult::Ignored(verdict::one_line(finding))
            }
            _ => TrialResult::Failed(verdict::explain(self, trial, finding)),
        }
    }

    fn claim(&self, trial: &Trial, position: usize, candidate: usize) -> TrialResult {
        let name = &self.suite().candidates[candidate].name;
        let findings = self.claims(position).iter();
        let Some(finding) = findings
            .into_iter()
            .find(|finding| finding.candidate == *name)
        else {
            return TrialResult::Passed;
        };
        match finding.outcome {
            _ if finding.skipped => TrialResult::Ignored(claim_line(finding)),
            Outcome::Pass if finding.change.is_some() => {
                TrialResult::PassedWith(claim::evidence(self, finding))
            }
            Outcome::Pass => TrialResult::Passed,
            Outcome::Inconclusive if !self.settings().strict => {
                TrialResult::Ignored(claim_line(finding))
            }
            _ => TrialResult::Failed(claim::explain(self, trial, finding)),
        }
    }

    fn undecided(&self) -> TrialResult {
        let is_undecided = |judgement: &Judgement| judgement.outcome == Outcome::Inconclusive;
        let lines: Vec<String> = (0..self.suite().assertions.len())
            .flat_map(|position| {
                let name = assertion_name(self.suite(), position);
                let lines = self.lines(position, is_undecided).into_iter();
                lines.map(move |line| format!("{name}: {line}"))
            })
            .chain(
                self.data_lines()
                    .into_iter()
                    .filter(|line| line.finding.outcome == Outcome::Inconclusive)
                    .map(|line| format!("{}: {}", line.trial, line.finding.reason)),
            )
            .chain(
                self.verdict()
                    .filter(|finding| finding.judged == Outcome::Inconclusive)
                    .map(|finding| {
                        let name = verdict_name(self.suite());
                        format!("{name}: {}", verdict::one_line(finding))
                    }),
            )
            .chain(
                self.claim_lines()
                    .into_iter()
                    .filter(|line| {
                        line.finding.skipped || line.finding.outcome == Outcome::Inconclusive
                    })
                    .map(|line| format!("{}: {}", line.trial, claim_line(&line.finding))),
            )
            .chain(self.published_lines().into_iter().flat_map(|line| {
                let open = line.bounds.into_iter();
                let open = open.filter(|bound| bound.outcome == Outcome::Inconclusive);
                open.map(|bound| format!("{}: {}", bound.trial, bound.reason))
            }))
            .collect();
        if lines.is_empty() {
            TrialResult::Passed
        } else {
            TrialResult::PassedWith(lines.join("\n"))
        }
    }

    /// One line about each judgement of an assertion that is asked for.
    fn lines(&self, position: usize, asked: impl Fn(&Judgement) -> bool) -> Vec<String> {
        let assertion = &self.suite().assertions[position];
        let judgements = self.judgements(position).iter().enumerate();
        judgements
            .filter(|(_, judgement)| asked(judgement))
            .map(|(at, judgement)| explain::one_line(assertion, at, judgement))
            .collect()
    }

    fn data_check(&self, trial: &Trial, position: usize) -> TrialResult {
        let Some(finding) = self.data(position) else {
            return TrialResult::Passed;
        };
        match finding.outcome {
            Outcome::Pass => TrialResult::Passed,
            Outcome::Inconclusive if !self.settings().strict => {
                TrialResult::Ignored(finding.reason.clone())
            }
            _ => TrialResult::Failed(explain::data(self, trial, finding)),
        }
    }
}

/// How a judgement shows, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Passed,
    Ignored,
    Failed,
}

fn shown(settings: &Settings, requirement: &Requirement, judgement: &Judgement) -> Shown {
    match (judgement.outcome, requirement.on_inconclusive) {
        (Outcome::Pass, _) | (Outcome::Inconclusive, OnInconclusive::Pass) => Shown::Passed,
        (Outcome::Inconclusive, OnInconclusive::Ignore) if !settings.strict => Shown::Ignored,
        (Outcome::CouldNotRun, _) if judgement.skipped => Shown::Ignored,
        (Outcome::Inconclusive | Outcome::Fail | Outcome::CouldNotRun, _) => Shown::Failed,
    }
}
