//! Replies as they came, written beside a run's answers for candidates with `keep_raw: true`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use crate::provider::raw::Listener;

/// A file of replies, open for more; one JSON line each. They may repeat what was sent, so they stay below `target`.
#[derive(Debug, Clone)]
pub(crate) struct RawReplies(Arc<Mutex<File>>);

impl RawReplies {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self(Arc::new(Mutex::new(file))))
    }

    /// Writes down the replies of one attempt.
    pub(crate) fn listener(&self, call: String, attempt: u32) -> Listener {
        let file = Arc::clone(&self.0);
        Arc::new(move |status, body| {
            let line = json!({"call": call, "attempt": attempt, "status": status, "body": body});
            // Only for people who look for a mistake; that it cannot be written stops nothing.
            let _ = file
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write_all(format!("{line}\n").as_bytes());
        })
    }
}
