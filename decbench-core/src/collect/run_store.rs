//! The store of one run: answers of local candidates and of live calls, and calls that reached nobody.
//!
//! `runs/<run>/<suite>/<candidate>.jsonl` below the output folder. Every process of a run reads what another one has
//! asked, so that a retry judges the same answers and both kinds of runner make equally many calls.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::appender::Appender;
use super::error::CollectError;
use super::file::{AnswerFile, read_answers};
use super::job::{Environment, Job};
use super::ledger::Ledger;
use super::lock::Turn;
use super::raw_replies::RawReplies;
use super::runs;
use super::spare::{Spare, append};
use crate::decision::Answer;

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
    answers: Appender,
    spare: Option<Spare>,
    rescued: PathBuf,
    _turn: Option<Turn>,
}

impl OpenRun {
    /// Appends the answers of one call.
    ///
    /// # Errors
    ///
    /// When they cannot be written, not even in the place of the spare room.
    pub(crate) fn append(&mut self, answers: &[Answer]) -> Result<(), CollectError> {
        append(&mut self.answers, &mut self.spare, answers)
    }

    /// Keeps answers that cannot be recorded until a later fill can.
    ///
    /// # Errors
    ///
    /// When they cannot be written, not even in the place of the spare room.
    pub(crate) fn rescue(&mut self, answers: &[Answer]) -> Result<(), CollectError> {
        let open = || Appender::open(&self.rescued).map(|(appender, _)| appender);
        let mut rescued = open()
            .or_else(|_| {
                self.spare = None;
                open()
            })
            .map_err(|error| CollectError::write(&self.rescued, error))?;
        append(&mut rescued, &mut self.spare, answers)
    }
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
        let mut read = read_answers(&self.path())?;
        read.answers
            .append(&mut read_answers(&self.rescued())?.answers);
        Ok(read)
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
                    spare: None,
                    rescued: self.rescued(),
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

    /// Opens the candidate's answers in the turn that the caller has, with spare room for so many.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn open_to_keep(
        &self,
        under_way: usize,
    ) -> Result<(OpenRun, AnswerFile), CollectError> {
        let path = self.path();
        let opened = Appender::open(&path).and_then(|(answers, read)| {
            let open = OpenRun {
                answers,
                spare: Some(Spare::keep(&self.mark("spare"), under_way)?),
                rescued: self.rescued(),
                _turn: None,
            };
            Ok((open, read))
        });
        opened.map_err(|error| CollectError::not_kept(&path, error))
    }

    /// The same candidate's place in another run.
    pub(super) fn in_run(&self, run: &Path) -> Self {
        Self {
            runs: self.runs.clone(),
            suite: run.join(self.suite.file_name().unwrap_or_default()),
            candidate: self.candidate.clone(),
            holder: self.holder.clone(),
            run: run.to_owned(),
        }
    }

    /// Where replies go as they came, for a candidate that keeps them.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn raw_replies(&self, job: &Job<'_>) -> Result<Option<RawReplies>, CollectError> {
        if !job.limits.keep_raw {
            return Ok(None);
        }
        let path = self.mark("raw.jsonl");
        RawReplies::open(&path)
            .map(Some)
            .map_err(|error| CollectError::not_kept(&path, error))
    }

    /// Where parts of the run's answers wait for the rest.
    pub(crate) fn parts(&self) -> PathBuf {
        self.mark("parts.jsonl")
    }

    /// Where answers wait that could not be recorded.
    pub(super) fn rescued(&self) -> PathBuf {
        self.suite.join(format!("{}.rescued.jsonl", self.candidate))
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
