//! The Brier score.

use super::truth::{Truth, mean};
use crate::stats::Undefined;
use crate::stats::calibration::Forecasts;
use crate::stats::sum::sum;

/// The Brier score of one distribution, Σ(p − y)² over the options, in [0, 2] (Brier 1950).
///
/// Half of it is the form on a scale of 0 to 1; for two options the half is (P(yes) − y)².
///
/// ```
/// use decbench_core::stats::proper::{Truth, brier};
///
/// let score = brier(&[0.7, 0.2, 0.1], Truth::Option(0))?;
/// assert!((score - 0.14).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// Numbers that are no probabilities, or a truth over other options.
pub fn brier(probabilities: &[f64], truth: Truth<'_>) -> Result<f64, Undefined> {
    truth.check(probabilities)?;
    let squares = probabilities.iter().enumerate();
    Ok(squares
        .map(|(option, p)| (p - truth.share(option)).powi(2))
        .sum())
}

/// The Brier score of a forecast that knows only how often each option is right in these items.
///
/// # Errors
///
/// No items, or a truth that is none over `options` options.
pub fn brier_of_base_rates(options: usize, truths: &[Truth<'_>]) -> Result<f64, Undefined> {
    let any = vec![0.0; options];
    let rates = (0..options)
        .map(|option| {
            mean(
                &truths
                    .iter()
                    .map(|truth| truth.share(option))
                    .collect::<Vec<_>>(),
            )
        })
        .collect::<Result<Vec<f64>, Undefined>>()?;
    let mut scores = Vec::with_capacity(truths.len());
    for truth in truths {
        truth.check(&any)?;
        // A rate may pass 1 by a rounding, which is no reason to refuse it.
        let squares = rates.iter().enumerate();
        scores.push(
            squares
                .map(|(option, rate)| (rate - truth.share(option)).powi(2))
                .sum(),
        );
    }
    mean(&scores)
}

/// The skill 1 − score/reference: 1 is perfect, 0 no better than the reference, below 0 worse.
///
/// # Errors
///
/// [`Undefined::ZeroVariance`] when the reference is 0, [`Undefined::NotFinite`].
pub fn skill(score: f64, reference: f64) -> Result<f64, Undefined> {
    if !score.is_finite() || !reference.is_finite() {
        return Err(Undefined::NotFinite);
    }
    let skill = 1.0 - score / reference;
    if reference > 0.0 && skill.is_finite() {
        Ok(skill)
    } else {
        Err(Undefined::ZeroVariance)
    }
}

/// The mean of (p − y)² over binary forecasts, in [0, 1].
pub fn binary_brier(forecasts: &Forecasts<'_>) -> f64 {
    sum(forecasts.sorted().into_iter().map(|(p, y)| (p - y).powi(2))) / forecasts.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_two_options_is_the_binary_score() {
        let score = brier(&[0.3, 0.7], Truth::Option(1)).unwrap();
        let forecasts = Forecasts::new(&[0.7], &[true]).unwrap();
        assert!((score / 2.0 - binary_brier(&forecasts)).abs() < 1e-15);
    }

    #[test]
    fn the_shares_themselves_are_the_best_forecast_of_shares() {
        let shares = [0.2, 0.5, 0.3];
        assert_eq!(brier(&shares, Truth::Shares(&shares)), Ok(0.0));
    }

    #[test]
    fn base_rates_of_one_class_leave_no_skill_to_measure() {
        let reference = brier_of_base_rates(2, &[Truth::Option(0); 3]).unwrap();
        assert_eq!(reference, 0.0);
        assert_eq!(skill(0.1, reference), Err(Undefined::ZeroVariance));
        assert!(brier_of_base_rates(2, &[Truth::Option(2)]).is_err());
        assert_eq!(brier_of_base_rates(2, &[]), Err(Undefined::NoItems));
    }
}
