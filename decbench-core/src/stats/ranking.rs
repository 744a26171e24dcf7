//! How well a score puts positives above negatives.

use crate::stats::distribution::two_sided_z;
use crate::stats::sum::{finite, sum};
use crate::stats::{Interval, Undefined};

/// The area under the ROC curve with DeLong's standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auroc {
    /// P(score of a positive > of a negative) + ½P(equal), in [0, 1].
    pub area: f64,
    /// DeLong's standard error; `None` with a single positive or negative.
    pub se: Option<f64>,
    /// The number of positives.
    pub positives: u64,
    /// The number of negatives.
    pub negatives: u64,
}

impl Auroc {
    /// Area ∓ z·SE, cut to [0, 1].
    ///
    /// Its width is 0 when positives and negatives are perfectly separated, however few there are: not
    /// an interval to gate on then.
    ///
    /// # Errors
    ///
    /// [`Undefined::TooFew`] without a standard error, or a level outside (0, 1).
    pub fn interval(&self, level: f64) -> Result<Interval, Undefined> {
        let z = two_sided_z(level)?;
        let se = self.se.ok_or(Undefined::TooFew {
            needed: 2,
            what: "positives and negatives",
        })?;
        Ok(Interval {
            low: self.area - z * se,
            high: self.area + z * se,
        }
        .cut(0.0, 1.0))
    }
}

/// The area under the ROC curve (DeLong, DeLong, Clarke-Pearson 1988).
///
/// ```
/// use decbench_core::stats::ranking::auroc;
///
/// let found = auroc(&[0.9, 0.4, 0.6, 0.1], &[true, true, false, false])?;
/// assert_eq!(found.area, 0.75);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items, lists of different length, a score that is not finite, or [`Undefined::SingleClass`].
pub fn auroc(scores: &[f64], positive: &[bool]) -> Result<Auroc, Undefined> {
    let ranked = ranked(scores, positive)?;
    let positives = positive.iter().filter(|&&positive| positive).count();
    let negatives = positive.len() - positives;
    if positives == 0 || negatives == 0 {
        return Err(Undefined::SingleClass);
    }
    let (m, n) = (positives as f64, negatives as f64);
    // For each item, the share of the other class on its good side, ties counting half.
    let mut of_positives = Vec::with_capacity(positives);
    let mut of_negatives = Vec::with_capacity(negatives);
    let (mut positives_above, mut negatives_above) = (0.0, 0.0);
    for tie in ranked.chunk_by(|a, b| a.0 == b.0) {
        let tied_positives = tie.iter().filter(|item| item.1).count() as f64;
        let tied_negatives = tie.len() as f64 - tied_positives;
        for &(_, positive) in tie {
            if positive {
                of_positives.push((n - negatives_above - 0.5 * tied_negatives) / n);
            } else {
                of_negatives.push((positives_above + 0.5 * tied_positives) / m);
            }
        }
        positives_above += tied_positives;
        negatives_above += tied_negatives;
    }
    let area = sum(of_positives.iter().copied()) / m;
    let variance = |shares: &[f64]| {
        let size = shares.len() as f64;
        sum(shares.iter().map(|share| (share - area).powi(2))) / (size - 1.0) / size
    };
    let se = (positives > 1 && negatives > 1)
        .then(|| (variance(&of_positives) + variance(&of_negatives)).sqrt());
    Ok(Auroc {
        area,
        se,
        positives: positives as u64,
        negatives: negatives as u64,
    })
}

/// Average precision: `Σ(recall_i − recall_{i−1})·precision_i` over distinct scores from the highest.
///
/// No interpolation. Ties enter together.
///
/// # Errors
///
/// As [`auroc`]; of positives alone it would be a vacuous 1.
pub fn average_precision(scores: &[f64], positive: &[bool]) -> Result<f64, Undefined> {
    let ranked = ranked(scores, positive)?;
    let positives = positive.iter().filter(|&&positive| positive).count();
    if positives == 0 || positives == positive.len() {
        return Err(Undefined::SingleClass);
    }
    let (mut seen, mut found) = (0.0, 0.0);
    let steps = ranked.chunk_by(|a, b| a.0 == b.0).map(|tie| {
        let tied = tie.iter().filter(|item| item.1).count() as f64;
        seen += tie.len() as f64;
        found += tied;
        tied / positives as f64 * (found / seen)
    });
    Ok(sum(steps))
}

/// The mean over options of the area for "this option is right", scored by its probability.
///
/// Options that are never or always the gold have no area and are left out.
///
/// # Errors
///
/// No items, lists or rows of different length, a gold outside the options, a number that is not finite,
/// or [`Undefined::SingleClass`] when no option has an area.
pub fn auroc_one_vs_rest<P: AsRef<[f64]>>(
    probabilities: &[P],
    gold: &[usize],
) -> Result<f64, Undefined> {
    let options = probabilities
        .first()
        .ok_or(Undefined::NoItems)?
        .as_ref()
        .len();
    if probabilities.len() != gold.len()
        || probabilities
            .iter()
            .any(|row| row.as_ref().len() != options)
    {
        return Err(Undefined::LengthMismatch);
    }
    if gold.iter().any(|&gold| gold >= options) {
        return Err(Undefined::OutOfRange { what: "gold" });
    }
    let mut areas = Vec::new();
    for option in 0..options {
        let scores: Vec<f64> = probabilities
            .iter()
            .map(|row| row.as_ref()[option])
            .collect();
        let positive: Vec<bool> = gold.iter().map(|&gold| gold == option).collect();
        match auroc(&scores, &positive) {
            Ok(found) => areas.push(found.area),
            Err(Undefined::SingleClass) => {}
            Err(other) => return Err(other),
        }
    }
    if areas.is_empty() {
        return Err(Undefined::SingleClass);
    }
    Ok(sum(areas.iter().copied()) / areas.len() as f64)
}

/// Scores from the highest with their class, positives first within ties.
fn ranked(scores: &[f64], positive: &[bool]) -> Result<Vec<(f64, bool)>, Undefined> {
    if scores.len() != positive.len() {
        return Err(Undefined::LengthMismatch);
    }
    if scores.is_empty() {
        return Err(Undefined::NoItems);
    }
    finite(scores)?;
    let mut ranked: Vec<(f64, bool)> = scores
        .iter()
        .map(|score| score + 0.0)
        .zip(positive.iter().copied())
        .collect();
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    Ok(ranked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_has_no_ranking() {
        assert_eq!(
            auroc(&[0.1, 0.2], &[true, true]),
            Err(Undefined::SingleClass)
        );
        assert_eq!(
            average_precision(&[0.1], &[false]),
            Err(Undefined::SingleClass)
        );
        assert_eq!(
            auroc_one_vs_rest(&[[0.5, 0.5]], &[0]),
            Err(Undefined::SingleClass)
        );
    }

    #[test]
    fn a_single_positive_has_an_area_and_no_error() {
        let found = auroc(&[0.1, 0.9, 0.3], &[false, true, false]).unwrap();
        assert_eq!((found.area, found.se), (1.0, None));
        assert!(found.interval(0.95).is_err());
    }

    #[test]
    fn signed_zeros_are_ties() {
        assert_eq!(auroc(&[0.0, -0.0], &[true, false]).unwrap().area, 0.5);
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(
            auroc(&[f64::NAN, 0.0], &[true, false]),
            Err(Undefined::NotFinite)
        );
        assert_eq!(auroc(&[0.0], &[]), Err(Undefined::LengthMismatch));
        assert_eq!(auroc(&[], &[]), Err(Undefined::NoItems));
    }
}
