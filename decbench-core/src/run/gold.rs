//! How much gold there is, and how much there must be.

use super::settings::Settings;
use crate::decision::{Case, Question, Split};
use crate::suite::Suite;

/// What is missing of the gold floor, if anything.
pub(super) fn floor(suite: &Suite, settings: &Settings) -> Option<String> {
    let floor = suite.gold.as_ref()?;
    let counted: Vec<&Case> = suite
        .cases
        .iter()
        .filter(|case| settings.lockbox || case.split != Split::Lockbox)
        .collect();
    let cases = counted.len() as u64;
    let with_gold = counted
        .iter()
        .filter(|case| has_gold(case, &suite.questions))
        .count() as u64;
    let mut missing = Vec::new();
    if cases < floor.cases {
        missing.push(format!(
            "{} more cases are needed: there are {cases} of {}",
            floor.cases - cases,
            floor.cases
        ));
    }
    // The smallest number of approvals that reaches the share, compared as whole numbers.
    let reaches = |approved: u64| cases == 0 || floor.share.compared_by(approved, cases).is_ge();
    if !reaches(with_gold) {
        let needed = (with_gold..=cases)
            .find(|approved| reaches(*approved))
            .unwrap_or(cases);
        missing.push(format!(
            "{} more approvals are needed: {with_gold} of {cases} cases have gold, {needed} must",
            needed - with_gold
        ));
    }
    (!missing.is_empty()).then(|| missing.join("\n"))
}

/// Whether every question of a case has gold.
pub(super) fn has_gold(case: &Case, questions: &[Question]) -> bool {
    case.questions(questions)
        .iter()
        .enumerate()
        .all(|(at, _)| case.gold.get(at).is_some_and(Option::is_some))
}
