//! Making calls: so many at a time, at the agreed pace, tried again where that helps, within the budget, and every
//! answer handed over as it arrives.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::backoff::{LONGEST_ASKED, Next, next};
use super::error::CollectError;
use super::ledger::Ledger;
use super::limits::Limits;
use super::pace::Pace;
use super::runtime;
use super::wanted::WantedCall;
use crate::decision::{Answer, FailureKind, Measured, Request, State};
use crate::provider::side_by_side::run_all;
use crate::provider::{Attempt, Clock, Price, Provider, Reply};

/// Output tokens that are reserved for each question; answers are a label and some numbers.
const OUTPUT_TOKENS: u64 = 64;
/// After so many calls in a row that nobody served, the rest is not tried.
const UNSERVED_IN_A_ROW: usize = 10;

/// What it takes to make calls.
pub(crate) struct Engine<'a> {
    pub(crate) provider: &'a dyn Provider,
    pub(crate) limits: Limits,
    pub(crate) price: Price,
    pub(crate) ledger: &'a Ledger,
    pub(crate) clock: &'a Clock,
}

/// What became of a list of calls.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// Requests that were sent, retries included.
    pub(crate) calls: u64,
    /// What they cost as far as it is known.
    pub(crate) usd: f64,
    /// Why the rest was not asked.
    pub(crate) stopped: Option<String>,
}

impl Engine<'_> {
    /// Makes the calls and hands their answers to `keep`.
    ///
    /// Calls go out in a fixed order: all base probes first, in the order of the cases, so that what a budget cuts off is
    /// the least of what was wanted; then order by order and repeat by repeat, so that repeats of a case lie apart.
    ///
    /// # Errors
    ///
    /// When an answer cannot be kept or the ledger not be written; calls in flight are still kept, no further ones begun.
    pub(crate) fn make<K>(&self, calls: &[&WantedCall<'_>], keep: K) -> Result<Made, CollectError>
    where
        K: FnMut(&WantedCall<'_>, Vec<Answer>) -> Result<(), CollectError> + Send,
    {
        let mut calls: Vec<&WantedCall<'_>> = calls.to_vec();
        calls.sort_by_key(|wanted| {
            let call = wanted.call;
            (call.context, call.order, call.repeat, wanted.first)
        });
        let flight = Flight {
            engine: self,
            taken: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
            shared: Mutex::new(Shared {
                keep,
                usd: 0.0,
                served: false,
                unserved: 0,
                stopped: None,
                error: None,
            }),
        };
        let workers = self.limits.concurrency.clamp(1, calls.len().max(1));
        runtime::run(async {
            // The pace needs the runtime's clock, so it is made inside.
            let pace = Pace::new(&self.limits);
            run_all((0..workers).map(|_| flight.work(&calls, &pace)).collect()).await;
        })
        .map_err(CollectError::Runtime)?;
        let sent = flight.sent.into_inner();
        let shared = flight
            .shared
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(Made {
                calls: sent,
                usd: shared.usd,
                stopped: shared.stopped,
            }),
        }
    }

    /// The most a call can cost, and about how many tokens it sends.
    ///
    /// No tokenizer makes more tokens than there are bytes; four bytes to a token are usual.
    fn estimate(&self, call: &WantedCall<'_>, state: &State) -> (f64, f64) {
        let questions: usize = call
            .questions
            .iter()
            .map(|wanted| {
                let question = wanted.question;
                let options = question.options.iter().map(|option| {
                    option.key.len() + option.description.as_deref().map_or(0, str::len) + 16
                });
                question.name.len() + question.instructions.len() + 64 + options.sum::<usize>()
            })
            .sum();
        let demand = self.provider.demand(call.questions.len());
        let requests = u64::from(demand.requests);
        let bytes = (state.as_text().len() + questions + 256) as u64 + demand.further_bytes;
        let output = (OUTPUT_TOKENS * call.questions.len() as u64).max(demand.output_tokens);
        (
            self.price.of(bytes * requests, output * requests),
            (bytes * requests) as f64 / 4.0,
        )
    }

    /// What an attempt cost, and what its answers say about it: with the tokens unknown nothing, and the most possible
    /// for the budget.
    fn cost(&self, given: &Result<Reply, Attempt>, most: f64) -> (f64, Option<f64>) {
        let counted = |measured: &Measured| {
            let input = measured.input_tokens?;
            let usd = self.price.of(input, measured.output_tokens.unwrap_or(0));
            // Far below any price, and without the noise of binary fractions in files that people read.
            Some((usd * 1e12).round() / 1e12)
        };
        match given {
            Ok(reply) => {
                let known = counted(&reply.measured);
                (known.unwrap_or(most), known)
            }
            Err(attempt) => match attempt.failure.kind {
                // It may have been answered, and billed, without our hearing of it.
                FailureKind::Timeout | FailureKind::InvalidAnswer | FailureKind::Refused => {
                    let known = counted(&attempt.measured);
                    (known.unwrap_or(most), known)
                }
                FailureKind::Connect if attempt.measured.connect_ms.is_some() => (most, None),
                // Of several requests for one answer some may have been answered before one failed.
                _ => match counted(&attempt.measured) {
                    Some(usd) => (usd, Some(usd)),
                    None => (0.0, None),
                },
            },
        }
    }
}

/// Calls on their way.
struct Flight<'f, K> {
    engine: &'f Engine<'f>,
    taken: AtomicUsize,
    sent: AtomicU64,
    shared: Mutex<Shared<K>>,
}

struct Shared<K> {
    keep: K,
    usd: f64,
    served: bool,
    /// Calls in a row that nobody served.
    unserved: usize,
    stopped: Option<String>,
    error: Option<CollectError>,
}

impl<K> Flight<'_, K>
where
    K: FnMut(&WantedCall<'_>, Vec<Answer>) -> Result<(), CollectError> + Send,
{
    fn shared(&self) -> MutexGuard<'_, Shared<K>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one call after the other until there are none.
    async fn work(&self, calls: &[&WantedCall<'_>], pace: &Pace) {
        while !self.is_over() {
            let Some(call) = calls.get(self.taken.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let Some(state) = call.state else { continue };
            match self.call(call, state, pace).await {
                Ok(Some(answers)) => self.end(call, answers),
                Ok(None) => return,
                Err(error) => {
                    self.shared().error.get_or_insert(error);
                    return;
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        let shared = self.shared();
        shared.stopped.is_some() || shared.error.is_some()
    }

    /// Makes one call with its retries; `None` where it was stopped before its last attempt.
    async fn call(
        &self,
        call: &WantedCall<'_>,
        state: &State,
        pace: &Pace,
    ) -> Result<Option<Vec<Answer>>, CollectError> {
        let engine = self.engine;
        let (most, tokens) = engine.estimate(call, state);
        let asked = call.asked();
        let request = Request {
            case: &call.case.id,
            state,
            questions: &asked,
        };
        let mut made = 0;
        let mut cost_usd = None;
        loop {
            pace.wait(tokens).await;
            if self.is_over() {
                return Ok(None);
            }
            let Some(reservation) = engine.ledger.reserve(most)? else {
                let budget = engine.ledger.budget_usd();
                self.stop(format!("the run's budget of ${budget} is used up"));
                return Ok(None);
            };
            made += 1;
            self.sent.fetch_add(1, Ordering::Relaxed);
            let at = engine.clock.now_text();
            let mut given = engine.provider.ask(request).await;
            let (billed, known) = engine.cost(&given, most);
            engine.ledger.settle(reservation, billed)?;
            self.shared().usd += billed;
            if let Some(known) = known {
                *cost_usd.get_or_insert(0.0) += known;
            }
            let measured = match &given {
                Ok(reply) => &reply.measured,
                Err(attempt) => &attempt.measured,
            };
            if let Some(counted) = measured.input_tokens {
                pace.counted(tokens, counted as f64);
            }
            let todo = match &mut given {
                Ok(_) => Next::GiveUp,
                Err(attempt) => after(attempt, made, engine.limits.retries, call.first),
            };
            match todo {
                Next::Wait(wait) => tokio::time::sleep(wait).await,
                Next::Hold(wait) => pace.hold(wait),
                Next::GiveUp | Next::TooLong(_) => {
                    let mut answers = call.answers(given);
                    for answer in &mut answers {
                        answer.measured.attempts = Some(made);
                        answer.measured.cost_usd = cost_usd;
                        answer.measured.at = Some(at.clone());
                    }
                    return Ok(Some(answers));
                }
            }
        }
    }

    fn stop(&self, reason: String) {
        self.shared().stopped.get_or_insert(reason);
    }

    /// Keeps the answers of a call and sees whether it is worth going on.
    fn end(&self, call: &WantedCall<'_>, answers: Vec<Answer>) {
        let mut shared = self.shared();
        let failed = answers.first().and_then(|answer| {
            let failure = answer.outcome.as_ref().err()?;
            (!failure.kind.is_models()).then_some((failure, answer.measured.attempts))
        });
        if let Some((failure, attempts)) = failed {
            shared.unserved += 1;
            let hopeless = match failure.kind {
                FailureKind::Payment => true,
                // An edge may refuse a single case; a key that never worked will not.
                FailureKind::Auth => !shared.served,
                // What is not tried again is wrong with this request alone.
                FailureKind::Http if attempts == Some(1) => false,
                _ => {
                    let limit = UNSERVED_IN_A_ROW.max(self.engine.limits.concurrency);
                    shared.unserved >= limit
                }
            };
            if hopeless {
                let reason = format!("as calls before it failed: {failure}");
                shared.stopped.get_or_insert(reason);
            }
        } else {
            shared.served = true;
            shared.unserved = 0;
        }
        if let Err(error) = (shared.keep)(call, answers) {
            shared.error.get_or_insert(error);
        }
    }
}

/// What to do after a failed attempt; a wait that is too long is told in its message.
fn after(attempt: &mut Attempt, made: u32, retries: u32, seed: usize) -> Next {
    let todo = next(attempt.retry, made, retries, seed as u64);
    if let Next::TooLong(wait) = todo {
        let message = &mut attempt.failure.message;
        *message = format!(
            "{message}; it asks to wait {} s, and no more than {} s is waited for",
            wait.as_secs(),
            LONGEST_ASKED.as_secs()
        );
    }
    todo
}
