//! The binomial distribution.

use std::f64::consts::PI;

use super::beta::{UnitPoint, tails};
use super::gamma_terms::{deviance, stirling_error};
use crate::stats::Undefined;

/// P(X = k) for X ~ Bin(n, p), by Loader's saddle-point form.
///
/// # Errors
///
/// [`Undefined::NotFinite`] or [`Undefined::OutOfRange`] when `p` is no probability.
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> Result<f64, Undefined> {
    check_probability(p)?;
    Ok(point_mass(k, n, p))
}

/// [`binomial_pmf`] where p is known to be a probability.
pub(crate) fn point_mass(k: u64, n: u64, p: f64) -> f64 {
    if k > n {
        return 0.0;
    }
    if p <= 0.0 {
        return f64::from(u8::from(k == 0));
    }
    if p >= 1.0 {
        return f64::from(u8::from(k == n));
    }
    if k == 0 {
        return (n as f64 * (-p).ln_1p()).exp();
    }
    if k == n {
        return (n as f64 * p.ln()).exp();
    }
    let (rest, k, n) = ((n - k) as f64, k as f64, n as f64);
    let errors = stirling_error(n) - stirling_error(k) - stirling_error(rest);
    let distance = deviance(k, n * p) + deviance(rest, n * (1.0 - p));
    (errors - distance).exp() * (n / (2.0 * PI * k) / rest).sqrt()
}

/// P(X ≤ k) for X ~ Bin(n, p).
///
/// # Errors
///
/// As [`binomial_pmf`].
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> Result<f64, Undefined> {
    check_probability(p)?;
    Ok(split(k, n, p).0)
}

/// P(X > k) for X ~ Bin(n, p), exact in the far tail.
///
/// # Errors
///
/// As [`binomial_pmf`].
pub fn binomial_sf(k: u64, n: u64, p: f64) -> Result<f64, Undefined> {
    check_probability(p)?;
    Ok(split(k, n, p).1)
}

/// The smallest k with P(X ≤ k) ≥ `probability`.
///
/// # Errors
///
/// As [`binomial_pmf`], for either probability.
pub fn binomial_quantile(probability: f64, n: u64, p: f64) -> Result<u64, Undefined> {
    check_probability(probability)?;
    check_probability(p)?;
    smallest(n, |k| Ok(binomial_cdf(k, n, p)? >= probability))
}

/// The smallest k with P(X > k) ≤ `probability`.
///
/// # Errors
///
/// As [`binomial_pmf`], for either probability.
pub fn binomial_isf(probability: f64, n: u64, p: f64) -> Result<u64, Undefined> {
    check_probability(probability)?;
    check_probability(p)?;
    smallest(n, |k| Ok(binomial_sf(k, n, p)? <= probability))
}

/// The smallest k of `0..=n` that satisfies a condition which never turns false
/// again; n where none does.
fn smallest(
    n: u64,
    mut holds: impl FnMut(u64) -> Result<bool, Undefined>,
) -> Result<u64, Undefined> {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

/// P(X ≤ k) and P(X > k) where p is known to be a probability.
pub(crate) fn split(k: u64, n: u64, p: f64) -> (f64, f64) {
    if k >= n {
        return (1.0, 0.0);
    }
    // X > k exactly when the (k+1)-th smallest of n uniforms lies below p.
    let (below, above) = tails(k as f64 + 1.0, (n - k) as f64, UnitPoint::new(p, 1.0 - p));
    (above, below)
}

fn check_probability(p: f64) -> Result<(), Undefined> {
    if p.is_nan() {
        Err(Undefined::NotFinite)
    } else if (0.0..=1.0).contains(&p) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            what: "probability",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_to_the_distribution() {
        for (n, p) in [(1, 0.3), (17, 0.5), (200, 0.01), (1000, 0.97)] {
            let mut sum = 0.0;
            for k in 0..=n {
                sum += binomial_pmf(k, n, p).unwrap();
                assert!((sum - binomial_cdf(k, n, p).unwrap()).abs() < 1e-12);
                assert!((1.0 - sum - binomial_sf(k, n, p).unwrap()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn quantiles_are_the_smallest_counts_that_reach() {
        let (n, p) = (60, 0.95);
        let k = binomial_quantile(0.025, n, p).unwrap();
        assert!(binomial_cdf(k, n, p).unwrap() >= 0.025);
        assert!(binomial_cdf(k - 1, n, p).unwrap() < 0.025);
        let k = binomial_isf(0.1, n, p).unwrap();
        assert!(binomial_sf(k, n, p).unwrap() <= 0.1);
        assert!(binomial_sf(k - 1, n, p).unwrap() > 0.1);
    }

    #[test]
    fn certain_events_are_exact() {
        assert_eq!(binomial_pmf(0, 5, 0.0), Ok(1.0));
        assert_eq!(binomial_pmf(5, 5, 1.0), Ok(1.0));
        assert_eq!(binomial_cdf(0, 0, 0.4), Ok(1.0));
        assert_eq!(binomial_pmf(6, 5, 0.4), Ok(0.0));
    }
}
