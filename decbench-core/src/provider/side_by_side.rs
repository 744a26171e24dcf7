//! Running a handful of futures side by side, each woken alone.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Runs all futures to their end on the task of the caller and gives what came of each, in their order.
///
/// Polling every one of fifty workers whenever one of them can go on would cost more than their work; here each has a
/// waker of its own. The futures may borrow, so they are not spawned.
pub(crate) async fn run_all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
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
    let mut ended: Vec<Option<F::Output>> = workers.iter().map(|_| None).collect();
    let mut working = workers.len();
    poll_fn(|context| {
        shared.woken_by(context.waker());
        let ready = std::mem::take(&mut *shared.ready());
        for number in ready {
            let (worker, waker) = &mut workers[number];
            if let Some(output) = step(worker, waker) {
                ended[number] = Some(output);
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
    ended.into_iter().flatten().collect()
}

/// Lets one worker go on; gives its output where it has just ended.
fn step<F: Future>(worker: &mut Option<Pin<Box<F>>>, waker: &Waker) -> Option<F::Output> {
    // Without one it is woken once more after its end.
    let future = worker.as_mut()?;
    match future.as_mut().poll(&mut Context::from_waker(waker)) {
        Poll::Ready(output) => {
            *worker = None;
            Some(output)
        }
        Poll::Pending => None,
    }
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
    use std::time::{Duration, Instant};

    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(future)
    }

    #[test]
    fn all_wait_side_by_side_and_outputs_keep_their_order() {
        let begun = Instant::now();
        let ended = run(run_all(
            (0..40_u64)
                .map(|number| async move {
                    for _ in 0..5 {
                        tokio::time::sleep(Duration::from_millis(4 + number % 3)).await;
                        tokio::task::yield_now().await;
                    }
                    number
                })
                .collect(),
        ));
        assert_eq!(ended, (0..40).collect::<Vec<_>>());
        // One after the other they would take a second.
        assert!(begun.elapsed() < Duration::from_millis(500));
    }

    #[test]
    fn nothing_to_run_is_done_at_once() {
        assert!(run(run_all(Vec::<std::future::Ready<()>>::new())).is_empty());
    }
}
