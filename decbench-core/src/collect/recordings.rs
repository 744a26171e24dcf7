//! Recorded answers beside the suite: `answers/<suite>/<candidate>.jsonl`, reviewed in pull requests.

use std::path::PathBuf;

use super::job::{Environment, Job};

/// Where a candidate's recordings are.
pub(crate) fn recordings_path(job: &Job<'_>, environment: &Environment<'_>) -> PathBuf {
    environment
        .recordings
        .join(job.suite)
        .join(format!("{}.jsonl", job.candidate))
}
