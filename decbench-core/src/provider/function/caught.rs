//! Panics of user functions, caught and told with their place.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::pin::pin;
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `call`; a panic comes back as a sentence with the place it happened at.
///
/// A panic that is caught here is not printed: a suite of a thousand cases would print a thousand.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if CATCHING.get() {
                keep_place(panic);
            } else {
                before(panic);
            }
        }));
    });
    let outer = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    CATCHING.set(outer);
    result.map_err(|payload| {
        let message = message_of(payload.as_ref());
        match PLACE.take() {
            Some(place) => format!("panicked at {place}: {message}"),
            // Somebody replaced the hook after us.
            None => format!("panicked: {message}"),
        }
    })
}

/// The same for a future: each poll is guarded.
pub(super) async fn caught_while_polled<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let mut future = pin!(future);
    poll_fn(|context| match caught(|| future.as_mut().poll(context)) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => std::task::Poll::Ready(Err(panic)),
    })
    .await
}

fn keep_place(panic: &PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map(|place| format!("{}:{}", place.file(), place.line()));
    PLACE.set(place);
}

fn message_of(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        let line = line!() + 1;
        let panic = caught(|| -> u8 { panic!("no rule for case {}", 7) }).expect_err("it panics");
        assert_eq!(
            panic,
            format!("panicked at {}:{line}: no rule for case 7", file!())
        );
        assert_eq!(caught(|| 3), Ok(3));
    }
}
