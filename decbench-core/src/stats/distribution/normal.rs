//! The standard normal distribution and the z of a level.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use statrs::function::erf::{erfc, erfc_inv};

use crate::stats::Undefined;

/// Φ(x) = P(Z ≤ x), exact in the far tail; infinite arguments give 0 or 1.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN.
pub fn normal_cdf(x: f64) -> Result<f64, Undefined> {
    if x.is_nan() {
        return Err(Undefined::NotFinite);
    }
    Ok(upper_tail(-x))
}

/// P(Z > x), exact in the far tail.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN.
pub fn normal_sf(x: f64) -> Result<f64, Undefined> {
    normal_cdf(-x)
}

/// [`normal_sf`] where x is known not to be NaN.
pub(crate) fn upper_tail(x: f64) -> f64 {
    0.5 * erfc(x * FRAC_1_SQRT_2)
}

/// Φ⁻¹(p) for p in (0, 1).
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] for 0, 1 and
/// everything outside: the quantile there is infinite.
pub fn normal_quantile(p: f64) -> Result<f64, Undefined> {
    if p.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if p <= 0.0 || p >= 1.0 {
        return Err(Undefined::OutOfRange {
            what: "probability",
        });
    }
    // The smaller tail is passed on, since 2p near 2 would lose its digits.
    Ok(if p <= 0.5 {
        -SQRT_2 * erfc_inv(2.0 * p)
    } else {
        SQRT_2 * erfc_inv(2.0 * (1.0 - p))
    })
}

/// z of a two-sided level: Φ⁻¹((1+level)/2), for a level in (0, 1).
///
/// ```
/// let z = decbench_core::stats::distribution::two_sided_z(0.95)?;
/// assert!((z - 1.959963984540054).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::OutOfRange`] or [`Undefined::NotFinite`] for anything else.
pub fn two_sided_z(level: f64) -> Result<f64, Undefined> {
    check_level(level)?;
    // Half of 1 − level keeps the tail exact for levels close to 1.
    normal_quantile(0.5 * (1.0 - level)).map(|z| -z)
}

/// z of a one-sided level: Φ⁻¹(level), for a level in (0, 1).
///
/// # Errors
///
/// As [`two_sided_z`].
pub fn one_sided_z(level: f64) -> Result<f64, Undefined> {
    check_level(level)?;
    normal_quantile(level)
}

pub(super) fn check_level(level: f64) -> Result<(), Undefined> {
    if level.is_nan() {
        Err(Undefined::NotFinite)
    } else if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what: "level" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantile_inverts_the_distribution() {
        for p in [1e-12, 0.025, 0.4, 0.5, 0.975] {
            let back = normal_cdf(normal_quantile(p).unwrap()).unwrap();
            assert!((back - p).abs() < 1e-10 * p, "{p}: {back}");
        }
    }

    #[test]
    fn infinite_points_are_certain_and_nan_is_refused() {
        assert_eq!(normal_cdf(f64::INFINITY), Ok(1.0));
        assert_eq!(normal_sf(f64::INFINITY), Ok(0.0));
        assert_eq!(normal_cdf(f64::NAN), Err(Undefined::NotFinite));
        assert!(normal_quantile(0.0).is_err() && normal_quantile(1.0).is_err());
    }

    #[test]
    fn levels_outside_the_open_unit_interval_are_refused() {
        for level in [0.0, 1.0, -0.1, f64::INFINITY] {
            assert_eq!(
                two_sided_z(level),
                Err(Undefined::OutOfRange { what: "level" })
            );
        }
    }
}
