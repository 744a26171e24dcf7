//! Asking everything now; recordings are neither read nor written.

use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::matching::Known;
use super::remote::Remote;
use super::run_store::RunStore;
use super::wanted::WantedCall;

/// Answers from this run's store, and from the candidate for what it lacks. A run that was killed while it asked the same
/// is gone on with.
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
    let remote = Remote::get_ready(job, asking, environment, wanted)?;
    let (mut run, asked) = store.open_to_keep(environment.notice)?;
    // Another process of the run may have asked while this one waited for its turn.
    gathered.fill_from(Known::new(asked.answers), calls);
    let ledger = store.ledger(remote.budget_usd)?;
    for cut_off in store.cut_off() {
        let before = gathered.open_calls(calls).count();
        if before == 0 {
            break;
        }
        gathered.fill_from(Known::new(cut_off.answers.clone()), calls);
        // A run that had asked something else answers nothing, and stays as it is.
        if gathered.open_calls(calls).count() < before {
            let note = store.take_over(&cut_off, &ledger, &mut run)?;
            (environment.notice)(&note);
            gathered.notes.push(note);
        }
    }
    let wanted: Vec<&WantedCall<'_>> = gathered.open_calls(calls).collect();
    if !wanted.is_empty() {
        if let Some(reason) = store.stopped() {
            gathered.not_asked = Some(reason);
            return Ok(gathered);
        }
        store.begin(&environment.clock.now_text())?;
        remote.make_calls(&wanted, &ledger, &mut gathered, |fresh| {
            run.answers.append(fresh)
        })?;
    }
    if let Some(reason) = &gathered.not_asked {
        store.stop(reason)?;
    }
    store.end()?;
    Ok(gathered)
}
