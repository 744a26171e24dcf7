//! Limits of a bounded estimate with one more unit at its worst.
//!
//! What a sample has not shown yet is what makes limits of rare events err: resampling thirty right answers says
//! that all answers are right. A lower limit here imagines one more unit that has the smallest value there is, an
//! upper limit one that has the largest, and both ask how far the estimate then varies. For 0/1 values of single
//! items these are exactly the limits of Clopper and Pearson (1934). For any bounded values they follow Gaffke
//! (2005) and Learned-Miller and Thomas (2020): the units get Dirichlet weights, and no law of the values is known
//! for which the quantile of the weighted mean errs more often than it says. The law of the weighted mean is
//! taken as the beta law with its mean and variance.

use crate::stats::distribution::beta_quantile;
use crate::stats::sum::{finite, sum};
use crate::stats::{Interval, Undefined};

/// The limits of a mean over units, and how many independent items of this mean they are worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneMore {
    /// The limits, inside the range.
    pub interval: Interval,
    /// The number of single 0/1 items with limits as wide, by the wider side; at most the number of units when
    /// all have the same size.
    pub effective_n: f64,
}

/// Limits of Σ sums / Σ sizes over independent units at a two-sided level.
///
/// A unit is a case with its value and 1, a weighted case with its weighted value and weight, or a cluster with its
/// sum and number of cases. `range` holds every single value, seen or not. Units of size zero are dropped. The
/// unit that is added has the [`typical_size`].
///
/// ```
/// use decbench_core::stats::Interval;
/// use decbench_core::stats::one_more::mean_limits;
/// use decbench_core::stats::proportion::clopper_pearson;
///
/// let right: Vec<f64> = (0..30).map(|i| f64::from(u8::from(i > 2))).collect();
/// let share = Interval { low: 0.0, high: 1.0 };
/// let found = mean_limits(&right, &[1.0; 30], share, 0.95)?;
/// assert!((found.interval.low - clopper_pearson(27, 30, 0.95)?.low).abs() < 1e-12);
/// assert!((found.effective_n - 30.0).abs() < 1e-9);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] without a unit of positive size; [`Undefined::LengthMismatch`]; [`Undefined::NotFinite`];
/// [`Undefined::OutOfRange`] for a negative size, a mean of a unit outside the range, or a level outside (0, 1).
pub fn mean_limits(
    sums: &[f64],
    sizes: &[f64],
    range: Interval,
    level: f64,
) -> Result<OneMore, Undefined> {
    if sums.len() != sizes.len() {
        return Err(Undefined::LengthMismatch);
    }
    finite(sums)?;
    finite(&[range.low, range.high])?;
    let tail = half_tail(level)?;
    let size = typical_size(sizes)?;
    let units: Vec<(f64, f64)> = sums
        .iter()
        .zip(sizes)
        .map(|(sum, size)| (*sum, *size))
        .filter(|(_, size)| *size > 0.0)
        .collect();
    // Sums of values are off by a rounding per value.
    let slack = 1e-9 * range.low.abs().max(range.high.abs());
    let mut seen = Interval {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };
    for (sum, size) in &units {
        let mean = sum / size;
        if mean < range.low - slack || mean > range.high + slack {
            return Err(Undefined::OutOfRange { what: "value" });
        }
        let mean = mean.clamp(range.low, range.high);
        seen.low = seen.low.min(mean);
        seen.high = seen.high.max(mean);
    }
    let low = Beta::of_units(&units, size, range.low, seen.high);
    let high = Beta::of_units(&units, size, range.high, seen.low);
    let sizes = [low, high].into_iter().filter_map(Beta::items);
    let effective_n = sizes.fold(f64::INFINITY, f64::min);
    Ok(OneMore {
        interval: Interval {
            low: low.quantile(tail)?,
            high: high.quantile(1.0 - tail)?,
        },
        effective_n: if effective_n.is_finite() {
            effective_n
        } else {
            units.len() as f64
        },
    })
}

/// Limits of any estimate from what it is with one more unit at either end.
///
/// `lowest` and `highest` are the estimate with a unit added that pulls it down or up most, and the variance of
/// that estimate (by the jackknife); `range` is where the estimate can lie at all. For statistics that are no
/// means the limits have no theory behind them; how often they err is in the table of error rates.
///
/// # Errors
///
/// [`Undefined::NotFinite`]; [`Undefined::OutOfRange`] for an estimate outside the range or a level outside (0, 1).
pub fn estimate_limits(
    lowest: (f64, f64),
    highest: (f64, f64),
    range: Interval,
    level: f64,
) -> Result<Interval, Undefined> {
    finite(&[
        lowest.0, lowest.1, highest.0, highest.1, range.low, range.high,
    ])?;
    let tail = half_tail(level)?;
    let slack = 1e-9 * range.width();
    let beta = |(estimate, variance): (f64, f64)| {
        if estimate < range.low - slack || estimate > range.high + slack {
            return Err(Undefined::OutOfRange { what: "estimate" });
        }
        let mean = (estimate.clamp(range.low, range.high) - range.low) / range.width();
        Ok(Beta {
            mean: if range.width() > 0.0 { mean } else { 0.0 },
            variance: variance / range.width().powi(2),
            support: range,
        })
    };
    Ok(Interval {
        low: beta(lowest)?.quantile(tail)?,
        high: beta(highest)?.quantile(1.0 - tail)?,
    })
}

/// The size of the unit to add: √(Σ size³ / Σ size), the size of equal units, and of unequal ones nearer to the
/// largest than to the mean, since it is the large ones that a sample may have been lucky with.
///
/// # Errors
///
/// [`Undefined::NoItems`] without a positive size; [`Undefined::NotFinite`]; [`Undefined::OutOfRange`] for a negative one.
pub fn typical_size(sizes: &[f64]) -> Result<f64, Undefined> {
    finite(sizes)?;
    if sizes.iter().any(|size| *size < 0.0) {
        return Err(Undefined::OutOfRange { what: "size" });
    }
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    if largest <= 0.0 {
        return Err(Undefined::NoItems);
    }
    // Scaled by the largest, powers neither vanish nor overflow.
    let power = |exponent: i32| sum(sizes.iter().map(|size| (size / largest).powi(exponent)));
    Ok(largest * (power(3) / power(1)).sqrt())
}

/// A beta law on an interval, by its mean and variance as fractions of it.
#[derive(Debug, Clone, Copy)]
struct Beta {
    mean: f64,
    variance: f64,
    support: Interval,
}

impl Beta {
    /// The law of the Dirichlet-weighted mean of the units and one more at `worst`; `other` is the mean of the unit
    /// furthest from it.
    fn of_units(units: &[(f64, f64)], size: f64, worst: f64, other: f64) -> Self {
        let support = Interval {
            low: worst.min(other),
            high: worst.max(other),
        };
        let width = support.width();
        if width <= 0.0 {
            return Self {
                mean: 0.0,
                variance: 0.0,
                support,
            };
        }
        let share = |sum: f64, size: f64| (sum - support.low * size) / width;
        let all = || {
            let added = std::iter::once((share(worst * size, size), size));
            units
                .iter()
                .map(|(sum, size)| (share(*sum, *size), *size))
                .chain(added)
        };
        let total = sum(all().map(|(_, size)| size));
        let mean = (sum(all().map(|(sum, _)| sum)) / total).clamp(0.0, 1.0);
        let n = (units.len() + 1) as f64;
        let squares = sum(all().map(|(sum, size)| ((sum - mean * size) / total).powi(2)));
        Self {
            mean,
            variance: squares * n / (n + 1.0),
            support,
        }
    }

    /// The sum of the two parameters; `None` for a law of one point.
    fn weight(self) -> Option<f64> {
        let varies = self.variance > 0.0 && self.mean > 0.0 && self.mean < 1.0;
        varies.then(|| self.mean * (1.0 - self.mean) / self.variance - 1.0)
    }

    /// How many 0/1 items, without the added one, have this law's spread.
    fn items(self) -> Option<f64> {
        self.weight()
            .map(|weight| (weight - 1.0).max(f64::MIN_POSITIVE))
    }

    fn quantile(self, probability: f64) -> Result<f64, Undefined> {
        let share = match self.weight() {
            None => self.mean,
            // Wider than any law on this support: nothing is known on this side.
            Some(weight) if weight <= 0.0 => f64::from(u8::from(probability > 0.5)),
            Some(weight) => {
                beta_quantile(self.mean * weight, (1.0 - self.mean) * weight, probability)?
            }
        };
        Ok((self.support.low + share * self.support.width())
            .clamp(self.support.low, self.support.high))
    }
}

fn half_tail(level: f64) -> Result<f64, Undefined> {
    if level > 0.0 && level < 1.0 {
        Ok(0.5 * (1.0 - level))
    } else {
        Err(Undefined::OutOfRange { what: "level" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::proportion::clopper_pearson;

    const SHARE: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    fn shares(right: usize, n: usize) -> Vec<f64> {
        (0..n).map(|at| f64::from(u8::from(at < right))).collect()
    }

    #[test]
    fn single_items_have_the_exact_limits() {
        for (right, n) in [
            (0, 1),
            (1, 1),
            (0, 30),
            (30, 30),
            (27, 30),
            (1, 400),
            (899, 900),
        ] {
            let found = mean_limits(&shares(right, n), &vec![1.0; n], SHARE, 0.95).unwrap();
            let exact = clopper_pearson(right as u64, n as u64, 0.95).unwrap();
            assert!(
                (found.interval.low - exact.low).abs() < 1e-10,
                "{right} of {n}"
            );
            assert!(
                (found.interval.high - exact.high).abs() < 1e-10,
                "{right} of {n}"
            );
            assert!((found.effective_n - n as f64).abs() < 1e-6 * n as f64);
        }
    }

    #[test]
    fn copies_are_worth_one_item_each() {
        let right = shares(27, 30);
        let tripled: Vec<f64> = right.iter().map(|right| right * 3.0).collect();
        let one = mean_limits(&right, &[1.0; 30], SHARE, 0.95).unwrap();
        let three = mean_limits(&tripled, &[3.0; 30], SHARE, 0.95).unwrap();
        assert!((one.interval.low - three.interval.low).abs() < 1e-12);
        assert!((one.effective_n - three.effective_n).abs() < 1e-9);
    }

    #[test]
    fn two_values_are_a_share_on_another_scale() {
        let values: Vec<f64> = shares(3, 100).iter().map(|held| 0.5 + 1.5 * held).collect();
        let range = Interval {
            low: 0.0,
            high: 2.0,
        };
        let found = mean_limits(&values, &[1.0; 100], range, 0.95).unwrap();
        let exact = clopper_pearson(3, 100, 0.95).unwrap();
        assert!((found.interval.high - (0.5 + 1.5 * exact.high)).abs() < 1e-10);
        // Below, values down to 0 may come.
        assert!(found.interval.low < 0.5 + 1.5 * exact.low);
    }

    #[test]
    fn large_units_that_happen_to_be_right_do_not_prove_the_rest() {
        // Ten units of ten, all right, and a hundred single cases of which two are wrong.
        let mut sums = vec![10.0; 10];
        sums.extend(shares(98, 100));
        let mut sizes = vec![10.0; 10];
        sizes.extend([1.0; 100]);
        let found = mean_limits(&sums, &sizes, SHARE, 0.95).unwrap();
        let as_if_single = clopper_pearson(198, 200, 0.95).unwrap();
        assert!(found.interval.low < as_if_single.low - 0.05);
        assert!(found.effective_n < 100.0, "{}", found.effective_n);
    }

    #[test]
    fn constant_values_leave_what_may_come() {
        let found = mean_limits(&[0.25; 40], &[1.0; 40], SHARE, 0.95).unwrap();
        let none = clopper_pearson(0, 40, 0.95).unwrap().high;
        assert!((found.interval.high - (0.25 + 0.75 * none)).abs() < 1e-10);
        assert!((found.interval.low - 0.25 * (1.0 - none)).abs() < 1e-10);
    }

    #[test]
    fn an_estimate_that_varies_beyond_its_range_has_no_limits_inside() {
        let found = estimate_limits((0.4, 0.3), (0.6, 0.001), SHARE, 0.95).unwrap();
        assert_eq!(found.low, 0.0);
        assert!(found.high < 0.67);
    }

    #[test]
    fn what_has_no_limits_is_refused() {
        assert_eq!(mean_limits(&[], &[], SHARE, 0.95), Err(Undefined::NoItems));
        assert_eq!(
            mean_limits(&[0.0], &[0.0], SHARE, 0.95),
            Err(Undefined::NoItems)
        );
        assert!(mean_limits(&[1.0], &[1.0, 2.0], SHARE, 0.95).is_err());
        assert!(mean_limits(&[f64::NAN], &[1.0], SHARE, 0.95).is_err());
        assert!(mean_limits(&[1.5], &[1.0], SHARE, 0.95).is_err());
        assert!(mean_limits(&[1.0], &[-1.0], SHARE, 0.95).is_err());
        assert!(mean_limits(&[1.0], &[1.0], SHARE, 1.0).is_err());
        assert!(estimate_limits((2.0, 0.1), (0.5, 0.1), SHARE, 0.95).is_err());
    }
}
