//! Answers that could not be written where they belong: they wait with their run until a fill can record them.

use std::fs;

use super::errand::Errand;
use super::error::CollectError;
use super::file::read_answers;
use super::job::Environment;
use super::matching::is_answer;
use super::recordings::Recordings;
use super::run_store::RunStore;
use super::runs::other_runs;
use crate::decision::Answer;

/// Records what earlier fills of the candidate could not, and gives it. The caller has the turn on the recordings, so
/// nobody writes such files meanwhile.
///
/// # Errors
///
/// When they cannot be recorded now either; they stay where they are.
pub(crate) fn adopt(
    errand: &Errand<'_>,
    environment: &Environment<'_>,
    recordings: &mut Recordings,
) -> Result<Vec<Answer>, CollectError> {
    let own = RunStore::of(errand.job, environment);
    let mut adopted = Vec::new();
    let mut runs = other_runs(&own.runs, &own.run);
    runs.push(own.run.clone());
    for run in runs {
        let path = own.in_run(&run).rescued();
        let Ok(mut rescued) = read_answers(&path) else {
            continue;
        };
        rescued.answers.retain(is_answer);
        if rescued.answers.is_empty() {
            continue;
        }
        recordings.append(&rescued.answers)?;
        adopted.append(&mut rescued.answers);
        // Recorded twice, the first of two equal lines counts.
        let _ = fs::remove_file(path);
    }
    Ok(adopted)
}
