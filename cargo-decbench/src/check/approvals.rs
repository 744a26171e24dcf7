//! Approvals of what has changed since.

use decbench_core::decision::{Case, Split, approval_digest};
use decbench_core::suite::Suite;

use super::finding::Finding;

/// So many cases are named.
const NAMED: usize = 5;

/// The cases whose approval is of another state, question or label than stands there now. Those in the lock box are passed
/// over.
pub(super) fn stale(suite: &Suite) -> Option<Finding> {
    let stale: Vec<&str> = suite
        .cases
        .iter()
        .filter(|case| case.split != Split::Lockbox && is_stale(case, suite))
        .map(|case| case.id.as_str())
        .collect();
    let first = stale.iter().take(NAMED).copied().collect::<Vec<_>>();
    let more = match stale.len() - first.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!stale.is_empty()).then(|| {
        Finding::file(
            "stale-approval",
            &suite.path,
            format!(
                "{} approvals are of what stood there before the state, the question or the label changed: {}{more}",
                stale.len(),
                first.join(", ")
            ),
            format!(
                "read the cases again and decide them with `cargo decbench label {} --case <id> --gold <key>`, or restore what was approved",
                suite.name
            ),
        )
    })
}

/// Whether an approval is bound to something else than stands there; one that is bound to nothing is no mistake here.
fn is_stale(case: &Case, suite: &Suite) -> bool {
    let stamped = case
        .approved
        .as_ref()
        .and_then(|approval| approval.digest.as_ref());
    let now = approval_digest(case, &suite.questions).map(|digest| digest.to_string());
    stamped.is_some_and(|stamped| now.is_some_and(|now| now != *stamped))
}
