//! Confidence fields as vendors compute them.
//!
//! None of these is a probability of being right, and no two are comparable. Bins and bounds use the top
//! probability or a statistic that is named.

use crate::stats::Undefined;
use crate::stats::calibration::check_chances;
use crate::stats::proper::top_option;

/// The confidence of a choice, `(p_max − 1/n)/(1 − 1/n)` cut to [0, 1]; 1 with a single option.
///
/// As documented by a vendor.
///
/// ```
/// use decbench_core::stats::vendor_confidence::choice_confidence;
///
/// assert!((choice_confidence(&[0.85, 0.0, 0.15])? - 0.775).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No options, or numbers that are no probabilities.
pub fn choice_confidence(probabilities: &[f64]) -> Result<f64, Undefined> {
    let most = top_probability(probabilities)?;
    if probabilities.len() == 1 {
        return Ok(1.0);
    }
    let even = 1.0 / probabilities.len() as f64;
    Ok(((most - even) / (1.0 - even)).clamp(0.0, 1.0))
}

/// The confidence of a score: `1 − Σp_i·|i − m| / mean|i − (k − 1)/2|` with m the most likely level, at
/// least 0; 1 with a single level.
///
/// As reimplemented by third parties; no vendor documents it.
///
/// # Errors
///
/// No levels, or numbers that are no probabilities.
pub fn score_confidence(probabilities: &[f64]) -> Result<f64, Undefined> {
    check_chances(probabilities)?;
    let mode = top_option(probabilities).ok_or(Undefined::NoItems)? as f64;
    if probabilities.len() == 1 {
        return Ok(1.0);
    }
    let levels = probabilities.len() as f64;
    let spread: f64 = probabilities
        .iter()
        .enumerate()
        .map(|(level, p)| p * (level as f64 - mode).abs())
        .sum();
    let middle = (levels - 1.0) / 2.0;
    let even: f64 = (0..probabilities.len())
        .map(|level| (level as f64 - middle).abs())
        .sum::<f64>()
        / levels;
    Ok((1.0 - spread / even).clamp(0.0, 1.0))
}

/// The confidence 1 − H/ln k with H the entropy, cut to [0, 1]; 1 with a single option.
///
/// # Errors
///
/// No options, or numbers that are no probabilities.
pub fn entropy_confidence(probabilities: &[f64]) -> Result<f64, Undefined> {
    check_chances(probabilities)?;
    if probabilities.len() == 1 {
        return Ok(1.0);
    }
    let entropy: f64 = probabilities
        .iter()
        .filter(|p| **p > 0.0)
        .map(|p| -p * p.ln())
        .sum();
    Ok((1.0 - entropy / (probabilities.len() as f64).ln()).clamp(0.0, 1.0))
}

/// The largest probability.
///
/// # Errors
///
/// No options, or numbers that are no probabilities.
pub fn top_probability(probabilities: &[f64]) -> Result<f64, Undefined> {
    check_chances(probabilities)?;
    Ok(probabilities.iter().copied().fold(0.0, f64::max))
}

/// A yes/no answer read from P(yes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YesNo {
    /// The answer; `None` at exactly ½, which is wrong for either gold.
    pub answer: Option<bool>,
    /// The probability of the likelier answer.
    pub top: f64,
    /// |2p − 1|, which is [`choice_confidence`] with two options.
    pub distance: f64,
}

/// Reads a yes/no answer from P(yes).
///
/// # Errors
///
/// A number that is no probability.
pub fn yes_no(p_yes: f64) -> Result<YesNo, Undefined> {
    check_chances(&[p_yes])?;
    Ok(YesNo {
        answer: (p_yes != 0.5).then_some(p_yes > 0.5),
        top: p_yes.max(1.0 - p_yes),
        distance: (2.0 * p_yes - 1.0).abs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_distributions_have_no_confidence_and_certain_ones_all() {
        for confidence in [choice_confidence, score_confidence, entropy_confidence] {
            assert!(confidence(&[0.25; 4]).unwrap().abs() < 1e-12);
            assert_eq!(confidence(&[0.0, 1.0, 0.0]), Ok(1.0));
            assert_eq!(confidence(&[1.0]), Ok(1.0));
            assert_eq!(confidence(&[]), Err(Undefined::NoItems));
            assert!(confidence(&[1.5, -0.5]).is_err());
        }
    }

    #[test]
    fn one_half_is_neither_yes_nor_no() {
        assert_eq!(yes_no(0.5).unwrap().answer, None);
        assert_eq!(yes_no(0.500_000_1).unwrap().answer, Some(true));
        assert!(yes_no(f64::NAN).is_err());
    }
}
