//! A measured value with everything a judge and a reader need to know about it.

use crate::stats::Interval;

/// A metric's value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Value {
    /// The value in the metric's unit; may be infinite where timeouts reach a percentile.
    pub value: f64,
    /// The interval that is printed, at `level`; `None` where none can be given.
    pub interval: Option<Interval>,
    /// Two-sided level of the intervals.
    pub level: f64,
    /// How many items the value is computed from.
    pub n: usize,
    /// How many independent units of evidence these are.
    pub units: usize,
    /// How the printed interval is computed, such as `wilson`.
    pub method: &'static str,
    /// What a judge reads.
    pub evidence: Evidence,
    /// Conventions that the value depends on, by name.
    pub conventions: Vec<(&'static str, String)>,
    /// Further numbers beside the value, by name and unrounded: a threshold that production can copy, the parts of a
    /// score.
    pub parts: Vec<(&'static str, f64)>,
    /// What a reader should know, one sentence each.
    pub notes: Vec<String>,
    /// Positions of the cases that pull the value to its bad side.
    pub drivers: Vec<usize>,
}

/// What a judge reads: enough to derive limits for any reading at the value's level.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Evidence {
    /// A share; judged by exact binomial limits, or by those given.
    Share {
        /// The estimated share.
        share: f64,
        /// Effective number of items, positive; what a reading at any time takes.
        effective_n: f64,
        /// Right ones and all, where every item counts one; a point reading compares these exactly.
        counts: Option<(u64, u64)>,
        /// The limits at the value's level where units of evidence or weights make the exact ones too short.
        limits: Option<Interval>,
    },
    /// Limits at the value's level by the method named.
    Limits {
        /// The limits; either may be infinite where the data give none.
        interval: Interval,
        /// Their method.
        method: &'static str,
    },
    /// A calibration error: its limits, and what pure chance produces with these confidences.
    Calibration {
        /// Below, the basic bootstrap's limit; above, the largest error that these bins do not refute.
        interval: Interval,
        /// The 97.5% point of the error of a perfectly calibrated model.
        chance: f64,
    },
    /// A coverage at a guaranteed accuracy.
    Coverage {
        /// The lower limit of coverage at the threshold that is certified, if one is.
        certified_low: Option<f64>,
        /// Coverage by grid threshold and the upper limit of accuracy there; where no answers are kept, 1.
        reachable: Vec<(f64, f64)>,
        /// The accuracy to guarantee.
        target: f64,
    },
    /// A description without limits; only a point reading can judge it.
    Description,
}

/// The method of limits that imagine one more case at its worst.
pub const ONE_MORE: &str = "one more case at its worst";

/// Why a metric has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unmeasurable {
    /// A lower-case fragment without a final period, such as `no probabilities`.
    pub reason: String,
}

impl Unmeasurable {
    /// With this reason.
    pub fn because(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

impl From<crate::stats::Undefined> for Unmeasurable {
    fn from(undefined: crate::stats::Undefined) -> Self {
        Self::because(undefined.to_string())
    }
}
