//! What filling the recordings would take, reckoned without asking anybody.

use super::budget::{Estimate, estimates};
use super::errand::Errand;
use super::error::CollectError;
use super::fill;
use super::job::{Environment, Job, Source};
use super::wanted::{WantedCall, spell_out};

/// What `fill` would have to ask for these jobs. Local candidates and files made elsewhere cost nothing and are left out;
/// a candidate that lacks nothing has a part with no calls.
///
/// A key that is missing stands in nobody's way here; how many requests a service sends for one answer is then unknown
/// and taken to be one.
///
/// # Errors
///
/// When recordings or the run's store cannot be read.
pub fn reckon(jobs: &[Job<'_>], environment: &Environment<'_>) -> Result<Estimate, CollectError> {
    let remote: Vec<_> = jobs
        .iter()
        .filter_map(|job| match &job.source {
            Source::Asked(asking) if asking.remote => Some((job, asking)),
            _ => None,
        })
        .collect();
    let calls: Vec<Vec<WantedCall<'_>>> = remote
        .iter()
        .map(|(job, asking)| {
            let candidate = Some(asking.identity.digest());
            spell_out(job.plan, job.cases, job.questions, candidate)
        })
        .collect();
    let mut known = Vec::with_capacity(remote.len());
    for ((job, asking), calls) in remote.iter().copied().zip(&calls) {
        let errand = Errand { job, asking, calls };
        let gathered = fill::look(&errand, environment)?;
        known.push((errand, gathered, (asking.connect)().ok()));
    }
    let open = known
        .iter()
        .map(|(errand, gathered, provider)| (errand, gathered, provider.as_deref()));
    Ok(estimates(open, environment))
}
