//! How many cases a question needs, and what a number of cases can tell.

use crate::stats::distribution::{
    binomial_pmf, normal_cdf, normal_quantile, one_sided_z, split, two_sided_z,
};
use crate::stats::mcnemar::{mcnemar_exact, mcnemar_mid_p};
use crate::stats::proportion::clopper_pearson_effective;
use crate::stats::{Decimal, Undefined};

/// A number of cases, before and after rounding up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseCount {
    /// The formula's value.
    pub real: f64,
    /// The whole number of cases it takes.
    pub cases: u64,
}

impl CaseCount {
    fn of(real: f64) -> Result<Self, Undefined> {
        // Beyond this nobody labels, and a double holds no whole number exactly.
        if !(0.0..=9e15).contains(&real) {
            return Err(Undefined::Unreachable {
                what: "a number of cases",
            });
        }
        // An exact integer must not be pushed up by the rounding of its factors.
        let cases = (real * (1.0 - 1e-12)).ceil() as u64;
        Ok(Self { real, cases })
    }
}

/// Cases for a margin of error E around a proportion p: z²p(1−p)/E².
///
/// ```
/// let count = decbench_core::stats::sample_size::cases_for_margin(0.9, 0.03, 0.95)?;
/// assert_eq!(count.cases, 385);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::OutOfRange`] unless p is in `[0, 1]`, the margin positive and
/// the level in (0, 1).
pub fn cases_for_margin(p: f64, margin: f64, level: f64) -> Result<CaseCount, Undefined> {
    cases_for_margin_with_z(p, margin, two_sided_z(level)?)
}

/// [`cases_for_margin`] with the normal quantile itself.
///
/// # Errors
///
/// As [`cases_for_margin`].
pub fn cases_for_margin_with_z(p: f64, margin: f64, z: f64) -> Result<CaseCount, Undefined> {
    check(p, 0.0, 1.0, "proportion")?;
    check(margin, f64::MIN_POSITIVE, 1.0, "margin")?;
    check(z, 0.0, 1e3, "z")?;
    let ratio = z / margin;
    CaseCount::of(ratio * ratio * p * (1.0 - p))
}

/// What [`mcnemar_cases`] computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemarCases {
    /// The number of pairs.
    pub count: CaseCount,
    /// The normal quantile of the two-sided level.
    pub z_alpha: f64,
    /// The normal quantile of the power.
    pub z_beta: f64,
}

/// Pairs that `McNemar`'s two-sided test needs (Miettinen 1968; Connor 1987).
///
/// `disagreement` is the share of discordant pairs, `difference` the gap in
/// accuracy, 0 < difference ≤ disagreement ≤ 1.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for anything else.
pub fn mcnemar_cases(
    disagreement: f64,
    difference: f64,
    alpha: f64,
    power: f64,
) -> Result<McNemarCases, Undefined> {
    check(disagreement, 0.0, 1.0, "disagreement")?;
    check(difference, f64::MIN_POSITIVE, disagreement, "difference")?;
    let z_alpha = two_sided_z(1.0 - open_unit(alpha, "alpha")?)?;
    let z_beta = normal_quantile(open_unit(power, "power")?)?;
    let spread = z_alpha * disagreement.sqrt() + z_beta * spread_under(disagreement, difference);
    let root = spread.max(0.0) / difference;
    Ok(McNemarCases {
        count: CaseCount::of(root * root)?,
        z_alpha,
        z_beta,
    })
}

/// Approximate power of `McNemar`'s two-sided test with n pairs, in the favourable direction.
///
/// At a difference of 0 this is half of alpha. The exact test has less; see
/// [`mcnemar_exact_power`].
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] unless
/// 0 ≤ difference ≤ disagreement ≤ 1, disagreement > 0 and alpha is in (0, 1).
pub fn mcnemar_power(
    disagreement: f64,
    difference: f64,
    n: u64,
    alpha: f64,
) -> Result<f64, Undefined> {
    check(disagreement, f64::MIN_POSITIVE, 1.0, "disagreement")?;
    check(difference, 0.0, disagreement, "difference")?;
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    let z_alpha = two_sided_z(1.0 - open_unit(alpha, "alpha")?)?;
    let excess = difference * (n as f64).sqrt() - z_alpha * disagreement.sqrt();
    let spread = spread_under(disagreement, difference);
    if spread == 0.0 {
        // All pairs are discordant in one direction: the outcome is certain.
        return Ok(if excess > 0.0 { 1.0 } else { 0.0 });
    }
    normal_cdf(excess / spread)
}

/// The smallest difference that n pairs show with the given power: the least to print beside "no difference".
///
/// # Errors
///
/// [`Undefined::Unreachable`] when even a difference as large as the
/// disagreement misses the power; else as [`mcnemar_power`].
pub fn mcnemar_detectable_difference(
    disagreement: f64,
    n: u64,
    alpha: f64,
    power: f64,
) -> Result<f64, Undefined> {
    open_unit(power, "power")?;
    let at = |difference: f64| mcnemar_power(disagreement, difference, n, alpha);
    if at(disagreement)? < power {
        return Err(Undefined::Unreachable { what: "this power" });
    }
    let (mut low, mut high) = (0.0, disagreement);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if at(middle)? < power {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(f64::midpoint(low, high))
}

/// The chance that a two-sided test rejects, in either direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactPower {
    /// Of the exact test.
    pub exact: f64,
    /// Of the mid-p test.
    pub mid_p: f64,
}

/// Exact power of the exact and the mid-p test with n pairs.
///
/// Sums over the number of discordant pairs D ~ Bin(n, disagreement) and those
/// in favour, b | D ~ Bin(D, (disagreement + difference) / 2 disagreement).
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] as
/// [`mcnemar_power`] or above 100,000 pairs, where the approximation is close.
pub fn mcnemar_exact_power(
    disagreement: f64,
    difference: f64,
    n: u64,
    alpha: f64,
) -> Result<ExactPower, Undefined> {
    check(disagreement, f64::MIN_POSITIVE, 1.0, "disagreement")?;
    check(difference, 0.0, disagreement, "difference")?;
    open_unit(alpha, "alpha")?;
    match n {
        0 => return Err(Undefined::NoItems),
        1..=100_000 => {}
        _ => {
            return Err(Undefined::OutOfRange {
                what: "number of pairs",
            });
        }
    }
    let favour = (0.5 + 0.5 * difference / disagreement).min(1.0);
    let mut power = ExactPower {
        exact: 0.0,
        mid_p: 0.0,
    };
    for discordant in 0..=n {
        let chance = binomial_pmf(discordant, n, disagreement)?;
        // Dropping these loses less than 1e-11 in all.
        if chance < 1e-16 {
            continue;
        }
        power.exact += chance * rejection(discordant, favour, alpha, mcnemar_exact);
        power.mid_p += chance * rejection(discordant, favour, alpha, mcnemar_mid_p);
    }
    Ok(power)
}

/// The chance that b ~ Bin(m, favour) falls where the test rejects.
fn rejection(m: u64, favour: f64, alpha: f64, p_value: fn(u64, u64) -> f64) -> f64 {
    // The smaller count k rejects up to some limit; 0 stands for "not even none".
    let (mut low, mut high) = (0, m.div_ceil(2));
    while low < high {
        let middle = low + (high - low) / 2;
        if p_value(middle, m - middle) <= alpha {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(most) = low.checked_sub(1) else {
        return 0.0;
    };
    split(most, m, favour).0 + split(m - most - 1, m, favour).1
}

/// Items that a one-sided test of a mean difference needs: `((z_α + z_β) s/δ)²`.
///
/// `deviation` is the standard deviation of the differences.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] unless deviation and difference are positive and
/// alpha and power are in (0, 1).
pub fn paired_mean_cases(
    deviation: f64,
    difference: f64,
    alpha: f64,
    power: f64,
) -> Result<CaseCount, Undefined> {
    check(deviation, 0.0, 1e100, "deviation")?;
    check(difference, f64::MIN_POSITIVE, 1e100, "difference")?;
    let z_alpha = one_sided_z(1.0 - open_unit(alpha, "alpha")?)?;
    let z_beta = normal_quantile(open_unit(power, "power")?)?;
    let root = (z_alpha + z_beta).max(0.0) * deviation / difference;
    CaseCount::of(root * root)
}

/// The least number of cases that can prove a floor, all of them right, by the
/// exact interval of a two-sided level; `None` for a floor of 1 or more, which no number proves.
///
/// The same number of cases, none of them hit, is the least that can prove a
/// ceiling of 1 − floor.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] for what is no floor or level.
pub fn cases_to_prove(floor: f64, level: f64) -> Result<Option<u64>, Undefined> {
    check(floor, -1e18, 1e18, "floor")?;
    let tail = 0.5 * (1.0 - open_unit(level, "level")?);
    if floor >= 1.0 {
        return Ok(None);
    }
    if floor <= tail {
        return Ok(Some(1));
    }
    // With all right the lower limit is tail^(1/n).
    CaseCount::of(tail.ln() / floor.ln()).map(|count| Some(count.cases.max(1)))
}

/// About how many cases would settle a bound if their rate stays what it is.
///
/// The least n at which the exact interval around `estimate` lies on one side
/// of `bound`. `None` when the estimate stands on the bound, or when more than
/// a hundred million cases were needed.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] unless estimate and
/// bound are in `[0, 1]` and the level in (0, 1).
pub fn cases_to_settle(estimate: f64, bound: f64, level: f64) -> Result<Option<u64>, Undefined> {
    const MOST: u64 = 100_000_000;
    check(estimate, 0.0, 1.0, "estimate")?;
    check(bound, 0.0, 1.0, "bound")?;
    open_unit(level, "level")?;
    if Decimal::from_f64(estimate)? == Decimal::from_f64(bound)? {
        return Ok(None);
    }
    let settled = |n: u64| -> Result<bool, Undefined> {
        let interval = clopper_pearson_effective(estimate, n as f64, level)?;
        Ok(interval.low >= bound || interval.high <= bound)
    };
    let mut high = 1;
    while !settled(high)? {
        if high >= MOST {
            return Ok(None);
        }
        high *= 2;
    }
    let mut low = high / 2 + 1;
    while low < high {
        let middle = low + (high - low) / 2;
        if settled(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(high))
}

/// `√(p_d − δ²)`, the spread of the difference under the alternative.
fn spread_under(disagreement: f64, difference: f64) -> f64 {
    (disagreement - difference * difference).max(0.0).sqrt()
}

fn open_unit(value: f64, what: &'static str) -> Result<f64, Undefined> {
    if value.is_nan() {
        Err(Undefined::NotFinite)
    } else if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

fn check(value: f64, least: f64, most: f64, what: &'static str) -> Result<(), Undefined> {
    if !value.is_finite() {
        Err(Undefined::NotFinite)
    } else if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::proportion::clopper_pearson;

    #[test]
    fn least_number_of_cases_proves_and_one_less_does_not() {
        for floor in [0.5, 0.8, 0.9, 0.98, 0.999] {
            let n = cases_to_prove(floor, 0.95).unwrap().unwrap();
            assert!(clopper_pearson(n, n, 0.95).unwrap().low >= floor, "{floor}");
            assert!(clopper_pearson(n - 1, n - 1, 0.95).unwrap().low < floor);
        }
        assert_eq!(cases_to_prove(1.0, 0.95), Ok(None));
        assert_eq!(cases_to_prove(0.0, 0.95), Ok(Some(1)));
    }

    #[test]
    fn settling_takes_more_cases_the_closer_the_bound() {
        let far = cases_to_settle(0.93, 0.85, 0.95).unwrap().unwrap();
        let near = cases_to_settle(0.93, 0.90, 0.95).unwrap().unwrap();
        assert!(far < near, "{far} {near}");
        assert_eq!(cases_to_settle(0.9, 0.9, 0.95), Ok(None));
        assert!(cases_to_settle(0.93, 0.94, 0.95).unwrap().unwrap() > 1000);
    }

    #[test]
    fn power_that_cannot_be_had_is_said() {
        assert_eq!(
            mcnemar_detectable_difference(0.05, 20, 0.05, 0.9),
            Err(Undefined::Unreachable { what: "this power" })
        );
    }

    #[test]
    fn differences_above_the_disagreement_are_refused() {
        assert!(mcnemar_cases(0.05, 0.06, 0.05, 0.8).is_err());
        assert!(mcnemar_cases(0.05, 0.0, 0.05, 0.8).is_err());
        assert!(mcnemar_power(0.0, 0.0, 10, 0.05).is_err());
        assert!(cases_for_margin(0.9, 0.0, 0.95).is_err());
        assert!(paired_mean_cases(0.3, f64::NAN, 0.05, 0.8).is_err());
    }
}
