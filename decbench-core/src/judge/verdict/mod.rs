//! Switch, keep, or test more: candidates compared with today's, from their answers' qualities.

mod change;
mod claim;
mod compare;
mod decide;
mod entrant;
mod expect;
mod field;
mod finding;
mod launch;
mod leaderboard;
mod pick;
mod standing;
#[cfg(test)]
mod tests;

pub use change::{Change, Shift, change};
pub use claim::{ClaimFinding, ClaimPair, claims};
pub use compare::{Comparison, Saving};
pub(crate) use compare::{RESAMPLES, seed};
pub use decide::verdict;
pub use entrant::{Contest, Entrant, GateLine, Latencies};
pub use expect::expected;
pub use finding::{Finding, Standing, VerdictOutcome};
pub use pick::{Merits, Pick, PickedBy, pick};
