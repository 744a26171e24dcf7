//! Agreement of two raters.
//!
//! A rater is a person, a model or a run: anything that gives each item one of
//! K labels. Agreement below 0.6 on labels says something about the question,
//! not about the model. For more raters and missing ratings see
//! [`many_raters`](crate::stats::many_raters).

use crate::stats::distribution::two_sided_z;
use crate::stats::sum::sum;
use crate::stats::weighted::around;
use crate::stats::{Interval, Undefined};

/// Cohen's κ with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CohenKappa {
    /// The share of items on which the two agree.
    pub agreement: f64,
    /// The agreement by chance: the two raters' label shares multiplied.
    pub chance: f64,
    /// (agreement − chance)/(1 − chance), at most 1.
    pub kappa: f64,
    /// The large-sample standard error of Fleiss, Cohen and Everitt (1969), not that under κ = 0.
    pub standard_error: f64,
    /// κ ± z standard errors, not cut.
    pub interval: Interval,
}

/// The share of items on which two raters agree.
///
/// # Errors
///
/// [`Undefined::LengthMismatch`], [`Undefined::NoItems`].
pub fn percent_agreement(a: &[usize], b: &[usize]) -> Result<f64, Undefined> {
    if a.len() != b.len() {
        return Err(Undefined::LengthMismatch);
    }
    if a.is_empty() {
        return Err(Undefined::NoItems);
    }
    let same = a.iter().zip(b).filter(|(a, b)| a == b).count();
    Ok(same as f64 / a.len() as f64)
}

/// Cohen's κ (1960) of two raters over `classes` labels, at a two-sided level.
///
/// ```
/// use decbench_core::stats::agreement::cohen_kappa;
///
/// let found = cohen_kappa(&[0, 0, 1, 1], &[0, 1, 1, 1], 2, 0.95)?;
/// assert_eq!(found.agreement, 0.75);
/// assert_eq!(found.kappa, 0.5);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::ChanceIsCertain`] when both give one and the same label
/// throughout, where κ is 0/0; [`Undefined::LengthMismatch`],
/// [`Undefined::NoItems`], and [`Undefined::OutOfRange`] for a label that is
/// not below `classes` or a level outside (0, 1).
pub fn cohen_kappa(
    a: &[usize],
    b: &[usize],
    classes: usize,
    level: f64,
) -> Result<CohenKappa, Undefined> {
    let z = two_sided_z(level)?;
    let agreement = percent_agreement(a, b)?;
    let (first, second) = (shares(a, classes)?, shares(b, classes)?);
    let chance = sum(first.iter().zip(&second).map(|(a, b)| a * b));
    let kappa = kappa_from_shares(agreement, chance)?;
    // The three sums of Fleiss, Cohen and Everitt, taken over items in place of cells.
    let n = a.len() as f64;
    let same = a.iter().zip(b).filter(|(a, b)| a == b);
    let diagonal = sum(same.map(|(&l, _)| {
        let term = 1.0 - (first[l] + second[l]) * (1.0 - kappa);
        term * term
    })) / n;
    let other = a.iter().zip(b).filter(|(a, b)| a != b);
    let off_diagonal = sum(other.map(|(&a, &b)| {
        let term = (second[a] + first[b]) * (1.0 - kappa);
        term * term
    })) / n;
    let centre = kappa - chance * (1.0 - kappa);
    let variance = (diagonal + off_diagonal - centre * centre).max(0.0);
    let standard_error = variance.sqrt() / ((1.0 - chance) * n.sqrt());
    Ok(CohenKappa {
        agreement,
        chance,
        kappa,
        standard_error,
        interval: around(kappa, z * standard_error),
    })
}

/// κ from an observed agreement and one by chance, both in `[0, 1]`.
///
/// # Errors
///
/// [`Undefined::ChanceIsCertain`] at a chance of 1, [`Undefined::NotFinite`]
/// and [`Undefined::OutOfRange`] for what is no share.
pub fn kappa_from_shares(agreement: f64, chance: f64) -> Result<f64, Undefined> {
    for share in [agreement, chance] {
        if share.is_nan() {
            return Err(Undefined::NotFinite);
        }
        if !(0.0..=1.0).contains(&share) {
            return Err(Undefined::OutOfRange { what: "share" });
        }
    }
    // The products of shares that add up to 1 may miss it by a rounding.
    if 1.0 - chance < 1e-12 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok((agreement - chance) / (1.0 - chance))
}

/// Weighted κ (Cohen 1968) with weights |i−j| on the declared order of labels.
///
/// # Errors
///
/// As [`cohen_kappa`].
pub fn cohen_kappa_linear(a: &[usize], b: &[usize], classes: usize) -> Result<f64, Undefined> {
    weighted_kappa(a, b, classes, |gap| gap)
}

/// Weighted κ (Cohen 1968) with weights (i−j)² on the declared order of labels.
///
/// # Errors
///
/// As [`cohen_kappa`].
pub fn cohen_kappa_quadratic(a: &[usize], b: &[usize], classes: usize) -> Result<f64, Undefined> {
    weighted_kappa(a, b, classes, |gap| gap * gap)
}

fn weighted_kappa(
    a: &[usize],
    b: &[usize],
    classes: usize,
    weight: impl Fn(f64) -> f64,
) -> Result<f64, Undefined> {
    percent_agreement(a, b)?;
    let (first, second) = (shares(a, classes)?, shares(b, classes)?);
    let pairs = a.iter().zip(b);
    let observed = sum(pairs.map(|(&a, &b)| weight(a.abs_diff(b) as f64))) / a.len() as f64;
    let used = |shares: &[f64]| -> Vec<(usize, f64)> {
        let all = shares.iter().copied().enumerate();
        all.filter(|&(_, share)| share > 0.0).collect()
    };
    let (first, second) = (used(&first), used(&second));
    let expected = sum(first.iter().flat_map(|&(i, p)| {
        let weight = &weight;
        second
            .iter()
            .map(move |&(j, q)| weight(i.abs_diff(j) as f64) * p * q)
    }));
    if expected == 0.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok(1.0 - observed / expected)
}

/// The share of each label in one rater's list.
fn shares(labels: &[usize], classes: usize) -> Result<Vec<f64>, Undefined> {
    if classes > 1_000_000 {
        return Err(Undefined::OutOfRange {
            what: "number of classes",
        });
    }
    let mut counts = vec![0_u64; classes];
    for &label in labels {
        *counts
            .get_mut(label)
            .ok_or(Undefined::OutOfRange { what: "label" })? += 1;
    }
    let n = labels.len() as f64;
    Ok(counts.into_iter().map(|count| count as f64 / n).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_label_throughout_is_undefined_and_not_zero() {
        let same = [1, 1, 1];
        assert_eq!(
            cohen_kappa(&same, &same, 2, 0.95),
            Err(Undefined::ChanceIsCertain)
        );
        assert_eq!(
            cohen_kappa_linear(&same, &same, 2),
            Err(Undefined::ChanceIsCertain)
        );
        assert_eq!(percent_agreement(&same, &same), Ok(1.0));
    }

    #[test]
    fn full_agreement_on_two_labels_is_one_without_error() {
        let labels = [0, 1, 1, 0, 2];
        let found = cohen_kappa(&labels, &labels, 3, 0.95).unwrap();
        assert_eq!(found.kappa, 1.0);
        assert!(found.standard_error < 1e-8);
        assert_eq!(cohen_kappa_quadratic(&labels, &labels, 3), Ok(1.0));
    }

    #[test]
    fn distance_counts_only_in_the_weighted_forms() {
        let gold = [0, 1, 2, 0, 1, 2];
        let near = [1, 1, 2, 0, 1, 2];
        let far = [2, 1, 2, 0, 1, 2];
        let plain = |labels: &[usize]| cohen_kappa(&gold, labels, 3, 0.95).unwrap().agreement;
        assert_eq!(plain(&near), plain(&far));
        let weighted = |labels: &[usize]| cohen_kappa_quadratic(&gold, labels, 3).unwrap();
        assert!(weighted(&near) > weighted(&far));
    }

    #[test]
    fn unusable_input_is_refused() {
        assert_eq!(percent_agreement(&[], &[]), Err(Undefined::NoItems));
        assert!(cohen_kappa(&[0], &[0, 1], 2, 0.95).is_err());
        assert!(cohen_kappa(&[0, 2], &[0, 1], 2, 0.95).is_err());
        assert!(kappa_from_shares(0.9, 1.0).is_err());
        assert!(kappa_from_shares(f64::NAN, 0.5).is_err());
    }
}
