//! Switch, keep, or test more: candidates compared with today's, from their answers' qualities.

mod claim;
mod compare;
mod decide;
mod entrant;
mod expect;
mod field;
mod finding;
mod launch;
mod leaderboard;
mod standing;
#[cfg(test)]
mod tests;

pub use claim::{ClaimFinding, claims};
pub use compare::{Comparison, Saving};
pub use decide::verdict;
pub use entrant::{Contest, Entrant, GateLine, Latencies};
pub use expect::expected;
pub use finding::{Finding, Standing, VerdictOutcome};
