//! A local server that also misbehaves, whatever it speaks.
//!
//! It checks each request against the [`Contract`] of its service and answers deterministically from the state, or does
//! what the test's [`Act`] says.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use serde_json::Value;
use tokio::sync::oneshot;

/// The key the server accepts.
pub(crate) const KEY: &str = "apikey_local_test_7f3a";

/// What a service publishes about itself, as functions.
#[derive(Clone, Copy)]
pub(crate) struct Contract {
    /// What a request does wrong: status and body of the refusal.
    pub(crate) check: fn(&Seen) -> Option<(u16, Value)>,
    /// The answer to a request that keeps to the contract.
    pub(crate) answer: fn(&Value) -> Value,
    /// What the request asks about, as text.
    pub(crate) state: fn(&Value) -> String,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    /// The path, with the query where there is one.
    pub(crate) path: String,
    /// Header names in lower case.
    pub(crate) headers: HashMap<String, String>,
    /// The body as text, to see the order of keys.
    pub(crate) text: String,
    /// The body as JSON.
    pub(crate) body: Value,
    /// Which arrival of this very body it is, from 1.
    pub(crate) arrival: usize,
    state: String,
}

impl Seen {
    /// The state as text.
    pub(crate) fn state(&self) -> String {
        self.state.clone()
    }

    /// Whether a header has exactly this value.
    pub(crate) fn has_header(&self, name: &str, value: &str) -> bool {
        self.headers.get(name).is_some_and(|given| given == value)
    }
}

/// A part of a document as text: a text as it is, anything else as JSON.
pub(crate) fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What the server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Answers as the contract says.
    Answer,
    /// Waits, then does the other thing.
    After(Duration, Box<Act>),
    /// Answers as the contract says, changed by this function.
    Changed(fn(&mut Value)),
    /// Any status, headers and body.
    Reply(u16, Vec<(&'static str, String)>, String),
    /// Says that more is to come than comes.
    CutOff,
}

type Behaviour = dyn Fn(&Seen) -> Act + Send + Sync;

struct Shared {
    contract: Contract,
    behave: Box<Behaviour>,
    seen: Mutex<Vec<Seen>>,
    arrivals: Mutex<HashMap<String, usize>>,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

/// A running server; it ends when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server of this service that does with each request what the function says.
    pub(crate) fn speaking(
        contract: Contract,
        behave: impl Fn(&Seen) -> Act + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            contract,
            behave: Box::new(behave),
            seen: Mutex::default(),
            arrivals: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let (bound, address) = std::sync::mpsc::channel();
        let state = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                    .await
                    .expect("a free port");
                bound
                    .send(listener.local_addr().expect("an address"))
                    .expect("somebody waits for it");
                let routes = Router::new().fallback(handle).with_state(state);
                let serving = axum::serve(listener, routes);
                tokio::select! {
                    _ = async { serving.await } => {}
                    _ = stopped => {}
                }
            });
        });
        Self {
            address: address.recv().expect("the server has started"),
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The base address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("no panic in it").clone()
    }

    /// How many requests so far.
    pub(crate) fn calls(&self) -> usize {
        self.shared.seen.lock().expect("no panic in it").len()
    }

    /// How often each state was asked about.
    pub(crate) fn calls_by_state(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for seen in self.seen() {
            *counts.entry(seen.state()).or_default() += 1;
        }
        counts
    }

    /// The most requests that were being served at a time.
    pub(crate) fn most_in_flight(&self) -> usize {
        self.shared.most_in_flight.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let now = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
    shared.most_in_flight.fetch_max(now, Ordering::SeqCst);
    let seen = record(&shared, &method, &uri, &headers, &body);
    let mut act = (shared.behave)(&seen);
    while let Act::After(wait, then) = act {
        tokio::time::sleep(wait).await;
        act = *then;
    }
    let response = perform(shared.contract, act, &seen);
    shared.in_flight.fetch_sub(1, Ordering::SeqCst);
    response
}

fn record(shared: &Shared, method: &Method, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Seen {
    let text = String::from_utf8_lossy(body).into_owned();
    let arrival = {
        let mut arrivals = shared.arrivals.lock().expect("no panic in it");
        let arrival = arrivals.entry(text.clone()).or_default();
        *arrival += 1;
        *arrival
    };
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let seen = Seen {
        method: method.to_string(),
        path: uri.to_string(),
        state: (shared.contract.state)(&body),
        headers: headers
            .iter()
            .map(|(name, value)| {
                let value = value.to_str().unwrap_or_default().to_owned();
                (name.as_str().to_owned(), value)
            })
            .collect(),
        body,
        text,
        arrival,
    };
    let mut all = shared.seen.lock().expect("no panic in it");
    all.push(seen.clone());
    seen
}

fn perform(contract: Contract, act: Act, seen: &Seen) -> Response<Body> {
    match act {
        Act::After(..) => unreachable!("waited for before"),
        Act::Answer => match (contract.check)(seen) {
            Some((status, body)) => reply(status, &[], body.to_string()),
            None => reply(200, &[], (contract.answer)(&seen.body).to_string()),
        },
        Act::Changed(change) => {
            let mut answer = (contract.answer)(&seen.body);
            change(&mut answer);
            reply(200, &[], answer.to_string())
        }
        Act::Reply(status, headers, body) => reply(status, &headers, body),
        Act::CutOff => {
            let whole = (contract.answer)(&seen.body).to_string();
            let half = whole[..whole.len() / 2].to_owned();
            reply(200, &[("content-length", whole.len().to_string())], half)
        }
    }
}

fn reply(status: u16, headers: &[(&'static str, String)], body: String) -> Response<Body> {
    let mut response = Response::builder()
        .status(StatusCode::from_u16(status).expect("a status"))
        .header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(*name, value);
    }
    response.body(Body::from(body)).expect("a response")
}

/// How sure an answer about this document is: 1 − doubt for the first option and doubt for the second, in hundredths.
pub(crate) fn shares(document: &Value) -> impl Fn(usize) -> f64 + Copy + use<> {
    let letters = document.to_string();
    let sum = letters
        .bytes()
        .fold(0_u32, |sum, byte| sum + u32::from(byte));
    let doubt = f64::from(sum % 40) / 100.0;
    move |position| match position {
        0 => ((1.0 - doubt) * 100.0).round() / 100.0,
        1 => doubt,
        _ => 0.0,
    }
}
