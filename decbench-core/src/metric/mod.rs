//! The table of metrics and what a suite may require of them. No formulas.

mod bound;
mod composite;
mod conventions;
mod field;
mod operation;
mod outcome;
mod parse;
mod requirement;
mod table;
mod verdict;

pub use bound::{Bound, BoundError, Decimal, Side};
pub use composite::Composite;
pub use conventions::{
    BinEdges, BinnedQuantity, BrierScale, CapabilityRules, ClassSet, ClosedSide, Conventions,
    EceConvention, Gate, HalfReading, SumTolerance, TieRule,
};
pub use field::{Field, Grouping};
pub use operation::{LoadRate, LoadRule, TurnRule};
pub use outcome::Outcome;
pub use parse::{Metric, MetricArgument, MetricError};
pub use requirement::{Assumed, OnInconclusive, Reading, Requirement, Sample, Selection};
pub use table::{ArgumentKind, Better, METRICS, MetricId, MetricInfo, Needs, Unit};
pub use verdict::{
    CaseGate, CaseSubject, Claim, Expect, QualityPart, UtilityWeights, VerdictRule,
    cases_for_margin,
};
