//! Uniform mixtures of binomial likelihood ratios.

use std::f64::consts::LN_2;

use crate::stats::distribution::{ln_beta, ln_beta_cdf};
use crate::stats::{Interval, Undefined};

/// The confidence sequence of Robbins (1970) for a proportion, at error `alpha` over all n.
///
/// Keeps the p whose likelihood is not beaten 1/alpha-fold by the uniform
/// mixture: B(k+1, n−k+1)/(p^k (1−p)^(n−k)) < 1/alpha. The default for 0/1
/// outcomes; the true p leaves any of its intervals, ever, with chance at most alpha.
///
/// ```
/// let interval = decbench_core::stats::sequential::beta_mixture_sequence(45, 50, 0.05)?;
/// assert!((interval.low - 0.71234).abs() < 1e-5);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::OutOfRange`] when k > n or
/// alpha is not in (0, 1).
pub fn beta_mixture_sequence(k: u64, n: u64, alpha: f64) -> Result<Interval, Undefined> {
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    if k > n {
        return Err(Undefined::OutOfRange { what: "count" });
    }
    limits(k as f64, (n - k) as f64, alpha)
}

/// [`beta_mixture_sequence`] for an estimate p at a real-valued effective sample size.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] unless p is in
/// `[0, 1]`, `n_eff` positive and alpha in (0, 1).
pub fn beta_mixture_effective(p: f64, n_eff: f64, alpha: f64) -> Result<Interval, Undefined> {
    if !p.is_finite() || !n_eff.is_finite() {
        return Err(Undefined::NotFinite);
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(Undefined::OutOfRange { what: "proportion" });
    }
    if n_eff <= 0.0 || n_eff > 1e14 {
        return Err(Undefined::OutOfRange {
            what: "effective sample size",
        });
    }
    limits(p * n_eff, (1.0 - p) * n_eff, alpha)
}

/// ln of the evidence against p after k right of n: the mixture's likelihood over that of p.
///
/// +∞ where p makes the outcome impossible.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] when k > n or p is no probability,
/// [`Undefined::NotFinite`] for NaN.
pub fn beta_mixture_log_e(k: u64, n: u64, p: f64) -> Result<f64, Undefined> {
    if p.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if k > n || !(0.0..=1.0).contains(&p) {
        return Err(Undefined::OutOfRange { what: "proportion" });
    }
    let (right, wrong) = (k as f64, (n - k) as f64);
    Ok(ln_beta(right + 1.0, wrong + 1.0)? - ln_likelihood(right, wrong, p))
}

/// ln of the evidence that the first system is better after b wins and c losses
/// among the items on which the two differ: ∫ from ½ to 1 of 2(2θ)^b(2(1−θ))^c.
///
/// Stop for the first system when it reaches ln(1/alpha): six straight wins
/// give 18.1, eight pass 40. Several candidates: Holm on 1/e. Without a
/// discordant pair it is 0.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] beyond 10^14 pairs.
pub fn sequential_mcnemar_log_e(b: u64, c: u64) -> Result<f64, Undefined> {
    let (b, c) = (b as f64, c as f64);
    // 2^(m+1) B(b+1, c+1) I_½(c+1, b+1).
    let tail = ln_beta_cdf(c + 1.0, b + 1.0, 0.5)?;
    Ok((b + c + 1.0) * LN_2 + ln_beta(b + 1.0, c + 1.0)? + tail)
}

/// ln p^k (1−p)^(n−k), with 0 ln 0 = 0.
fn ln_likelihood(right: f64, wrong: f64, p: f64) -> f64 {
    let part = |count: f64, log: f64| if count == 0.0 { 0.0 } else { count * log };
    part(right, p.ln()) + part(wrong, (-p).ln_1p())
}

fn limits(right: f64, wrong: f64, alpha: f64) -> Result<Interval, Undefined> {
    if alpha.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if alpha <= 0.0 || alpha >= 1.0 {
        return Err(Undefined::OutOfRange { what: "alpha" });
    }
    let estimate = right / (right + wrong);
    let least = ln_beta(right + 1.0, wrong + 1.0)? + alpha.ln();
    // Kept are the p whose log-likelihood exceeds `least`; it rises up to the estimate.
    let kept = |p: f64| ln_likelihood(right, wrong, p) > least;
    Ok(Interval {
        low: edge(estimate, 0.0, kept),
        high: edge(estimate, 1.0, kept),
    })
}

/// The last point from `inside` towards `outside` that is kept.
fn edge(inside: f64, outside: f64, kept: impl Fn(f64) -> bool) -> f64 {
    if kept(outside) {
        return outside;
    }
    let (mut inside, mut outside) = (inside, outside);
    for _ in 0..200 {
        let middle = f64::midpoint(inside, outside);
        if middle == inside || middle == outside {
            break;
        }
        if kept(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_right_leaves_the_upper_end_open() {
        let interval = beta_mixture_sequence(30, 30, 0.05).unwrap();
        assert_eq!(interval.high, 1.0);
        assert_eq!(beta_mixture_sequence(0, 7, 0.05).unwrap().low, 0.0);
        assert_eq!(beta_mixture_sequence(0, 0, 0.05), Err(Undefined::NoItems));
    }

    #[test]
    fn impossible_outcomes_are_infinite_evidence() {
        assert_eq!(beta_mixture_log_e(1, 2, 0.0), Ok(f64::INFINITY));
        assert_eq!(beta_mixture_log_e(1, 2, 1.0), Ok(f64::INFINITY));
        assert!(beta_mixture_log_e(3, 2, 0.5).is_err());
    }

    #[test]
    fn straight_wins_pass_forty_at_the_eighth() {
        let e = |b| sequential_mcnemar_log_e(b, 0).unwrap().exp();
        assert!((e(6) - 127.0 / 7.0).abs() < 1e-12);
        assert!(e(7) < 40.0 && e(8) > 40.0);
    }

    #[test]
    fn straight_losses_keep_their_digits() {
        // ∫ 2 (2(1−θ))^c from ½ to 1 is 1/(c+1), also where the tail is below any double.
        for c in [1, 10, 5000] {
            let log_e = sequential_mcnemar_log_e(0, c).unwrap();
            assert!(
                (log_e + (c as f64 + 1.0).ln()).abs() < 1e-10,
                "{c}: {log_e}"
            );
        }
    }
}
