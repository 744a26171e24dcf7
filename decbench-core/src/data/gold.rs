//! How much gold there is, how much there must be, and whether approvals are of what stands there now.

use super::finding::{CaseList, Finding, Observations, Quantity, counted};
use super::given::Given;
use crate::decision::{Case, Digest, Question, approval_digest};
use crate::suite::Suite;

pub(super) fn applies(suite: &Suite) -> bool {
    suite.gold.is_some() || suite.cases.iter().any(|case| case.approved.is_some())
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("gold");
    let questions = &given.suite.questions;
    let stamps: Vec<(&Case, Stamp)> = given
        .cases()
        .map(|case| (case, Stamp::of(case, questions)))
        .collect();
    let these = |wanted: Stamp| -> Vec<&Case> {
        stamps
            .iter()
            .filter(|(_, stamp)| *stamp == wanted)
            .map(|(case, _)| *case)
            .collect()
    };
    let (void, unreadable, unbound) = (
        these(Stamp::Void),
        these(Stamp::Unreadable),
        these(Stamp::Unbound),
    );
    if !void.is_empty() {
        seen.fail(
            format!(
                "{} void: state, question or label changed since; somebody must look again and stamp the new digest",
                counted(void.len(), "approval is", "approvals are")
            ),
            with_digests(&void, questions),
        );
    }
    if !unreadable.is_empty() {
        seen.fail(
            format!(
                "{} no digest: it is written `b3:` and 32 hexadecimal digits",
                counted(unreadable.len(), "approval has", "approvals have")
            ),
            with_digests(&unreadable, questions),
        );
    }
    let idle = these(Stamp::OfNothing);
    if !idle.is_empty() {
        seen.fail(
            format!(
                "{} approved without gold to approve",
                counted(idle.len(), "case is", "cases are")
            ),
            ids(&idle),
        );
    }
    if !unbound.is_empty() {
        seen.cannot_tell(
            format!(
                "{} bound to no digest, so that nobody can tell whether the case changed since",
                counted(unbound.len(), "approval is", "approvals are")
            ),
            with_digests(&unbound, questions),
        );
    }
    let cases = stamps.len();
    let with_gold = stamps
        .iter()
        .filter(|(case, stamp)| stamp.leaves_gold() && has_gold(case, questions))
        .count();
    let with_reference = given
        .cases()
        .filter(|case| !has_gold(case, questions) && case.reference.iter().any(Option::is_some))
        .count();
    seen.count("cases", cases);
    seen.count("gold", with_gold);
    seen.count("reference", with_reference);
    seen.count("approved", these(Stamp::Valid).len());
    seen.count("void", void.len());
    floor(&mut seen, given.suite, cases as u64, with_gold as u64);
    if with_reference > 0 {
        seen.note(
            format!(
                "{} a reference that nobody approved in place of gold; no assertion reads it",
                counted(with_reference, "case has", "cases have")
            ),
            CaseList::default(),
        );
    }
    seen.finding(format!("{with_gold} of {cases} cases have gold"))
}

/// What an approval stamp is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamp {
    /// There is none.
    None,
    /// Of what stands there now.
    Valid,
    /// Of something else.
    Void,
    /// Of nobody knows what.
    Unbound,
    /// With a digest that is none.
    Unreadable,
    /// There is no gold.
    OfNothing,
}

impl Stamp {
    fn of(case: &Case, questions: &[Question]) -> Self {
        let Some(approval) = &case.approved else {
            return Self::None;
        };
        let Some(now) = approval_digest(case, questions) else {
            return Self::OfNothing;
        };
        match approval.digest.as_deref().map(Digest::parse) {
            None => Self::Unbound,
            Some(None) => Self::Unreadable,
            Some(Some(then)) if then == now => Self::Valid,
            Some(Some(_)) => Self::Void,
        }
    }

    /// Whether gold under such a stamp counts as approved: without a stamp, whoever wrote it has.
    fn leaves_gold(self) -> bool {
        !matches!(self, Self::Void | Self::Unreadable)
    }
}

/// Whether every question of a case has gold.
pub fn has_gold(case: &Case, questions: &[Question]) -> bool {
    if questions.iter().any(|question| question.kind.is_open()) {
        return case.is_approved_open();
    }
    case.questions(questions)
        .iter()
        .enumerate()
        .all(|(at, _)| case.gold.get(at).is_some_and(Option::is_some))
}

fn ids(cases: &[&Case]) -> CaseList {
    cases.iter().map(|case| case.id.as_str()).collect()
}

/// Each case with the digest that a stamp of today would have.
fn with_digests(cases: &[&Case], questions: &[Question]) -> CaseList {
    cases
        .iter()
        .map(|case| match approval_digest(case, questions) {
            Some(digest) => format!("{} (now {digest})", case.id),
            None => case.id.clone(),
        })
        .collect()
}

/// What is missing of the floor that the suite sets.
fn floor(seen: &mut Observations, suite: &Suite, cases: u64, with_gold: u64) {
    let Some(floor) = &suite.gold else {
        return;
    };
    seen.figure("floor[cases]", Quantity::Count(floor.cases));
    seen.figure("floor[share]", Quantity::Share(floor.share.value()));
    if cases < floor.cases {
        seen.fail(
            format!(
                "{} more cases are needed: there are {cases} of {}",
                floor.cases - cases,
                floor.cases
            ),
            CaseList::default(),
        );
    }
    // The smallest number of approvals that reaches the share, compared as whole numbers.
    let reaches = |approved: u64| cases == 0 || floor.share.compared_by(approved, cases).is_ge();
    if !reaches(with_gold) {
        let needed = (with_gold..=cases)
            .find(|approved| reaches(*approved))
            .unwrap_or(cases);
        seen.fail(
            format!(
                "{} more approvals are needed: {with_gold} of {cases} cases have gold, {needed} must",
                needed - with_gold
            ),
            CaseList::default(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::suite;
    use super::*;
    use crate::metric::Outcome;

    fn stamped(digest: &str) -> Suite {
        let digest = if digest.is_empty() {
            String::new()
        } else {
            format!(", digest: '{digest}'")
        };
        suite(
            &format!("[{{ id: c, state: x, gold: billing, approved: {{ by: ann{digest} }} }}]"),
            "{}",
        )
    }

    fn right_digest() -> String {
        let suite = stamped("");
        approval_digest(&suite.cases[0], &suite.questions)
            .unwrap()
            .to_string()
    }

    #[test]
    fn a_stamp_of_what_stands_there_now_passes() {
        let suite = stamped(&right_digest());
        let finding = look(&Given::new(&suite));
        assert_eq!(finding.outcome, Outcome::Pass, "{finding:?}");
        assert_eq!(finding.reason, "1 of 1 cases have gold");
    }

    #[test]
    fn a_stamp_of_another_state_is_void_and_its_gold_does_not_count() {
        let mut suite = stamped(&right_digest());
        suite.cases[0].state = Some(crate::decision::State::Text("y".into()));
        suite.cases[0].digests = [None; 4];
        let finding = look(&Given::new(&suite));
        assert_eq!(finding.outcome, Outcome::Fail);
        assert!(
            finding.reason.contains("1 approval is void"),
            "{}",
            finding.reason
        );
        assert!(finding.observations[0].cases.named[0].starts_with("c (now b3:"));
        let gold = finding.figures.iter().find(|figure| figure.name == "gold");
        assert_eq!(gold.unwrap().value, Quantity::Count(0));
    }

    #[test]
    fn a_stamp_without_a_digest_cannot_tell() {
        let suite = stamped("");
        assert_eq!(look(&Given::new(&suite)).outcome, Outcome::Inconclusive);
        assert_eq!(look(&Given::new(&stamped("b3:12"))).outcome, Outcome::Fail);
    }

    #[test]
    fn stamps_in_a_closed_lock_box_are_not_read() {
        let suite = suite(
            "[{ id: c, state: x, gold: billing, split: lockbox, approved: { by: ann } }, { state: y, gold: support }]",
            "{}",
        );
        let closed = look(&Given::new(&suite));
        assert_eq!(closed.outcome, Outcome::Pass);
        assert!(!format!("{closed:?}").contains("(now"), "{closed:?}");
    }
}
