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
    ClaimFinding, Comparison, Contest, Entrant, Finding, GateLine, Latencies, Saving, Standing,
    VerdictOutcome, claims, expected, verdict,
};
