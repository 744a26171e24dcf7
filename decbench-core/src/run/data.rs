//! What the checks of a suite's data found.

use std::sync::OnceLock;

use super::looks::{lookbook, reads_lockbox};
use super::suite_run::SuiteRun;
use super::trial::data_name;
use super::who::contexts_of;
use crate::data::{CHECKS, Ceiling, Day, Finding, Given, Need, Overlap, ceilings};
use crate::report::DataLine;
use crate::suite::Lockbox;

/// Findings and what they needed read, each made at the first call for it.
#[derive(Debug, Default)]
pub(super) struct DataRun {
    overlap: OnceLock<Vec<Overlap>>,
    ceilings: OnceLock<Vec<Ceiling>>,
    findings: [OnceLock<Option<Finding>>; CHECKS.len()],
}

impl SuiteRun<'_> {
    /// What the check at this position of [`CHECKS`] found; `None` where it has nothing to look at.
    pub fn data(&self, position: usize) -> Option<&Finding> {
        let check = CHECKS.get(position)?;
        let look = || {
            (check.applies)(self.suite()).then(|| {
                let needs = |need| check.needs.contains(&need);
                let (refused, looks) = if needs(Need::Looks) {
                    (self.refusals(), Some(lookbook(self.suite())))
                } else {
                    (Vec::new(), None)
                };
                let contexts = if needs(Need::Contexts) {
                    contexts_of(self.suite(), self.settings())
                } else {
                    Vec::new()
                };
                let given = Given {
                    lockbox: self.opened(),
                    contexts: &contexts,
                    overlap: if needs(Need::Overlap) {
                        self.overlap()
                    } else {
                        &[]
                    },
                    today: Day::parse(&self.settings().clock.now_text()),
                    looks: looks.as_ref(),
                    refused: &refused,
                    ..Given::new(self.suite())
                };
                (check.look)(&given)
            })
        };
        self.data.findings[position].get_or_init(look).as_ref()
    }

    /// Every check that has something to look at, with what it found.
    pub fn data_lines(&self) -> Vec<DataLine> {
        let found = (0..CHECKS.len()).filter_map(|position| self.data(position));
        found
            .map(|finding| DataLine {
                trial: data_name(self.suite(), finding.check),
                finding: finding.clone(),
            })
            .collect()
    }

    /// Why candidates may not be looked at in the lock box that this run opens; whoever may has been looked at.
    fn refusals(&self) -> Vec<String> {
        if !self.settings().lockbox || !reads_lockbox(self.suite()) {
            return Vec::new();
        }
        let candidates = 0..self.suite().candidates.len();
        candidates
            .filter_map(|position| self.candidate(position).refused.clone())
            .collect()
    }

    /// How well the raters of a question agree with each other, where there are any.
    pub(super) fn ceiling(&self, question: usize) -> Option<&Ceiling> {
        let found = self.data.ceilings.get_or_init(|| {
            let given = Given {
                lockbox: self.opened(),
                ..Given::new(self.suite())
            };
            ceilings(&given)
        });
        found.iter().find(|ceiling| ceiling.question == question)
    }

    fn opened(&self) -> Lockbox {
        if self.settings().lockbox {
            Lockbox::Open
        } else {
            Lockbox::Closed
        }
    }

    fn overlap(&self) -> &[Overlap] {
        self.data.overlap.get_or_init(|| {
            let suite = self.suite();
            let read = suite.data.overlap.iter().map(|other| Overlap {
                file: other.file.clone(),
                states: suite
                    .other_states(other)
                    .map_err(|mistakes| mistakes.render()),
            });
            read.collect()
        })
    }
}
