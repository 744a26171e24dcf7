//! The way from a job to its answers.

use super::errand::Errand;
use super::error::CollectError;
use super::file::BadLine;
use super::job::{Collected, Environment, Job, Source};
use super::matching::Known;
use super::miss::{Miss, MissReason};
use super::mode::Mode;
use super::recorded::RecordedFile;
use super::wanted::{WantedCall, spell_out};
use super::{fill, live, local, recorded, replay};
use crate::decision::Answer;

/// Answers a job: from recordings, from the candidate, or both, as the mode says.
///
/// The same recordings give the same answers on every machine. Nothing is asked twice: what a process of the same run
/// has asked, and in `fill` what any recording answers, is read.
///
/// # Errors
///
/// When stores cannot be read or kept, or money or keys are missing; see [`CollectError`]. What had been answered
/// until then is in the stores.
pub fn collect(job: &Job<'_>, environment: &Environment<'_>) -> Result<Collected, CollectError> {
    only(together(std::slice::from_ref(job), environment))
}

/// Answers a job from a file made elsewhere, without any run.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn collect_file(file: &RecordedFile, job: &Job<'_>) -> Result<Collected, CollectError> {
    let calls = spell_out(job.plan, job.cases, job.questions, None);
    Ok(recorded::gather(file, job, &calls)?.finish(job, &calls))
}

fn only<T>(mut results: Vec<T>) -> T {
    results.pop().expect("one result for one job")
}

/// Answers the jobs of several candidates of one suite, as [`collect`] does each. Remote candidates are asked side by
/// side, about one case after the other, so that time of day and load are the same for all. Gives one result per job.
pub fn collect_together(
    jobs: &[Job<'_>],
    environment: &Environment<'_>,
) -> Vec<Result<Collected, CollectError>> {
    together(jobs, environment)
}

fn together(
    jobs: &[Job<'_>],
    environment: &Environment<'_>,
) -> Vec<Result<Collected, CollectError>> {
    let calls: Vec<Vec<WantedCall<'_>>> = jobs
        .iter()
        .map(|job| {
            let candidate = match &job.source {
                Source::Recorded(_) => None,
                Source::Asked(asking) => Some(asking.identity.digest()),
            };
            let mut calls = spell_out(job.plan, job.cases, job.questions, candidate);
            if let Some(limit) = job.context {
                for call in &mut calls {
                    call.hold_to(limit);
                }
            }
            calls
        })
        .collect();
    let mut errands = Vec::new();
    let mut gathered: Vec<Option<Result<Gathered, CollectError>>> = Vec::new();
    for (job, calls) in jobs.iter().zip(&calls) {
        gathered.push(match &job.source {
            Source::Recorded(file) => Some(recorded::gather(file, job, calls)),
            Source::Asked(asking) if !asking.remote => {
                Some(local::gather(job, asking, environment, calls))
            }
            Source::Asked(_) if environment.mode == Mode::Replay => {
                Some(replay::gather(job, environment, calls))
            }
            Source::Asked(asking) => {
                errands.push(Errand { job, asking, calls });
                None
            }
        });
    }
    let mut asked = if errands.is_empty() {
        Vec::new().into_iter()
    } else if environment.mode == Mode::Live {
        live::gather(&errands, environment).into_iter()
    } else {
        fill::gather(&errands, environment).into_iter()
    };
    let results = gathered.into_iter().zip(jobs).zip(&calls);
    results
        .map(|((gathered, job), calls)| {
            let gathered = gathered
                .or_else(|| asked.next())
                .expect("one result for each that was asked")?;
            Ok(gathered.finish(job, calls))
        })
        .collect()
}

/// Answers by number, as they come in.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) answers: Vec<Option<Answer>>,
    /// The lines that were looked at, for explaining misses.
    pub(crate) known: Option<Known>,
    /// Why calls were left unasked.
    pub(crate) not_asked: Option<String>,
    pub(crate) bad_lines: Vec<BadLine>,
    pub(crate) notes: Vec<String>,
    pub(crate) spent_usd: f64,
    pub(crate) calls_made: u64,
}

impl Gathered {
    /// Fills what is still open from known lines.
    pub(crate) fn fill_from(&mut self, mut known: Known, calls: &[WantedCall<'_>]) {
        let found = known.take_answers(calls);
        if self.answers.is_empty() {
            self.answers = found;
        } else {
            for (open, found) in self.answers.iter_mut().zip(found) {
                if open.is_none() {
                    *open = found;
                }
            }
        }
        // Misses are explained by what was read first: in `fill` by the recordings.
        self.known.get_or_insert(known);
    }

    /// Whether each answer of a call is still missing.
    pub(crate) fn open_answers(&self, call: &WantedCall<'_>) -> impl Iterator<Item = bool> {
        self.answers[call.first..][..call.questions.len()]
            .iter()
            .map(Option::is_none)
    }

    /// Puts a call's answers where nothing stands yet.
    pub(crate) fn put(&mut self, first: usize, answers: Vec<Answer>) {
        for (open, answer) in self.answers[first..].iter_mut().zip(answers) {
            open.get_or_insert(answer);
        }
    }

    /// The calls with a question that nothing answers yet and that can be asked and is read whole, in the order of the plan.
    pub(crate) fn open_calls<'c, 'a>(
        &self,
        calls: &'c [WantedCall<'a>],
    ) -> impl Iterator<Item = &'c WantedCall<'a>> {
        calls.iter().filter(|call| {
            call.state.is_some()
                && call.too_long.is_none()
                && self.open_answers(call).any(|open| open)
        })
    }

    fn finish(self, job: &Job<'_>, calls: &[WantedCall<'_>]) -> Collected {
        let mut collected = Collected {
            answers: Vec::with_capacity(self.answers.len()),
            bad_lines: self.bad_lines,
            notes: self.notes,
            spent_usd: self.spent_usd,
            calls_made: self.calls_made,
            ..Collected::default()
        };
        let known = self.known.unwrap_or_default();
        let asked = matches!(job.source, Source::Asked(_));
        let mut answers = self.answers.into_iter();
        for call in calls {
            for wanted in &call.questions {
                match (answers.next().flatten(), call.too_long) {
                    (Some(answer), _) => collected.answers.push(answer),
                    // Before `missing: skip`, as nothing that was recorded would answer it.
                    (None, Some(excess)) => {
                        let reason = MissReason::TooLong(excess);
                        collected.misses.push(Miss::because(call, wanted, reason));
                    }
                    (None, None) if job.skip_missing => {
                        if collected.skipped.last() != Some(&call.case.id) {
                            collected.skipped.push(call.case.id.clone());
                        }
                    }
                    (None, None) if asked && call.state.is_none() => {
                        let reason = MissReason::NoState(call.call.context);
                        collected.misses.push(Miss::because(call, wanted, reason));
                    }
                    (None, None) => {
                        let not_asked = self.not_asked.as_deref();
                        collected
                            .misses
                            .push(Miss::explain(call, wanted, &known, not_asked));
                    }
                }
            }
        }
        collected
    }
}
