//! How many calls may be under way at one service: fewer when it asks to slow down, more again when it serves.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::limits::Limits;
use super::pace::Pace;

/// No fewer replies than this are judged together: of a handful one refusal may be chance.
const SMALLEST_WINDOW: usize = 10;

/// What all calls of one service pass, whichever candidate they are for.
///
/// Replies are judged in windows of as many as may be under way, at least ten. As soon as 15% of a window's size were
/// asked to slow down, half as many may be under way, at least one. Replies to calls that began before a cut are not
/// held against the new number. A window that passes without a cut raises the number by an eighth, up to what the settings
/// allow. A service that refuses one call in twenty whatever the load is therefore not starved of calls.
#[derive(Debug)]
pub(crate) struct Gate {
    slots: Semaphore,
    most: usize,
    state: Mutex<State>,
    pub(crate) pace: Pace,
}

#[derive(Debug)]
struct State {
    allowed: usize,
    /// Calls under way beyond what is allowed; their slots go when they end.
    surplus: usize,
    /// How often the number was cut.
    cuts: u64,
    replies: usize,
    slowed: usize,
}

/// Leave for one call to be under way; given back when dropped.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    slot: Option<SemaphorePermit<'a>>,
    cuts: u64,
}

impl Gate {
    /// A gate for candidates of one service: the strictest of their limits counts. Needs a runtime.
    pub(crate) fn new<'l>(limits: impl Iterator<Item = &'l Limits>) -> Self {
        let strictest = limits
            .copied()
            .reduce(Limits::strictest)
            .unwrap_or_default();
        let most = strictest.concurrency.max(1);
        Self {
            slots: Semaphore::new(most),
            most,
            state: Mutex::new(State {
                allowed: most,
                surplus: 0,
                cuts: 0,
                replies: 0,
                slowed: 0,
            }),
            pace: Pace::new(&strictest),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most calls that are ever under way.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Waits until a call of so many requests with about so many tokens may begin.
    pub(crate) async fn enter(&self, requests: u32, tokens: f64) -> Pass<'_> {
        // The semaphore is never closed, so a slot always comes.
        let slot = self.slots.acquire().await.ok();
        let pass = Pass {
            gate: self,
            slot,
            cuts: self.state().cuts,
        };
        self.pace.wait(requests, tokens).await;
        pass
    }

    /// Nothing goes out for this long.
    pub(crate) fn hold(&self, wait: Duration) {
        self.pace.hold(wait);
    }
}

impl Pass<'_> {
    /// What came of the call: whether the service asked to slow down.
    pub(crate) fn heard(&self, slow_down: bool) {
        let mut state = self.gate.state();
        if self.cuts != state.cuts {
            return;
        }
        state.replies += 1;
        state.slowed += usize::from(slow_down);
        let window = state.allowed.max(SMALLEST_WINDOW);
        if slow_down && state.slowed * 100 >= window * 15 {
            let allowed = (state.allowed / 2).max(1);
            let gone = state.allowed - allowed;
            let free = self.gate.slots.forget_permits(gone);
            state.surplus += gone - free;
            state.allowed = allowed;
            state.cuts += 1;
        } else if state.replies >= window {
            let allowed = self
                .gate
                .most
                .min(state.allowed + (state.allowed / 8).max(1));
            let more = allowed - state.allowed;
            let kept = more.min(state.surplus);
            state.surplus -= kept;
            self.gate.slots.add_permits(more - kept);
            state.allowed = allowed;
        } else {
            return;
        }
        (state.replies, state.slowed) = (0, 0);
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut state = self.gate.state();
        if state.surplus > 0 {
            state.surplus -= 1;
            if let Some(slot) = self.slot.take() {
                slot.forget();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::runtime;

    /// What is allowed after these replies, each to a call that begins after the one before has ended.
    fn allowed_after(concurrency: usize, replies: &[bool]) -> usize {
        runtime::run(async {
            let limits = Limits {
                concurrency,
                ..Limits::default()
            };
            let gate = Gate::new([&limits].into_iter());
            for slow_down in replies {
                gate.enter(1, 1.0).await.heard(*slow_down);
            }
            let allowed = gate.state().allowed;
            assert_eq!(gate.slots.available_permits(), allowed);
            allowed
        })
        .expect("a runtime")
    }

    #[test]
    fn a_service_that_asks_to_slow_down_gets_fewer_calls_and_later_more() {
        // Two of ten cut the number of eight to four, two more to two, and so on to one.
        assert_eq!(allowed_after(8, &[true; 1]), 8);
        assert_eq!(allowed_after(8, &[true; 2]), 4);
        assert_eq!(allowed_after(8, &[true; 40]), 1);
        let recovering: Vec<bool> = (0..60).map(|reply| reply < 40).collect();
        assert_eq!(allowed_after(8, &recovering), 3);
        let recovered: Vec<bool> = (0..400).map(|reply| reply < 40).collect();
        assert_eq!(
            allowed_after(8, &recovered),
            8,
            "and never beyond its limit"
        );
    }

    #[test]
    fn one_refusal_in_twenty_does_not_starve_a_service() {
        for concurrency in [8, 50, 500] {
            let replies: Vec<bool> = (0..5000).map(|reply| reply % 20 == 7).collect();
            assert!(allowed_after(concurrency, &replies) >= concurrency * 3 / 4);
        }
    }

    #[test]
    fn calls_under_way_beyond_the_new_number_end_and_are_not_replaced() {
        runtime::run(async {
            let limits = Limits {
                concurrency: 4,
                ..Limits::default()
            };
            let gate = Gate::new([&limits].into_iter());
            let mut passes = Vec::new();
            for _ in 0..4 {
                passes.push(gate.enter(1, 1.0).await);
            }
            // All four were under way together, so they are one reason for one cut.
            for pass in &passes {
                pass.heard(true);
            }
            assert_eq!(gate.state().allowed, 2);
            drop(passes);
            assert_eq!(gate.slots.available_permits(), 2);
        })
        .expect("a runtime");
    }
}
