//! Whether a request had to open a connection, and how long that took.
//!
//! The client pools connections, so only the connector knows. It runs inside the task of the request that asked for
//! it, which therefore leaves a note to itself.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    static NOTE: Note;
}

/// What became of the connection that one request asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Note(Arc<Mutex<Connecting>>);

/// How far a request's own connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Connecting {
    /// A pooled connection served.
    #[default]
    NotNeeded,
    /// It is being opened: name, TCP and TLS.
    Begun,
    /// It was open after this time.
    Done(Duration),
}

impl Note {
    /// Runs a request that notes here whether it opens a connection.
    pub(super) async fn of<T>(&self, request: impl Future<Output = T>) -> T {
        NOTE.scope(self.clone(), request).await
    }

    pub(super) fn read(&self) -> Connecting {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, connecting: Connecting) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = connecting;
    }
}

/// Puts the timing around the client's connector.
#[derive(Debug, Clone)]
pub(super) struct Timed;

impl<S> Layer<S> for Timed {
    type Service = TimedConnector<S>;

    fn layer(&self, connector: S) -> Self::Service {
        TimedConnector(connector)
    }
}

/// A connector that notes when it begins and when it is done.
#[derive(Debug, Clone)]
pub(super) struct TimedConnector<S>(S);

impl<S, R> Service<R> for TimedConnector<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, target: R) -> Self::Future {
        let note = NOTE.try_with(Note::clone).ok();
        let begun = Instant::now();
        if let Some(note) = &note {
            note.write(Connecting::Begun);
        }
        let connecting = self.0.call(target);
        Box::pin(async move {
            let connected = connecting.await;
            if let (Some(note), Ok(_)) = (note, &connected) {
                note.write(Connecting::Done(begun.elapsed()));
            }
            connected
        })
    }
}
