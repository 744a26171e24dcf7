//! Significance tests of calibration.

use super::equal_mass::mass_bins;
use super::forecasts::Forecasts;
use crate::stats::Undefined;
use crate::stats::distribution::{chi_squared_sf, normal_sf};
use crate::stats::sum::sum;

/// A test statistic and its p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationTest {
    /// The statistic: a normal deviate or a χ².
    pub statistic: f64,
    /// Degrees of freedom of a χ², `None` for a normal deviate.
    pub degrees: Option<u64>,
    /// The p-value, two-sided for a normal deviate.
    pub p: f64,
}

/// Spiegelhalter's test (1986): z = Σ(y − p)(1 − 2p) / √Σ(1 − 2p)² p(1 − p).
///
/// With thousands of items it rejects any real model; it is no bound to gate on.
///
/// # Errors
///
/// [`Undefined::ZeroVariance`] when every chance is 0, ½ or 1.
pub fn spiegelhalter(forecasts: &Forecasts<'_>) -> Result<CalibrationTest, Undefined> {
    let pairs = forecasts.sorted();
    let variance = sum(pairs
        .iter()
        .map(|(p, _)| (1.0 - 2.0 * p).powi(2) * p * (1.0 - p)));
    if variance <= 0.0 {
        return Err(Undefined::ZeroVariance);
    }
    let excess = sum(pairs.iter().map(|(p, y)| (y - p) * (1.0 - 2.0 * p)));
    let statistic = excess / variance.sqrt();
    let p = (2.0 * normal_sf(statistic.abs())?).min(1.0);
    Ok(CalibrationTest {
        statistic,
        degrees: None,
        p,
    })
}

/// The test of Hosmer and Lemeshow (1980) over equal-mass groups.
///
/// Σ(observed − expected)²/(m π̄(1 − π̄)) on as many degrees of freedom as there are groups, since the
/// chances were not fitted to these items. Groups without items do not count.
///
/// # Errors
///
/// No groups, or [`Undefined::ZeroVariance`] when a group's mean chance is 0 or 1.
pub fn hosmer_lemeshow(
    forecasts: &Forecasts<'_>,
    groups: usize,
) -> Result<CalibrationTest, Undefined> {
    let (_, bins) = mass_bins(forecasts, groups)?;
    let filled: Vec<_> = bins.iter().filter(|bin| bin.count > 0.0).collect();
    let variance =
        |bin: &super::equal_mass::MassBin| bin.expected * (1.0 - bin.expected / bin.count);
    if filled.iter().any(|bin| variance(bin) <= 0.0) {
        return Err(Undefined::ZeroVariance);
    }
    let statistic = sum(filled
        .iter()
        .map(|bin| (bin.observed - bin.expected).powi(2) / variance(bin)));
    let degrees = filled.len() as u64;
    let p = chi_squared_sf(statistic, degrees as f64)?;
    Ok(CalibrationTest {
        statistic,
        degrees: Some(degrees),
        p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_without_variance_have_no_test() {
        let forecasts = Forecasts::new(&[0.5, 1.0, 0.0], &[true, true, false]).unwrap();
        assert_eq!(spiegelhalter(&forecasts), Err(Undefined::ZeroVariance));
        assert_eq!(hosmer_lemeshow(&forecasts, 3), Err(Undefined::ZeroVariance));
    }

    #[test]
    fn no_groups_are_refused() {
        let forecasts = Forecasts::new(&[0.5], &[true]).unwrap();
        assert!(hosmer_lemeshow(&forecasts, 0).is_err());
    }
}
