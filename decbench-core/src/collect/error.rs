//! Why nothing could be collected at all.

use std::io;
use std::path::{Path, PathBuf};

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
    /// Something is to be asked and the run has no budget.
    #[error(
        "{calls} calls are to be made and the run has no budget; set `budget_usd` in the profile or DECBENCH_BUDGET_USD"
    )]
    NoBudget {
        /// How many calls are wanted.
        calls: usize,
    },
    /// Something is to be asked and nobody knows what it costs.
    #[error(
        "{calls} calls are to be made at an unknown price, so the budget could not be kept; give the candidate `price: {{input_per_million: …, output_per_million: …}}`, 0 where it is free"
    )]
    NoPrice {
        /// How many calls are wanted.
        calls: usize,
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

    pub(crate) fn not_kept(path: &Path, source: io::Error) -> Self {
        Self::NotKept {
            path: path.to_owned(),
            source,
        }
    }
}

fn texts(errors: &[SettingError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
