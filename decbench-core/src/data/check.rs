//! The table of checks.

use super::finding::Finding;
use super::given::Given;
use super::{agreement, gold, leakage, lockbox, panel, size, strata, transcripts};
use crate::suite::Suite;

/// What a check reads beside the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// The files of `data.overlap`.
    Overlap,
    /// The looks into the lock box, those of this run among them.
    Looks,
    /// How much candidates read of a request.
    Contexts,
}

/// One check of a suite's data; a trial `<suite>::data::<name>`.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct DataCheck {
    /// Its name in trials and scorecards.
    pub name: &'static str,
    /// What it finds out, in one sentence.
    pub doc: &'static str,
    /// Whether a suite has anything for it to look at.
    pub applies: fn(&Suite) -> bool,
    /// What it reads beside the suite.
    pub needs: &'static [Need],
    /// What it finds.
    pub look: fn(&Given<'_>) -> Finding,
}

impl std::fmt::Debug for DataCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DataCheck")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Every check, in the order of scorecards.
pub const CHECKS: &[DataCheck] = &[
    DataCheck {
        name: "leakage",
        doc: "No state tells the answer, and none stands in both splits or in another file.",
        applies: leakage::applies,
        needs: &[Need::Overlap],
        look: leakage::look,
    },
    DataCheck {
        name: "strata",
        doc: "There are enough cases of every option, stratum and week, in the shares that were declared.",
        applies: strata::applies,
        needs: &[],
        look: strata::look,
    },
    DataCheck {
        name: "agreement",
        doc: "People who labelled the same cases agree beyond chance, and nothing asked lies above that.",
        applies: agreement::applies,
        needs: &[],
        look: agreement::look,
    },
    DataCheck {
        name: "panel",
        doc: "Models that voted on the cases let enough of them stay.",
        applies: panel::applies,
        needs: &[],
        look: panel::look,
    },
    DataCheck {
        name: "lockbox",
        doc: "Nobody was looked at on the lock box more often than granted, and every look is still written down.",
        applies: lockbox::applies,
        needs: &[Need::Looks],
        look: lockbox::look,
    },
    DataCheck {
        name: "transcripts",
        doc: "The clean, minimal and padded views of cases are what their names say.",
        applies: transcripts::applies,
        needs: &[],
        look: transcripts::look,
    },
    DataCheck {
        name: "size",
        doc: "Models read every state and question whole.",
        applies: size::applies,
        needs: &[Need::Contexts],
        look: size::look,
    },
    DataCheck {
        name: "gold",
        doc: "There are enough cases and approvals, and every approval is of what stands there now.",
        applies: gold::applies,
        needs: &[],
        look: gold::look,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_what_they_do_is_said() {
        for check in CHECKS {
            let same = CHECKS.iter().filter(|other| other.name == check.name);
            assert_eq!(same.count(), 1, "{}", check.name);
            assert!(check.doc.ends_with('.'), "{}", check.name);
        }
    }
}
