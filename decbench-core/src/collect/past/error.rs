//! Why nothing can be read of a revision.

use std::io;
use std::path::PathBuf;

/// Why the files of a revision cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PastError {
    /// git is not installed, or cannot be started.
    #[error(
        "git cannot be started ({source}), and `{revision}` is no folder; install git, or name a folder of answers"
    )]
    NoGit {
        /// What was to be read.
        revision: String,
        /// Why.
        source: io::Error,
    },
    /// The package stands in no repository, or git refuses the one it stands in.
    #[error(
        "`{revision}` is no folder, and git knows no repository at {}: {message}", folder.display()
    )]
    NoRepository {
        /// What was to be read.
        revision: String,
        /// Where.
        folder: PathBuf,
        /// What git said.
        message: String,
    },
    /// There is no such revision.
    #[error("there is no folder and no git revision `{revision}`{hint}")]
    UnknownRevision {
        /// What was to be read.
        revision: String,
        /// What it could be, in words.
        hint: String,
    },
    /// There is no such revision, and the clone holds only the last part of the history.
    #[error(
        "git revision `{revision}` is not in this clone, which is shallow; fetch it first (`git fetch --no-tags origin main`, or `fetch-depth: 0` for actions/checkout) and name it as it is called then, such as `origin/main`"
    )]
    Shallow {
        /// What was to be read.
        revision: String,
    },
    /// git did something else than it was asked for.
    #[error("git {command} failed: {message}")]
    Git {
        /// What it was asked for.
        command: String,
        /// What it said.
        message: String,
    },
    /// The files cannot be laid out.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
