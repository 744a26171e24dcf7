//! What fill and live have in common: what must be there before the first call, and making the calls.

use super::engine::{Engine, Made};
use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::ledger::Ledger;
use super::lock::Turn;
use super::wanted::WantedCall;
use crate::decision::Answer;
use crate::provider::{Price, Provider};

/// A candidate that can be called and paid for.
pub(crate) struct Remote<'a> {
    job: &'a Job<'a>,
    asking: &'a Asking<'a>,
    environment: &'a Environment<'a>,
    provider: Box<dyn Provider>,
    price: Price,
    pub(crate) budget_usd: f64,
}

impl<'a> Remote<'a> {
    /// Gets ready to make so many calls.
    ///
    /// # Errors
    ///
    /// When the run has no budget, the candidate no price, or the key is missing: found out before anything is asked.
    pub(crate) fn get_ready(
        job: &'a Job<'a>,
        asking: &'a Asking<'a>,
        environment: &'a Environment<'a>,
        calls: usize,
    ) -> Result<Self, CollectError> {
        let usable = |usd: &f64| usd.is_finite() && *usd >= 0.0;
        let budget_usd = environment
            .budget_usd
            .filter(usable)
            .ok_or(CollectError::NoBudget { calls })?;
        Ok(Self {
            price: job.price.ok_or(CollectError::NoPrice { calls })?,
            provider: (asking.connect)()?,
            budget_usd,
            job,
            asking,
            environment,
        })
    }

    /// Makes the calls in this process's turn on the host. Each call's answers are handed to `keep` and then stand in
    /// `gathered`.
    ///
    /// # Errors
    ///
    /// When answers cannot be kept or spending not be written down.
    pub(crate) fn make_calls(
        &self,
        calls: &[&WantedCall<'_>],
        ledger: &Ledger,
        gathered: &mut Gathered,
        mut keep: impl FnMut(&[Answer]) -> Result<(), CollectError> + Send,
    ) -> Result<(), CollectError> {
        let _turn = host_turn(self.job, self.asking, self.environment)?;
        let engine = Engine {
            provider: self.provider.as_ref(),
            limits: self.job.limits,
            price: self.price,
            ledger,
            clock: &self.environment.clock,
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
