//! What a check is given.

use super::calendar::Day;
use super::looks::Lookbook;
use crate::decision::{Case, ContextLimit};
use crate::suite::{Lockbox, OtherState, Suite};

/// A suite, and what was read elsewhere for its checks.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Given<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Whether lock-box cases may be named and counted.
    pub lockbox: Lockbox,
    /// The files of `data.overlap`.
    pub overlap: &'a [Overlap],
    /// What day it is.
    pub today: Option<Day>,
    /// All looks into the lock box so far, or why they cannot be read.
    pub looks: Option<&'a Result<Lookbook, String>>,
    /// Why candidates were not looked at.
    pub refused: &'a [String],
    /// How much of a request each candidate reads, by its position; `None` where nobody knows.
    pub contexts: &'a [Option<ContextLimit>],
}

/// A file of `data.overlap`, read.
#[derive(Debug, Clone)]
pub struct Overlap {
    /// The file as the suite names it.
    pub file: String,
    /// Its states, or why it could not be read.
    pub states: Result<Vec<OtherState>, String>,
}

impl<'a> Given<'a> {
    /// Nothing but the suite, its lock box closed.
    pub fn new(suite: &'a Suite) -> Self {
        Self {
            suite,
            lockbox: Lockbox::Closed,
            overlap: &[],
            today: None,
            looks: None,
            refused: &[],
            contexts: &[],
        }
    }

    /// The cases that may be named and counted.
    pub fn cases(&self) -> impl Iterator<Item = &'a Case> + Clone {
        let lockbox = self.lockbox;
        self.suite
            .cases
            .iter()
            .filter(move |case| lockbox.admits(case.split))
    }

    /// A case's id, unless it lies in a lock box that is closed.
    pub(super) fn name(&self, case: &'a Case) -> &'a str {
        if self.lockbox.admits(case.split) {
            &case.id
        } else {
            "a case of the lock box"
        }
    }
}
