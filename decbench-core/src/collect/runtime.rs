//! The one place where asynchronous code is run to its end.

use std::future::Future;
use std::io;
use std::sync::{Mutex, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};

/// Runs a future on this process's runtime, which is made when it is first needed.
///
/// One thread, the caller's, drives everything: network calls need no more, and what a person profiles stays readable.
///
/// # Errors
///
/// When the system refuses what a runtime needs.
pub(crate) fn run<T: Send>(future: impl Future<Output = T> + Send) -> io::Result<T> {
    let runtime = runtime()?;
    if Handle::try_current().is_err() {
        return Ok(runtime.block_on(future));
    }
    // The caller is itself inside asynchronous code, where blocking is not allowed: go to a thread that is not.
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| runtime.block_on(future));
        match thread.join() {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: Mutex<Option<&'static Runtime>> = Mutex::new(None);
    let mut slot = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = *slot {
        return Ok(runtime);
    }
    let runtime: &'static Runtime = Box::leak(Box::new(
        Builder::new_current_thread().enable_all().build()?,
    ));
    *slot = Some(runtime);
    Ok(runtime)
}

#[cfg(test)]
mod tests {
    #[test]
    fn runs_inside_asynchronous_code_too() {
        let inner = super::run(async { super::run(async { 7 }) });
        assert_eq!(inner.expect("a runtime").expect("a runtime"), 7);
    }
}
