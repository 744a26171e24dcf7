//! What a right answer costs.
//!
//! The price of a success is everything the model cost in the run over the
//! number of its successes. Without a success it has no value, and sorts after
//! every finite one.

use crate::stats::bootstrap_interval::percentile;
use crate::stats::distribution::two_sided_z;
use crate::stats::random::{IndexSource, RandomStream, Seed};
use crate::stats::resample::unit_count;
use crate::stats::sum::{finite, sum};
use crate::stats::weighted::around;
use crate::stats::{Interval, Undefined};

/// Cost per success with the interval of the ratio estimator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostPerSuccess {
    /// All costs, in the unit of the input.
    pub total_cost: f64,
    /// The number of successes.
    pub passes: u64,
    /// Total cost over successes; `None` without a success.
    pub cost_per_success: Option<f64>,
    /// √(n/(n−1) Σe²)/Σy with e = cost − ratio · y; `None` without a success or with a single case.
    pub standard_error: Option<f64>,
    /// Ratio ± z standard errors, not cut at 0, and `None` with the error.
    pub delta_interval: Option<Interval>,
}

/// Cost per success of parallel lists of costs and outcomes, one entry a case.
///
/// ```
/// use decbench_core::stats::cost::cost_per_success;
///
/// let found = cost_per_success(&[0.002, 0.001, 0.003], &[true, false, true], 0.95)?;
/// assert!((found.cost_per_success.unwrap() - 0.003).abs() < 1e-15);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::LengthMismatch`],
/// [`Undefined::NotFinite`], [`Undefined::OutOfRange`] for a negative cost,
/// costs whose sum exceeds the doubles, or a level outside (0, 1).
pub fn cost_per_success(
    cost: &[f64],
    passed: &[bool],
    level: f64,
) -> Result<CostPerSuccess, Undefined> {
    let z = two_sided_z(level)?;
    check(cost, passed)?;
    let total_cost = sum(cost.iter().copied());
    let passes = passed.iter().filter(|&&passed| passed).count();
    let n = cost.len() as f64;
    let ratio = (passes > 0).then(|| total_cost / passes as f64);
    let standard_error = ratio.filter(|_| cost.len() > 1).map(|ratio| {
        let squares = cost.iter().zip(passed).map(|(&cost, &passed)| {
            let residual = if passed { cost - ratio } else { cost };
            residual * residual
        });
        (n / (n - 1.0) * sum(squares)).sqrt() / passes as f64
    });
    if !total_cost.is_finite() || standard_error.is_some_and(|error| !error.is_finite()) {
        return Err(Undefined::OutOfRange { what: "cost" });
    }
    Ok(CostPerSuccess {
        total_cost,
        passes: passes as u64,
        cost_per_success: ratio,
        standard_error,
        delta_interval: ratio
            .zip(standard_error)
            .map(|(ratio, error)| around(ratio, z * error)),
    })
}

/// The percentile bootstrap of cost per success.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostBootstrap {
    /// Type-7 percentiles; +∞ ("unbounded") where one touches a resample without a success.
    pub percentile: Interval,
    /// How many resamples had no success.
    pub without_success: u64,
}

/// Resamples cases, each with its cost and outcome, and takes percentiles of the ratio.
///
/// Cases are resampled in the order of the list; bring it into the order of
/// case ids, so that the result does not depend on the file.
///
/// # Errors
///
/// As [`cost_per_success`]; [`Undefined::NoSuccess`] when no case passed,
/// [`Undefined::NoItems`] without resamples.
pub fn cost_per_success_bootstrap(
    cost: &[f64],
    passed: &[bool],
    resamples: usize,
    seed: Seed,
    level: f64,
) -> Result<CostBootstrap, Undefined> {
    let mut stream = RandomStream::new(seed);
    cost_per_success_bootstrap_from(cost, passed, resamples, &mut stream, level)
}

/// [`cost_per_success_bootstrap`] with indices from any source.
///
/// # Errors
///
/// As there, and those of the source.
pub fn cost_per_success_bootstrap_from<S: IndexSource>(
    cost: &[f64],
    passed: &[bool],
    resamples: usize,
    source: &mut S,
    level: f64,
) -> Result<CostBootstrap, Undefined> {
    check(cost, passed)?;
    if !passed.contains(&true) {
        return Err(Undefined::NoSuccess);
    }
    let n = unit_count(cost.len())?;
    let mut ratios = Vec::with_capacity(resamples);
    let mut without_success = 0;
    for _ in 0..resamples {
        let (mut total, mut passes) = (0.0, 0_u32);
        for _ in 0..cost.len() {
            let index = source.index_below(n)? as usize;
            total += cost[index];
            passes += u32::from(passed[index]);
        }
        // Also where the resample cost nothing: no success has no price.
        ratios.push(if passes == 0 {
            without_success += 1;
            f64::INFINITY
        } else {
            total / f64::from(passes)
        });
    }
    Ok(CostBootstrap {
        percentile: percentile(&ratios, level)?,
        without_success,
    })
}

fn check(cost: &[f64], passed: &[bool]) -> Result<(), Undefined> {
    if cost.len() != passed.len() {
        return Err(Undefined::LengthMismatch);
    }
    if cost.is_empty() {
        return Err(Undefined::NoItems);
    }
    finite(cost)?;
    if cost.iter().any(|&cost| cost < 0.0) {
        return Err(Undefined::OutOfRange { what: "cost" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_success_has_a_total_and_no_price() {
        let found = cost_per_success(&[0.001, 0.002], &[false, false], 0.95).unwrap();
        assert_eq!((found.cost_per_success, found.standard_error), (None, None));
        assert_eq!(found.total_cost, 0.003);
        assert_eq!(
            cost_per_success_bootstrap(&[0.001], &[false], 10, Seed(1), 0.95),
            Err(Undefined::NoSuccess)
        );
    }

    #[test]
    fn a_free_model_costs_nothing() {
        let found = cost_per_success(&[0.0; 3], &[true, true, false], 0.95).unwrap();
        assert_eq!(found.cost_per_success, Some(0.0));
        assert_eq!(found.delta_interval.unwrap().width(), 0.0);
    }

    #[test]
    fn rare_successes_leave_the_upper_end_unbounded() {
        let mut passed = [false; 12];
        passed[3] = true;
        let found = cost_per_success_bootstrap(&[0.01; 12], &passed, 400, Seed(7), 0.95).unwrap();
        assert_eq!(found.percentile.high, f64::INFINITY);
        // (11/12)^12 of the resamples miss the one success.
        let share = found.without_success as f64 / 400.0;
        assert!((share - 0.352).abs() < 0.08, "{share}");
    }

    #[test]
    fn negative_and_unlike_lists_are_refused() {
        assert!(cost_per_success(&[-0.1], &[true], 0.95).is_err());
        assert_eq!(
            cost_per_success(&[0.1], &[], 0.95),
            Err(Undefined::LengthMismatch)
        );
        assert_eq!(cost_per_success(&[], &[], 0.95), Err(Undefined::NoItems));
    }
}
