//! Answering only when confident: how much is answered, and how well.

use crate::stats::calibration::Forecasts;
use crate::stats::sum::sum;

/// What is left above a confidence threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoveragePoint {
    /// Items with at least this confidence are kept.
    pub threshold: f64,
    /// How many are kept.
    pub kept: u64,
    /// How many of these are right.
    pub right: u64,
    /// The share kept, in [0, 1].
    pub coverage: f64,
}

impl CoveragePoint {
    /// The share of kept items that are right; `None` when nothing is kept.
    pub fn accuracy(&self) -> Option<f64> {
        (self.kept > 0).then(|| self.right as f64 / self.kept as f64)
    }
}

/// Thresholds at which a coverage table is printed when none are given.
pub const DEFAULT_THRESHOLDS: [f64; 11] =
    [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99];

/// Coverage and accuracy at thresholds, in their order.
///
/// A confidence equal to the threshold is kept. Write thresholds as decimals: 0.9 computed in steps of
/// 0.05 drifts above 0.9 and would drop items at exactly 0.9.
pub fn coverage_at(forecasts: &Forecasts<'_>, thresholds: &[f64]) -> Vec<CoveragePoint> {
    let ranked = Ranked::of(forecasts);
    thresholds
        .iter()
        .map(|&threshold| ranked.at(threshold))
        .collect()
}

/// Items by falling confidence with the number right up to each.
pub(super) struct Ranked {
    confidences: Vec<f64>,
    right: Vec<u64>,
}

impl Ranked {
    pub(super) fn of(forecasts: &Forecasts<'_>) -> Self {
        let mut pairs = forecasts.sorted();
        pairs.reverse();
        let mut so_far = 0;
        let right = pairs
            .iter()
            .map(|(_, right)| {
                so_far += u64::from(*right == 1.0);
                so_far
            })
            .collect();
        Self {
            confidences: pairs.into_iter().map(|pair| pair.0).collect(),
            right,
        }
    }

    pub(super) fn at(&self, threshold: f64) -> CoveragePoint {
        let kept = self
            .confidences
            .partition_point(|&confidence| confidence >= threshold);
        CoveragePoint {
            threshold,
            kept: kept as u64,
            right: if kept == 0 { 0 } else { self.right[kept - 1] },
            coverage: kept as f64 / self.confidences.len() as f64,
        }
    }

    /// The points at each observed confidence, highest first.
    pub(super) fn observed(&self) -> impl Iterator<Item = CoveragePoint> + '_ {
        self.confidences
            .chunk_by(|a, b| a == b)
            .map(|same| self.at(same[0]))
    }
}

/// The area under the risk–coverage curve and what it could be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskCoverage {
    /// The mean, over i, of the error rate of the i most confident items.
    pub aurc: f64,
    /// The least possible with as many errors, all of them at the end.
    pub optimal: f64,
    /// The limit of that for many items at the same error rate, r + (1 − r) ln(1 − r).
    pub optimal_asymptotic: f64,
}

impl RiskCoverage {
    /// What ranking loses against the best order: `aurc − optimal`.
    pub fn excess(&self) -> f64 {
        self.aurc - self.optimal
    }
}

/// The area under the risk–coverage curve (Geifman, El-Yaniv 2017), in [0, 1], less is better.
///
/// Ties are averaged over their orders: errors spread evenly over a block of equal confidence, so that
/// the order of items does not matter.
///
/// ```
/// use decbench_core::stats::calibration::Forecasts;
/// use decbench_core::stats::selective::risk_coverage;
///
/// let forecasts = Forecasts::new(&[0.9, 0.8, 0.7], &[true, true, false])?;
/// let found = risk_coverage(&forecasts);
/// assert!((found.aurc - 1.0 / 9.0).abs() < 1e-12 && found.excess() == 0.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
pub fn risk_coverage(forecasts: &Forecasts<'_>) -> RiskCoverage {
    let ranked = Ranked::of(forecasts);
    let n = forecasts.len() as f64;
    let (mut kept, mut wrong) = (0.0, 0.0);
    let mut risks = Vec::with_capacity(forecasts.len());
    for point in ranked.observed() {
        let (items, errors) = (
            point.kept as f64 - kept,
            (point.kept - point.right) as f64 - wrong,
        );
        for place in 1..=items as u64 {
            let place = place as f64;
            risks.push((wrong + errors * place / items) / (kept + place));
        }
        kept += items;
        wrong += errors;
    }
    let right = n - wrong;
    let best = (1..=wrong as u64).map(|error| error as f64 / (right + error as f64));
    let risk = wrong / n;
    RiskCoverage {
        aurc: sum(risks) / n,
        optimal: sum(best) / n,
        // The limit of x ln x at 0 is 0.
        optimal_asymptotic: if right > 0.0 {
            risk + (right / n) * (-risk).ln_1p()
        } else {
            1.0
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_equal_to_the_threshold_is_kept() {
        let forecasts = Forecasts::new(&[0.9, 0.9, 0.85], &[true, false, true]).unwrap();
        let points = coverage_at(&forecasts, &[0.85, 0.9, 0.95]);
        let kept: Vec<u64> = points.iter().map(|point| point.kept).collect();
        assert_eq!(kept, [3, 2, 0]);
        assert_eq!(
            (points[1].accuracy(), points[2].accuracy()),
            (Some(0.5), None)
        );
    }

    #[test]
    fn ties_are_the_mean_over_their_orders() {
        let tied = Forecasts::new(&[0.8, 0.8], &[true, false]).unwrap();
        let one = Forecasts::new(&[0.8, 0.7], &[true, false]).unwrap();
        let other = Forecasts::new(&[0.7, 0.8], &[true, false]).unwrap();
        let mean = 0.5 * (risk_coverage(&one).aurc + risk_coverage(&other).aurc);
        // Within a block of two the expected risk after one item is a half, after two also.
        assert!((risk_coverage(&tied).aurc - 0.5).abs() < 1e-15);
        assert!((mean - 0.5).abs() < 1e-15);
    }
}
