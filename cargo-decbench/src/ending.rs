//! How a task ends: what its exit code says.

use std::fmt::Display;
use std::process::ExitCode;

use crate::terminal;

/// What a task found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Everything holds; code 0.
    Holds,
    /// Something does not hold; code 1.
    DoesNotHold,
}

impl Ending {
    pub(crate) fn holds_if(holds: bool) -> Self {
        if holds {
            Self::Holds
        } else {
            Self::DoesNotHold
        }
    }
}

/// Wrong use, or input that cannot be read; code 2. The message says where and what to do.
#[derive(Debug)]
pub(crate) struct Unusable(String);

impl Unusable {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// A message about a file.
    pub(crate) fn file(path: &std::path::Path, error: impl Display) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

pub(crate) type Done = Result<Ending, Unusable>;

pub(crate) fn exit_code(done: Done) -> ExitCode {
    match done {
        Ok(Ending::Holds) => ExitCode::SUCCESS,
        Ok(Ending::DoesNotHold) => ExitCode::from(1),
        Err(message) => {
            terminal::complain(&message.to_string());
            ExitCode::from(2)
        }
    }
}
