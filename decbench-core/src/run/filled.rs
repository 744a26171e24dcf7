//! Filling the recordings of a suite: what it would take, and what came of it.

use super::candidate::{Failed, Needed, estimate_of, is_remote, planned};
use super::jury;
use super::suite_run::SuiteRun;
use crate::collect::{Estimate, Mode};

/// What came of recording one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filled {
    /// The candidate.
    pub candidate: String,
    /// Why nothing could be collected, where nothing could.
    pub failed: Option<String>,
    /// How many answers are still missing.
    pub missing: usize,
    /// The first of them, in words.
    pub misses: Vec<String>,
    /// What failed, by kind: calls that nobody served, whose answers the next fill asks for again, and answers that were
    /// none.
    pub failures: Vec<Failed>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl SuiteRun<'_> {
    /// What filling the recordings of the candidates at these positions would take, and of their judges where the suite
    /// has some; local candidates and files made elsewhere are passed over. Nobody is asked: of a run that may ask, judges
    /// are no part of the estimate, as their material is not there yet.
    ///
    /// # Errors
    /// A message where a candidate cannot be asked as it stands, or a recording cannot be read.
    pub fn estimate(&self, positions: &[usize]) -> Result<Estimate, String> {
        let needed: Vec<Needed<'_>> = self
            .remote(positions)
            .map(|position| self.needed(position))
            .collect();
        let mut estimate = estimate_of(self.suite(), &needed, self.settings())?;
        let judging = self.judging();
        if let Some(judging) = judging.filter(|_| self.settings().mode == Mode::Replay) {
            for position in positions.iter().copied() {
                let runs = (self.answered(position), self.compared(judging, position));
                let (plan, _) = planned(self.suite(), &self.needed(position), self.settings());
                let judges = jury::estimate(self.suite(), position, runs, &plan, self.settings())?;
                estimate.parts.extend(judges.parts);
            }
        }
        Ok(estimate)
    }

    /// Collects what the candidates at these positions are wanted for, as the mode says, and has it judged where the
    /// suite has judges. Local candidates and files made elsewhere are passed over where nobody judges them.
    pub fn fill(&self, positions: &[usize]) -> Vec<Filled> {
        let meant: Vec<usize> = match self.judging() {
            Some(_) => positions.to_vec(),
            None => self.remote(positions).collect(),
        };
        meant
            .into_iter()
            .map(|position| {
                let run = self.candidate(position);
                Filled {
                    candidate: self.suite().candidates[position].name.clone(),
                    failed: run.failed.clone(),
                    missing: run.missing,
                    misses: run.misses.clone(),
                    failures: run.failures.clone(),
                    notes: run.notes.clone(),
                }
            })
            .collect()
    }

    fn remote<'p>(&'p self, positions: &'p [usize]) -> impl Iterator<Item = usize> + 'p {
        positions
            .iter()
            .copied()
            .filter(|position| is_remote(self.suite(), *position, self.settings()))
    }
}
