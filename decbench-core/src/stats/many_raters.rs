//! Agreement of any number of raters, with ratings missing.
//!
//! An item's ratings are a row of labels below the number of classes; `None`
//! is "not rated". Rows may differ in length.

use std::collections::BTreeMap;

use crate::stats::Undefined;
use crate::stats::sum::sum;

/// A label in use and how often.
type LabelCount = (usize, f64);

struct RatedItem {
    /// Ascending by label.
    labels: Vec<LabelCount>,
    /// At least one.
    ratings: f64,
}

/// The items that have a rating.
struct Ratings {
    items: Vec<RatedItem>,
}

impl Ratings {
    fn count(rows: &[impl AsRef<[Option<usize>]>], classes: usize) -> Result<Self, Undefined> {
        let mut items = Vec::new();
        let mut labels: Vec<usize> = Vec::new();
        for row in rows {
            labels.clear();
            labels.extend(row.as_ref().iter().flatten());
            if labels.iter().any(|&label| label >= classes) {
                return Err(Undefined::OutOfRange { what: "label" });
            }
            labels.sort_unstable();
            let groups = labels.chunk_by(|a, b| a == b);
            let counts: Vec<LabelCount> = groups.map(|g| (g[0], g.len() as f64)).collect();
            if !counts.is_empty() {
                items.push(RatedItem {
                    labels: counts,
                    ratings: labels.len() as f64,
                });
            }
        }
        Ok(Self { items })
    }

    /// Keeps items with at least two ratings, which alone say something about agreement.
    fn pairable(&self) -> Result<impl Iterator<Item = &RatedItem>, Undefined> {
        let pairable = |item: &&RatedItem| item.ratings >= 2.0;
        if self.items.iter().any(|item| pairable(&item)) {
            Ok(self.items.iter().filter(pairable))
        } else {
            Err(Undefined::NoItems)
        }
    }

    /// The mean over pairable items of the share of agreeing pairs.
    fn pairwise_agreement(&self) -> Result<f64, Undefined> {
        let agreement = |item: &RatedItem| {
            let same = sum(item.labels.iter().map(|&(_, k)| k * (k - 1.0)));
            same / (item.ratings * (item.ratings - 1.0))
        };
        let items = self.pairable()?.count() as f64;
        Ok((sum(self.pairable()?.map(agreement)) / items).min(1.0))
    }
}

/// The mean, over items with at least two ratings, of the share of pairs of ratings that agree.
///
/// # Errors
///
/// [`Undefined::NoItems`] when no item has two ratings,
/// [`Undefined::OutOfRange`] for a label that is not below `classes`.
pub fn mean_pairwise_agreement(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
) -> Result<f64, Undefined> {
    Ratings::count(rows, classes)?.pairwise_agreement()
}

/// Fleiss' κ (1971), for items that all have the same number of ratings.
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::LengthMismatch`] when items differ in
/// their number of ratings, [`Undefined::TooFew`] for a single rating each,
/// [`Undefined::ChanceIsCertain`] when all ratings are one label,
/// [`Undefined::OutOfRange`] for a label that is not below `classes`.
pub fn fleiss_kappa(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
) -> Result<f64, Undefined> {
    let ratings = Ratings::count(rows, classes)?;
    let Some(m) = ratings.items.first().map(|item| item.ratings) else {
        return Err(Undefined::NoItems);
    };
    if ratings.items.len() != rows.len() || ratings.items.iter().any(|item| item.ratings != m) {
        return Err(Undefined::LengthMismatch);
    }
    if m < 2.0 {
        return Err(Undefined::TooFew {
            needed: 2,
            what: "ratings of each item",
        });
    }
    let observed = ratings.pairwise_agreement()?;
    let pooled = pooled_counts(ratings.items.iter(), |_| 1.0);
    let total = m * ratings.items.len() as f64;
    let chance = sum(pooled.iter().map(|&(_, k)| (k / total) * (k / total)));
    beyond_chance(observed, chance, pooled.len())
}

/// Gwet's AC1 (2008), less moved by skewed labels than κ.
///
/// Chance agreement is Σπ(1−π)/(q−1) with π the mean share of a label over
/// rated items and q the number of labels in use.
///
/// # Errors
///
/// [`Undefined::NoItems`] when no item has two ratings,
/// [`Undefined::ChanceIsCertain`] when one label alone is in use,
/// [`Undefined::OutOfRange`] for a label that is not below `classes`.
pub fn gwet_ac1(rows: &[impl AsRef<[Option<usize>]>], classes: usize) -> Result<f64, Undefined> {
    let ratings = Ratings::count(rows, classes)?;
    let observed = ratings.pairwise_agreement()?;
    let rated = ratings.items.len() as f64;
    let shares = pooled_counts(ratings.items.iter(), |m| m);
    let used = shares.len();
    if used < 2 {
        return Err(Undefined::ChanceIsCertain);
    }
    let spread = sum(shares
        .iter()
        .map(|&(_, share)| share / rated * (1.0 - share / rated)));
    beyond_chance(observed, spread / (used - 1) as f64, used)
}

/// Krippendorff's α (2011) with nominal distance: labels are equal or not.
///
/// # Errors
///
/// [`Undefined::NoItems`] when no item has two ratings,
/// [`Undefined::ChanceIsCertain`] when all pairable ratings are one label,
/// [`Undefined::OutOfRange`] for a label that is not below `classes`.
pub fn krippendorff_nominal(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
) -> Result<f64, Undefined> {
    krippendorff(rows, classes, |a, b, _| f64::from(u8::from(a != b)))
}

/// Krippendorff's α (2011) with interval distance (a−b)² of label numbers.
///
/// # Errors
///
/// As [`krippendorff_nominal`].
pub fn krippendorff_interval(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
) -> Result<f64, Undefined> {
    krippendorff(rows, classes, |a, b, _| {
        let gap = a.abs_diff(b) as f64;
        gap * gap
    })
}

/// Krippendorff's α (2011) with ordinal distance: the squared number of ratings
/// between two labels, each end counted half.
///
/// # Errors
///
/// As [`krippendorff_nominal`].
pub fn krippendorff_ordinal(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
) -> Result<f64, Undefined> {
    krippendorff(rows, classes, |a, b, pooled| {
        let (low, high) = (a.min(b), a.max(b));
        let between = pooled.iter().filter(|&&(g, _)| low <= g && g <= high);
        let ends = pooled.iter().filter(|&&(g, _)| g == low || g == high);
        let gap = between.map(|&(_, n)| n).sum::<f64>() - ends.map(|&(_, n)| n).sum::<f64>() / 2.0;
        if a == b { 0.0 } else { gap * gap }
    })
}

fn krippendorff(
    rows: &[impl AsRef<[Option<usize>]>],
    classes: usize,
    distance: impl Fn(usize, usize, &[LabelCount]) -> f64,
) -> Result<f64, Undefined> {
    let ratings = Ratings::count(rows, classes)?;
    let pooled = pooled_counts(ratings.pairable()?, |_| 1.0);
    let n = sum(pooled.iter().map(|&(_, count)| count));
    let pairs = |counts: &[LabelCount]| {
        sum(counts.iter().enumerate().flat_map(|(i, &(a, m))| {
            let (pooled, distance) = (&pooled, &distance);
            let later = counts[i + 1..].iter();
            later.map(move |&(b, k)| 2.0 * m * k * distance(a, b, pooled))
        }))
    };
    let observed = sum(ratings
        .pairable()?
        .map(|item| pairs(&item.labels) / (item.ratings - 1.0)));
    let expected = pairs(&pooled) / (n - 1.0);
    if expected == 0.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok(1.0 - observed / expected)
}

/// Each label's count over items, an item's counts divided by `scale` of its ratings.
fn pooled_counts<'a>(
    items: impl Iterator<Item = &'a RatedItem>,
    scale: impl Fn(f64) -> f64,
) -> Vec<LabelCount> {
    let mut pooled = BTreeMap::new();
    for item in items {
        for &(label, count) in &item.labels {
            *pooled.entry(label).or_insert(0.0) += count / scale(item.ratings);
        }
    }
    pooled.into_iter().collect()
}

fn beyond_chance(observed: f64, chance: f64, labels: usize) -> Result<f64, Undefined> {
    if labels < 2 || chance >= 1.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok((observed - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_ZERO: [[Option<usize>; 3]; 4] = [[Some(0); 3]; 4];

    #[test]
    fn one_label_in_use_is_undefined() {
        assert_eq!(mean_pairwise_agreement(&ALL_ZERO, 3), Ok(1.0));
        for found in [
            fleiss_kappa(&ALL_ZERO, 3),
            gwet_ac1(&ALL_ZERO, 3),
            krippendorff_nominal(&ALL_ZERO, 3),
            krippendorff_ordinal(&ALL_ZERO, 3),
        ] {
            assert_eq!(found, Err(Undefined::ChanceIsCertain));
        }
    }

    #[test]
    fn without_a_pair_of_ratings_there_is_no_agreement() {
        let single = [[Some(0), None], [None, Some(1)], [None, None]];
        assert_eq!(mean_pairwise_agreement(&single, 2), Err(Undefined::NoItems));
        assert_eq!(gwet_ac1(&single, 2), Err(Undefined::NoItems));
        assert_eq!(krippendorff_interval(&single, 2), Err(Undefined::NoItems));
        let empty: [Vec<Option<usize>>; 0] = [];
        assert_eq!(fleiss_kappa(&empty, 2), Err(Undefined::NoItems));
    }

    #[test]
    fn fleiss_needs_equal_numbers_of_ratings() {
        let rows = [vec![Some(0), Some(1)], vec![Some(0)]];
        assert_eq!(fleiss_kappa(&rows, 2), Err(Undefined::LengthMismatch));
        let rows = [[Some(0)], [Some(1)]];
        assert!(matches!(
            fleiss_kappa(&rows, 2),
            Err(Undefined::TooFew { needed: 2, .. })
        ));
    }

    #[test]
    fn full_agreement_on_several_labels_is_one() {
        let rows = [[Some(0); 2], [Some(2); 2], [Some(1); 2]];
        for found in [
            fleiss_kappa(&rows, 3),
            gwet_ac1(&rows, 3),
            krippendorff_nominal(&rows, 3),
            krippendorff_ordinal(&rows, 3),
            krippendorff_interval(&rows, 3),
        ] {
            assert_eq!(found, Ok(1.0));
        }
        assert!(gwet_ac1(&[[Some(3); 2]], 3).is_err());
    }
}
