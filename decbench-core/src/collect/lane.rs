//! One candidate's part in making calls: what it wants, what it got, and when it is over.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::error::CollectError;
use super::estimate::Usage;
use super::limits::Limits;
use super::matching::is_answer;
use super::part_file::PartFile;
use super::progress::Progress;
use super::raw_replies::RawReplies;
use super::wanted::WantedCall;
use crate::decision::{Answer, FailureKind};
use crate::provider::{Price, Provider};

/// After so many calls in a row that nobody served, the rest is not tried.
const UNSERVED_IN_A_ROW: usize = 10;

/// Takes the answers of a call where they are kept.
pub(crate) type Keep<'a> =
    Box<dyn FnMut(&WantedCall<'_>, Vec<Answer>) -> Result<(), CollectError> + Send + 'a>;

/// What a candidate wants asked.
pub(crate) struct Wish<'a> {
    /// `<suite>::<candidate>`.
    pub(crate) name: String,
    /// The host that is called; candidates of one host share what it allows.
    pub(crate) host: Option<&'a str>,
    pub(crate) provider: &'a dyn Provider,
    pub(crate) limits: Limits,
    /// Absent where what it costs is unknown and allowed to be.
    pub(crate) price: Option<Price>,
    pub(crate) calls: Vec<&'a WantedCall<'a>>,
    /// Where replies go as they came.
    pub(crate) raw: Option<RawReplies>,
    /// Where parts of answers wait for the rest, for a candidate whose answers have parts.
    pub(crate) parts: Option<PartFile>,
    pub(crate) keep: Keep<'a>,
}

/// What became of a candidate's calls.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// Requests that were sent, retries included.
    pub(crate) calls: u64,
    /// What they cost as far as it is known.
    pub(crate) usd: f64,
    /// Why the rest was not asked.
    pub(crate) stopped: Option<String>,
}

/// A candidate while its calls are made.
pub(crate) struct Lane<'a> {
    pub(crate) name: String,
    pub(crate) provider: &'a dyn Provider,
    pub(crate) limits: Limits,
    pub(crate) raw: Option<RawReplies>,
    pub(crate) parts: Option<PartFile>,
    planned: usize,
    begun: Instant,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    keep: Keep<'a>,
    usage: Usage,
    sent: u64,
    done: usize,
    failed: usize,
    retries: u64,
    usd: f64,
    served: bool,
    /// Calls in a row that nobody served.
    unserved: usize,
    stopped: Option<String>,
    error: Option<CollectError>,
    told_end: bool,
}

impl<'a> Lane<'a> {
    /// Begins; needs a runtime.
    pub(crate) fn begin(wish: Wish<'a>) -> Self {
        Self {
            name: wish.name,
            provider: wish.provider,
            limits: wish.limits,
            raw: wish.raw,
            parts: wish.parts,
            planned: wish.calls.len(),
            begun: Instant::now(),
            state: Mutex::new(State {
                keep: wish.keep,
                usage: Usage::new(wish.price),
                sent: 0,
                done: 0,
                failed: 0,
                retries: 0,
                usd: 0.0,
                served: false,
                unserved: 0,
                stopped: None,
                error: None,
                told_end: false,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_over(&self) -> bool {
        let state = self.state();
        state.stopped.is_some() || state.error.is_some()
    }

    /// Nothing more is asked; the first reason counts.
    pub(crate) fn stop(&self, reason: &str) {
        self.state()
            .stopped
            .get_or_insert_with(|| reason.to_owned());
    }

    /// Something broke on our side.
    pub(crate) fn fail(&self, error: CollectError) {
        self.state().error.get_or_insert(error);
    }

    /// Looks at what calls were seen to take.
    pub(crate) fn usage<T>(&self, look: impl FnOnce(&mut Usage) -> T) -> T {
        look(&mut self.state().usage)
    }

    /// An attempt has sent so many requests, the first of its call or a further one.
    pub(crate) fn sent(&self, attempt: u32, requests: u32) {
        let mut state = self.state();
        state.sent += u64::from(requests);
        state.retries += u64::from(attempt > 1);
    }

    pub(crate) fn spent(&self, usd: f64) {
        self.state().usd += usd;
    }

    /// Keeps the answers of a call and sees whether it is worth going on.
    pub(crate) fn end(&self, call: &WantedCall<'_>, answers: Vec<Answer>) {
        let mut state = self.state();
        state.done += 1;
        let failed = answers.first().and_then(|answer| {
            let failure = answer.outcome.as_ref().err()?;
            (!failure.kind.is_models()).then_some((failure, answer.measured.attempts))
        });
        if let Some((failure, attempts)) = failed {
            state.failed += 1;
            state.unserved += 1;
            let hopeless = match failure.kind {
                FailureKind::Payment => true,
                // An edge may refuse a single case; a key that never worked will not.
                FailureKind::Auth => !state.served,
                // What is not tried again is wrong with this request alone.
                FailureKind::Http if attempts == Some(1) => false,
                _ => state.unserved >= UNSERVED_IN_A_ROW.max(self.limits.concurrency),
            };
            if hopeless {
                let reason = format!("as calls before it failed: {failure}");
                state.stopped.get_or_insert(reason);
            }
        } else {
            state.served = true;
            state.unserved = 0;
        }
        // What reached nobody is asked again, and then only for what has not arrived.
        let whole = answers.iter().all(is_answer);
        match (state.keep)(call, answers) {
            Ok(()) => {
                if let Some(parts) = self.parts.as_ref().filter(|_| whole) {
                    parts.done(call);
                }
            }
            Err(error) => {
                state.error.get_or_insert(error);
            }
        }
    }

    /// How far it is; the end of it is told once.
    pub(crate) fn progress(&self, all_ended: bool) -> Option<Progress> {
        let mut state = self.state();
        let ended = all_ended || state.done == self.planned;
        if state.told_end {
            return None;
        }
        state.told_end = ended;
        Some(Progress {
            name: self.name.clone(),
            done: state.done,
            planned: self.planned,
            failed: state.failed,
            retries: state.retries,
            spent_usd: state.usd,
            elapsed: self.begun.elapsed(),
            ended,
            stopped: state.stopped.clone(),
        })
    }

    pub(crate) fn made(self) -> Result<Made, CollectError> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => Ok(Made {
                calls: state.sent,
                usd: state.usd,
                stopped: state.stopped,
            }),
        }
    }
}
