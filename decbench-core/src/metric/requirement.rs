//! What an assertion requires: a bound, how it is read, and on which answers.

use super::{Bound, Field};

/// How strictly a bound is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reading {
    /// The evidence must prove it: the whole interval lies on one side, else the outcome is inconclusive.
    #[default]
    Proven,
    /// The value alone is compared with the bound.
    Point,
    /// As `proven`, with an interval that stays valid when cases are added and looked at again.
    Anytime,
}

impl Reading {
    /// The name in suites.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Point => "point",
            Self::Anytime => "anytime",
        }
    }
}

/// What an inconclusive outcome counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnInconclusive {
    /// Shown as ignored.
    #[default]
    Ignore,
    /// Failed.
    Fail,
    /// Passed.
    Pass,
}

/// Which population a value speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Sample {
    /// The cases as they are, each counting once.
    #[default]
    AsTaken,
    /// The population the cases were sampled from, each counting by its weight.
    Population,
}

/// Which answers a metric reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Selection {
    /// As taken, or weighted to the population.
    pub sample: Sample,
    /// Whether it reads the lock box in place of the development cases.
    pub lockbox: bool,
    /// Only cases whose fields have these values.
    pub filter: Vec<(Field, String)>,
    /// How many repeats a metric of repeats reads, at least 2.
    pub repeats: u32,
    /// How many option orders a metric of orders reads, at least 2.
    pub orders: u32,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            sample: Sample::AsTaken,
            lockbox: false,
            filter: Vec::new(),
            repeats: 5,
            orders: 4,
        }
    }
}

/// True values that a suite states, so that the chances of mistakes at them can be told before anything is asked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Assumed {
    /// A value that should pass, on the good side of the bound.
    pub good: Option<f64>,
    /// A value that should not, on the bad side.
    pub bad: Option<f64>,
}

/// One bound of an assertion with its options.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Requirement {
    /// The bound.
    pub bound: Bound,
    /// Two-sided level of the interval, in (0, 1); each side is judged at half of what is left.
    pub confidence: f64,
    /// How strictly the bound is read.
    pub reading: Reading,
    /// What an inconclusive outcome counts as.
    pub on_inconclusive: OnInconclusive,
    /// Whether an unmeasurable metric is passed over in place of failing.
    pub skip_unmeasurable: bool,
    /// Largest share of unanswered calls up to which the metric may be judged, in [0, 1].
    pub max_unanswered: f64,
    /// Which answers are read.
    pub selection: Selection,
    /// True values that the plan reckons with.
    pub assumed: Assumed,
}

impl Requirement {
    /// A requirement with every option at its default.
    pub fn new(bound: Bound) -> Self {
        Self {
            bound,
            confidence: 0.95,
            reading: Reading::default(),
            on_inconclusive: OnInconclusive::default(),
            skip_unmeasurable: false,
            max_unanswered: 0.02,
            selection: Selection::default(),
            assumed: Assumed::default(),
        }
    }
}
