//! Scores for ordered levels 0, 1, …, K − 1.

use crate::stats::Undefined;
use crate::stats::calibration::check_chances;
use crate::stats::proper::{Truth, mean, top_option};

/// The ranked probability score of one distribution, in [0, K − 1] (Epstein 1969).
///
/// Σ over the first K − 1 levels of (cumulative probability − cumulative truth)². It equals the CRPS of
/// the distribution on levels one apart; with two levels it is (P(1) − y)².
///
/// ```
/// use decbench_core::stats::ordinal::rps;
/// use decbench_core::stats::proper::Truth;
///
/// assert_eq!(rps(&[0.0, 0.0, 1.0], Truth::Option(0))?, 2.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// Numbers that are no probabilities, or a truth over other levels.
pub fn rps(probabilities: &[f64], truth: Truth<'_>) -> Result<f64, Undefined> {
    truth.check(probabilities)?;
    let (mut stated, mut right, mut score) = (0.0, 0.0, 0.0);
    for (level, probability) in probabilities[..probabilities.len() - 1].iter().enumerate() {
        stated += probability;
        right += truth.share(level);
        score += (stated - right) * (stated - right);
    }
    Ok(score)
}

/// [`rps`] divided by K − 1, in [0, 1].
///
/// # Errors
///
/// As [`rps`], or fewer than two levels.
pub fn rps_normalised(probabilities: &[f64], truth: Truth<'_>) -> Result<f64, Undefined> {
    if probabilities.len() < 2 {
        return Err(Undefined::TooFew {
            needed: 2,
            what: "levels",
        });
    }
    Ok(rps(probabilities, truth)? / (probabilities.len() - 1) as f64)
}

/// The expected level `Σ k·p_k`.
///
/// # Errors
///
/// No levels, or numbers that are no probabilities.
pub fn expected_level(probabilities: &[f64]) -> Result<f64, Undefined> {
    check_chances(probabilities)?;
    Ok(probabilities
        .iter()
        .enumerate()
        .map(|(level, p)| level as f64 * p)
        .sum())
}

/// Means over items whose gold is one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrdinalScores {
    /// Mean ranked probability score.
    pub rps: f64,
    /// Mean normalised ranked probability score; `None` when some item has a single level.
    pub rps_normalised: Option<f64>,
    /// Mean |expected level − gold|.
    pub expected_level_error: f64,
    /// Share of items whose most likely level (the first of equals) is the gold.
    pub mode_accuracy: f64,
    /// Share of items whose most likely level is at most one from the gold.
    pub mode_within_one: f64,
}

/// All ordinal scores of distributions against gold levels.
///
/// # Errors
///
/// No items, lists of different length, a gold outside the levels, or numbers that are no probabilities.
pub fn ordinal_scores<P: AsRef<[f64]>>(
    probabilities: &[P],
    gold: &[usize],
) -> Result<OrdinalScores, Undefined> {
    if probabilities.len() != gold.len() {
        return Err(Undefined::LengthMismatch);
    }
    let distance = |row: &[f64], gold: usize| {
        top_option(row)
            .map(|top| top.abs_diff(gold))
            .ok_or(Undefined::NoItems)
    };
    let share = |holds: bool| f64::from(u8::from(holds));
    Ok(OrdinalScores {
        rps: mean_over(probabilities, gold, |row, gold| {
            rps(row, Truth::Option(gold))
        })?,
        rps_normalised: mean_over(probabilities, gold, |row, gold| {
            rps_normalised(row, Truth::Option(gold))
        })
        .ok(),
        expected_level_error: mean_over(probabilities, gold, |row, gold| {
            Ok((expected_level(row)? - gold as f64).abs())
        })?,
        mode_accuracy: mean_over(probabilities, gold, |row, gold| {
            Ok(share(distance(row, gold)? == 0))
        })?,
        mode_within_one: mean_over(probabilities, gold, |row, gold| {
            Ok(share(distance(row, gold)? <= 1))
        })?,
    })
}

fn mean_over<P: AsRef<[f64]>>(
    probabilities: &[P],
    gold: &[usize],
    score: impl Fn(&[f64], usize) -> Result<f64, Undefined>,
) -> Result<f64, Undefined> {
    let items = probabilities.iter().zip(gold);
    let scores: Vec<f64> = items
        .map(|(row, &gold)| score(row.as_ref(), gold))
        .collect::<Result<_, _>>()?;
    mean(&scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_by_more_costs_more() {
        let scores: Vec<f64> = (0..4)
            .map(|gold| rps(&[1.0, 0.0, 0.0, 0.0], Truth::Option(gold)).unwrap())
            .collect();
        assert_eq!(scores, [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn one_level_has_no_normalised_score() {
        assert_eq!(rps(&[1.0], Truth::Option(0)), Ok(0.0));
        assert!(rps_normalised(&[1.0], Truth::Option(0)).is_err());
        assert_eq!(ordinal_scores(&[[1.0]], &[0]).unwrap().rps_normalised, None);
    }

    #[test]
    fn nothing_and_nonsense_are_refused() {
        assert_eq!(rps(&[], Truth::Option(0)), Err(Undefined::NoItems));
        assert!(ordinal_scores::<[f64; 2]>(&[], &[]).is_err());
        assert!(ordinal_scores(&[[0.5, 0.5]], &[2]).is_err());
    }
}
