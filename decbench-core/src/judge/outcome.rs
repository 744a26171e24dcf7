//! An outcome with its evidence.

pub use crate::metric::Outcome;

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
