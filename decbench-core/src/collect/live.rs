//! Asking everything now; recordings are neither read nor written.

use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::matching::Known;
use super::remote::{Means, make_calls};
use super::run_store::RunStore;
use super::wanted::{WantedCall, plan_digest};

/// Answers from this run's store, and from the candidate for what it lacks. A run of the same plan that was killed is
/// gone on with.
pub(crate) fn gather(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
    calls: &[WantedCall<'_>],
) -> Result<Gathered, CollectError> {
    let store = RunStore::of(job, environment);
    let mut gathered = Gathered::default();
    gathered.fill_from(Known::new(store.read()?.answers), calls);
    let wanted = gathered.open_calls(calls).count();
    if wanted == 0 {
        return Ok(gathered);
    }
    if let Some(reason) = store.stopped() {
        gathered.not_asked = Some(reason);
        return Ok(gathered);
    }
    let means = Means::of(job, environment, wanted)?;
    let (mut run, asked) = store.open_to_keep(environment.notice)?;
    // Another process of the run may have asked while this one waited for its turn.
    gathered.fill_from(Known::new(asked.answers), calls);
    let ledger = store.ledger(means.budget_usd)?;
    let plan = plan_digest(calls);
    if let Some(resumed) = store.resume(plan, &ledger, &mut run)? {
        (environment.notice)(&resumed.note);
        gathered.notes.push(resumed.note);
        gathered.fill_from(Known::new(resumed.answers), calls);
    }
    let wanted: Vec<&WantedCall<'_>> = gathered.open_calls(calls).collect();
    if !wanted.is_empty() {
        if let Some(reason) = store.stopped() {
            gathered.not_asked = Some(reason);
            return Ok(gathered);
        }
        store.begin(plan, &environment.clock.now_text())?;
        let money = (means, &ledger);
        make_calls(
            job,
            asking,
            environment,
            &wanted,
            money,
            &mut gathered,
            |fresh| run.answers.append(fresh),
        )?;
    }
    if let Some(reason) = &gathered.not_asked {
        store.stop(reason)?;
    }
    store.end()?;
    Ok(gathered)
}
