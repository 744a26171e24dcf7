//! Selective prediction: leaving the least confident answers to somebody else.

mod risk_coverage;
mod target_accuracy;

pub use self::risk_coverage::{
    CoveragePoint, DEFAULT_THRESHOLDS, RiskCoverage, coverage_at, risk_coverage,
};
pub use self::target_accuracy::{
    GridPoint, GuaranteedCoverage, coverage_point, coverage_wilson, guaranteed_coverage,
};
