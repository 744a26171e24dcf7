//! What a check found.

use crate::metric::Outcome;
use crate::stats::Interval;

/// Cases, pairs and files named in one observation; the rest is counted.
const NAMED: usize = 20;

/// What one check found of a suite's data.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// The worst of what was observed.
    pub outcome: Outcome,
    /// One line for a person.
    pub reason: String,
    /// What was observed, the worst first.
    pub observations: Vec<Observation>,
    /// What was counted and measured.
    pub figures: Vec<Figure>,
}

/// One thing that was observed.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// What it means for the check; `Pass` for what a reader should merely know.
    pub outcome: Outcome,
    /// A sentence without its full stop.
    pub text: String,
    /// The cases it is about.
    pub cases: CaseList,
}

/// Names of cases or of pairs of them, of which the first are kept and the rest is counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaseList {
    /// The first ones.
    pub named: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

impl CaseList {
    /// How many there are in all.
    pub fn len(&self) -> usize {
        self.named.len() + self.more
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<S: Into<String>> FromIterator<S> for CaseList {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut names = names.into_iter();
        let named = names.by_ref().take(NAMED).map(Into::into).collect();
        Self {
            named,
            more: names.count(),
        }
    }
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it is, as scorecards write it: `cases`, `kappa[queue]`.
    pub name: String,
    /// Its value.
    pub value: Quantity,
}

/// A count, a share or a number.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Quantity {
    /// A whole number.
    Count(u64),
    /// A share in [0, 1].
    Share(f64),
    /// A number with its interval, where it has one.
    Number(f64, Option<Interval>),
    /// A word or a date.
    Text(String),
}

/// Collects what a check observes.
#[derive(Debug)]
pub(super) struct Observations {
    check: &'static str,
    list: Vec<Observation>,
    figures: Vec<Figure>,
}

impl Observations {
    pub(super) fn of(check: &'static str) -> Self {
        Self {
            check,
            list: Vec::new(),
            figures: Vec::new(),
        }
    }

    fn add(&mut self, outcome: Outcome, text: impl Into<String>, cases: CaseList) {
        self.list.push(Observation {
            outcome,
            text: text.into(),
            cases,
        });
    }

    /// The check fails.
    pub(super) fn fail(&mut self, text: impl Into<String>, cases: CaseList) {
        self.add(Outcome::Fail, text, cases);
    }

    /// The check cannot tell.
    pub(super) fn cannot_tell(&mut self, text: impl Into<String>, cases: CaseList) {
        self.add(Outcome::Inconclusive, text, cases);
    }

    /// The check could not look.
    pub(super) fn could_not_look(&mut self, text: impl Into<String>) {
        self.add(Outcome::CouldNotRun, text, CaseList::default());
    }

    /// A reader should know it.
    pub(super) fn note(&mut self, text: impl Into<String>, cases: CaseList) {
        self.add(Outcome::Pass, text, cases);
    }

    pub(super) fn figure(&mut self, name: impl Into<String>, value: Quantity) {
        self.figures.push(Figure {
            name: name.into(),
            value,
        });
    }

    pub(super) fn count(&mut self, name: impl Into<String>, count: usize) {
        self.figure(name, Quantity::Count(count as u64));
    }

    /// The finding; `holds` is said where nothing speaks against it.
    pub(super) fn finding(mut self, holds: impl Into<String>) -> Finding {
        self.list
            .sort_by_key(|observation| std::cmp::Reverse(observation.outcome));
        let outcome = self
            .list
            .first()
            .map_or(Outcome::Pass, |first| first.outcome);
        let against = self
            .list
            .iter()
            .filter(|observation| observation.outcome != Outcome::Pass)
            .count();
        let reason = match (against, self.list.first()) {
            (0, _) | (_, None) => holds.into(),
            (1, Some(first)) => first.text.clone(),
            (more, Some(first)) => format!("{}; {} more below", first.text, more - 1),
        };
        Finding {
            check: self.check,
            outcome,
            reason,
            observations: self.list,
            figures: self.figures,
        }
    }
}

/// `1 case`, `2 cases`.
pub(super) fn counted(count: usize, one: &str, several: &str) -> String {
    if count == 1 {
        format!("1 {one}")
    } else {
        format!("{count} {several}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_the_rest_is_counted() {
        let list: CaseList = (0..100).map(|number| number.to_string()).collect();
        assert_eq!((list.named.len(), list.more, list.len()), (20, 80, 100));
    }

    #[test]
    fn the_worst_observation_decides_and_comes_first() {
        let mut seen = Observations::of("leakage");
        seen.note("known", CaseList::default());
        seen.cannot_tell("unclear", CaseList::default());
        seen.fail("bad", CaseList::default());
        let finding = seen.finding("fine");
        assert_eq!(finding.outcome, Outcome::Fail);
        assert_eq!(finding.reason, "bad; 1 more below");
        assert_eq!(Observations::of("gold").finding("fine").reason, "fine");
    }
}
