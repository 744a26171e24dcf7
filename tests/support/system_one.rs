//! A local server of the System One dialect that also misbehaves.
//!
//! It checks each request against the published contract and answers deterministically from the state, or does what the
//! test's [`Act`] says.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

/// The key the server accepts.
pub(crate) const KEY: &str = "apikey_local_test_7f3a";

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Header names in lower case.
    pub(crate) headers: HashMap<String, String>,
    /// The body as text, to see the order of keys.
    pub(crate) text: String,
    /// The body as JSON.
    pub(crate) body: Value,
    /// Which arrival of this very body it is, from 1.
    pub(crate) arrival: usize,
}

impl Seen {
    /// The state as text.
    pub(crate) fn state(&self) -> String {
        match &self.body["state"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
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
    /// A server that always answers.
    pub(crate) fn answering() -> Self {
        Self::behaving(|_| Act::Answer)
    }

    /// A server that does with each request what the function says.
    pub(crate) fn behaving(behave: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
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
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let now = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
    shared.most_in_flight.fetch_max(now, Ordering::SeqCst);
    let seen = record(&shared, &headers, &body);
    let mut act = (shared.behave)(&seen);
    while let Act::After(wait, then) = act {
        tokio::time::sleep(wait).await;
        act = *then;
    }
    let response = perform(act, &seen);
    shared.in_flight.fetch_sub(1, Ordering::SeqCst);
    response
}

fn record(shared: &Shared, headers: &HeaderMap, body: &Bytes) -> Seen {
    let text = String::from_utf8_lossy(body).into_owned();
    let arrival = {
        let mut arrivals = shared.arrivals.lock().expect("no panic in it");
        let arrival = arrivals.entry(text.clone()).or_default();
        *arrival += 1;
        *arrival
    };
    let seen = Seen {
        headers: headers
            .iter()
            .map(|(name, value)| {
                let value = value.to_str().unwrap_or_default().to_owned();
                (name.as_str().to_owned(), value)
            })
            .collect(),
        body: serde_json::from_str(&text).unwrap_or_default(),
        text,
        arrival,
    };
    let mut all = shared.seen.lock().expect("no panic in it");
    all.push(seen.clone());
    seen
}

fn perform(act: Act, seen: &Seen) -> Response<Body> {
    match act {
        Act::After(..) => unreachable!("waited for before"),
        Act::Answer => match contract_error(seen) {
            Some((status, detail)) => reply(status, &[], json!({"detail": detail}).to_string()),
            None => reply(200, &[], answer_to(&seen.body).to_string()),
        },
        Act::Changed(change) => {
            let mut answer = answer_to(&seen.body);
            change(&mut answer);
            reply(200, &[], answer.to_string())
        }
        Act::Reply(status, headers, body) => reply(status, &headers, body),
        Act::CutOff => {
            let whole = answer_to(&seen.body).to_string();
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

/// What the contract does not allow, as the service tells it.
fn contract_error(seen: &Seen) -> Option<(u16, Value)> {
    let expected = format!("Bearer {KEY}");
    match seen.headers.get("authorization") {
        None => return Some((403, json!({"error_type": "missing_key"}))),
        Some(given) if *given != expected => {
            return Some((
                401,
                json!({"error_type": "authentication_error", "message": "bad key"}),
            ));
        }
        Some(_) => {}
    }
    if !seen
        .headers
        .get("user-agent")
        .is_some_and(|name| name.starts_with("decbench/"))
    {
        return Some((403, json!("error 1010")));
    }
    let wrong = |field: &str| {
        let entry = json!({"loc": ["body", field], "msg": "field required", "type": "missing", "input": seen.body});
        Some((422, json!([entry])))
    };
    if !seen.body["model"].is_string() {
        return wrong("model");
    }
    if seen.body["state"].is_null() {
        return wrong("state");
    }
    let Some(questions) = seen.body["questions"]
        .as_object()
        .filter(|map| !map.is_empty())
    else {
        return wrong("questions");
    };
    for (name, question) in questions {
        let criteria = &question["criteria"];
        let fits = match question["type"].as_str() {
            Some("choice") => criteria.as_object().is_some_and(|map| !map.is_empty()),
            Some("score") => criteria.as_array().is_some_and(|levels| levels.len() >= 2),
            Some("noul") => question["instructions"].is_string() || criteria.is_object(),
            _ => false,
        };
        if !fits {
            return wrong(name);
        }
    }
    None
}

/// The answer to a request that keeps to the contract: the first option, surely for some states and less so for others.
pub(crate) fn answer_to(body: &Value) -> Value {
    let state = body["state"].to_string();
    let doubt =
        f64::from(state.bytes().fold(0_u32, |sum, byte| sum + u32::from(byte)) % 40) / 100.0;
    let answers: Map<String, Value> = body["questions"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, question)| (name.clone(), answer(question, doubt)))
        .collect();
    json!({
        "model": body["model"],
        "answers": answers,
        "usage": {"input_tokens": body.to_string().len() / 4, "output_tokens": 3 * answers.len()},
    })
}

fn answer(question: &Value, doubt: f64) -> Value {
    let round = |p: f64| (p * 100.0).round() / 100.0;
    let share = |position: usize| match position {
        0 => round(1.0 - doubt),
        1 => round(doubt),
        _ => 0.0,
    };
    match question["type"].as_str() {
        Some("noul") => json!({"type": "noul", "noul": share(0)}),
        Some("score") => {
            let levels = question["criteria"].as_array().map_or(0, Vec::len);
            let probabilities: Map<String, Value> = (0..levels)
                .map(|level| (level.to_string(), json!(share(level))))
                .collect();
            json!({"type": "score", "score": share(1), "confidence": 0.5, "probabilities": probabilities})
        }
        _ => {
            let labels = question["criteria"].as_object();
            let probabilities: Map<String, Value> = labels
                .into_iter()
                .flatten()
                .enumerate()
                .map(|(position, (label, _))| (label.clone(), json!(share(position))))
                .collect();
            let first = probabilities.keys().next().cloned();
            json!({"type": "choice", "choice": first, "confidence": 0.5, "probabilities": probabilities})
        }
    }
}
