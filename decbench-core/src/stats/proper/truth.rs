//! What a distribution over options is scored against.

use crate::stats::Undefined;
use crate::stats::calibration::check_chances;

/// How far shares may sum from one.
const SHARE_SLACK: f64 = 1e-6;

/// The answer that a person gave: one option, or a share for every option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth<'a> {
    /// The place of the right option.
    Option(usize),
    /// How much each option is right, summing to 1: raters who disagree.
    Shares(&'a [f64]),
}

impl Truth<'_> {
    /// The share of an option.
    #[inline]
    pub fn share(&self, option: usize) -> f64 {
        match self {
            Self::Option(right) => f64::from(u8::from(*right == option)),
            Self::Shares(shares) => shares.get(option).copied().unwrap_or(0.0),
        }
    }

    /// Checks a distribution and that this truth is one over the same options.
    pub(crate) fn check(&self, probabilities: &[f64]) -> Result<(), Undefined> {
        check_chances(probabilities)?;
        match self {
            Self::Option(right) if *right >= probabilities.len() => {
                Err(Undefined::OutOfRange { what: "gold" })
            }
            Self::Option(_) => Ok(()),
            Self::Shares(shares) if shares.len() != probabilities.len() => {
                Err(Undefined::LengthMismatch)
            }
            Self::Shares(shares) => {
                check_chances(shares)?;
                if (shares.iter().sum::<f64>() - 1.0).abs() > SHARE_SLACK {
                    return Err(Undefined::OutOfRange {
                        what: "sum of gold shares",
                    });
                }
                Ok(())
            }
        }
    }
}

/// The place of the largest probability, the first of equals; `None` of nothing.
///
/// ```
/// use decbench_core::stats::proper::top_option;
///
/// assert_eq!(top_option(&[0.4, 0.4, 0.2]), Some(0));
/// assert_eq!(top_option(&[]), None);
/// ```
pub fn top_option(probabilities: &[f64]) -> Option<usize> {
    let mut top = None;
    for (place, &probability) in probabilities.iter().enumerate() {
        if top.is_none_or(|(_, most)| probability > most) {
            top = Some((place, probability));
        }
    }
    top.map(|(place, _)| place)
}

/// The mean of finite numbers by compensated summation.
///
/// # Errors
///
/// No numbers, or one that is not finite.
pub fn mean(values: &[f64]) -> Result<f64, Undefined> {
    if values.is_empty() {
        return Err(Undefined::NoItems);
    }
    crate::stats::sum::finite(values)?;
    let n = values.len() as f64;
    let mean = crate::stats::sum::sum(values.iter().copied()) / n;
    // Near the ends of the doubles only the sum of shares stays finite.
    Ok(if mean.is_finite() {
        mean
    } else {
        crate::stats::sum::sum(values.iter().map(|value| value / n))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_outside_the_options_are_refused() {
        assert!(Truth::Option(2).check(&[0.5, 0.5]).is_err());
        assert!(Truth::Shares(&[1.0]).check(&[0.5, 0.5]).is_err());
        assert!(Truth::Shares(&[0.5, 0.4]).check(&[0.5, 0.5]).is_err());
        assert!(Truth::Shares(&[0.7, 0.3]).check(&[0.5, 0.5]).is_ok());
        assert_eq!(
            Truth::Option(0).check(&[f64::NAN]),
            Err(Undefined::NotFinite)
        );
    }

    #[test]
    fn means_of_the_largest_doubles_stay_finite() {
        assert_eq!(mean(&[f64::MAX, f64::MAX]), Ok(f64::MAX));
        assert_eq!(mean(&[]), Err(Undefined::NoItems));
    }
}
