//! What every provider offers.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::decision::{Decided, Digest, Failure, Measured, Request, State};

/// A future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Somebody who answers requests.
pub trait Provider: Send + Sync {
    /// What answers are keyed by: provider, model and parameters.
    fn identity(&self) -> &Identity;

    /// Whether asking leaves this machine or costs money; such answers are recorded and replayed.
    fn remote(&self) -> bool {
        true
    }

    /// What one attempt at a request with this material and so many questions takes at the most, for budgets and rates.
    fn demand(&self, state: &State, questions: usize) -> Demand {
        let _ = (state, questions);
        Demand::default()
    }

    /// Makes one attempt.
    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>>;
}

/// What one attempt takes at the most, beside the material and the questions themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// How many requests go out for it side by side; at least 1.
    pub requests: u32,
    /// How many more may follow, each after the reply to the one before it.
    pub further_requests: u32,
    /// Further bytes that each of them sends, such as a prompt.
    pub further_bytes: u64,
    /// The most tokens each of them is allowed to answer with, where that is more than a label and some numbers.
    pub output_tokens: u64,
}

impl Demand {
    /// Whether one answer may take several requests.
    pub fn has_parts(self) -> bool {
        self.requests > 1 || self.further_requests > 0
    }
}

impl Default for Demand {
    fn default() -> Self {
        Self {
            requests: 1,
            further_requests: 0,
            further_bytes: 0,
            output_tokens: 0,
        }
    }
}

/// Provider, model and parameters of a candidate: not time limits, prices or concurrency.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// The provider's name in suites.
    pub provider: String,
    /// The model as asked for, where there is one.
    pub model: Option<String>,
    /// Everything else that may change an answer, in a fixed order.
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

impl Identity {
    /// The digest that recordings carry.
    pub fn digest(&self) -> Digest {
        let mut parts = vec![
            b"candidate/1".to_vec(),
            self.provider.clone().into_bytes(),
            self.model.clone().unwrap_or_default().into_bytes(),
        ];
        let mut parameters: Vec<_> = self.parameters.iter().collect();
        parameters.sort_by_key(|(key, _)| key.as_str());
        for (key, value) in parameters {
            parts.push(key.clone().into_bytes());
            parts.push(value.to_string().into_bytes());
        }
        Digest::of(parts.iter().map(Vec::as_slice))
    }
}

/// A usable reply of a service: one entry per asked question, in the request's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What was answered to each question, or why that one was not.
    pub answers: Vec<Result<Decided, Failure>>,
    /// What the call took; `attempts`, `cost_usd` and `at` are the collector's to fill in.
    pub measured: Measured,
}

/// An attempt without a usable reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// What happened.
    pub failure: Failure,
    /// Whether another attempt could help.
    pub retry: Retry,
    /// What the attempt took, as far as it is known.
    pub measured: Measured,
}

/// Whether another attempt could help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retry {
    /// No: the same request would fail again.
    Never,
    /// Yes, after the collector's own back-off.
    Soon,
    /// Yes, after the wait the service asked for.
    After(Duration),
}

/// A candidate's own settings by key, as a suite or `decbench.toml` gives them.
pub type Settings = serde_json::Map<String, serde_json::Value>;

/// A setting that a provider cannot use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SettingError {
    /// The key at fault; `None` when a required one is missing.
    pub key: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to type.
    pub help: Option<String>,
}
