//! Limits of a quantile where values come in units of evidence.

use crate::stats::latency::QuantileLimits;
use crate::stats::one_more::mean_limits;
use crate::stats::{Interval, Undefined};

/// The range of a share.
const SHARE: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

/// Limits for the quantile q of values that come in units, at a two-sided level.
///
/// A threshold is refuted where the share of values below it is (Woodruff 1952), and the limits of that share are
/// those of [`mean_limits`] over units. Where every unit has one value, these are the order statistics of
/// [`Latencies::quantile_limits`](crate::stats::latency::Latencies::quantile_limits). +∞ is a value like any other, larger than all.
///
/// ```
/// use decbench_core::stats::clustered_quantile::clustered_quantile_limits;
///
/// let times: Vec<f64> = (0..100).map(f64::from).collect();
/// let alone: Vec<usize> = (0..100).collect();
/// let in_fives: Vec<usize> = (0..100).map(|call| call / 5).collect();
/// let one = clustered_quantile_limits(&times, &alone, 0.5, 0.95)?;
/// let five = clustered_quantile_limits(&times, &in_fives, 0.5, 0.95)?;
/// assert!(one.low > five.low && one.high < five.high);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] without values; [`Undefined::LengthMismatch`]; [`Undefined::NotFinite`] for NaN;
/// [`Undefined::OutOfRange`] unless q is in `[0, 1]` and the level in (0, 1).
pub fn clustered_quantile_limits(
    values: &[f64],
    clusters: &[usize],
    q: f64,
    level: f64,
) -> Result<QuantileLimits, Undefined> {
    if values.len() != clusters.len() {
        return Err(Undefined::LengthMismatch);
    }
    if values.is_empty() {
        return Err(Undefined::NoItems);
    }
    if values.iter().any(|value| value.is_nan()) || q.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if !(0.0..=1.0).contains(&q) {
        return Err(Undefined::OutOfRange { what: "quantile" });
    }
    let mut thresholds = values.to_vec();
    thresholds.sort_unstable_by(f64::total_cmp);
    thresholds.dedup();
    let units = Units::of(values, clusters);
    let low = last(&thresholds, |threshold| {
        let below = units.share(|value| value < threshold, level)?;
        Ok(below.high < q)
    })?;
    let high = last(&thresholds, |threshold| {
        let up_to = units.share(|value| value <= threshold, level)?;
        Ok(up_to.low < q)
    })?;
    Ok(QuantileLimits {
        low: low.map(|at| thresholds[at]),
        // The first threshold that too many values stay within.
        high: thresholds.get(high.map_or(0, |at| at + 1)).copied(),
    })
}

/// The last of the sorted thresholds for which something holds that holds for all before it.
fn last(
    thresholds: &[f64],
    holds: impl Fn(f64) -> Result<bool, Undefined>,
) -> Result<Option<usize>, Undefined> {
    let (mut from, mut to) = (0, thresholds.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        if holds(thresholds[middle])? {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    Ok(from.checked_sub(1))
}

/// Values sorted by their unit.
struct Units {
    values: Vec<(usize, f64)>,
}

impl Units {
    fn of(values: &[f64], clusters: &[usize]) -> Self {
        let mut values: Vec<(usize, f64)> = clusters
            .iter()
            .copied()
            .zip(values.iter().copied())
            .collect();
        values.sort_by_key(|(unit, _)| *unit);
        Self { values }
    }

    /// The limits of the share of values for which something holds.
    fn share(&self, holds: impl Fn(f64) -> bool, level: f64) -> Result<Interval, Undefined> {
        let units = self.values.chunk_by(|a, b| a.0 == b.0);
        let (counts, sizes): (Vec<f64>, Vec<f64>) = units
            .map(|unit| {
                let count = unit.iter().filter(|(_, value)| holds(*value)).count();
                (count as f64, unit.len() as f64)
            })
            .unzip();
        Ok(mean_limits(&counts, &sizes, SHARE, level)?.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::latency::{Latencies, calls_for_upper_limit};

    #[test]
    fn units_of_one_have_the_limits_of_order_statistics() {
        for n in [1, 2, 30, 71, 72, 73, 367, 368, 500] {
            let times: Vec<f64> = (0..n).map(|call| f64::from((call * 7) % n)).collect();
            let alone: Vec<usize> = (0..times.len()).collect();
            let calls = Latencies::new(times.clone()).unwrap();
            for q in [0.5, 0.95, 0.99] {
                assert_eq!(
                    clustered_quantile_limits(&times, &alone, q, 0.95),
                    calls.quantile_limits(q, 0.95),
                    "{n} {q}"
                );
            }
        }
    }

    #[test]
    fn repeats_of_equal_calls_say_nothing_new() {
        let times: Vec<f64> = (0..400).map(|call| f64::from(call / 4)).collect();
        let by_case: Vec<usize> = (0..400).map(|call| call / 4).collect();
        let once = Latencies::new((0..100).map(f64::from).collect()).unwrap();
        for q in [0.5, 0.95, 0.99] {
            assert_eq!(
                clustered_quantile_limits(&times, &by_case, q, 0.95),
                once.quantile_limits(q, 0.95)
            );
        }
    }

    #[test]
    fn first_calls_that_are_slow_do_not_speak_for_the_others() {
        // One call in five takes long, always the first: the median is short.
        let times: Vec<f64> = (0..1_000)
            .map(|call| if call % 5 == 0 { 900.0 } else { 100.0 })
            .collect();
        let by_case: Vec<usize> = (0..1_000).map(|call| call / 5).collect();
        let found = clustered_quantile_limits(&times, &by_case, 0.5, 0.95).unwrap();
        assert_eq!((found.low, found.high), (Some(100.0), Some(100.0)));
    }

    #[test]
    fn calls_that_ran_out_of_time_are_the_slowest() {
        let mut times = vec![f64::INFINITY; 20];
        times.extend([100.0; 380]);
        let by_case: Vec<usize> = (0..400).map(|call| call / 4).collect();
        let found = clustered_quantile_limits(&times, &by_case, 0.95, 0.95).unwrap();
        assert_eq!((found.low, found.high), (Some(100.0), Some(f64::INFINITY)));
    }

    #[test]
    fn too_few_units_have_no_upper_limit() {
        let needed = usize::try_from(calls_for_upper_limit(0.95, 0.95).unwrap()).unwrap();
        let limits = |units: usize| {
            let times: Vec<f64> = (0..3 * units).map(|call| call as f64).collect();
            let by_case: Vec<usize> = (0..3 * units).map(|call| call / 3).collect();
            clustered_quantile_limits(&times, &by_case, 0.95, 0.95).unwrap()
        };
        assert!(limits(needed).high.is_some());
        assert_eq!(limits(needed - 1).high, None);
    }

    #[test]
    fn what_has_no_quantile_is_refused() {
        assert_eq!(
            clustered_quantile_limits(&[], &[], 0.5, 0.95),
            Err(Undefined::NoItems)
        );
        assert!(clustered_quantile_limits(&[1.0], &[], 0.5, 0.95).is_err());
        assert!(clustered_quantile_limits(&[f64::NAN], &[0], 0.5, 0.95).is_err());
        assert!(clustered_quantile_limits(&[1.0], &[0], 1.5, 0.95).is_err());
        assert!(clustered_quantile_limits(&[1.0], &[0], 0.5, 0.0).is_err());
    }
}
