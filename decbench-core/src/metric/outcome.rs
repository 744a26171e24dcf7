//! What the evidence says of what is required.

use std::fmt;

/// The four outcomes, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The evidence lies on the good side of the bound, the bound included.
    Pass,
    /// The evidence lies on both sides.
    Inconclusive,
    /// The evidence lies on the bad side.
    Fail,
    /// There was nothing to measure.
    CouldNotRun,
}

impl Outcome {
    /// All of them, from best to worst.
    pub const ALL: [Self; 4] = [
        Self::Pass,
        Self::Inconclusive,
        Self::Fail,
        Self::CouldNotRun,
    ];

    /// The name in scorecards: `pass`, `inconclusive`, `fail`, `could_not_run`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
            Self::CouldNotRun => "could_not_run",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CouldNotRun => "could not run",
            other => other.name(),
        })
    }
}
