//! Values against bounds: outcomes, comparisons and verdicts. No files, no network, no formats.

mod assertion;
mod limits;
mod load;
mod outcome;
mod prospect;
mod published;
mod size;
#[cfg(test)]
mod tests;
mod turn;
mod verdict;

pub use assertion::judge;
pub use limits::proven_limits;
pub use load::{LoadFinding, LoadHeld, LoadMeasure, LoadPoint, judge_load, judge_loads};
pub use outcome::{Judgement, Outcome};
pub use prospect::{DISAGREEMENT, POWER, Prospect, prospect};
pub use published::{PublishedMeasure, judge_published};
pub use size::more_cases;
pub use turn::{TurnFinding, judge_turn, turn_quantile};
pub use verdict::{
    Change, ClaimFinding, ClaimPair, Comparison, Contest, Entrant, Finding, GateLine, Latencies,
    Merits, Pick, PickedBy, Saving, Shift, Standing, VerdictOutcome, change, claims, expected,
    pick, verdict,
};
pub(crate) use verdict::{RESAMPLES, seed};
