//! The store of one run: answers of local candidates and of live calls, and calls that reached nobody.
//!
//! `runs/<run>/<suite>/<candidate>.jsonl` below the output folder. Every process of a run reads what another one has
//! asked, so that a retry judges the same answers and both kinds of runner make equally many calls.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::appender::Appender;
use super::error::CollectError;
use super::file::{AnswerFile, read_answers};
use super::job::{Environment, Job};
use super::ledger::Ledger;
use super::lock::Turn;
use super::runs;

/// Where one candidate's answers of one run are.
#[derive(Debug)]
pub(crate) struct RunStore {
    pub(super) runs: PathBuf,
    pub(super) run: PathBuf,
    pub(super) suite: PathBuf,
    pub(super) candidate: String,
    pub(super) holder: String,
}

/// A candidate's answers of a run, open for more while this process has the turn on the suite's.
#[derive(Debug)]
pub(crate) struct OpenRun {
    /// Dropped first: the file is closed before the next one opens it.
    pub(crate) answers: Appender,
    _turn: Option<Turn>,
}

impl RunStore {
    /// Names the places; touches nothing.
    pub(crate) fn of(job: &Job<'_>, environment: &Environment<'_>) -> Self {
        let runs = environment.output.join("runs");
        let run = runs.join(&environment.run);
        Self {
            suite: run.join(job.suite),
            candidate: job.candidate.to_owned(),
            holder: format!("{}::{}", job.suite, job.candidate),
            runs,
            run,
        }
    }

    fn path(&self) -> PathBuf {
        self.suite.join(format!("{}.jsonl", self.candidate))
    }

    /// What the run has asked so far.
    ///
    /// # Errors
    ///
    /// When the file is there and cannot be read.
    pub(crate) fn read(&self) -> Result<AnswerFile, CollectError> {
        read_answers(&self.path())
    }

    /// Waits for the turn on the suite's part of the run and opens the candidate's answers.
    ///
    /// # Errors
    ///
    /// When the output folder cannot be written.
    pub(crate) fn open(
        &self,
        notice: &(dyn Fn(&str) + Sync),
    ) -> Result<(OpenRun, AnswerFile), CollectError> {
        self.turn(notice)
            .and_then(|turn| {
                let (answers, read) = Appender::open(&self.path())?;
                let open = OpenRun {
                    answers,
                    _turn: Some(turn),
                };
                Ok((open, read))
            })
            .map_err(|error| CollectError::write(&self.suite, error))
    }

    fn turn(&self, notice: &(dyn Fn(&str) + Sync)) -> io::Result<Turn> {
        runs::use_run(&self.runs, &self.run)?;
        Turn::take(&self.suite.join(".lock"), &self.holder, notice)
    }

    /// Waits for the turn on the suite's part of the run, where nothing may be asked that cannot be kept.
    ///
    /// # Errors
    ///
    /// When the output folder cannot be written.
    pub(crate) fn turn_to_keep(
        &self,
        notice: &(dyn Fn(&str) + Sync),
    ) -> Result<Turn, CollectError> {
        self.turn(notice)
            .map_err(|error| CollectError::not_kept(&self.suite, error))
    }

    /// Opens the candidate's answers in the turn that the caller has.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn open_to_keep(&self) -> Result<(OpenRun, AnswerFile), CollectError> {
        let path = self.path();
        let (answers, read) =
            Appender::open(&path).map_err(|error| CollectError::not_kept(&path, error))?;
        let open = OpenRun {
            answers,
            _turn: None,
        };
        Ok((open, read))
    }

    /// What the run has spent and may spend.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn ledger(&self, budget_usd: f64) -> Result<Ledger, CollectError> {
        Ledger::open(&self.run, budget_usd)
            .map_err(|error| CollectError::not_kept(&self.run, error))
    }

    /// Why this run asks the candidate nothing more, if it does not: a retry gives the same outcome.
    pub(crate) fn stopped(&self) -> Option<String> {
        fs::read_to_string(self.mark("stopped")).ok()
    }

    /// Remembers that this run asks the candidate nothing more.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn stop(&self, reason: &str) -> Result<(), CollectError> {
        self.write_mark("stopped", reason)
    }

    pub(super) fn mark(&self, what: &str) -> PathBuf {
        self.suite.join(format!("{}.{what}", self.candidate))
    }

    pub(super) fn write_mark(&self, what: &str, text: &str) -> Result<(), CollectError> {
        let mark = self.mark(what);
        fs::write(&mark, text).map_err(|error| CollectError::write(&mark, error))
    }
}
