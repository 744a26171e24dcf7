//! Going on with a live run that was killed.
//!
//! Live calls leave a mark when they begin and take it away when they come to their end, be it by answers, by the budget
//! or by a key that was refused. A mark that no process stands by is a run that was cut off.

use std::{fs, io};

use super::errand::Keeper;
use super::error::CollectError;
use super::ledger::Ledger;
use super::lock::Turn;
use super::matching::is_answer;
use super::part_file;
use super::run_store::RunStore;
use super::runs::other_runs;
use crate::decision::Answer;

/// What a run that was killed had asked the candidate.
#[derive(Debug)]
pub(crate) struct CutOff {
    store: RunStore,
    at: String,
    /// Its answers; calls that reached nobody are to be made again.
    pub(crate) answers: Vec<Answer>,
    /// Keeps others from going on with the same run.
    _turn: Turn,
}

impl RunStore {
    /// Remembers that live calls have begun.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn begin(&self, at: &str) -> Result<(), CollectError> {
        self.write_mark("begun", at)
    }

    /// Remembers that live calls have come to their end.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn end(&self) -> Result<(), CollectError> {
        let mark = self.mark("begun");
        match fs::remove_file(&mark) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(CollectError::write(&mark, error))
            }
            _ => Ok(()),
        }
    }

    /// The other runs that were killed while they asked this candidate, newest first.
    pub(crate) fn cut_off(&self) -> impl Iterator<Item = CutOff> {
        other_runs(&self.runs, &self.run)
            .into_iter()
            .rev()
            .filter_map(|run| self.cut_off_in(self.in_run(&run)))
    }

    fn cut_off_in(&self, other: Self) -> Option<CutOff> {
        let mark = other.mark("begun");
        if !mark.is_file() {
            return None;
        }
        // Whoever has the turn is alive and at it, and one who had it a moment ago may have come to its end.
        let turn = Turn::take_now(&other.suite.join(".lock"), &self.holder).ok()??;
        let at = fs::read_to_string(mark).ok()?;
        let mut answers = other.read().ok()?.answers;
        answers.retain(is_answer);
        Some(CutOff {
            store: other,
            at,
            answers,
            _turn: turn,
        })
    }

    /// Makes the answers of a killed run this one's own. What it had spent counts for this run too. Gives what to say.
    ///
    /// # Errors
    ///
    /// When this run's store cannot be written.
    pub(crate) fn take_over(
        &self,
        cut_off: &CutOff,
        ledger: &Ledger,
        keeper: &mut dyn Keeper,
    ) -> Result<String, CollectError> {
        let run = &cut_off.store.run;
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        ledger.carry(&name, Ledger::spent_in(run))?;
        keeper.keep(&cut_off.answers)?;
        part_file::carry(&cut_off.store.parts(), &self.parts())?;
        cut_off.store.end()?;
        Ok(format!(
            "{} goes on with the live run of {} that was cut off: {} answers are kept",
            self.holder,
            cut_off.at,
            cut_off.answers.len()
        ))
    }
}
