//! Running a handful of futures side by side, each woken alone.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Runs all futures to their end on the task of the caller.
///
/// Polling every one of fifty workers whenever one of them can go on would cost more than their work; here each has a
/// waker of its own. The futures may borrow, so they are not spawned.
pub(crate) async fn run_all<F: Future<Output = ()>>(futures: Vec<F>) {
    let shared = Arc::new(Shared::default());
    *shared.ready() = (0..futures.len()).collect();
    let mut workers: Vec<_> = futures
        .into_iter()
        .enumerate()
        .map(|(number, future)| {
            let signal = Signal {
                number,
                shared: Arc::clone(&shared),
            };
            (Some(Box::pin(future)), Waker::from(Arc::new(signal)))
        })
        .collect();
    let mut working = workers.len();
    poll_fn(move |context| {
        shared.woken_by(context.waker());
        let ready = std::mem::take(&mut *shared.ready());
        for number in ready {
            let (worker, waker) = &mut workers[number];
            if step(worker, waker) {
                working -= 1;
            }
        }
        if working == 0 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

/// Lets one worker go on; tells whether it has just ended.
fn step<F: Future<Output = ()>>(worker: &mut Option<Pin<Box<F>>>, waker: &Waker) -> bool {
    let Some(future) = worker else {
        // Woken once more after its end.
        return false;
    };
    let ended = future
        .as_mut()
        .poll(&mut Context::from_waker(waker))
        .is_ready();
    if ended {
        *worker = None;
    }
    ended
}

#[derive(Default)]
struct Shared {
    ready: Mutex<Vec<usize>>,
    caller: Mutex<Option<Waker>>,
}

impl Shared {
    fn ready(&self) -> MutexGuard<'_, Vec<usize>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn caller(&self) -> MutexGuard<'_, Option<Waker>> {
        self.caller.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn woken_by(&self, waker: &Waker) {
        let mut caller = self.caller();
        if !caller.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *caller = Some(waker.clone());
        }
    }
}

struct Signal {
    number: usize,
    shared: Arc<Shared>,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.shared.ready().push(self.number);
        let caller = self.shared.caller().clone();
        if let Some(caller) = caller {
            caller.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::collect::runtime;

    #[test]
    fn workers_wait_side_by_side() {
        let ended = AtomicUsize::new(0);
        let begun = Instant::now();
        runtime::run(run_all(
            (0..40)
                .map(|number| {
                    let ended = &ended;
                    async move {
                        for _ in 0..5 {
                            tokio::time::sleep(Duration::from_millis(4 + number % 3)).await;
                            tokio::task::yield_now().await;
                        }
                        ended.fetch_add(1, Ordering::SeqCst);
                    }
                })
                .collect(),
        ))
        .expect("a runtime");
        assert_eq!(ended.load(Ordering::SeqCst), 40);
        // One after the other they would take a second.
        assert!(begun.elapsed() < Duration::from_millis(500));
    }

    #[test]
    fn no_workers_are_done_at_once() {
        runtime::run(run_all(Vec::<std::future::Ready<()>>::new())).expect("a runtime");
    }
}
