//! Why nothing could be collected at all.

use std::io;
use std::path::{Path, PathBuf};

use super::budget::Estimate;
use crate::provider::{ConnectError, SettingError};

/// Why collecting could not begin, or had to end before everything was kept.
///
/// A call that fails is an answer of its own ([`crate::decision::Failure`]); this is about files, settings, money and keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// A file that is there cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Answers would be paid for and lost: found out before the first call.
    #[error("{} cannot be written ({source}), so nothing was asked: its answers could not be kept", path.display())]
    NotKept {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of recorded answers says something that cannot be used.
    #[error("{}: {message}", path.display())]
    Recorded {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
        /// What to type.
        help: Option<String>,
    },
    /// Something is to be asked and nobody has agreed to what it costs.
    #[error(
        "{estimate}; nothing was asked, as nobody has agreed to it: set DECBENCH_CONFIRM_USD={} (a run then stops at 1.2 times that), or a budget as `budget_usd` in the profile or DECBENCH_BUDGET_USD",
        estimate.to_confirm()
    )]
    NoBudget {
        /// What it would cost.
        estimate: Box<Estimate>,
    },
    /// The calls are likely to cost more than was agreed to.
    #[error(
        "{estimate}; nothing was asked, as only ${confirmed_usd} was agreed to: set DECBENCH_CONFIRM_USD={} (a run then stops at 1.2 times that)",
        estimate.to_confirm()
    )]
    BeyondConfirmed {
        /// What it would cost.
        estimate: Box<Estimate>,
        /// What was agreed to, in US dollars.
        confirmed_usd: f64,
    },
    /// Something is to be asked and nobody knows what it costs.
    #[error(
        "{calls} calls are to be made at an unknown price, so the budget could not be kept; give the candidate `price: {{input_per_million: …, output_per_million: …}}`, 0 where it is free{}",
        unpriced(model.as_deref())
    )]
    NoPrice {
        /// How many calls are wanted.
        calls: usize,
        /// The model, where there is one.
        model: Option<String>,
    },
    /// Settings that the provider cannot use.
    #[error("{}", texts(.0))]
    Settings(Vec<SettingError>),
    /// The provider cannot be reached for reasons known beforehand, such as a missing key.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The machinery that makes calls could not be started.
    #[error("calls cannot be made: {0}")]
    Runtime(io::Error),
}

impl CollectError {
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// The same once more, for several candidates that it stands in the way of.
    pub(crate) fn again(&self) -> Self {
        let copy = |source: &io::Error| io::Error::new(source.kind(), source.to_string());
        match self {
            Self::Read { path, source } => Self::read(path, copy(source)),
            Self::Write { path, source } => Self::write(path, copy(source)),
            Self::NotKept { path, source } => Self::not_kept(path, copy(source)),
            other => Self::Runtime(io::Error::other(other.to_string())),
        }
    }

    pub(crate) fn not_kept(path: &Path, source: io::Error) -> Self {
        Self::NotKept {
            path: path.to_owned(),
            source,
        }
    }
}

/// Where else a price, or doing without, can be said.
fn unpriced(model: Option<&str>) -> String {
    model.map_or_else(String::new, |model| {
        format!(
            ", or the model `[prices.\"{model}\"]` in decbench.toml; `allow_unpriced = [\"{model}\"]` in the profile does without"
        )
    })
}

fn texts(errors: &[SettingError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
