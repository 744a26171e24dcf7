//! Student's t distribution.

use super::beta::{UnitPoint, beta_quantile_both, tails};
use super::normal::check_level;
use crate::stats::Undefined;

/// The t with P(T ≤ t) = p for `degrees` > 0 degrees of freedom, p in (0, 1).
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] for p outside
/// (0, 1) or degrees that are not positive and finite.
pub fn student_quantile(p: f64, degrees: f64) -> Result<f64, Undefined> {
    if p.is_nan() || degrees.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if p <= 0.0 || p >= 1.0 {
        return Err(Undefined::OutOfRange {
            what: "probability",
        });
    }
    check_degrees(degrees)?;
    let tail = p.min(1.0 - p);
    // d/(d + T²) is Beta(d/2, ½); both it and its complement are needed exactly.
    let (x, y) = beta_quantile_both(0.5 * degrees, 0.5, 2.0 * tail)?;
    let size = (degrees * y / x).sqrt();
    if !size.is_finite() {
        return Err(Undefined::OutOfRange {
            what: "probability",
        });
    }
    Ok(if p < 0.5 { -size } else { size })
}

/// t of a two-sided level, for a level in (0, 1).
///
/// # Errors
///
/// As [`student_quantile`], for the level.
pub fn two_sided_t(level: f64, degrees: f64) -> Result<f64, Undefined> {
    check_level(level)?;
    student_quantile(0.5 * (1.0 - level), degrees).map(|t| -t)
}

/// P(|T| ≥ |t|), the two-sided p-value of a t statistic.
///
/// # Errors
///
/// [`Undefined::NotFinite`] for NaN, [`Undefined::OutOfRange`] for degrees
/// that are not positive and finite.
pub fn student_two_sided_p(t: f64, degrees: f64) -> Result<f64, Undefined> {
    if t.is_nan() || degrees.is_nan() {
        return Err(Undefined::NotFinite);
    }
    check_degrees(degrees)?;
    if t.is_infinite() {
        return Ok(0.0);
    }
    // With r = t²/d the point is 1/(1+r); written so that t² may overflow.
    let r = t / degrees * t;
    let point = if r.is_infinite() {
        UnitPoint::new(0.0, 1.0)
    } else {
        UnitPoint::new(1.0 / (1.0 + r), r / (1.0 + r))
    };
    Ok(tails(0.5 * degrees, 0.5, point).0)
}

fn check_degrees(degrees: f64) -> Result<(), Undefined> {
    if degrees > 0.0 && degrees <= 1e15 {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            what: "degrees of freedom",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantile_inverts_the_p_value() {
        for degrees in [1.0, 2.0, 9.5, 4999.0] {
            for p in [1e-6, 0.05, 0.6] {
                let t = student_quantile(1.0 - p / 2.0, degrees).unwrap();
                let back = student_two_sided_p(t, degrees).unwrap();
                assert!((back - p).abs() < 1e-9 * p, "{degrees} {p}: {back}");
            }
        }
    }

    #[test]
    fn one_degree_is_the_cauchy_distribution() {
        let t = student_quantile(0.75, 1.0).unwrap();
        assert!((t - 1.0).abs() < 1e-13);
        assert_eq!(student_quantile(0.5, 1.0), Ok(0.0));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(student_quantile(0.0, 3.0).is_err());
        assert!(student_quantile(0.9, 0.0).is_err());
        assert_eq!(
            student_two_sided_p(f64::NAN, 3.0),
            Err(Undefined::NotFinite)
        );
        assert_eq!(student_two_sided_p(f64::INFINITY, 3.0), Ok(0.0));
    }
}
