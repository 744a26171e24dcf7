//! The store of one run: answers of local candidates and of live calls, and calls that reached nobody.
//!
//! `runs/<run>/<suite>/<candidate>.jsonl` below the output folder. Every process of a run reads what another one has
//! asked, so that a retry judges the same answers and both kinds of runner make equally many calls. The last five runs
//! are kept.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::appender::Appender;
use super::error::CollectError;
use super::file::{AnswerFile, read_answers};
use super::job::{Environment, Job};
use super::lock::Turn;

/// How many runs are kept.
const KEPT: usize = 5;

/// Where one candidate's answers of one run are.
#[derive(Debug)]
pub(crate) struct RunStore {
    runs: PathBuf,
    run: PathBuf,
    suite: PathBuf,
    candidate: String,
    holder: String,
}

/// A run store whose turn this process has.
#[derive(Debug)]
pub(crate) struct OpenRun {
    /// Dropped first: the file is closed before the next one opens it.
    pub(crate) answers: Appender,
    _turn: Turn,
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
        self.begin()
            .and_then(|()| Turn::take(&self.suite.join(".lock"), &self.holder, notice))
            .and_then(|turn| {
                let (answers, read) = Appender::open(&self.path())?;
                let open = OpenRun {
                    answers,
                    _turn: turn,
                };
                Ok((open, read))
            })
            .map_err(|error| CollectError::write(&self.suite, error))
    }

    /// Makes the run's folder, marks it as in use by this process, and clears away old runs.
    fn begin(&self) -> io::Result<()> {
        static IN_USE: Mutex<Option<HashMap<PathBuf, File>>> = Mutex::new(None);
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let in_use = in_use.get_or_insert_default();
        if in_use.contains_key(&self.run) && self.run.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(&self.run)?;
        let mark = File::create(self.run.join(".in-use"))?;
        mark.lock_shared()?;
        in_use.insert(self.run.clone(), mark);
        // Old runs are only a convenience: one that cannot be removed stays.
        let _ = prune(&self.runs, &self.run);
        Ok(())
    }
}

/// Removes all but the newest runs; never this one, nor one that a process uses.
fn prune(runs: &Path, current: &Path) -> io::Result<()> {
    let mut others: Vec<(SystemTime, PathBuf)> = fs::read_dir(runs)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let kept = entry.path();
            let written = entry.metadata().ok()?;
            (written.is_dir() && kept != current).then(|| Some((written.modified().ok()?, kept)))?
        })
        .collect();
    others.sort();
    let surplus = (others.len() + 1).saturating_sub(KEPT);
    for (_, run) in others.into_iter().take(surplus) {
        let free = match File::open(run.join(".in-use")) {
            Ok(mark) => mark.try_lock().is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if free {
            fs::remove_dir_all(run)?;
        }
    }
    Ok(())
}
