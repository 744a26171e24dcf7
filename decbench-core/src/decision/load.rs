//! What came of calls that were made on a schedule.

use super::FailureKind;

/// One call of a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadCall {
    /// From when it was due until its answer or failure was there, in milliseconds.
    pub took_ms: f64,
    /// How it failed, where it did.
    pub failure: Option<FailureKind>,
}

/// What became of the calls at one rate.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LoadRun {
    /// The calls that were made, in the order of the schedule.
    pub calls: Vec<LoadCall>,
    /// From the beginning of the schedule to the last answer, in seconds.
    pub seconds: f64,
    /// The most calls that were unanswered at a time.
    pub most_in_flight: usize,
    /// Why the schedule was not kept to its end, where it was not.
    pub stopped: Option<String>,
}
