//! Intervals from bootstrap replicates: percentile, basic, and bias-corrected.

use crate::stats::distribution::{normal_cdf, normal_quantile};
use crate::stats::quantile::type_seven as quantile;
use crate::stats::resample::Replicates;
use crate::stats::sum::sum;
use crate::stats::{Interval, Undefined};

/// Replicates within this share of the largest magnitude of the estimate equal it.
const EQUAL: f64 = 1e-12;

/// The percentile interval: the replicates' own quantiles (type 7 of Hyndman, Fan 1996).
///
/// For statistics that the bootstrap biases, such as calibration error, it lies on the wrong side; use
/// [`basic`] there and [`bca`] elsewhere. A limit is infinite where it touches an infinite replicate.
///
/// # Errors
///
/// No replicates, one that is NaN, or a level outside (0, 1).
pub fn percentile(replicates: &[f64], level: f64) -> Result<Interval, Undefined> {
    let sorted = sorted(replicates)?;
    let tail = tail(level)?;
    Ok(Interval {
        low: quantile(&sorted, tail),
        high: quantile(&sorted, 1.0 - tail),
    })
}

/// The basic interval `[2θ̂ − q_high, 2θ̂ − q_low]`: percentiles reflected about the estimate.
///
/// # Errors
///
/// As [`percentile`], or an estimate that is not finite.
pub fn basic(estimate: f64, replicates: &[f64], level: f64) -> Result<Interval, Undefined> {
    if !estimate.is_finite() {
        return Err(Undefined::NotFinite);
    }
    let Interval { low, high } = percentile(replicates, level)?;
    Ok(Interval {
        low: 2.0 * estimate - high,
        high: 2.0 * estimate - low,
    })
}

/// A bias-corrected and accelerated interval and what corrected it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bca {
    /// The limits.
    pub interval: Interval,
    /// The bias correction z0, `None` when all replicates lie on one side of the estimate.
    pub bias: Option<f64>,
    /// The acceleration a, `None` when the jackknife values do not vary.
    pub acceleration: Option<f64>,
    /// Whether the limits are those of [`percentile`], for want of a correction. A report says so.
    pub is_percentile: bool,
}

/// The bias-corrected and accelerated interval (Efron 1987).
///
/// `estimate` is the statistic of all items, computed as the replicates were. A replicate equal to it
/// (within 10^-12 of the largest magnitude) counts as half below. The levels are
/// Φ(z0 + (z0 + z)/(1 − a(z0 + z))). Where z0 is infinite, the acceleration is 0/0 or the level passes
/// its pole, the percentile interval is given and marked.
///
/// # Errors
///
/// No replicates, one that is not finite, an estimate that is not finite, or a level outside (0, 1).
pub fn bca(
    estimate: f64,
    replicates: &[f64],
    jackknife: &Jackknife,
    level: f64,
) -> Result<Bca, Undefined> {
    if !estimate.is_finite() {
        return Err(Undefined::NotFinite);
    }
    let sorted = sorted(replicates)?;
    let tail = tail(level)?;
    let bias = bias(estimate, &sorted);
    let acceleration = jackknife.acceleration();
    let corrected = bias.zip(acceleration).and_then(|(bias, acceleration)| {
        let at = |tail: f64| -> Option<f64> {
            let moved = bias + normal_quantile(tail).ok()?;
            let stretch = 1.0 - acceleration * moved;
            let level = normal_cdf(bias + moved / stretch).ok()?;
            (stretch > 0.0).then(|| quantile(&sorted, level))
        };
        Some(Interval {
            low: at(tail)?,
            high: at(1.0 - tail)?,
        })
    });
    Ok(Bca {
        interval: corrected.unwrap_or(Interval {
            low: quantile(&sorted, tail),
            high: quantile(&sorted, 1.0 - tail),
        }),
        bias,
        acceleration,
        is_percentile: corrected.is_none(),
    })
}

/// z0: how far the middle of the replicates lies from the estimate, in normal deviates.
fn bias(estimate: f64, sorted: &[f64]) -> Option<f64> {
    let largest = sorted[0].abs().max(sorted[sorted.len() - 1].abs());
    let slack = if largest.is_finite() {
        EQUAL * largest
    } else {
        0.0
    };
    let below = sorted.partition_point(|&value| value < estimate - slack);
    let not_above = sorted.partition_point(|&value| value <= estimate + slack);
    let share = (below as f64 + 0.5 * (not_above - below) as f64) / sorted.len() as f64;
    (share > 0.0 && share < 1.0)
        .then(|| normal_quantile(share).ok())
        .flatten()
}

/// A statistic with one unit left out at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jackknife {
    /// The statistic without a unit, and for how many units this is its value.
    values: Vec<(f64, f64)>,
}

impl Jackknife {
    /// The values of the statistic with each unit left out in turn.
    ///
    /// # Errors
    ///
    /// No values, or one that is not finite.
    pub fn new(values: &[f64]) -> Result<Self, Undefined> {
        Self::weighted(values.iter().map(|&value| (value, 1.0)).collect())
    }

    fn weighted(values: Vec<(f64, f64)>) -> Result<Self, Undefined> {
        if values.is_empty() {
            Err(Undefined::NoItems)
        } else if values.iter().any(|(value, _)| !value.is_finite()) {
            Err(Undefined::NotFinite)
        } else {
            Ok(Self { values })
        }
    }

    /// The jackknife of a mean, in closed form.
    ///
    /// # Errors
    ///
    /// Fewer than two values, or one that is not finite.
    pub fn of_mean(values: &[f64]) -> Result<Self, Undefined> {
        let ones = vec![1.0; values.len()];
        Self::of_ratio(values, &ones)
    }

    /// The jackknife of Σ numerator / Σ denominator over units, in closed form.
    ///
    /// # Errors
    ///
    /// Fewer than two units, lists of different length, a number that is not finite, or denominators
    /// that sum to zero without one unit.
    pub fn of_ratio(numerators: &[f64], denominators: &[f64]) -> Result<Self, Undefined> {
        if numerators.len() != denominators.len() {
            return Err(Undefined::LengthMismatch);
        }
        if numerators.len() < 2 {
            return Err(Undefined::TooFew {
                needed: 2,
                what: "units",
            });
        }
        let numerator = sum(numerators.iter().copied());
        let denominator = sum(denominators.iter().copied());
        let left_out = numerators.iter().zip(denominators);
        Self::weighted(
            left_out
                .map(|(&n, &d)| ((numerator - n) / (denominator - d), 1.0))
                .collect(),
        )
    }

    /// The jackknife of a statistic of a table of counts, one evaluation a cell.
    ///
    /// # Errors
    ///
    /// An empty table, or a statistic that is undefined or not finite without some item.
    pub fn of_cells<F>(cells: &[u64], mut statistic: F) -> Result<Self, Undefined>
    where
        F: FnMut(&[u64]) -> Option<f64>,
    {
        let mut without = cells.to_vec();
        let mut values = Vec::with_capacity(cells.len());
        for (place, &count) in cells.iter().enumerate() {
            if count > 0 {
                without[place] -= 1;
                values.push((statistic(&without).unwrap_or(f64::NAN), count as f64));
                without[place] += 1;
            }
        }
        Self::weighted(values)
    }

    /// The jackknife of any statistic of how often each unit occurs.
    ///
    /// Up to [`Self::MOST_GROUPS`] units are left out one by one. More are left out in that many groups
    /// of every so-manieth unit, which estimates the same acceleration with an error that does not
    /// matter (under 0.002) at a cost that does not grow with the square of the units.
    ///
    /// # Errors
    ///
    /// Fewer than two units, or a statistic that is undefined or not finite without some of them.
    pub fn of_units<F>(units: usize, mut statistic: F) -> Result<Self, Undefined>
    where
        F: FnMut(&[u32]) -> Option<f64>,
    {
        if units < 2 {
            return Err(Undefined::TooFew {
                needed: 2,
                what: "units",
            });
        }
        let groups = units.min(Self::MOST_GROUPS);
        let mut times = vec![1_u32; units];
        let mut values = Vec::with_capacity(groups);
        for group in 0..groups {
            times[group..]
                .iter_mut()
                .step_by(groups)
                .for_each(|time| *time = 0);
            values.push((statistic(&times).unwrap_or(f64::NAN), 1.0));
            times[group..]
                .iter_mut()
                .step_by(groups)
                .for_each(|time| *time = 1);
        }
        Self::weighted(values)
    }

    /// The most evaluations of [`Self::of_units`].
    pub const MOST_GROUPS: usize = 500;

    /// The acceleration `a = Σ(θ̄ − θ_i)³ / 6(Σ(θ̄ − θ_i)²)^{3/2}`; `None` when nothing varies.
    pub fn acceleration(&self) -> Option<f64> {
        let units = sum(self.values.iter().map(|(_, times)| *times));
        let mean = sum(self.values.iter().map(|(value, times)| value * times)) / units;
        // Scaled by the largest deviation, powers neither vanish nor overflow.
        let largest = self.values.iter().fold(0.0_f64, |largest, (value, _)| {
            largest.max((mean - value).abs())
        });
        let noise = 1e-15 * mean.abs();
        if largest.is_nan() || largest <= noise {
            return None;
        }
        let power = |exponent: i32| {
            sum(self
                .values
                .iter()
                .map(|(value, times)| times * ((mean - value) / largest).powi(exponent)))
        };
        Some(power(3) / (6.0 * power(2).powf(1.5)))
    }
}

/// The mean and standard deviation (n − 1) of the replicates.
///
/// # Errors
///
/// Fewer than two replicates, or one that is not finite.
pub fn spread(replicates: &Replicates) -> Result<(f64, f64), Undefined> {
    let values = &replicates.values;
    if values.len() < 2 {
        return Err(Undefined::TooFew {
            needed: 2,
            what: "resamples",
        });
    }
    crate::stats::sum::finite(values)?;
    let n = values.len() as f64;
    let mean = sum(values.iter().copied()) / n;
    let square = sum(values.iter().map(|value| (value - mean) * (value - mean)));
    Ok((mean, (square / (n - 1.0)).sqrt()))
}

fn tail(level: f64) -> Result<f64, Undefined> {
    if level > 0.0 && level < 1.0 {
        Ok((1.0 - level) / 2.0)
    } else {
        Err(Undefined::OutOfRange { what: "level" })
    }
}

fn sorted(replicates: &[f64]) -> Result<Vec<f64>, Undefined> {
    if replicates.is_empty() {
        return Err(Undefined::NoItems);
    }
    if replicates.iter().any(|value| value.is_nan()) {
        return Err(Undefined::NotFinite);
    }
    let mut sorted = replicates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_mirrors_the_percentile_interval() {
        let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
        let basic = basic(40.0, &replicates, 0.9).unwrap();
        assert!((basic.low + 15.0).abs() < 1e-12 && (basic.high - 75.0).abs() < 1e-12);
    }

    #[test]
    fn without_variation_bca_says_that_it_is_a_percentile_interval() {
        let jackknife = Jackknife::of_mean(&[0.5; 10]).unwrap();
        let found = bca(0.5, &[0.5; 100], &jackknife, 0.95).unwrap();
        assert!(found.is_percentile);
        assert_eq!((found.bias, found.acceleration), (Some(0.0), None));
        assert_eq!(
            found.interval,
            Interval {
                low: 0.5,
                high: 0.5
            }
        );
    }

    #[test]
    fn an_estimate_outside_all_replicates_has_no_bias_correction() {
        let jackknife = Jackknife::of_mean(&[0.0, 1.0, 5.0]).unwrap();
        let found = bca(9.0, &[1.0, 2.0, 3.0], &jackknife, 0.95).unwrap();
        assert!(found.is_percentile && found.bias.is_none());
    }

    #[test]
    fn every_form_of_the_jackknife_has_one_acceleration() {
        let values = [0.0, 0.0, 1.0, 1.0, 1.0, 3.0];
        let mean = |counts: &[u64]| {
            let total: u64 = counts.iter().sum();
            let sum = counts[1] + 3 * counts[2];
            (total > 0).then(|| sum as f64 / total as f64)
        };
        let units = |times: &[u32]| {
            let total: u32 = times.iter().sum();
            let sum: f64 = times
                .iter()
                .zip(values)
                .map(|(&time, value)| f64::from(time) * value)
                .sum();
            Some(sum / f64::from(total))
        };
        let closed = Jackknife::of_mean(&values).unwrap().acceleration().unwrap();
        let cells = Jackknife::of_cells(&[2, 3, 1], mean)
            .unwrap()
            .acceleration()
            .unwrap();
        let units = Jackknife::of_units(6, units)
            .unwrap()
            .acceleration()
            .unwrap();
        assert!((closed - cells).abs() < 1e-14 && (closed - units).abs() < 1e-14);
        // The skewness of a mean: Σ(x − x̄)³ / 6(Σ(x − x̄)²)^{3/2}.
        assert!((closed - 6.0 / (6.0 * 6.0_f64.powf(1.5))).abs() < 1e-14);
    }

    #[test]
    fn many_units_are_left_out_in_groups() {
        let values: Vec<f64> = (0..4_000).map(|i| f64::from(i % 97).powi(3)).collect();
        let mean = |times: &[u32]| {
            let total: u32 = times.iter().sum();
            let sum: f64 = times
                .iter()
                .zip(&values)
                .map(|(&time, value)| f64::from(time) * value)
                .sum();
            Some(sum / f64::from(total))
        };
        let closed = Jackknife::of_mean(&values).unwrap().acceleration().unwrap();
        let grouped = Jackknife::of_units(values.len(), mean)
            .unwrap()
            .acceleration()
            .unwrap();
        assert!((closed - grouped).abs() < 0.004, "{closed} {grouped}");
    }

    #[test]
    fn what_has_no_interval_is_refused() {
        assert_eq!(percentile(&[], 0.95), Err(Undefined::NoItems));
        assert_eq!(percentile(&[f64::NAN], 0.95), Err(Undefined::NotFinite));
        assert!(percentile(&[1.0], 1.0).is_err());
        assert!(percentile(&[1.0], f64::NAN).is_err());
        assert!(basic(f64::NAN, &[1.0], 0.95).is_err());
        assert!(Jackknife::new(&[]).is_err());
        assert!(Jackknife::of_mean(&[1.0]).is_err());
        assert!(Jackknife::of_ratio(&[1.0, 2.0], &[1.0, 0.0]).is_err());
    }
}
