//! Pure mathematics: numbers in, numbers out.
//!
//! Every statistic that decbench prints or judges by, one topic a file. The
//! name of a function states its method, a doc comment states its source, and
//! all of them are pinned by values that other libraries computed.
//!
//! Conventions that hold throughout: rates are fractions in `[0, 1]`, levels
//! are two-sided unless the name says otherwise, logarithms are natural, and a
//! variance divides by n − 1. What has no value is an [`Undefined`] with its
//! reason, never NaN and never a panic.

pub mod agreement;
pub mod arrivals;
pub mod bootstrap;
pub mod bootstrap_interval;
pub mod calibration;
pub mod capability;
pub mod classification;
pub mod clustered_quantile;
pub mod clusters;
pub mod consistency;
pub mod correlation;
pub mod cost;
pub mod decimal;
pub mod difference;
pub mod distribution;
mod elementary;
pub mod floor;
pub mod intake;
pub mod interval;
pub mod jackknife;
pub mod jevbench;
pub mod latency;
mod lattice;
pub mod many_raters;
pub mod mcnemar;
pub mod multinomial;
pub mod multiplicity;
pub mod one_more;
pub mod option_order;
pub mod ordinal;
pub mod permutation;
pub mod proper;
pub mod proportion;
mod quantile;
pub mod random;
pub mod ranking;
pub mod resample;
pub mod robustness;
pub mod sample_size;
pub mod selection_effect;
pub mod selective;
pub mod sequential;
pub mod slot_prior;
mod sum;
pub mod temperature;
pub mod undefined;
pub mod vendor_confidence;
pub mod verdict;
pub mod weighted;

pub use self::decimal::Decimal;
pub use self::interval::Interval;
pub use self::random::Seed;
pub use self::undefined::Undefined;
