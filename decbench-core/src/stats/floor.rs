//! What n cases can say about an accuracy floor, before and after the run.

use crate::stats::distribution::{binomial_cdf, binomial_sf};
use crate::stats::proportion::{wilson_lower, wilson_upper};
use crate::stats::{Decimal, Undefined};

/// The counts at which n cases decide about a floor, in three readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccuracyFloor {
    /// The number of cases.
    pub n: u64,
    /// Point reading: the smallest number right with k/n at the floor or above.
    /// `None` when the floor is above 1.
    pub min_correct_point: Option<u64>,
    /// Lower-bound reading: the smallest number right whose one-sided Wilson
    /// lower bound reaches the floor. `None` when no result of this size can.
    pub min_correct_lower_bound: Option<u64>,
    /// Certain failure: the largest number right whose one-sided Wilson upper
    /// bound is below the floor. `None` when no result of this size is.
    pub max_correct_upper_bound_below: Option<u64>,
}

/// The deciding counts for `floor` in `[0, 1]` at a one-sided level.
///
/// A point floor of 90% at n = 30 fails a model whose true accuracy is exactly
/// 0.90 in 35% of runs, and a lower-bound floor of 80% at n = 10 cannot be
/// passed at all: both should be said before the run.
///
/// ```
/// let floor = decbench_core::stats::floor::accuracy_floor(30, 0.9, 0.95)?;
/// assert_eq!(floor.min_correct_point, Some(27));
/// assert_eq!(floor.min_correct_lower_bound, Some(30));
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] for a floor
/// outside `[0, 1]` or a level outside (0, 1).
pub fn accuracy_floor(
    n: u64,
    floor: f64,
    level_one_sided: f64,
) -> Result<AccuracyFloor, Undefined> {
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    let decimal = Decimal::from_f64(floor)?;
    if !(0.0..=1.0).contains(&floor) {
        return Err(Undefined::OutOfRange { what: "floor" });
    }
    // Both bounds rise with the count, so the first to reach is found by halving.
    let first_lower = first(n, |k| Ok(wilson_lower(k, n, level_one_sided)? >= floor))?;
    let first_upper = first(n, |k| Ok(wilson_upper(k, n, level_one_sided)? >= floor))?;
    Ok(AccuracyFloor {
        n,
        min_correct_point: decimal.smallest_count(n),
        min_correct_lower_bound: first_lower,
        max_correct_upper_bound_below: match first_upper {
            Some(k) => k.checked_sub(1),
            None => Some(n),
        },
    })
}

impl AccuracyFloor {
    /// The chance that a model of true accuracy p passes under the point reading.
    ///
    /// # Errors
    ///
    /// When p is no probability; so also the next two.
    pub fn pass_probability_point(&self, p: f64) -> Result<f64, Undefined> {
        chance_of_at_least(self.min_correct_point, self.n, p)
    }

    /// The chance that a model of true accuracy p passes under the lower-bound reading.
    ///
    /// # Errors
    ///
    /// When p is no probability.
    pub fn pass_probability_lower_bound(&self, p: f64) -> Result<f64, Undefined> {
        chance_of_at_least(self.min_correct_lower_bound, self.n, p)
    }

    /// The chance that a model of true accuracy p is certain to have failed.
    ///
    /// # Errors
    ///
    /// When p is no probability.
    pub fn certain_fail_probability(&self, p: f64) -> Result<f64, Undefined> {
        match self.max_correct_upper_bound_below {
            Some(k) => binomial_cdf(k, self.n, p),
            None => binomial_cdf(0, 0, p).map(|_| 0.0),
        }
    }
}

fn chance_of_at_least(k: Option<u64>, n: u64, p: f64) -> Result<f64, Undefined> {
    match k {
        // This call still checks p.
        Some(0) => binomial_cdf(n, n, p),
        Some(k) => binomial_sf(k - 1, n, p),
        None => binomial_cdf(0, 0, p).map(|_| 0.0),
    }
}

fn first(
    n: u64,
    mut holds: impl FnMut(u64) -> Result<bool, Undefined>,
) -> Result<Option<u64>, Undefined> {
    if !holds(n)? {
        return Ok(None);
    }
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_floor_counts_in_decimals() {
        for n in (10..=1000).step_by(10) {
            let floor = accuracy_floor(n, 0.9, 0.95).unwrap();
            assert_eq!(floor.min_correct_point, Some(n / 10 * 9));
        }
    }

    #[test]
    fn readings_are_ordered() {
        for n in 1..200 {
            let floor = accuracy_floor(n, 0.85, 0.95).unwrap();
            let point = floor.min_correct_point.unwrap();
            assert!(floor.min_correct_lower_bound.is_none_or(|k| k >= point));
            assert!(
                floor
                    .max_correct_upper_bound_below
                    .is_none_or(|k| k < point)
            );
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(accuracy_floor(0, 0.9, 0.95), Err(Undefined::NoItems));
        assert!(accuracy_floor(10, 1.1, 0.95).is_err());
        assert!(accuracy_floor(10, 0.9, 1.0).is_err());
        let floor = accuracy_floor(10, 0.0, 0.95).unwrap();
        assert!(floor.pass_probability_point(f64::NAN).is_err());
        assert!(floor.certain_fail_probability(2.0).is_err());
    }
}
