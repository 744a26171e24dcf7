//! Whether the lock box is still one: who looked into it, and how often.

use std::collections::BTreeSet;

use super::finding::{CaseList, Finding, Observations, counted};
use super::given::Given;
use crate::decision::{Case, Split};
use crate::suite::{Lockbox, Suite};

/// Below this many independent units a lock box proves little.
const FEWEST_UNITS: usize = 30;

pub(super) fn applies(suite: &Suite) -> bool {
    suite.cases.iter().any(|case| case.split == Split::Lockbox)
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("lockbox");
    let suite = given.suite;
    let locked = |case: &&Case| case.split == Split::Lockbox;
    let cases = suite.cases.iter().filter(locked).count();
    let units: BTreeSet<u32> = suite
        .cases
        .iter()
        .filter(locked)
        .map(|case| case.unit)
        .collect();
    seen.count("cases", cases);
    seen.count("units", units.len());
    seen.count("dev", suite.cases.len() - cases);
    seen.count("granted", suite.data.looks as usize);
    if units.len() < FEWEST_UNITS {
        seen.cannot_tell(
            format!(
                "the lock box holds {} of evidence, fewer than {FEWEST_UNITS}: it can prove little",
                counted(units.len(), "unit", "units")
            ),
            CaseList::default(),
        );
    }
    for reason in given.refused {
        seen.fail(reason, CaseList::default());
    }
    let looked = looks(&mut seen, given);
    let opened = match given.lockbox {
        Lockbox::Open => "open",
        Lockbox::Closed => "closed",
    };
    seen.finding(format!(
        "{cases} cases, {opened}; {}",
        if looked == 0 {
            "never looked at".to_owned()
        } else {
            counted(looked, "look", "looks") + " so far"
        }
    ))
}

/// What the ledger says; how many looks there were.
fn looks(seen: &mut Observations, given: &Given<'_>) -> usize {
    let book = match given.looks {
        None => return 0,
        Some(Err(reason)) => {
            seen.could_not_look(format!("the ledger of looks cannot be read: {reason}"));
            return 0;
        }
        Some(Ok(book)) => book,
    };
    if !book.faults.is_empty() {
        seen.fail(
            "the ledger of looks is not whole; restore its files from version control",
            book.faults.iter().collect(),
        );
    }
    let granted = given.suite.data.looks as usize;
    let mut all = 0;
    for candidate in book.candidates() {
        let looks = book.of_candidate(candidate);
        all += looks.len();
        seen.count(format!("looks[{candidate}]"), looks.len());
        let rounds = looks.iter().map(|look| look.tuning_rounds).max();
        seen.count(
            format!("tuning_rounds[{candidate}]"),
            rounds.unwrap_or(0) as usize,
        );
        if looks.len() > granted {
            seen.fail(
                format!(
                    "`{candidate}` was looked at {} times, and {granted} is granted",
                    looks.len()
                ),
                looks.iter().map(|look| look.digest().to_string()).collect(),
            );
        }
    }
    for candidate in &given.suite.candidates {
        if let Some(rounds) = candidate.tuning_rounds
            && book.of_candidate(&candidate.name).is_empty()
        {
            seen.count(
                format!("tuning_rounds[{}]", candidate.name),
                rounds as usize,
            );
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::looks::tests::look as taken;
    use super::super::looks::{LockboxAnswers, Lookbook};
    use super::super::testing::suite;
    use super::*;
    use crate::metric::Outcome;

    fn with_lockbox(cases: usize) -> Suite {
        let cases: Vec<String> = (0..cases)
            .map(|number| format!("{{ state: s{number}, split: lockbox }}"))
            .collect();
        suite(&format!("[{{ state: x }}, {}]", cases.join(", ")), "{}")
    }

    fn outcome(suite: &Suite, book: Lookbook, refused: &[String]) -> (Outcome, String) {
        let finding = look(&Given {
            looks: Some(&Ok(book)),
            refused,
            ..Given::new(suite)
        });
        (finding.outcome, finding.reason)
    }

    #[test]
    fn a_box_that_nobody_looked_into_passes_and_a_small_one_cannot_tell() {
        let (passes, reason) = outcome(&with_lockbox(30), Lookbook::default(), &[]);
        assert_eq!(
            (passes, reason.as_str()),
            (Outcome::Pass, "30 cases, closed; never looked at")
        );
        let (open, _) = outcome(&with_lockbox(29), Lookbook::default(), &[]);
        assert_eq!(open, Outcome::Inconclusive);
    }

    #[test]
    fn one_look_passes_and_a_refused_one_fails() {
        let suite = with_lockbox(30);
        let file = taken("x", &LockboxAnswers::default(), &[]);
        let book = Lookbook::read([(file.0.as_str(), file.1.as_str())]);
        let (passes, reason) = outcome(&suite, book.clone(), &[]);
        assert_eq!(
            (passes, reason.as_str()),
            (Outcome::Pass, "30 cases, closed; 1 look so far")
        );
        let (fails, _) = outcome(&suite, book, &["again".to_owned()]);
        assert_eq!(fails, Outcome::Fail);
    }

    #[test]
    fn looks_that_came_together_by_a_merge_are_counted() {
        let suite = with_lockbox(30);
        let one = taken("x", &LockboxAnswers::default(), &[]);
        let mut other = one.2.clone();
        other.answers = other.data;
        let text = other.text();
        let name = super::super::looks::Look::file_name(&text);
        let book = Lookbook::read([(one.0.as_str(), one.1.as_str()), (&name, &text)]);
        assert!(book.faults.is_empty());
        let (fails, reason) = outcome(&suite, book, &[]);
        assert_eq!(fails, Outcome::Fail);
        assert!(reason.contains("2 times"), "{reason}");
    }
}
