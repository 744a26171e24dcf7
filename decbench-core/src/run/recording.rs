//! What must hold of a candidate's recorded answers: their age, and the model that gave them.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::explain::with_rerun;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialResult};
use crate::provider::{AnsweredBy, find_provider};
use crate::suite::{Assertion, Candidate, Lockbox, ServedModel, Suite, plan};

/// Whether a candidate's recording has a trial: its own `recording:` asks for one, or the suite's does and a service
/// answers.
pub(super) fn is_asserted(suite: &Suite, candidate: &Candidate) -> bool {
    let is_service = find_provider(&candidate.provider)
        .is_ok_and(|kind| matches!(kind.answered_by, AnsweredBy::Service(_)));
    candidate.recording.is_assertion() || (is_service && suite.recording.is_assertion())
}

impl SuiteRun<'_> {
    /// Why answers of one candidate that these assertions read measure no one model, if so.
    pub(super) fn mixed<'s>(
        &self,
        position: usize,
        assertions: impl IntoIterator<Item = &'s Assertion>,
    ) -> Option<String> {
        let suite = self.suite();
        let candidate = &suite.candidates[position];
        if candidate.recording.or(suite.recording).model == Some(ServedModel::Any) {
            return None;
        }
        let run = self.candidate(position);
        let requested = run.requested_model.as_deref()?;
        let read = || plan(suite, position, assertions, self.lockbox());
        run.served.mixed(read, requested)
    }

    pub(super) fn recording(&self, trial: &Trial, position: usize) -> TrialResult {
        let suite = self.suite();
        let candidate = &suite.candidates[position];
        let rule = candidate.recording.or(suite.recording);
        let run = self.candidate(position);
        let assertions = self.assertions_of(position).map(|at| &suite.assertions[at]);
        let faults = match &run.failed {
            Some(reason) => vec![reason.clone()],
            None => run.served.faults(
                &plan(suite, position, assertions, self.lockbox()),
                run.requested_model.as_deref().unwrap_or_default(),
                rule.max_age,
                rule.model == Some(ServedModel::Exact),
                // A clock before the year 0 or after 9999 tells no age.
                Timestamp::try_from(self.settings().clock.now()).unwrap_or(Timestamp::UNIX_EPOCH),
            ),
        };
        if faults.is_empty() {
            return TrialResult::Passed;
        }
        let mut text = format!("the recording of `{}` does not hold\n", candidate.name);
        for fault in faults {
            let _ = writeln!(text, "because   {fault}");
        }
        let _ = writeln!(
            text,
            "record    delete answers/{}/{}.jsonl beside the suite, then {}",
            suite.name,
            candidate.name,
            self.settings().record.replace("{}", &trial.name)
        );
        TrialResult::Failed(with_rerun(self.settings(), trial, &text))
    }

    fn lockbox(&self) -> Lockbox {
        if self.settings().lockbox {
            Lockbox::Open
        } else {
            Lockbox::Closed
        }
    }
}
