//! The answers that production gave, as the first answers of today's candidate.

use crate::decision::{Answer, Context, Decided, Measured, Plan, Probe};
use crate::suite::{Candidate, Suite};

/// Takes out of the plan what production has answered already, and gives these answers: in open suites an answer from a
/// trace is the first repeat of today's candidate, and costs nothing.
pub(super) fn given_by_production(
    suite: &Suite,
    candidate: &Candidate,
    plan: &mut Plan,
) -> Vec<Answer> {
    if suite.open.is_none() || !candidate.today {
        return Vec::new();
    }
    let mut given = Vec::new();
    plan.calls.retain(|call| {
        let case = &suite.cases[call.case];
        let production = case.expected.as_ref();
        let production = production.and_then(|expected| expected.production.as_ref());
        let first = call.repeat == 0 && call.order == 0 && call.context == Context::Production;
        let Some(written) = production.filter(|_| first) else {
            return true;
        };
        given.push(Answer {
            case: case.id.clone(),
            question: String::new(),
            probe: Probe::base(0),
            request: None,
            outcome: Ok(Decided::written(written.clone())),
            measured: Measured {
                attempts: Some(0),
                at: case.at.clone(),
                ..Measured::default()
            },
        });
        false
    });
    given
}
