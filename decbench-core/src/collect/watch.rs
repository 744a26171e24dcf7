//! Which calls are under way, and since when: so that one that hangs is named.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A call without a reply for so long is named.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// The calls under way, one place per worker.
#[derive(Debug)]
pub(crate) struct Watch {
    patience: Duration,
    places: Mutex<Vec<Option<Waiting>>>,
}

#[derive(Debug)]
struct Waiting {
    call: String,
    since: Instant,
    /// When it is named next.
    due: Duration,
}

impl Watch {
    pub(crate) fn new(workers: usize, patience: Duration) -> Self {
        Self {
            patience,
            places: Mutex::new((0..workers).map(|_| None).collect()),
        }
    }

    fn places(&self) -> MutexGuard<'_, Vec<Option<Waiting>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker's call has gone out.
    pub(crate) fn begin(&self, worker: usize, call: String) {
        self.places()[worker] = Some(Waiting {
            call,
            since: Instant::now(),
            due: self.patience,
        });
    }

    /// Its reply is there.
    pub(crate) fn end(&self, worker: usize) {
        self.places()[worker] = None;
    }

    /// Names the calls that have waited too long: each once, and again whenever it has waited twice as long.
    pub(crate) fn stuck(&self) -> Vec<String> {
        let mut places = self.places();
        let mut named = Vec::new();
        for waiting in places.iter_mut().flatten() {
            let waited = waiting.since.elapsed();
            if waited >= waiting.due {
                waiting.due = waited * 2;
                named.push(format!(
                    "{} has had no reply for {} s",
                    waiting.call,
                    waited.as_secs()
                ));
            }
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_hangs_is_named_once_until_it_has_waited_twice_as_long() {
        let watch = Watch::new(2, Duration::from_millis(40));
        watch.begin(0, "routing::jev, case `c-1`".to_owned());
        watch.begin(1, "routing::jev, case `c-2`".to_owned());
        assert!(watch.stuck().is_empty());
        watch.end(1);
        std::thread::sleep(Duration::from_millis(50));
        let named = watch.stuck();
        assert_eq!(named.len(), 1, "{named:?}");
        assert!(
            named[0].contains("case `c-1` has had no reply"),
            "{named:?}"
        );
        assert!(watch.stuck().is_empty());
        std::thread::sleep(Duration::from_millis(120));
        assert_eq!(watch.stuck().len(), 1);
    }
}
