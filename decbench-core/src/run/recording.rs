//! What must hold of a candidate's recorded answers: their age, and the model that gave them.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::baseline::Earlier;
use super::explain::with_rerun;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialResult};
use crate::metric::{Decimal, Unit};
use crate::provider::{AnsweredBy, find_provider};
use crate::report::{format_interval, format_value};
use crate::score::{EscapeChange, Evidence, escape_change};
use crate::suite::{Assertion, Candidate, Lockbox, ServedModel, Suite, plan};

/// At what confidence a change of the escape rate is judged.
const CONFIDENCE: f64 = 0.95;

/// Whether a candidate's recording has a trial: its own `recording:` asks for one, or the suite's does and a service
/// answers.
pub(super) fn is_asserted(suite: &Suite, candidate: &Candidate) -> bool {
    let is_service = find_provider(&candidate.provider)
        .is_ok_and(|kind| matches!(kind.answered_by, AnsweredBy::Service(_)));
    candidate.recording.is_assertion() || (is_service && suite.recording.is_assertion())
}

/// Cases named whose answer moved to the escape option or away from it.
const MOVED_NAMED: usize = 5;

/// What a comparison of escape rates came to.
#[derive(Default)]
struct EscapeRate {
    /// What is beyond the limit, or cannot be read.
    faults: Vec<String>,
    /// What cannot be told.
    open: Vec<String>,
    /// What is within it.
    told: Vec<String>,
    /// The first cases that moved.
    moved: Vec<String>,
}

/// Whether a change lies within the limit either way; `None` where its interval reaches over it.
fn within(change: &EscapeChange, limit: f64) -> Option<bool> {
    let interval = match change.change.evidence {
        Evidence::Limits { interval, .. } => interval,
        _ => change.change.interval?,
    };
    if interval.low >= -limit && interval.high <= limit {
        Some(true)
    } else if interval.low > limit || interval.high < -limit {
        Some(false)
    } else {
        None
    }
}

fn told(change: &EscapeChange, baseline: &str, limit: Decimal) -> String {
    let share = |value| format_value(value, Unit::Share);
    let interval = change.change.interval.map_or_else(String::new, |interval| {
        format!(" {}", format_interval(interval, Unit::Difference))
    });
    format!(
        "is {} and was {} at {baseline}, a change of {}{interval} on {} cases; at most {} either way is asked for",
        share(change.now),
        share(change.before),
        format_value(change.change.value, Unit::Difference),
        change.change.n,
        share(limit.value())
    )
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
        let escape = match (rule.escape_change, &run.failed) {
            (Some(limit), None) => self.escape_rate(position, limit),
            _ => EscapeRate::default(),
        };
        let mut text = format!("the recording of `{}` does not hold\n", candidate.name);
        let strict = self.settings().strict;
        if faults.is_empty() && escape.faults.is_empty() && (escape.open.is_empty() || !strict) {
            return match (escape.open.is_empty(), escape.told.is_empty()) {
                (false, _) => TrialResult::Ignored(escape.open.join("; ")),
                (true, false) if self.is_alone() => TrialResult::PassedWith(escape.told.join("\n")),
                _ => TrialResult::Passed,
            };
        }
        for fault in faults.iter().chain(&escape.faults).chain(&escape.open) {
            let _ = writeln!(text, "because   {fault}");
        }
        if !escape.moved.is_empty() {
            let _ = writeln!(text, "cases     {}", escape.moved.join(", "));
        }
        if faults.is_empty() {
            return TrialResult::Failed(with_rerun(self.settings(), trial, &text));
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

    /// Compares the share of escape answers with that of the baseline's recording.
    fn escape_rate(&self, position: usize, limit: Decimal) -> EscapeRate {
        let mut found = EscapeRate::default();
        let (earlier, name) = match self.earlier(position) {
            Earlier::Answers(earlier, name) => (earlier, name),
            Earlier::Nothing(reason) => {
                let open = format!("the escape rate has nothing to be compared with: {reason}");
                found.open.push(open);
                return found;
            }
            Earlier::Failed(reason) => {
                found.faults.push(reason.clone());
                return found;
            }
        };
        let sheets = &self.candidate(position).sheets;
        let questions = sheets.iter().zip(&earlier.sheets);
        for (now, then) in questions {
            let subject = match now.question.name.as_str() {
                "" => "escape_rate".to_owned(),
                question => format!("{question}.escape_rate"),
            };
            match escape_change(now, then, CONFIDENCE) {
                None => {}
                Some(Err(why)) => found.open.push(format!("{subject}: {}", why.reason)),
                Some(Ok(change)) => {
                    let text = format!("{subject} {}", told(&change, name, limit));
                    match within(&change, limit.value()) {
                        Some(true) => found.told.push(text),
                        Some(false) => found.faults.push(text),
                        None => found.open.push(text),
                    }
                    let cases = change.change.drivers.iter();
                    let ids = cases.map(|at| self.suite().cases[*at].id.clone());
                    found.moved.extend(ids.take(MOVED_NAMED));
                }
            }
        }
        found
    }

    fn lockbox(&self) -> Lockbox {
        if self.settings().lockbox {
            Lockbox::Open
        } else {
            Lockbox::Closed
        }
    }
}
