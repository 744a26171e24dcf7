//! Reading recordings: no lock, no key, no network, nothing written.

use super::error::CollectError;
use super::file::read_answers;
use super::gather::Gathered;
use super::job::{Environment, Job};
use super::matching::Known;
use super::recordings::recordings_path;
use super::wanted::WantedCall;

/// Answers from the candidate's recordings.
pub(crate) fn gather(
    job: &Job<'_>,
    environment: &Environment<'_>,
    calls: &[WantedCall<'_>],
) -> Result<Gathered, CollectError> {
    let read = read_answers(&recordings_path(job, environment))?;
    let mut gathered = Gathered {
        bad_lines: read.bad,
        ..Gathered::default()
    };
    gathered.fill_from(Known::new(read.answers), calls);
    Ok(gathered)
}
