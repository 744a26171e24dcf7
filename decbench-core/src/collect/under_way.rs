//! Calls that were under way when a process was killed: what they were, so that it can be told when they are made again.

use std::fs::File;
use std::path::Path;

use super::errand::Errand;
use super::error::CollectError;
use super::gather::Gathered;
use super::job::Environment;
use super::ledger::Ledger;
use super::runs::other_runs;

/// Names the calls that are about to be made and were under way when an earlier process was killed: nobody knows whether
/// they were answered and billed. Each is named once. `ledger` is this run's own.
///
/// # Errors
///
/// When this run's ledger cannot be written.
pub(crate) fn tell(
    errand: &Errand<'_>,
    environment: &Environment<'_>,
    ledger: &Ledger,
    gathered: &mut Gathered,
) -> Result<(), CollectError> {
    let runs = environment.output.join("runs");
    let run = runs.join(&environment.run);
    let holder = errand.name();
    let mut wanted: Vec<String> = gathered
        .open_calls(errand.calls)
        .map(super::wanted::WantedCall::name)
        .collect();
    wanted.sort();
    let is_wanted = |call: &String| wanted.binary_search(call).is_ok();
    let mut calls = Vec::new();
    // Nobody else calls for this candidate in this run, as we have the turn; so whoever put this money aside is gone.
    let (own_ids, named): (Vec<String>, Vec<String>) = Ledger::under_way_in(&run, &holder)
        .into_iter()
        .filter(|(_, call)| is_wanted(call))
        .unzip();
    calls.extend(named);
    let mut others = Vec::new();
    for other in other_runs(&runs, &run) {
        let under_way = Ledger::under_way_in(&other, &holder);
        let (ids, named): (Vec<String>, Vec<String>) = under_way
            .into_iter()
            .filter(|(_, call)| is_wanted(call))
            .unzip();
        if !ids.is_empty() && !is_in_use(&other) {
            calls.extend(named);
            others.push((other, ids));
        }
    }
    if calls.is_empty() {
        return Ok(());
    }
    calls.sort();
    calls.dedup();
    let note = format!(
        "{} under way when a run was killed and {} made again, which may be billed twice: {}",
        match calls.len() {
            1 => "1 call was".to_owned(),
            more => format!("{more} calls were"),
        },
        if calls.len() == 1 { "is" } else { "are" },
        calls.join("; ")
    );
    // Told before it is booked: a kill between the two tells it twice rather than never.
    (environment.notice)(&format!("{holder}: {note}"));
    gathered.notes.push(note);
    for (other, ids) in others {
        // That they are told once more when this cannot be written harms nobody.
        let _ = Ledger::open(&other, 0.0).map(|ledger| ledger.write_off(&ids));
    }
    ledger.write_off(&own_ids)
}

/// Whether a process of that run is alive.
fn is_in_use(run: &Path) -> bool {
    File::open(run.join(".in-use")).is_ok_and(|mark| mark.try_lock().is_err())
}
