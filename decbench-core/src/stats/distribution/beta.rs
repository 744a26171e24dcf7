//! The beta distribution.
//!
//! The incomplete beta function of statrs stops after 140 steps and subtracts
//! log-gammas: it answers 0.4912 where Beta(10⁶, 10⁶) has one half of its mass.
//! This file evaluates the same continued fraction to convergence, with
//! Loader's prefactor.

use std::f64::consts::PI;

use super::gamma_terms::{self, deviance, stirling_error};
use super::normal::normal_quantile;
use crate::stats::Undefined;

/// A point of the unit interval with its complement, so that neither end loses digits.
#[derive(Clone, Copy)]
pub(super) struct UnitPoint {
    x: f64,
    y: f64,
}

impl UnitPoint {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    fn of_logit(t: f64) -> Self {
        if t > 0.0 {
            let e = (-t).exp();
            Self {
                x: 1.0 / (1.0 + e),
                y: e / (1.0 + e),
            }
        } else {
            let e = t.exp();
            Self {
                x: e / (1.0 + e),
                y: 1.0 / (1.0 + e),
            }
        }
    }
}

/// P(X ≤ x) for X ~ Beta(a, b), with shapes above 0.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] for shapes that
/// are not positive and finite. Points outside `[0, 1]` have probability 0 or 1.
pub fn beta_cdf(a: f64, b: f64, x: f64) -> Result<f64, Undefined> {
    check_shapes(a, b)?;
    check_point(x)?;
    Ok(tails(
        a,
        b,
        UnitPoint::new(x.clamp(0.0, 1.0), (1.0 - x).clamp(0.0, 1.0)),
    )
    .0)
}

/// P(X > x) for X ~ Beta(a, b), exact in the far tail.
///
/// # Errors
///
/// As [`beta_cdf`].
pub fn beta_sf(a: f64, b: f64, x: f64) -> Result<f64, Undefined> {
    check_shapes(a, b)?;
    check_point(x)?;
    Ok(tails(
        a,
        b,
        UnitPoint::new(x.clamp(0.0, 1.0), (1.0 - x).clamp(0.0, 1.0)),
    )
    .1)
}

/// The x with P(X ≤ x) = p for X ~ Beta(a, b); 0 at p = 0 and 1 at p = 1.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] for a
/// probability outside `[0, 1]` or shapes that are not positive and finite.
pub fn beta_quantile(a: f64, b: f64, p: f64) -> Result<f64, Undefined> {
    Ok(beta_quantile_point(a, b, p)?.x)
}

/// As [`beta_quantile`]; also gives 1 − x at full precision.
pub(super) fn beta_quantile_both(a: f64, b: f64, p: f64) -> Result<(f64, f64), Undefined> {
    let point = beta_quantile_point(a, b, p)?;
    Ok((point.x, point.y))
}

fn beta_quantile_point(a: f64, b: f64, p: f64) -> Result<UnitPoint, Undefined> {
    check_shapes(a, b)?;
    if p.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(Undefined::OutOfRange {
            what: "probability",
        });
    }
    if p == 0.0 {
        return Ok(UnitPoint::new(0.0, 1.0));
    }
    if p == 1.0 {
        return Ok(UnitPoint::new(1.0, 0.0));
    }
    // Solved in t = ln(x/(1−x)) on the logarithm of the smaller tail, which is
    // concave and nearly straight, so that Newton needs a handful of steps;
    // the bracket keeps it safe.
    let lower_tail = p <= 0.5;
    let target = if lower_tail { p } else { 1.0 - p }.ln();
    let (mut low, mut high) = (-745.0_f64, 745.0_f64);
    let spread = (1.0 / a + 1.0 / b).sqrt();
    let mut t = ((a / b).ln() + normal_quantile(p)? * spread).clamp(-700.0, 700.0);
    for _ in 0..200 {
        let point = UnitPoint::of_logit(t);
        let (below, above) = tails(a, b, point);
        let tail = if lower_tail { below } else { above };
        let gap = tail.ln() - target;
        let too_low = if lower_tail { gap < 0.0 } else { gap > 0.0 };
        if gap == 0.0 {
            break;
        }
        if too_low {
            low = t;
        } else {
            high = t;
        }
        let slope = prefactor(a, b, point) / tail;
        let step = if lower_tail { -gap } else { gap } / slope;
        let newton = t + step;
        let next = if newton.is_finite() && newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - t).abs() <= 1e-15 * t.abs().max(1.0) {
            t = next;
            break;
        }
        t = next;
    }
    Ok(UnitPoint::of_logit(t))
}

/// ln B(a, b), the logarithm of the beta function, for shapes above 0.
///
/// # Errors
///
/// As [`beta_cdf`], for the shapes.
pub fn ln_beta(a: f64, b: f64) -> Result<f64, Undefined> {
    check_shapes(a, b)?;
    Ok(gamma_terms::ln_beta(a, b))
}

/// ln P(X ≤ x) for X ~ Beta(a, b), where the probability itself may be below any double.
///
/// # Errors
///
/// As [`beta_cdf`]; [`Undefined::OutOfRange`] for x ≤ 0, where it is −∞.
pub fn ln_beta_cdf(a: f64, b: f64, x: f64) -> Result<f64, Undefined> {
    check_shapes(a, b)?;
    check_point(x)?;
    if x <= 0.0 {
        return Err(Undefined::OutOfRange { what: "point" });
    }
    if x >= 1.0 {
        return Ok(0.0);
    }
    let point = UnitPoint::new(x, 1.0 - x);
    if is_lower(a, b, point) {
        Ok(ln_prefactor(a, b, point) - a.ln() - continued_fraction(a, b, x).ln())
    } else {
        Ok((-tails(a, b, point).1).ln_1p())
    }
}

/// P(X ≤ x) and P(X > x); each is computed by itself where it is the small one.
pub(super) fn tails(a: f64, b: f64, point: UnitPoint) -> (f64, f64) {
    let UnitPoint { x, y } = point;
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    let scale = prefactor(a, b, point);
    if is_lower(a, b, point) {
        let below = (scale / a / continued_fraction(a, b, x)).clamp(0.0, 1.0);
        (below, 1.0 - below)
    } else {
        let above = (scale / b / continued_fraction(b, a, y)).clamp(0.0, 1.0);
        (1.0 - above, above)
    }
}

/// Whether the lower tail is the one to compute, the other being its complement.
fn is_lower(a: f64, b: f64, point: UnitPoint) -> bool {
    point.x < (a + 1.0) / (a + b + 2.0)
}

/// x^a (1−x)^b / B(a, b), which is also the slope of the distribution in ln(x/(1−x)).
fn prefactor(a: f64, b: f64, point: UnitPoint) -> f64 {
    ln_prefactor(a, b, point).exp()
}

fn ln_prefactor(a: f64, b: f64, point: UnitPoint) -> f64 {
    let n = a + b;
    let errors = stirling_error(n) - stirling_error(a) - stirling_error(b);
    let distance = deviance(a, n * point.x) + deviance(b, n * point.y);
    0.5 * (a / n * b / (2.0 * PI)).ln() + errors - distance
}

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), by
/// the modified Lentz method. About √max(a, b) steps are needed near the mean.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MOST_STEPS: u32 = 100_000;
    let keep_off_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / keep_off_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..MOST_STEPS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / keep_off_zero(1.0 + even * d);
        c = keep_off_zero(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / keep_off_zero(1.0 + odd * d);
        c = keep_off_zero(1.0 + odd / c);
        let change = d * c;
        value *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 / value
}

fn check_shapes(a: f64, b: f64) -> Result<(), Undefined> {
    if a.is_nan() || b.is_nan() {
        return Err(Undefined::NotFinite);
    }
    // Beyond these sizes neither the products nor the fraction keep their meaning.
    let usable = 1e-100..=1e15;
    if usable.contains(&a) && usable.contains(&b) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what: "shape" })
    }
}

fn check_point(x: f64) -> Result<(), Undefined> {
    if x.is_nan() {
        Err(Undefined::NotFinite)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_distribution_is_the_identity() {
        for p in [1e-12, 0.2, 0.5, 0.999] {
            assert!((beta_cdf(1.0, 1.0, p).unwrap() - p).abs() < 1e-15);
            assert!((beta_quantile(1.0, 1.0, p).unwrap() - p).abs() < 1e-15);
        }
    }

    #[test]
    fn quantile_inverts_the_distribution_at_any_size() {
        for (a, b) in [
            (0.5, 0.5),
            (0.5, 1e6),
            (3.0, 998.0),
            (1e6, 1e6),
            (1e8, 2.0),
            (0.1, 0.1),
        ] {
            for p in [1e-9, 0.025, 0.5, 0.975, 1.0 - 1e-9] {
                let x = beta_quantile(a, b, p).unwrap();
                let (small, wanted) = if p <= 0.5 {
                    (beta_cdf(a, b, x).unwrap(), p)
                } else {
                    (beta_sf(a, b, x).unwrap(), 1.0 - p)
                };
                // Near 1 a double cannot hold the point itself any better.
                let resolution =
                    2e-16 * prefactor(a, b, UnitPoint::new(x, 1.0 - x)) / (1.0 - x).max(1e-300);
                assert!(
                    (small - wanted).abs() <= 1e-9 * wanted + resolution || x == 1.0,
                    "{a} {b} {p}: {small} {wanted}"
                );
            }
        }
    }

    #[test]
    fn half_of_a_symmetric_distribution_lies_below_one_half() {
        for shape in [0.3, 1.0, 1e3, 1e6, 1e8] {
            let below = beta_cdf(shape, shape, 0.5).unwrap();
            assert!((below - 0.5).abs() < 1e-11, "{shape}: {below}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(beta_cdf(f64::NAN, 1.0, 0.5), Err(Undefined::NotFinite));
        assert_eq!(
            beta_quantile(1.0, 0.0, 0.5),
            Err(Undefined::OutOfRange { what: "shape" })
        );
        assert_eq!(
            beta_quantile(1.0, 1.0, 1.5),
            Err(Undefined::OutOfRange {
                what: "probability"
            })
        );
    }
}
