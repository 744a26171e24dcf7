//! An answer, or the reason why there is none.

use super::{Probe, RequestDigest, Written};

/// Why a call gave no usable answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The model declined to answer.
    Refused,
    /// The reply could not be read as an answer to the question.
    InvalidAnswer,
    /// No reply in time.
    Timeout,
    /// The service asked to slow down.
    RateLimited,
    /// The service was overloaded.
    Overloaded,
    /// Any other unsuccessful status.
    Http,
    /// No connection.
    Connect,
    /// The key was missing or not accepted.
    Auth,
    /// Out of credit or quota.
    Payment,
}

impl FailureKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Refused,
        Self::InvalidAnswer,
        Self::Timeout,
        Self::RateLimited,
        Self::Overloaded,
        Self::Http,
        Self::Connect,
        Self::Auth,
        Self::Payment,
    ];

    /// The name in answer files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::InvalidAnswer => "invalid_answer",
            Self::Timeout => "timeout",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::Http => "http",
            Self::Connect => "connect",
            Self::Auth => "auth",
            Self::Payment => "payment",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the failure is the model's own (a wrong answer), and not a call that reached nobody.
    pub fn is_models(self) -> bool {
        matches!(self, Self::Refused | Self::InvalidAnswer | Self::Timeout)
    }
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", kind.name())]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// What a person should read; never holds keys or what the user sent.
    pub message: String,
    /// How many bytes at the end of `message` are somebody else's words. A provider compares them with what it sent
    /// before it gives the failure away, and then it is 0.
    pub quoted: usize,
    /// Whether the reply was cut off at its longest before the answer was whole.
    pub truncated: bool,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            quoted: 0,
            truncated: false,
        }
    }

    /// A failure that quotes what a service or a program said.
    ///
    /// ```
    /// use decbench_core::decision::{Failure, FailureKind};
    /// let failure = Failure::quoting(FailureKind::Refused, "the service refused the input", "its filter");
    /// assert_eq!(failure.message, "the service refused the input: its filter");
    /// assert_eq!(&failure.message[failure.message.len() - failure.quoted..], "its filter");
    /// ```
    pub fn quoting(kind: FailureKind, what: &str, words: &str) -> Self {
        Self {
            quoted: words.len(),
            ..Self::new(kind, format!("{what}: {words}"))
        }
    }

    /// An answer that cannot be read because the reply was cut off at its longest.
    pub fn truncated(message: impl Into<String>) -> Self {
        Self {
            truncated: true,
            ..Self::new(FailureKind::InvalidAnswer, message)
        }
    }
}

/// What was answered, as it came: labels are option keys, probabilities are not yet checked against a tolerance.
///
/// A distribution that cannot be used (an option without a number, a value outside 0..1, a sum far from 1) is kept
/// as it came beside a usable label; whoever scores it sets it aside and counts it as a format error. `NaN` stands
/// for a value that was no number, an empty list for a distribution that was no map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decided {
    /// The label the candidate named, where it named one.
    pub label: Option<String>,
    /// Probability by option key, as given; `None` when the candidate gives none.
    pub probabilities: Option<Vec<(String, f64)>>,
    /// The candidate's own confidence, in its own meaning.
    pub confidence: Option<f64>,
    /// The share of probability, in 0..1, that fell on the options before it was divided among them; `None` where
    /// nobody tells. A low one means that the model wanted to say something else.
    pub format_mass: Option<f64>,
    /// What an open question was answered with.
    pub written: Option<Written>,
}

impl Decided {
    /// An answer in a model's own words.
    pub fn written(written: Written) -> Self {
        Self {
            written: Some(written),
            ..Self::default()
        }
    }
}

/// 1 − p to as many decimals as `p` is written with, so that 0.94 gives 0.06 and not 0.06000000000000005.
///
/// ```
/// assert_eq!(decbench_core::decision::complement(0.94), 0.06);
/// assert!(decbench_core::decision::complement(f64::NAN).is_nan());
/// ```
pub fn complement(p: f64) -> f64 {
    let written = p.to_string();
    let decimals = written
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len().min(17));
    format!("{:.decimals$}", 1.0 - p).parse().unwrap_or(1.0 - p)
}

/// What a call took, measured when it was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The model that answered, as the service named it.
    pub model: Option<String>,
    /// From sending to the parsed answer, without waiting for the limiter, in milliseconds.
    pub latency_ms: Option<f64>,
    /// Setting up the connection, in milliseconds.
    pub connect_ms: Option<f64>,
    /// Whether a new connection was needed.
    pub cold: Option<bool>,
    /// How often it was sent, retries included.
    pub attempts: Option<u32>,
    /// Tokens sent.
    pub input_tokens: Option<u64>,
    /// Tokens received.
    pub output_tokens: Option<u64>,
    /// What the call cost, in US dollars.
    pub cost_usd: Option<f64>,
    /// When it was made, RFC 3339.
    pub at: Option<String>,
}

/// One question's answer under one probe: a line of an answer file.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Id of the case.
    pub case: String,
    /// Name of the question; empty for a suite's single unnamed one.
    pub question: String,
    /// Under which circumstances it was asked.
    pub probe: Probe,
    /// What exactly was asked; absent for answers made elsewhere.
    pub request: Option<RequestDigest>,
    /// What was answered, or why not.
    pub outcome: Result<Decided, Failure>,
    /// What the call took. With several questions in one call each answer repeats the call's figures.
    pub measured: Measured,
}
