//! Asking what no recording answers, and recording it.

use super::errand::{Errand, Keeper, Stage};
use super::error::CollectError;
use super::file::read_answers;
use super::gather::Gathered;
use super::job::Environment;
use super::matching::{Known, is_answer};
use super::recordings::{Recordings, SuiteTurn, recordings_path};
use super::remote::{self, Round};
use super::rescue::adopt;
use super::run_store::{OpenRun, RunStore};
use crate::decision::Answer;

/// Answers from the recordings, and from the candidates for what they lack.
///
/// Answers and the model's own failures are recorded. Calls that reached nobody are kept with the run alone: the next
/// run asks them again, a retry within this one does not.
pub(crate) fn gather(
    errands: &[Errand<'_>],
    environment: &Environment<'_>,
) -> Vec<Result<Gathered, CollectError>> {
    let looked = errands
        .iter()
        .map(|errand| match look(errand, environment) {
            Ok(gathered) => remote::to_ask(gathered, errand, environment),
            Err(error) => Stage::Failed(error),
        })
        .collect();
    remote::ask(errands, environment, looked, &Filling)
}

/// What is known without asking.
pub(crate) fn look(
    errand: &Errand<'_>,
    environment: &Environment<'_>,
) -> Result<Gathered, CollectError> {
    let recorded = read_answers(&recordings_path(errand.job, environment))?;
    let store = RunStore::of(errand.job, environment);
    let mut gathered = Gathered {
        bad_lines: recorded.bad,
        ..Gathered::default()
    };
    gathered.fill_from(answers_of(recorded.answers), errand.calls);
    gathered.fill_from(Known::new(store.read()?.answers), errand.calls);
    Ok(gathered)
}

struct Filling;

impl Round for Filling {
    /// The suite's recordings, and its part of the run.
    type Turn = SuiteTurn;

    fn turn(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
    ) -> Result<Self::Turn, CollectError> {
        SuiteTurn::take(errand.job, environment)
    }

    fn open(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
        gathered: &mut Gathered,
    ) -> Result<Box<dyn Keeper>, CollectError> {
        let (mut recordings, recorded) = Recordings::open(errand.job, environment)?;
        let store = RunStore::of(errand.job, environment);
        let (run, failed) = store.open_to_keep(errand.under_way())?;
        // Another process may have asked while this one waited for its turn.
        gathered.bad_lines = recorded.bad;
        gathered.fill_from(answers_of(recorded.answers), errand.calls);
        gathered.fill_from(Known::new(failed.answers), errand.calls);
        let adopted = adopt(errand, environment, &mut recordings)?;
        if !adopted.is_empty() {
            gathered.notes.push(format!(
                "{} answers that an earlier run could not record are recorded now",
                adopted.len()
            ));
            gathered.fill_from(Known::new(adopted), errand.calls);
        }
        Ok(Box::new(Recorder {
            recordings,
            run,
            store,
        }))
    }
}

struct Recorder {
    recordings: Recordings,
    run: OpenRun,
    store: RunStore,
}

impl Keeper for Recorder {
    fn keep(&mut self, fresh: &[Answer]) -> Result<(), CollectError> {
        let (answers, unanswered): (Vec<Answer>, Vec<Answer>) =
            fresh.iter().cloned().partition(is_answer);
        let failed = self.run.append(&unanswered);
        match self.recordings.append(&answers) {
            Ok(()) => failed,
            Err(error) => {
                // Paid for: they wait with the run until a fill can record them.
                let _ = self.run.rescue(&answers);
                Err(error)
            }
        }
    }

    fn finish(self: Box<Self>, not_asked: Option<&str>) -> Result<(), CollectError> {
        if let Some(reason) = not_asked {
            self.store.stop(reason)?;
        }
        self.recordings.close()
    }
}

/// What counts as recorded: a call that reached nobody is asked again, whatever wrote it into the file.
fn answers_of(mut lines: Vec<Answer>) -> Known {
    lines.retain(is_answer);
    Known::new(lines)
}
