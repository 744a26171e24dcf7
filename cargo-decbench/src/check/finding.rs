//! What a check finds.

use std::path::{Path, PathBuf};

use decbench_core::diagnostic::{Diagnostic, Severity};
use serde_json::{Value as Json, json};

use crate::terminal;

/// A mistake in a text, or something about a file as a whole.
#[derive(Debug, Clone)]
pub(crate) enum Finding {
    Located(Box<Diagnostic>),
    File {
        code: &'static str,
        path: PathBuf,
        message: String,
        help: String,
    },
}

impl Finding {
    pub(crate) fn located(mistake: &Diagnostic) -> Self {
        Self::Located(Box::new(mistake.clone()))
    }

    /// A warning about a file.
    pub(crate) fn file(
        code: &'static str,
        path: &Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::File {
            code,
            path: path.to_owned(),
            message: message.into(),
            help: help.into(),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self, Self::Located(mistake) if mistake.severity == Severity::Error)
    }

    /// As a person reads it, with the first word set off.
    pub(crate) fn text(&self) -> String {
        terminal::headed(&self.plain())
    }

    fn plain(&self) -> String {
        match self {
            Self::Located(mistake) => mistake.render(),
            Self::File {
                code,
                path,
                message,
                help,
            } => {
                format!(
                    "warning[{code}]: {message}\n  --> {}\n  = help: {help}",
                    path.display()
                )
            }
        }
    }

    /// As a machine reads it; lines and columns count from 1.
    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Located(mistake) => {
                let position = mistake.position();
                json!({
                    "code": mistake.code, "severity": mistake.severity.name(), "message": mistake.message,
                    "file": mistake.source.name, "line": position.line, "column": position.column,
                    "help": mistake.help,
                })
            }
            Self::File {
                code,
                path,
                message,
                help,
            } => json!({
                "code": code, "severity": "warning", "message": message, "file": path, "line": null,
                "column": null, "help": help,
            }),
        }
    }
}
