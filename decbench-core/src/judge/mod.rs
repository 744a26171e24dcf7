//! Values against bounds: outcomes, comparisons and verdicts. No files, no network, no formats.

mod assertion;
mod limits;
mod outcome;
mod size;
#[cfg(test)]
mod tests;
mod verdict;

pub use assertion::judge;
pub use outcome::{Judgement, Outcome};
pub use size::more_cases;
pub use verdict::{
    Change, ClaimFinding, ClaimPair, Comparison, Contest, Entrant, Finding, GateLine, Latencies,
    Merits, Pick, PickedBy, Saving, Shift, Standing, VerdictOutcome, change, claims, expected,
    pick, verdict,
};
pub(crate) use verdict::{RESAMPLES, seed};
