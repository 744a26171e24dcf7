//! Asking what no recording answers, and recording it.

use super::error::CollectError;
use super::file::read_answers;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::matching::{Known, is_answer};
use super::recordings::{Recordings, recordings_path};
use super::remote::Remote;
use super::run_store::RunStore;
use super::wanted::WantedCall;
use crate::decision::Answer;

/// Answers from the recordings, and from the candidate for what they lack.
///
/// Answers and the model's own failures are recorded. Calls that reached nobody are kept with the run alone: the next
/// run asks them again, a retry within this one does not.
pub(crate) fn gather(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
    calls: &[WantedCall<'_>],
) -> Result<Gathered, CollectError> {
    let store = RunStore::of(job, environment);
    let recorded = read_answers(&recordings_path(job, environment))?;
    let mut gathered = Gathered {
        bad_lines: recorded.bad,
        ..Gathered::default()
    };
    gathered.fill_from(answers_of(recorded.answers), calls);
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
    let (mut recordings, recorded) = Recordings::open(job, environment)?;
    let (mut run, failed) = store.open_to_keep(environment.notice)?;
    // Another process may have asked while this one waited for its turn.
    gathered.bad_lines = recorded.bad;
    gathered.fill_from(answers_of(recorded.answers), calls);
    gathered.fill_from(Known::new(failed.answers), calls);
    let wanted: Vec<&WantedCall<'_>> = gathered.open_calls(calls).collect();
    if wanted.is_empty() {
        return Ok(gathered);
    }
    if let Some(reason) = store.stopped() {
        gathered.not_asked = Some(reason);
        return Ok(gathered);
    }
    let ledger = store.ledger(remote.budget_usd)?;
    remote.make_calls(&wanted, &ledger, &mut gathered, |fresh| {
        let (answers, unanswered): (Vec<Answer>, Vec<Answer>) =
            fresh.iter().cloned().partition(is_answer);
        let failed = run.answers.append(&unanswered);
        match recordings.append(&answers) {
            Ok(()) => failed,
            Err(error) => {
                // Paid for: at least this run remembers them.
                let _ = run.answers.append(&answers);
                Err(error)
            }
        }
    })?;
    if let Some(reason) = &gathered.not_asked {
        store.stop(reason)?;
    }
    recordings.close()?;
    Ok(gathered)
}

/// What counts as recorded: a call that reached nobody is asked again, whatever wrote it into the file.
fn answers_of(mut lines: Vec<Answer>) -> Known {
    lines.retain(is_answer);
    Known::new(lines)
}
