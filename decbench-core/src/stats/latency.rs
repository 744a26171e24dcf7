//! How long answers take.
//!
//! A call that timed out counts as +∞, so that a model cannot become fast by
//! not answering. Errors that return early are no latencies: leave them out and
//! count them in the error rate, which is a proportion with
//! [`wilson`](crate::stats::proportion::wilson).

use crate::stats::distribution::{binomial_isf, binomial_quantile};
use crate::stats::quantile::type_seven;
use crate::stats::sum::sum;
use crate::stats::{Interval, Undefined};

/// Latencies of at least one call, checked and sorted.
#[derive(Debug, Clone, PartialEq)]
pub struct Latencies {
    sorted: Vec<f64>,
}

/// The limits of a quantile's interval; `None` where no order statistic is far enough out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileLimits {
    /// The lower limit.
    pub low: Option<f64>,
    /// The upper limit, +∞ where it is a timed-out call.
    pub high: Option<f64>,
}

impl QuantileLimits {
    /// The limits as an interval that is open to ±∞ where one is missing.
    pub fn interval(&self) -> Interval {
        Interval {
            low: self.low.unwrap_or(f64::NEG_INFINITY),
            high: self.high.unwrap_or(f64::INFINITY),
        }
    }
}

impl Latencies {
    /// Takes latencies in milliseconds, or any one unit, with +∞ for each timed-out call.
    ///
    /// ```
    /// use decbench_core::stats::latency::Latencies;
    ///
    /// let calls = Latencies::new(vec![120.0, 100.0, f64::INFINITY, 110.0])?;
    /// assert_eq!(calls.quantile(0.5)?, 115.0);
    /// assert_eq!(calls.quantile(0.95)?, f64::INFINITY);
    /// # Ok::<(), decbench_core::stats::Undefined>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] without calls, [`Undefined::NotFinite`] for NaN,
    /// [`Undefined::OutOfRange`] for a negative latency.
    pub fn new(mut values: Vec<f64>) -> Result<Self, Undefined> {
        if values.is_empty() {
            return Err(Undefined::NoItems);
        }
        if values.iter().any(|value| value.is_nan()) {
            return Err(Undefined::NotFinite);
        }
        if values.iter().any(|&value| value < 0.0) {
            return Err(Undefined::OutOfRange { what: "latency" });
        }
        values.sort_unstable_by(f64::total_cmp);
        Ok(Self { sorted: values })
    }

    /// The number of calls.
    pub fn calls(&self) -> u64 {
        self.sorted.len() as u64
    }

    /// The number of timed-out calls.
    pub fn timeouts(&self) -> u64 {
        let answered = self.sorted.partition_point(|value| value.is_finite());
        (self.sorted.len() - answered) as u64
    }

    /// The shortest latency.
    pub fn min(&self) -> f64 {
        self.sorted[0]
    }

    /// The longest latency, +∞ with a timeout.
    pub fn max(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    /// The mean, +∞ with a timeout.
    pub fn mean(&self) -> f64 {
        if self.max().is_infinite() {
            return f64::INFINITY;
        }
        let n = self.sorted.len() as f64;
        let scale = self.max().max(1.0);
        // Scaled, so that no sum of finite latencies overflows.
        (sum(self.sorted.iter().map(|value| value / scale)) / n * scale)
            .clamp(self.min(), self.max())
    }

    /// The quantile q in `[0, 1]`, linear between order statistics (type 7 of
    /// Hyndman and Fan 1996); +∞ where it touches a timed-out call.
    ///
    /// # Errors
    ///
    /// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] for what is no quantile.
    pub fn quantile(&self, q: f64) -> Result<f64, Undefined> {
        check_unit(q, "quantile")?;
        Ok(type_seven(&self.sorted, q))
    }

    /// Limits for the quantile q from order statistics, at a two-sided level.
    ///
    /// The 1-based ranks are the binomial quantile at half the error and the
    /// inverse upper tail there plus one; a rank outside 1..=n has no limit.
    /// No law of latencies is assumed. For independent calls.
    ///
    /// # Errors
    ///
    /// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] unless q is in
    /// `[0, 1]` and the level in (0, 1).
    pub fn quantile_limits(&self, q: f64, level: f64) -> Result<QuantileLimits, Undefined> {
        let tail = half_tail(level)?;
        check_unit(q, "quantile")?;
        let n = self.calls();
        let low = binomial_quantile(tail, n, q)?;
        let high = binomial_isf(tail, n, q)? + 1;
        let statistic = |rank: u64| {
            let index = usize::try_from(rank.checked_sub(1)?).ok()?;
            self.sorted.get(index).copied()
        };
        Ok(QuantileLimits {
            low: statistic(low),
            high: statistic(high),
        })
    }
}

/// The least number of calls whose two-sided interval for the quantile q has an
/// upper limit: q^n ≤ (1−level)/2. For p99 at 95% it is 368.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] unless q is in
/// `[0, 1)` and the level in (0, 1), [`Undefined::Unreachable`] for more calls
/// than a `u64` holds.
pub fn calls_for_upper_limit(q: f64, level: f64) -> Result<u64, Undefined> {
    let tail = half_tail(level)?;
    check_unit(q, "quantile")?;
    if q == 0.0 {
        return Ok(1);
    }
    let real = tail.ln() / q.ln();
    if !(0.0..=9e15).contains(&real) {
        return Err(Undefined::Unreachable {
            what: "an upper limit",
        });
    }
    Ok(((real * (1.0 - 1e-12)).ceil() as u64).max(1))
}

/// The chance that k independent calls all stay inside their quantile q: q^k.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] for what is no quantile; so the next two.
pub fn all_within(q: f64, k: u32) -> Result<f64, Undefined> {
    check_unit(q, "quantile")?;
    Ok(if k == 0 {
        1.0
    } else {
        (f64::from(k) * q.ln()).exp()
    })
}

/// The chance that some of k independent calls exceed their quantile q: 1 − q^k.
///
/// # Errors
///
/// When q is no quantile.
pub fn any_beyond(q: f64, k: u32) -> Result<f64, Undefined> {
    check_unit(q, "quantile")?;
    // Keeps its digits where q^k is close to 1.
    Ok(if k == 0 {
        0.0
    } else {
        -(f64::from(k) * q.ln()).exp_m1()
    })
}

/// The quantile that each of k independent calls must meet so that all meet it
/// with probability q: q^(1/k).
///
/// # Errors
///
/// When q is no quantile, or k is 0.
pub fn per_call_quantile(q: f64, k: u32) -> Result<f64, Undefined> {
    check_unit(q, "quantile")?;
    if k == 0 {
        return Err(Undefined::NoItems);
    }
    Ok(q.powf(1.0 / f64::from(k)))
}

fn half_tail(level: f64) -> Result<f64, Undefined> {
    if level.is_nan() {
        Err(Undefined::NotFinite)
    } else if level > 0.0 && level < 1.0 {
        Ok(0.5 * (1.0 - level))
    } else {
        Err(Undefined::OutOfRange { what: "level" })
    }
}

fn check_unit(q: f64, what: &'static str) -> Result<(), Undefined> {
    if q.is_nan() {
        Err(Undefined::NotFinite)
    } else if (0.0..=1.0).contains(&q) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_timeout_moves_the_tail_and_not_the_median() {
        let mut values = vec![100.0; 20];
        values.push(f64::INFINITY);
        let calls = Latencies::new(values).unwrap();
        assert_eq!(calls.quantile(0.5), Ok(100.0));
        assert_eq!(calls.quantile(0.95), Ok(100.0));
        assert_eq!(calls.quantile(0.99), Ok(f64::INFINITY));
        assert_eq!((calls.timeouts(), calls.mean()), (1, f64::INFINITY));
    }

    #[test]
    fn limits_that_cannot_be_had_are_missing() {
        let limits = |n: u64| {
            let values = (0..n).map(|i| i as f64).collect();
            let calls = Latencies::new(values).unwrap();
            calls.quantile_limits(0.99, 0.95).unwrap()
        };
        let needed = calls_for_upper_limit(0.99, 0.95).unwrap();
        assert_eq!(needed, 368);
        assert!(limits(needed).high.is_some());
        assert_eq!(limits(needed - 1).high, None);
        assert_eq!(limits(needed - 1).interval().high, f64::INFINITY);
    }

    #[test]
    fn what_is_no_latency_is_refused() {
        assert_eq!(Latencies::new(vec![]), Err(Undefined::NoItems));
        assert_eq!(Latencies::new(vec![f64::NAN]), Err(Undefined::NotFinite));
        assert!(Latencies::new(vec![-1.0]).is_err());
        assert!(calls_for_upper_limit(1.0, 0.95).is_err());
        assert!(per_call_quantile(0.9, 0).is_err());
    }
}
