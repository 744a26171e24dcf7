//! Intervals for one proportion: k right of n.
//!
//! Wilson is what is printed, Clopper–Pearson is what guarantees stand on,
//! Jeffreys is there for comparison. The forms with an effective n take the
//! same formulas at the real-valued sample size of weighted or clustered data.

use crate::stats::distribution::{beta_quantile, one_sided_z, two_sided_z};
use crate::stats::{Interval, Undefined};

/// Wilson's score interval (Wilson 1927) at a two-sided level.
///
/// Exactly 0 below at k = 0 and exactly 1 above at k = n. Coverage is close to
/// the level on average over p, but a true proportion near 1 is rejected more
/// often than the level says; see [`clopper_pearson`] for a guarantee.
///
/// ```
/// let interval = decbench_core::stats::proportion::wilson(870, 900, 0.95)?;
/// assert!((interval.low - 0.95281).abs() < 5e-6);
/// assert!((interval.high - 0.97655).abs() < 5e-6);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] when k > n or
/// the level is not in (0, 1).
pub fn wilson(k: u64, n: u64, level: f64) -> Result<Interval, Undefined> {
    wilson_with_z(k, n, two_sided_z(level)?)
}

/// [`wilson`] with the normal quantile itself, for comparing with texts that round it.
///
/// # Errors
///
/// As [`wilson`]; z must be finite and not negative.
pub fn wilson_with_z(k: u64, n: u64, z: f64) -> Result<Interval, Undefined> {
    let p = estimate(k, n)?;
    score_limits(p, n as f64, z)
}

/// [`wilson`] for an estimate p at a real-valued effective sample size.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] when p is outside `[0, 1]` or `n_eff` is not positive.
pub fn wilson_effective(p: f64, n_eff: f64, level: f64) -> Result<Interval, Undefined> {
    check_effective(p, n_eff)?;
    score_limits(p, n_eff, two_sided_z(level)?)
}

/// The lower Wilson bound at a one-sided level.
///
/// # Errors
///
/// As [`wilson`].
pub fn wilson_lower(k: u64, n: u64, level: f64) -> Result<f64, Undefined> {
    one_sided_score(estimate(k, n)?, n as f64, level).map(|limits| limits.low)
}

/// The upper Wilson bound at a one-sided level.
///
/// # Errors
///
/// As [`wilson`].
pub fn wilson_upper(k: u64, n: u64, level: f64) -> Result<f64, Undefined> {
    one_sided_score(estimate(k, n)?, n as f64, level).map(|limits| limits.high)
}

/// The exact interval of Clopper and Pearson (1934) at a two-sided level.
///
/// Each side errs with at most half of 1 − level, whatever the true proportion.
///
/// # Errors
///
/// As [`wilson`].
pub fn clopper_pearson(k: u64, n: u64, level: f64) -> Result<Interval, Undefined> {
    let p = estimate(k, n)?;
    let tail = half_tail(level)?;
    exact_limits(p, k as f64, n as f64, tail)
}

/// [`clopper_pearson`] for an estimate p at a real-valued effective sample size.
///
/// # Errors
///
/// As [`wilson_effective`].
pub fn clopper_pearson_effective(p: f64, n_eff: f64, level: f64) -> Result<Interval, Undefined> {
    check_effective(p, n_eff)?;
    exact_limits(p, p * n_eff, n_eff, half_tail(level)?)
}

/// The exact lower bound at a one-sided level.
///
/// # Errors
///
/// As [`wilson`].
pub fn clopper_pearson_lower(k: u64, n: u64, level: f64) -> Result<f64, Undefined> {
    let p = estimate(k, n)?;
    let tail = 2.0 * half_tail(level)?;
    exact_limits(p, k as f64, n as f64, tail).map(|limits| limits.low)
}

/// The exact upper bound at a one-sided level.
///
/// # Errors
///
/// As [`wilson`].
pub fn clopper_pearson_upper(k: u64, n: u64, level: f64) -> Result<f64, Undefined> {
    let p = estimate(k, n)?;
    let tail = 2.0 * half_tail(level)?;
    exact_limits(p, k as f64, n as f64, tail).map(|limits| limits.high)
}

/// The equal-tailed interval under Jeffreys' prior, Beta(½, ½).
///
/// Its lower limit is 0 at k = 0 and its upper limit 1 at k = n (Brown, Cai
/// and `DasGupta` 2001).
///
/// # Errors
///
/// As [`wilson`].
pub fn jeffreys(k: u64, n: u64, level: f64) -> Result<Interval, Undefined> {
    estimate(k, n)?;
    let tail = half_tail(level)?;
    let (a, b) = (k as f64 + 0.5, (n - k) as f64 + 0.5);
    Ok(Interval {
        low: if k == 0 {
            0.0
        } else {
            beta_quantile(a, b, tail)?
        },
        high: if k == n {
            1.0
        } else {
            beta_quantile(a, b, 1.0 - tail)?
        },
    })
}

/// The proportion k/n itself.
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] when k > n.
pub fn estimate(k: u64, n: u64) -> Result<f64, Undefined> {
    if n == 0 {
        Err(Undefined::NoItems)
    } else if k > n {
        Err(Undefined::OutOfRange { what: "count" })
    } else {
        Ok(k as f64 / n as f64)
    }
}

fn check_effective(p: f64, n_eff: f64) -> Result<(), Undefined> {
    if !p.is_finite() || !n_eff.is_finite() {
        return Err(Undefined::NotFinite);
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(Undefined::OutOfRange { what: "proportion" });
    }
    // The upper end only keeps the arithmetic meaningful.
    if n_eff <= 0.0 || n_eff > 1e15 {
        return Err(Undefined::OutOfRange {
            what: "effective sample size",
        });
    }
    Ok(())
}

fn one_sided_score(p: f64, n: f64, level: f64) -> Result<Interval, Undefined> {
    let z = one_sided_z(level)?;
    let limits = score_limits(p, n, z.abs())?;
    // Below a level of one half the bound lies on the other side of the estimate.
    Ok(if z < 0.0 {
        Interval {
            low: limits.high,
            high: limits.low,
        }
    } else {
        limits
    })
}

fn score_limits(p: f64, n: f64, z: f64) -> Result<Interval, Undefined> {
    if !z.is_finite() {
        return Err(Undefined::NotFinite);
    }
    if z < 0.0 {
        return Err(Undefined::OutOfRange { what: "z" });
    }
    let square = z * z;
    let whole = 1.0 + square / n;
    let centre = (p + square / (2.0 * n)) / whole;
    let half = z * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt() / whole;
    if !centre.is_finite() || !half.is_finite() {
        return Err(Undefined::OutOfRange { what: "z" });
    }
    Ok(Interval {
        low: if p == 0.0 {
            0.0
        } else {
            (centre - half).clamp(0.0, p)
        },
        high: if p == 1.0 {
            1.0
        } else {
            (centre + half).clamp(p, 1.0)
        },
    })
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

fn exact_limits(p: f64, k: f64, n: f64, tail: f64) -> Result<Interval, Undefined> {
    let rest = n - k;
    Ok(Interval {
        low: if p == 0.0 || k <= 0.0 {
            0.0
        } else {
            beta_quantile(k, rest + 1.0, tail)?
        },
        high: if p == 1.0 || rest <= 0.0 {
            1.0
        } else {
            beta_quantile(k + 1.0, rest, 1.0 - tail)?
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_seen_has_no_interval() {
        assert_eq!(wilson(0, 0, 0.95), Err(Undefined::NoItems));
        assert_eq!(clopper_pearson(0, 0, 0.95), Err(Undefined::NoItems));
        assert_eq!(jeffreys(0, 0, 0.95), Err(Undefined::NoItems));
    }

    #[test]
    fn ends_are_exact_when_all_or_none_are_right() {
        for n in [1, 7, 30, 1000] {
            for interval in [wilson, clopper_pearson, jeffreys] {
                assert_eq!(interval(0, n, 0.95).unwrap().low, 0.0);
                assert_eq!(interval(n, n, 0.95).unwrap().high, 1.0);
            }
        }
    }

    #[test]
    fn effective_forms_meet_the_counted_forms_at_whole_numbers() {
        for (k, n) in [(0, 5), (5, 5), (27, 30), (1, 400)] {
            let p = k as f64 / n as f64;
            let counted = wilson(k, n, 0.9).unwrap();
            let effective = wilson_effective(p, n as f64, 0.9).unwrap();
            assert!((counted.low - effective.low).abs() < 1e-14);
            assert!((counted.high - effective.high).abs() < 1e-14);
            let counted = clopper_pearson(k, n, 0.9).unwrap();
            let effective = clopper_pearson_effective(p, n as f64, 0.9).unwrap();
            assert!((counted.low - effective.low).abs() < 1e-12);
            assert!((counted.high - effective.high).abs() < 1e-12);
        }
    }

    #[test]
    fn more_right_than_asked_is_refused() {
        assert_eq!(
            wilson(4, 3, 0.95),
            Err(Undefined::OutOfRange { what: "count" })
        );
        assert!(wilson_effective(1.01, 3.0, 0.95).is_err());
        assert!(wilson_effective(0.5, 0.0, 0.95).is_err());
        assert!(wilson(3, 4, 1.0).is_err());
    }

    #[test]
    fn one_sided_bounds_are_two_sided_limits_at_the_matching_level() {
        let two = clopper_pearson(18, 20, 0.9).unwrap();
        assert!((clopper_pearson_lower(18, 20, 0.95).unwrap() - two.low).abs() < 1e-14);
        assert!((clopper_pearson_upper(18, 20, 0.95).unwrap() - two.high).abs() < 1e-14);
        let two = wilson(18, 20, 0.9).unwrap();
        assert!((wilson_lower(18, 20, 0.95).unwrap() - two.low).abs() < 1e-12);
        assert!((wilson_upper(18, 20, 0.95).unwrap() - two.high).abs() < 1e-12);
    }
}
