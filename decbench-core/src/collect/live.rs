//! Asking everything now; recordings are neither read nor written.

use super::errand::{Errand, Keeper, Stage};
use super::error::CollectError;
use super::gather::Gathered;
use super::job::Environment;
use super::ledger::Ledger;
use super::lock::Turn;
use super::matching::Known;
use super::remote::{self, Round};
use super::run_store::{OpenRun, RunStore};
use crate::decision::Answer;

/// Answers from this run's store, and from the candidates for what it lacks. A run that was killed while it asked the
/// same is gone on with.
pub(crate) fn gather(
    errands: &[Errand<'_>],
    environment: &Environment<'_>,
) -> Vec<Result<Gathered, CollectError>> {
    let looked = errands
        .iter()
        .map(
            |errand| match RunStore::of(errand.job, environment).read() {
                Ok(asked) => {
                    let mut gathered = Gathered::default();
                    gathered.fill_from(Known::new(asked.answers), errand.calls);
                    remote::to_ask(gathered, errand, environment)
                }
                Err(error) => Stage::Failed(error),
            },
        )
        .collect();
    remote::ask(errands, environment, looked, &Living)
}

struct Living;

impl Round for Living {
    /// The suite's part of the run.
    type Turn = Turn;

    fn turn(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
    ) -> Result<Self::Turn, CollectError> {
        RunStore::of(errand.job, environment).turn_to_keep(environment.notice)
    }

    fn open(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
        gathered: &mut Gathered,
    ) -> Result<Box<dyn Keeper>, CollectError> {
        let store = RunStore::of(errand.job, environment);
        let (run, asked) = store.open_to_keep(errand.under_way())?;
        // Another process of the run may have asked while this one waited for its turn.
        gathered.fill_from(Known::new(asked.answers), errand.calls);
        Ok(Box::new(Liver { run, store }))
    }

    fn go_on(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
        gathered: &mut Gathered,
        ledger: &Ledger,
        keeper: &mut dyn Keeper,
    ) -> Result<(), CollectError> {
        let store = RunStore::of(errand.job, environment);
        for cut_off in store.cut_off() {
            let before = gathered.open_calls(errand.calls).count();
            if before == 0 {
                break;
            }
            gathered.fill_from(Known::new(cut_off.answers.clone()), errand.calls);
            // A run that had asked something else answers nothing, and stays as it is.
            if gathered.open_calls(errand.calls).count() < before {
                let note = store.take_over(&cut_off, ledger, keeper)?;
                (environment.notice)(&note);
                gathered.notes.push(note);
            }
        }
        Ok(())
    }

    fn begin(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
    ) -> Result<(), CollectError> {
        RunStore::of(errand.job, environment).begin(&environment.clock.now_text())
    }
}

struct Liver {
    run: OpenRun,
    store: RunStore,
}

impl Keeper for Liver {
    fn keep(&mut self, fresh: &[Answer]) -> Result<(), CollectError> {
        self.run.append(fresh)
    }

    fn finish(self: Box<Self>, not_asked: Option<&str>) -> Result<(), CollectError> {
        if let Some(reason) = not_asked {
            self.store.stop(reason)?;
        }
        self.store.end()
    }
}
