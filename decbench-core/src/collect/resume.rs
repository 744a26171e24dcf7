//! Going on with a live run that was killed.
//!
//! A live plan leaves a mark when it begins and takes it away when it comes to its end, be it by answers, by its budget
//! or by a key that was refused. A mark without a process is a run that was cut off.

use std::{fs, io};

use super::error::CollectError;
use super::ledger::Ledger;
use super::lock::Turn;
use super::matching::is_answer;
use super::run_store::{OpenRun, RunStore};
use super::runs::other_runs;
use crate::decision::{Answer, Digest};

/// What was taken over from a run that was killed.
#[derive(Debug)]
pub(crate) struct Resumed {
    pub(crate) answers: Vec<Answer>,
    pub(crate) note: String,
}

impl RunStore {
    /// Remembers that a live plan has been begun.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn begin(&self, plan: Digest, at: &str) -> Result<(), CollectError> {
        self.write_mark("begun", &format!("{plan} {at}"))
    }

    /// Remembers that the live plan has come to its end.
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

    /// Takes over the answers of the newest other run that began the same plan and was killed. What it had spent counts
    /// for this run too; its calls that reached nobody are made again.
    ///
    /// # Errors
    ///
    /// When this run's store cannot be written.
    pub(crate) fn resume(
        &self,
        plan: Digest,
        ledger: &Ledger,
        open: &mut OpenRun,
    ) -> Result<Option<Resumed>, CollectError> {
        for run in other_runs(&self.runs, &self.run).into_iter().rev() {
            let Some(name) = run.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let killed = Self {
                runs: self.runs.clone(),
                suite: run.join(self.suite.file_name().unwrap_or_default()),
                candidate: self.candidate.clone(),
                holder: self.holder.clone(),
                run: run.clone(),
            };
            let Some(at) = killed.begun(plan) else {
                continue;
            };
            // Whoever has the turn is alive and at it.
            let turn = Turn::take_now(&killed.suite.join(".lock"), &self.holder);
            let (Ok(Some(_turn)), Some(_)) = (turn, killed.begun(plan)) else {
                continue;
            };
            let mut answers = killed.read()?.answers;
            answers.retain(is_answer);
            ledger.carry(name, Ledger::spent_in(&run))?;
            open.answers.append(&answers)?;
            killed.end()?;
            let note = format!(
                "{} goes on with the live run of {at} that was cut off: {} of its answers are kept",
                self.holder,
                answers.len()
            );
            return Ok(Some(Resumed { answers, note }));
        }
        Ok(None)
    }

    /// When this plan was begun, if it was and did not come to its end.
    fn begun(&self, plan: Digest) -> Option<String> {
        let text = fs::read_to_string(self.mark("begun")).ok()?;
        let (begun, at) = text.split_once(' ')?;
        (Digest::parse(begun) == Some(plan)).then(|| at.to_owned())
    }
}
