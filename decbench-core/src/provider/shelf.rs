//! Replies that arrived for an answer which takes several requests: a further attempt at it sends what is missing.
//!
//! A provider's own code need not know, as with replies as they came: whoever makes a call puts a shelf beside it, and
//! whatever sends a request looks there first. Requests of equal bytes to one service may stand for each other, be they
//! votes or orders, so a reply is found by the digest of what was sent.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::contract::{Attempt, Reply};
use super::parts::{known_tokens, together};
use crate::decision::{Digest, Measured};

tokio::task_local! {
    static SHELF: Arc<Shelf>;
}

/// One request's reply, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arrived {
    /// The digest of what was sent.
    pub(crate) request: Digest,
    pub(crate) reply: Reply,
}

/// Hears of every reply at the moment it arrives.
pub(crate) type Hear = Box<dyn Fn(&Arrived) + Send + Sync>;

/// The replies of one call, over all attempts at it.
pub(crate) struct Shelf {
    hear: Hear,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Each with whether the attempt under way has used it.
    arrived: Vec<(Arrived, bool)>,
    sent: u32,
    /// What the requests of the attempt under way took, as far as they have ended.
    took: Vec<Measured>,
}

impl Shelf {
    /// A shelf with what arrived before; `hear` is told of what arrives from now on.
    pub(crate) fn new(arrived: Vec<Arrived>, hear: Hear) -> Arc<Self> {
        Arc::new(Self {
            hear,
            state: Mutex::new(State {
                arrived: arrived.into_iter().map(|one| (one, false)).collect(),
                ..State::default()
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many replies stand on it.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.state().arrived.len()).unwrap_or(u32::MAX)
    }

    /// What all that stands on it took.
    pub(crate) fn paid(&self) -> Vec<Measured> {
        let state = self.state();
        let arrived = state.arrived.iter();
        arrived.map(|(one, _)| one.reply.measured.clone()).collect()
    }

    /// Makes an attempt that finds here what has arrived, each reply once.
    pub(crate) async fn beside<T>(self: &Arc<Self>, attempt: impl Future<Output = T>) -> T {
        {
            let mut state = self.state();
            state.sent = 0;
            state.took.clear();
            for (_, used) in &mut state.arrived {
                *used = false;
            }
        }
        SHELF.scope(Arc::clone(self), attempt).await
    }

    /// How many requests the last attempt sent.
    pub(crate) fn sent(&self) -> u32 {
        self.state().sent
    }

    /// What the requests that the last attempt sent took; of one that failed, what is known.
    pub(crate) fn took(&self, whole: bool) -> Measured {
        let state = self.state();
        if state.took.is_empty() {
            return Measured {
                input_tokens: Some(0),
                output_tokens: Some(0),
                ..Measured::default()
            };
        }
        if whole {
            together(&state.took)
        } else {
            known_tokens(&state.took)
        }
    }

    fn take(&self, request: Digest) -> Option<Reply> {
        let mut state = self.state();
        let found = state
            .arrived
            .iter_mut()
            .find(|(arrived, used)| !used && arrived.request == request);
        if let Some((arrived, used)) = found {
            *used = true;
            return Some(arrived.reply.clone());
        }
        state.sent += 1;
        None
    }

    fn end(&self, request: Digest, given: &Result<Reply, Attempt>) {
        match given {
            Ok(reply) => {
                let arrived = Arrived {
                    request,
                    reply: reply.clone(),
                };
                // Kept before anybody builds on it.
                (self.hear)(&arrived);
                let mut state = self.state();
                state.took.push(reply.measured.clone());
                state.arrived.push((arrived, true));
            }
            Err(attempt) => self.state().took.push(attempt.measured.clone()),
        }
    }
}

/// The digest of what is about to be sent, where a shelf is beside the call.
pub(crate) fn request(sent: &[u8]) -> Option<Digest> {
    SHELF.try_with(|_| Digest::of([sent])).ok()
}

/// Sends a request unless its reply has arrived in an earlier attempt.
///
/// # Errors
///
/// As `send`.
pub(crate) async fn once(
    request: Option<Digest>,
    send: impl Future<Output = Result<Reply, Attempt>>,
) -> Result<Reply, Attempt> {
    let shelf = SHELF.try_with(Arc::clone).ok();
    let Some((request, shelf)) = request.zip(shelf) else {
        return send.await;
    };
    if let Some(reply) = shelf.take(request) {
        return Ok(reply);
    }
    let given = send.await;
    shelf.end(request, &given);
    given
}

#[cfg(test)]
// An attempt is as large here as where it is used.
#[expect(clippy::result_large_err)]
mod tests {
    use super::*;
    use crate::collect::runtime;
    use crate::decision::{Decided, Failure, FailureKind};
    use crate::provider::Retry;
    use crate::provider::side_by_side::run_all;

    fn reply(label: &str, tokens: u64) -> Reply {
        Reply {
            answers: vec![Ok(Decided {
                label: Some(label.to_owned()),
                ..Decided::default()
            })],
            measured: Measured {
                input_tokens: Some(tokens),
                ..Measured::default()
            },
        }
    }

    fn failure() -> Result<Reply, Attempt> {
        Err(Attempt {
            failure: Failure::new(FailureKind::Overloaded, "busy"),
            retry: Retry::Soon,
            measured: Measured::default(),
        })
    }

    /// Sends these side by side, and gives the labels that came.
    async fn attempt(
        shelf: &Arc<Shelf>,
        requests: Vec<(&[u8], Result<Reply, Attempt>)>,
    ) -> Vec<Option<String>> {
        let sending = requests
            .into_iter()
            .map(|(sent, given)| async { once(request(sent), async { given }).await });
        let given = shelf
            .beside(async { run_all(sending.collect()).await })
            .await;
        given
            .into_iter()
            .map(|given| given.ok()?.answers.pop()?.ok()?.label)
            .collect()
    }

    #[test]
    fn a_further_attempt_sends_only_what_has_not_arrived() {
        runtime::run(async {
            let heard: Arc<Mutex<Vec<Arrived>>> = Arc::default();
            let told = Arc::clone(&heard);
            let shelf = Shelf::new(
                Vec::new(),
                Box::new(move |arrived| told.lock().expect("no panic").push(arrived.clone())),
            );
            // Two votes on one document, one of which fails, and another document.
            let first = vec![
                (&b"vote"[..], Ok(reply("a", 10))),
                (b"vote", failure()),
                (b"other", Ok(reply("b", 30))),
            ];
            attempt(&shelf, first).await;
            assert_eq!((shelf.sent(), shelf.count()), (3, 2));
            assert_eq!(shelf.took(false).input_tokens, Some(40));
            assert_eq!(heard.lock().expect("no panic").len(), 2);

            let second = vec![
                (&b"vote"[..], Ok(reply("new", 20))),
                (b"vote", Ok(reply("new", 20))),
                (b"other", Ok(reply("new", 20))),
            ];
            let labels = attempt(&shelf, second).await;
            let labels: Vec<_> = labels.iter().flatten().map(String::as_str).collect();
            assert_eq!(labels, ["a", "new", "b"]);
            assert_eq!(shelf.sent(), 1);
            assert_eq!(
                shelf.took(true).input_tokens,
                Some(20),
                "what arrived before is paid for"
            );
        })
        .expect("a runtime");
    }

    #[test]
    fn without_a_shelf_everything_is_sent() {
        runtime::run(async {
            assert_eq!(request(b"vote"), None);
            let given = once(None, async { Ok(reply("a", 1)) }).await;
            assert!(given.is_ok());
        })
        .expect("a runtime");
    }
}
