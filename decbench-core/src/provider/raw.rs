//! Replies as they came, for the few who ask for them.
//!
//! A provider's own code need not know: whoever makes a call listens around it, and the HTTP client tells.

use std::future::Future;
use std::sync::Arc;

/// Hears a reply's status and body; the key is not in it.
pub(crate) type Listener = Arc<dyn Fn(u16, &str) + Send + Sync>;

tokio::task_local! {
    static LISTENER: Listener;
}

/// Makes a call whose replies the listener hears.
pub(crate) async fn heard_by<T>(listener: Listener, call: impl Future<Output = T>) -> T {
    LISTENER.scope(listener, call).await
}

/// Tells a reply to whoever listens.
#[cfg(feature = "http")]
pub(crate) fn tell(status: u16, body: impl FnOnce() -> String) {
    // Nobody listening is the usual case, and then nothing is done.
    let _ = LISTENER.try_with(|listener| listener(status, &body()));
}
