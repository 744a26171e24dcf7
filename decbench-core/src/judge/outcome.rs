//! What the evidence says of a requirement.

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

/// An outcome with the evidence behind it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Judgement {
    /// What the evidence says.
    pub outcome: Outcome,
    /// Whether a failed reading is passed over: an unmeasurable metric the suite said to skip.
    pub skipped: bool,
    /// One or two sentences for a person.
    pub reason: String,
    /// The value that was judged, where there is one.
    pub value: Option<crate::score::Value>,
    /// The limits that were compared with the bound, and their method.
    pub limits: Option<(crate::stats::Interval, &'static str)>,
    /// About how many more cases would settle an inconclusive outcome.
    pub more_cases: Option<u64>,
}

impl Judgement {
    /// There was nothing to measure, for this reason.
    pub fn could_not_run(reason: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::CouldNotRun,
            skipped: false,
            reason: reason.into(),
            value: None,
            limits: None,
            more_cases: None,
        }
    }
}
