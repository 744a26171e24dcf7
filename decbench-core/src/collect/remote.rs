//! What fill and live have in common: what must be there before the first call, and making the calls.

use super::engine::{Engine, Made};
use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::ledger::Ledger;
use super::lock::Turn;
use super::wanted::WantedCall;
use crate::decision::Answer;
use crate::provider::Price;

/// What money allows; known before the first call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    pub(crate) budget_usd: f64,
    pub(crate) price: Price,
}

impl Means {
    /// The means of a job with so many calls to make.
    ///
    /// # Errors
    ///
    /// When the run has no budget or the candidate no price.
    pub(crate) fn of(
        job: &Job<'_>,
        environment: &Environment<'_>,
        calls: usize,
    ) -> Result<Self, CollectError> {
        let usable = |usd: &f64| usd.is_finite() && *usd >= 0.0;
        let budget_usd = environment
            .budget_usd
            .filter(usable)
            .ok_or(CollectError::NoBudget { calls })?;
        let price = job.price.ok_or(CollectError::NoPrice { calls })?;
        Ok(Self { budget_usd, price })
    }
}

/// Makes the calls in this process's turn on the host. Each call's answers are handed to `keep` and then stand in
/// `gathered`.
pub(crate) fn make_calls(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
    calls: &[&WantedCall<'_>],
    (means, ledger): (Means, &Ledger),
    gathered: &mut Gathered,
    mut keep: impl FnMut(&[Answer]) -> Result<(), CollectError> + Send,
) -> Result<(), CollectError> {
    let provider = (asking.connect)()?;
    let _turn = host_turn(job, asking, environment)?;
    let engine = Engine {
        provider: provider.as_ref(),
        limits: job.limits,
        price: means.price,
        ledger,
        clock: &environment.clock,
    };
    let Made {
        calls,
        usd,
        stopped,
    } = engine.make(calls, |call, answers| {
        // Of a call that was recorded in part only the missing answers are new: what is there wins.
        let fresh: Vec<Answer> = gathered
            .open_answers(call)
            .zip(&answers)
            .filter(|(open, _)| *open)
            .map(|(_, answer)| answer.clone())
            .collect();
        let kept = keep(&fresh);
        gathered.put(call.first, answers);
        kept
    })?;
    gathered.calls_made += calls;
    gathered.spent_usd += usd;
    gathered.not_asked = stopped;
    Ok(())
}

/// Processes that call the same host take turns, so that they do not multiply its rate.
fn host_turn(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
) -> Result<Option<Turn>, CollectError> {
    let Some(host) = asking.host else {
        return Ok(None);
    };
    let name: String = host
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '.' || letter == '-' {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let path = environment
        .output
        .join("hosts")
        .join(format!("{name}.lock"));
    let holder = format!("{}::{}", job.suite, job.candidate);
    Turn::take(&path, &holder, environment.notice)
        .map(Some)
        .map_err(|error| CollectError::not_kept(&path, error))
}
