//! When the next request may go out.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::limits::{Limits, Rate};

/// Spreads requests and tokens evenly over time, and holds everybody back when the service asks for it.
///
/// There is no burst: services count in windows of their own, and whoever starts with one goes over at their edges.
#[derive(Debug)]
pub(crate) struct Pace {
    requests: Option<Rate>,
    tokens: Option<Rate>,
    next: Mutex<Next>,
}

#[derive(Debug, Clone, Copy)]
struct Next {
    request: Instant,
    token: Instant,
    held_until: Instant,
}

impl Pace {
    pub(crate) fn new(limits: &Limits) -> Self {
        let now = Instant::now();
        Self {
            requests: limits.requests,
            tokens: limits.tokens,
            next: Mutex::new(Next {
                request: now,
                token: now,
                held_until: now,
            }),
        }
    }

    fn next(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until so many requests with about so many tokens may go out. Those of one answer go out together, and what
    /// comes after them waits for all their places.
    pub(crate) async fn wait(&self, requests: u32, tokens: f64) {
        let place = self.take_place(requests, tokens);
        if place > Instant::now() {
            sleep_until(place).await;
        }
        loop {
            let held_until = self.next().held_until;
            if held_until <= Instant::now() {
                return;
            }
            sleep_until(held_until).await;
        }
    }

    fn take_place(&self, requests: u32, tokens: f64) -> Instant {
        let mut next = self.next();
        let at = next.request.max(next.token).max(Instant::now());
        if let Some(rate) = self.requests {
            next.request = at + rate.time_for(f64::from(requests));
        }
        if let Some(rate) = self.tokens {
            next.token = at + rate.time_for(tokens);
        }
        at
    }

    /// So many requests went out beyond the places that were taken; whoever comes next waits for theirs too.
    pub(crate) fn followed(&self, requests: u32) {
        if let Some(rate) = self.requests.filter(|_| requests > 0) {
            let mut next = self.next();
            next.request = next.request.max(Instant::now()) + rate.time_for(f64::from(requests));
        }
    }

    /// Corrects the estimate once the tokens are counted.
    pub(crate) fn counted(&self, estimated: f64, counted: f64) {
        let Some(rate) = self.tokens else { return };
        let mut next = self.next();
        if counted > estimated {
            next.token += rate.time_for(counted - estimated);
        } else {
            let less = rate.time_for(estimated - counted);
            next.token = next.token.checked_sub(less).unwrap_or(next.token);
        }
    }

    /// Nothing goes out for this long, and what comes after is spread anew.
    pub(crate) fn hold(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut next = self.next();
        next.held_until = next.held_until.max(until);
        next.request = next.request.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::runtime;
    use crate::provider::side_by_side::run_all;

    fn timed(limits: &Limits, calls: usize, tokens: f64) -> Duration {
        runtime::run(async {
            let pace = Pace::new(limits);
            let begun = Instant::now();
            run_all((0..calls).map(|_| pace.wait(1, tokens)).collect()).await;
            begun.elapsed()
        })
        .expect("a runtime")
    }

    #[test]
    fn requests_are_spread_evenly() {
        let limits = Limits {
            requests: Rate::parse("200/s"),
            ..Limits::default()
        };
        // The first goes out at once, twenty more follow every 5 ms.
        let took = timed(&limits, 21, 0.0);
        assert!(took >= Duration::from_millis(99), "{took:?}");
        assert!(took < Duration::from_millis(400), "{took:?}");
    }

    #[test]
    fn tokens_are_spread_evenly() {
        let limits = Limits {
            tokens: Rate::parse("10000/s"),
            ..Limits::default()
        };
        let took = timed(&limits, 3, 500.0);
        assert!(took >= Duration::from_millis(99), "{took:?}");
    }

    #[test]
    fn a_hold_holds_everybody() {
        let took = runtime::run(async {
            let pace = Pace::new(&Limits::default());
            pace.hold(Duration::from_millis(60));
            let begun = Instant::now();
            run_all((0..5).map(|_| pace.wait(1, 1.0)).collect()).await;
            begun.elapsed()
        })
        .expect("a runtime");
        assert!(took >= Duration::from_millis(59), "{took:?}");
    }

    #[test]
    fn several_requests_of_one_answer_take_as_many_places_and_so_do_those_that_follow() {
        runtime::run(async {
            let limits = Limits {
                requests: Rate::parse("10/s"),
                ..Limits::default()
            };
            let pace = Pace::new(&limits);
            let first = pace.take_place(5, 1.0);
            let second = pace.take_place(1, 1.0);
            let third = pace.take_place(1, 1.0);
            assert_eq!(second - first, Duration::from_millis(500));
            assert_eq!(third - second, Duration::from_millis(100));
            pace.followed(7);
            let fourth = pace.take_place(1, 1.0);
            assert_eq!(fourth - third, Duration::from_millis(800));
        })
        .expect("a runtime");
    }
}
