//! How much can be answered at a target accuracy.

use super::risk_coverage::{CoveragePoint, Ranked};
use crate::stats::calibration::Forecasts;
use crate::stats::distribution::binomial_cdf;
use crate::stats::proportion::wilson_lower;
use crate::stats::{Decimal, Undefined};

/// The largest coverage at which the kept items reach the target, over all observed confidences.
///
/// The lowest observed confidence at which right/kept is at least `target` (compared as decimals); the
/// accuracy above a threshold need not fall with it, so all are searched. `None` when no threshold
/// reaches the target. Chosen after seeing the outcomes, this promises nothing about new items.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for a target outside [0, 1].
pub fn coverage_point(
    forecasts: &Forecasts<'_>,
    target: f64,
) -> Result<Option<CoveragePoint>, Undefined> {
    let target = checked_target(target)?;
    let ranked = Ranked::of(forecasts);
    Ok(ranked
        .observed()
        .filter(|point| target.is_met_by(point.right, point.kept))
        .last())
}

/// [`coverage_point`] with the one-sided Wilson lower bound at level 1 − `delta` in place of the share.
///
/// The bound holds at each threshold alone, not over the search for one.
///
/// # Errors
///
/// A target outside [0, 1] or a `delta` outside (0, 1).
pub fn coverage_wilson(
    forecasts: &Forecasts<'_>,
    target: f64,
    delta: f64,
) -> Result<Option<CoveragePoint>, Undefined> {
    let target = checked_target(target)?.value();
    let ranked = Ranked::of(forecasts);
    let mut found = None;
    for point in ranked.observed() {
        if wilson_lower(point.right, point.kept, 1.0 - delta)? >= target {
            found = Some(point);
        }
    }
    Ok(found)
}

/// A threshold of a fixed grid and the evidence that what it keeps reaches the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPoint {
    /// What the threshold keeps.
    pub point: CoveragePoint,
    /// The chance of as few errors if accuracy were below the target: P(Bin(kept, 1 − target) ≤ errors).
    /// 1 when nothing is kept.
    pub p: f64,
}

/// Coverage with a guarantee: Learn then Test on thresholds fixed beforehand.
#[derive(Clone, Debug, PartialEq)]
pub struct GuaranteedCoverage {
    /// All thresholds, highest first.
    pub grid: Vec<GridPoint>,
    /// Thresholds tested one after another from the highest, until one fails: what gates use.
    pub fixed_sequence: Option<CoveragePoint>,
    /// The lowest threshold that passes at `delta` over the number of thresholds.
    pub bonferroni: Option<CoveragePoint>,
}

/// Thresholds whose accuracy is certain to reach `target` but for a chance of `delta`
/// (Learn then Test; Angelopoulos et al. 2021).
///
/// `thresholds` must not depend on the outcomes; their order does not matter. The fixed sequence passes
/// over thresholds that keep too few items to ever pass (targetᵏ > delta). Below ln δ / ln target kept
/// items (59 at 95% and δ = 5%) nothing can be certified.
///
/// ```
/// use decbench_core::stats::calibration::Forecasts;
/// use decbench_core::stats::selective::guaranteed_coverage;
///
/// let forecasts = Forecasts::new(&[0.97; 100], &[true; 100])?;
/// let found = guaranteed_coverage(&forecasts, 0.95, 0.05, &[0.99, 0.95, 0.9])?;
/// assert_eq!(found.fixed_sequence.map(|point| point.threshold), Some(0.9));
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No thresholds, one that is not finite, a target outside [0, 1] or a `delta` outside (0, 1).
pub fn guaranteed_coverage(
    forecasts: &Forecasts<'_>,
    target: f64,
    delta: f64,
    thresholds: &[f64],
) -> Result<GuaranteedCoverage, Undefined> {
    checked_target(target)?;
    if delta.is_nan() || delta <= 0.0 || delta >= 1.0 {
        return Err(Undefined::OutOfRange { what: "delta" });
    }
    if thresholds.is_empty() {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "thresholds",
        });
    }
    crate::stats::sum::finite(thresholds)?;
    let mut thresholds = thresholds.to_vec();
    thresholds.sort_unstable_by(|a, b| b.total_cmp(a));
    let ranked = Ranked::of(forecasts);
    let test = |threshold: f64| {
        let point = ranked.at(threshold);
        let errors = point.kept - point.right;
        let p = if point.kept == 0 {
            1.0
        } else {
            binomial_cdf(errors, point.kept, 1.0 - target)?
        };
        Ok(GridPoint { point, p })
    };
    let grid = thresholds
        .into_iter()
        .map(test)
        .collect::<Result<Vec<_>, Undefined>>()?;
    let can_pass = |point: &CoveragePoint| target.powf(point.kept as f64) <= delta;
    let sequence = grid.iter().filter(|test| can_pass(&test.point));
    let fixed_sequence = sequence.take_while(|test| test.p <= delta).last();
    let share = delta / grid.len() as f64;
    let bonferroni = grid.iter().rfind(|test| test.p <= share);
    Ok(GuaranteedCoverage {
        fixed_sequence: fixed_sequence.map(|test| test.point),
        bonferroni: bonferroni.map(|test| test.point),
        grid,
    })
}

fn checked_target(target: f64) -> Result<Decimal, Undefined> {
    if (0.0..=1.0).contains(&target) {
        Decimal::from_f64(target)
    } else {
        Err(Undefined::OutOfRange {
            what: "target accuracy",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_threshold_may_reach_the_target_again() {
        let confidences = [0.9, 0.8, 0.7, 0.6];
        let forecasts = Forecasts::new(&confidences, &[true, false, true, true]).unwrap();
        let found = coverage_point(&forecasts, 0.75).unwrap().unwrap();
        assert_eq!((found.threshold, found.kept), (0.6, 4));
    }

    #[test]
    fn too_few_items_certify_nothing() {
        let forecasts = Forecasts::new(&[0.97; 58], &[true; 58]).unwrap();
        let found = guaranteed_coverage(&forecasts, 0.95, 0.05, &[0.9]).unwrap();
        assert_eq!(found.fixed_sequence, None);
        let forecasts = Forecasts::new(&[0.97; 59], &[true; 59]).unwrap();
        let found = guaranteed_coverage(&forecasts, 0.95, 0.05, &[0.9]).unwrap();
        assert!(found.fixed_sequence.is_some());
    }

    #[test]
    fn the_sequence_stops_at_its_first_failure() {
        let confidences: Vec<f64> = [0.95; 70]
            .into_iter()
            .chain([0.8; 30])
            .chain([0.6; 900])
            .collect();
        let right: Vec<bool> = (0..1_000).map(|item| !(70..100).contains(&item)).collect();
        let forecasts = Forecasts::new(&confidences, &right).unwrap();
        let found = guaranteed_coverage(&forecasts, 0.95, 0.05, &[0.9, 0.7, 0.5]).unwrap();
        assert!(found.grid[2].p < 0.05 / 3.0 && found.grid[1].p > 0.05);
        assert_eq!(found.fixed_sequence.map(|point| point.threshold), Some(0.9));
        assert_eq!(found.bonferroni.map(|point| point.threshold), Some(0.5));
    }

    #[test]
    fn nonsense_is_refused() {
        let forecasts = Forecasts::new(&[0.5], &[true]).unwrap();
        assert!(coverage_point(&forecasts, 1.1).is_err());
        assert!(coverage_wilson(&forecasts, 0.9, 1.0).is_err());
        assert!(guaranteed_coverage(&forecasts, 0.9, 0.0, &[0.5]).is_err());
        assert!(guaranteed_coverage(&forecasts, 0.9, 0.1, &[]).is_err());
        assert!(guaranteed_coverage(&forecasts, f64::NAN, 0.1, &[0.5]).is_err());
    }
}
