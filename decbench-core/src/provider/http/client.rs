//! One client per candidate: what it sends, how long it waits, how much it reads.

use std::error::Error as _;
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode, Url, redirect};
use serde_json::Value;

use super::connection::{Connecting, Note, Timed};
use super::detour::Detour;
use super::failure::{named, shortened, unsuccessful};
use crate::decision::{Failure, FailureKind, Measured};
use crate::provider::clock::Clock;
use crate::provider::contract::{Attempt, Retry};
use crate::provider::endpoint::Endpoint;
use crate::provider::quotation::repeats;
use crate::provider::raw;
use crate::provider::secret::Secret;
use crate::provider::service::{ConnectError, Outside};
use crate::provider::target::Target;

/// Services refuse the default names of libraries.
const USER_AGENT: &str = concat!("decbench/", env!("CARGO_PKG_VERSION"));
/// Far above any answer, far below what hurts.
const LONGEST_ANSWER: usize = 8 << 20;
const LONGEST_ERROR: usize = 64 << 10;
/// The longest unreadable answer that is kept.
const LONGEST_KEPT: usize = 500;

/// How the key goes into the headers.
pub(crate) struct Authorization {
    pub(crate) header: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) key: Secret,
}

/// Posts JSON documents to one address.
///
/// Redirects are not followed, as the key would go along, and no cookie is kept. Nothing is read from the process's
/// environment: a proxy comes in as a parameter.
pub(crate) struct Http {
    client: Client,
    method: Method,
    url: Url,
    headers: HeaderMap,
    key: Option<Secret>,
    clock: Clock,
}

/// A successful reply that is JSON.
pub(crate) struct Received {
    pub(crate) body: Value,
    begun: Instant,
    note: Note,
}

impl Received {
    /// What the call took until now. The latency counts from handing the request to the connection pool to this moment,
    /// a new connection included; `connect_ms` is that part, 0 with a connection that was there.
    pub(crate) fn measured(&self) -> Measured {
        measured(self.begun, &self.note)
    }
}

impl Http {
    /// A client for checked settings, with the key they name.
    pub(crate) fn for_target(target: &Target, outside: &Outside<'_>) -> Result<Self, ConnectError> {
        Self::new(
            &target.endpoint,
            target.authorization(outside)?,
            &target.headers,
            target.timeout,
            outside,
        )
    }

    /// The same client with another method.
    pub(crate) fn called_by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    pub(super) fn new(
        endpoint: &Endpoint,
        authorization: Option<Authorization>,
        further: &[(String, String)],
        timeout: Duration,
        outside: &Outside<'_>,
    ) -> Result<Self, ConnectError> {
        // Another part of the program may have installed a provider before; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .timeout(timeout)
            .connector_layer(Timed);
        if endpoint.is_plain() {
            // The system's certificates would be read for nothing, and a machine without them can still call itself.
            builder = builder.tls_certs_only([]);
        }
        if let Some(proxy) = Detour::from_variables(outside.variable).proxy()? {
            builder = builder.proxy(proxy);
        }
        let client = builder.build().map_err(|error| {
            let cause = innermost(&error);
            ConnectError::Other(format!("the HTTP client cannot be set up: {cause}"))
        })?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in further {
            let name = name.parse::<HeaderName>();
            let value = value.parse::<HeaderValue>();
            let (Ok(name), Ok(value)) = (name, value) else {
                return Err(ConnectError::Other("a header cannot be sent".to_owned()));
            };
            headers.insert(name, value);
        }
        let key = match authorization {
            None => None,
            Some(Authorization {
                header,
                prefix,
                key,
            }) => {
                let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose()))
                    .map_err(|_| ConnectError::Other("the key cannot be sent".to_owned()))?;
                value.set_sensitive(true);
                headers.insert(HeaderName::from_static(header), value);
                Some(key)
            }
        };
        Ok(Self {
            client,
            method: Method::POST,
            url: endpoint.url().parse().map_err(|_| {
                ConnectError::Other("the address of the service cannot be called".to_owned())
            })?,
            headers,
            key,
            clock: outside.clock.clone(),
        })
    }

    /// Posts one document and reads the reply as JSON.
    pub(crate) async fn post(&self, document: &[u8]) -> Result<Received, Attempt> {
        let begun = Instant::now();
        let note = Note::default();
        let request = self
            .client
            .request(self.method.clone(), self.url.clone())
            .headers(self.headers.clone())
            .body(document.to_vec());
        let fail = |(failure, retry): (Failure, Retry)| Attempt {
            failure,
            retry,
            measured: measured(begun, &note),
        };
        let response = match note.of(request.send()).await {
            Ok(response) => response,
            Err(error) => return Err(fail(unreached(&error, note.read()))),
        };
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let body = read_some(response).await;
            raw::tell(status.as_u16(), || self.redacted(&body));
            let key = self.key.as_ref();
            let now = self.clock.now();
            return Err(fail(unsuccessful(
                status, &headers, &body, document, key, now,
            )));
        }
        let bytes = match read_all(response, LONGEST_ANSWER).await {
            Ok(bytes) => bytes,
            Err(Broken::TooLong) => {
                let message = format!("the answer is longer than {} MiB", LONGEST_ANSWER >> 20);
                return Err(fail((invalid(message), Retry::Never)));
            }
            Err(Broken::Off(error)) => return Err(fail(unreached(&error, note.read()))),
        };
        raw::tell(status.as_u16(), || self.redacted(&bytes));
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Received { body, begun, note }),
            Err(_) => Err(fail((
                self.unreadable(status, &bytes, document),
                Retry::Never,
            ))),
        }
    }

    /// An answer that is no JSON, with its beginning as far as it may be shown.
    fn unreadable(&self, status: StatusCode, bytes: &[u8], sent: &[u8]) -> Failure {
        let text = shortened(String::from_utf8_lossy(bytes).trim(), LONGEST_KEPT);
        let status = named(status);
        let message = format!("{status}, and the body is no JSON");
        if text.is_empty() {
            return invalid(format!("{message}: it is empty"));
        }
        if repeats(&text, sent) {
            return invalid(format!(
                "{message}; it repeats what was sent and is not shown"
            ));
        }
        let message = format!("{message}: {text}");
        match &self.key {
            Some(key) => invalid(key.kept_out_of(message)),
            None => invalid(message),
        }
    }

    /// A body with the key taken out; one that shows only a part of it is not kept at all.
    fn redacted(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body).into_owned();
        match &self.key {
            Some(key) => key.kept_out_of(text.replace(key.expose(), &key.to_string())),
            None => text,
        }
    }

    /// The key that goes out with every request, and nowhere else.
    pub(super) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidAnswer, message)
}

fn measured(begun: Instant, note: &Note) -> Measured {
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1000.0;
    let connecting = note.read();
    Measured {
        latency_ms: Some(milliseconds(begun.elapsed())),
        connect_ms: match connecting {
            Connecting::NotNeeded => Some(0.0),
            Connecting::Begun => None,
            Connecting::Done(time) => Some(milliseconds(time)),
        },
        cold: Some(matches!(connecting, Connecting::Done(_))),
        ..Measured::default()
    }
}

/// A call without a reply. The error's own text is not used: it would show the address.
fn unreached(error: &reqwest::Error, connecting: Connecting) -> (Failure, Retry) {
    let unconnected = error.is_connect() || connecting == Connecting::Begun;
    if error.is_timeout() && !unconnected {
        return (
            Failure::new(FailureKind::Timeout, "no answer in time"),
            Retry::Soon,
        );
    }
    let what = if error.is_timeout() {
        "no connection in time".to_owned()
    } else if unconnected {
        format!("no connection: {}", innermost(error))
    } else {
        format!("the connection broke off: {}", innermost(error))
    };
    (Failure::new(FailureKind::Connect, what), Retry::Soon)
}

/// The cause at the bottom; it knows neither address nor key.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    cause.map_or_else(
        || "no cause was given".to_owned(),
        |cause| shortened(&cause.to_string(), LONGEST_KEPT),
    )
}

enum Broken {
    Off(reqwest::Error),
    TooLong,
}

async fn read_all(mut response: Response, longest: usize) -> Result<Vec<u8>, Broken> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Broken::Off)? {
        if bytes.len() + chunk.len() > longest {
            return Err(Broken::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// What there is of an error's body; the status counts, whatever becomes of the rest.
async fn read_some(mut response: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_ERROR {
            bytes.truncate(LONGEST_ERROR);
            break;
        }
    }
    bytes
}
