//! How many cases a claim takes, before anybody labels one.
//!
//! The trial `<suite>::plan` says the same of the assertions of a suite with the cases that it has; these functions are
//! for the time before there is one. All of them take independent cases: of calls that come in clusters fewer count.

pub use decbench_core::stats::Undefined;
use decbench_core::stats::sample_size as sizes;

/// Cases after which a share is known to within a margin.
///
/// By `z² p (1 − p) / margin²`. `share` is what you expect, and 0.5 is the worst case; `margin` is half the width of the
/// interval; `confidence` is two-sided, as in 0.95.
///
/// ```
/// use decbench::sample_size;
///
/// // An accuracy of about 90%, to within three points.
/// assert_eq!(sample_size::for_margin(0.9, 0.03, 0.95)?, 385);
/// // Nothing is known of it yet.
/// assert_eq!(sample_size::for_margin(0.5, 0.05, 0.95)?, 385);
/// # Ok::<(), sample_size::Undefined>(())
/// ```
///
/// # Errors
///
/// Unless `share` lies in [0, 1], `margin` above 0 and at most 1, and `confidence` in (0, 1).
pub fn for_margin(share: f64, margin: f64, confidence: f64) -> Result<u64, Undefined> {
    sizes::cases_for_margin(share, margin, confidence).map(|count| count.cases)
}

/// Cases after which a difference in accuracy of two candidates on the same cases is seen.
///
/// By the two-sided test of `McNemar` (Connor 1987), at a chance of `power` where the difference is what you say. Only
/// cases on which the candidates disagree tell anything: `disagreement` is their share among all.
///
/// ```
/// use decbench::sample_size;
///
/// // They disagree on a tenth of the cases, and three points would matter.
/// let cases = sample_size::for_paired_difference(0.1, 0.03, 0.05, 0.8)?;
/// assert_eq!(cases, 870);
/// // What that many cases see is what was asked for.
/// let seen = sample_size::detectable_difference(0.1, cases, 0.05, 0.8)?;
/// assert!((seen - 0.03).abs() < 1e-4);
/// # Ok::<(), sample_size::Undefined>(())
/// ```
///
/// # Errors
///
/// Unless `difference` is above 0 and at most `disagreement`, which is at most 1, and `significance` and `power` lie in
/// (0, 1).
pub fn for_paired_difference(
    disagreement: f64,
    difference: f64,
    significance: f64,
    power: f64,
) -> Result<u64, Undefined> {
    sizes::mcnemar_cases(disagreement, difference, significance, power)
        .map(|found| found.count.cases)
}

/// The smallest difference in accuracy of two candidates that so many cases see at a chance of `power`; see
/// [`for_paired_difference`].
///
/// ```
/// let seen = decbench::sample_size::detectable_difference(0.1, 200, 0.05, 0.8)?;
/// assert!(seen > 0.06 && seen < 0.065);
/// # Ok::<(), decbench::sample_size::Undefined>(())
/// ```
///
/// # Errors
///
/// Unless `disagreement` is above 0 and at most 1 and `significance` and `power` lie in (0, 1), and where so few cases
/// see no difference at all.
pub fn detectable_difference(
    disagreement: f64,
    cases: u64,
    significance: f64,
    power: f64,
) -> Result<f64, Undefined> {
    sizes::mcnemar_detectable_difference(disagreement, cases, significance, power)
}

/// The fewest cases that can prove a floor at all, every one of them right; `None` where no number does.
///
/// By the exact interval at a two-sided `confidence`. With fewer cases `accuracy: ">= 98%"` is inconclusive whatever is
/// answered.
///
/// ```
/// use decbench::sample_size;
///
/// assert_eq!(sample_size::to_prove(0.98, 0.95)?, Some(183));
/// assert_eq!(sample_size::to_prove(1.0, 0.95)?, None);
/// # Ok::<(), sample_size::Undefined>(())
/// ```
///
/// # Errors
///
/// Unless `floor` is a number and `confidence` lies in (0, 1).
pub fn to_prove(floor: f64, confidence: f64) -> Result<Option<u64>, Undefined> {
    sizes::cases_to_prove(floor, confidence)
}

/// The fewest cases after which a share that stays what it is lies on one side of a bound for sure; `None` where it
/// stands on the bound.
///
/// ```
/// use decbench::sample_size;
///
/// // 93% against a floor of 90% takes some hundred cases, and 91% more than ten times as many.
/// let far = sample_size::to_settle(0.93, 0.9, 0.95)?.expect("it is not the bound");
/// let near = sample_size::to_settle(0.91, 0.9, 0.95)?.expect("it is not the bound");
/// assert!((300..400).contains(&far), "{far}");
/// assert!((3_200..3_700).contains(&near), "{near}");
/// assert_eq!(sample_size::to_settle(0.9, 0.9, 0.95)?, None);
/// # Ok::<(), sample_size::Undefined>(())
/// ```
///
/// # Errors
///
/// Unless `share` and `bound` lie in [0, 1] and `confidence` in (0, 1).
pub fn to_settle(share: f64, bound: f64, confidence: f64) -> Result<Option<u64>, Undefined> {
    sizes::cases_to_settle(share, bound, confidence)
}
