//! The chi-squared distribution.

use statrs::function::gamma::checked_gamma_ur;

use crate::stats::Undefined;

/// P(X > x) for X chi-squared with `degrees` > 0 degrees of freedom.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] when `degrees`
/// is not in (0, 10⁶].
pub fn chi_squared_sf(x: f64, degrees: f64) -> Result<f64, Undefined> {
    if x.is_nan() || degrees.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if !(degrees > 0.0 && degrees <= 1e6) {
        return Err(Undefined::OutOfRange {
            what: "degrees of freedom",
        });
    }
    if x <= 0.0 {
        return Ok(1.0);
    }
    if x.is_infinite() {
        return Ok(0.0);
    }
    let tail = checked_gamma_ur(degrees / 2.0, x / 2.0).map_err(|_| Undefined::NotFinite)?;
    if tail.is_nan() {
        return Err(Undefined::NotFinite);
    }
    Ok(tail.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::chi_squared_sf;
    use crate::stats::Undefined;

    #[test]
    fn two_degrees_are_an_exponential() {
        for x in [0.1, 1.0, 7.0, 60.0_f64] {
            let exact = (-x / 2.0).exp();
            assert!((chi_squared_sf(x, 2.0).unwrap() - exact).abs() < 1e-13 * exact.max(1e-3));
        }
    }

    #[test]
    fn many_degrees_are_nearly_normal() {
        for degrees in [1e2, 1e4, 1e6] {
            // Wilson and Hilferty's cube root, whose error falls with the degrees.
            let spread = 2.0 / (9.0 * degrees);
            let x: f64 = degrees * (1.0 - spread + 2.0 * f64::sqrt(spread)).powi(3);
            let tail = chi_squared_sf(x, degrees).unwrap();
            assert!((tail - 0.022_750_131_948).abs() < 1e-4, "{degrees}: {tail}");
        }
    }

    #[test]
    fn ends_are_certain_and_nonsense_is_refused() {
        assert_eq!(chi_squared_sf(-1.0, 3.0), Ok(1.0));
        assert_eq!(chi_squared_sf(f64::INFINITY, 3.0), Ok(0.0));
        assert_eq!(chi_squared_sf(f64::NAN, 3.0), Err(Undefined::NotFinite));
        assert!(chi_squared_sf(1.0, 0.0).is_err());
    }
}
