//! Items that belong together: turns of one call, variants of one text.
//!
//! Items of one cluster are never counted as independent.

use std::collections::BTreeMap;

use crate::stats::distribution::two_sided_t;
use crate::stats::proportion::{clopper_pearson_effective, wilson_effective};
use crate::stats::sum::{Sum, finite, sum};
use crate::stats::weighted::{around, as_numbers, scaled, weighted_mean, within};
use crate::stats::{Interval, Undefined};

/// Fewer clusters than this are no basis for a gate.
pub const LEAST_CLUSTERS: u64 = 10;

/// A mean with the standard error of clustered items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterMean {
    /// The mean over items.
    pub mean: f64,
    /// The number of items.
    pub items: u64,
    /// The number of clusters, G.
    pub clusters: u64,
    /// √Σs² / n with s the residual sum of a cluster (CR0; Liang and Zeger 1986).
    pub uncorrected_error: f64,
    /// The reported standard error, CR0 · √(G/(G−1)); `None` for one cluster.
    pub standard_error: Option<f64>,
    /// (standard error / standard error of independent items)²; `None` when
    /// there is no error or nothing varies.
    pub design_effect: Option<f64>,
    /// Items over design effect, and `None` with it.
    pub n_eff: Option<f64>,
    /// Mean ± t on G−1 degrees of freedom, neither cut nor widened; `None` for one cluster.
    pub t_interval: Option<Interval>,
}

/// The mean of clustered values; `cluster` gives each item's cluster by any number.
///
/// A gate on a proportion takes [`clustered_proportion`] instead: the interval
/// here may have no width or leave `[0, 1]`.
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::LengthMismatch`],
/// [`Undefined::NotFinite`], [`Undefined::OutOfRange`] for a level outside
/// (0, 1) or values whose squares exceed the range of doubles.
pub fn cluster_mean(
    values: &[f64],
    cluster: &[usize],
    level: f64,
) -> Result<ClusterMean, Undefined> {
    if values.len() != cluster.len() {
        return Err(Undefined::LengthMismatch);
    }
    finite(values)?;
    if values.is_empty() {
        return Err(Undefined::NoItems);
    }
    let n = values.len() as f64;
    let mean = within(values, sum(values.iter().copied()) / n);
    let totals = residual_sums(values.iter().map(|y| y - mean), cluster);
    let groups = totals.len() as f64;
    let between = sum(totals.iter().map(|s| s * s));
    let uncorrected_error = between.sqrt() / n;
    let square = sum(values.iter().map(|y| (y - mean) * (y - mean)));
    if !mean.is_finite() || !uncorrected_error.is_finite() || !square.is_finite() {
        return Err(Undefined::OutOfRange { what: "value" });
    }
    let standard_error =
        (totals.len() > 1).then(|| uncorrected_error * (groups / (groups - 1.0)).sqrt());
    let design_effect = standard_error
        .filter(|_| square > 0.0)
        .map(|error| error * error * n * (n - 1.0) / square);
    // Residuals that cancel inside every cluster leave an effect of zero: no size is implied.
    let n_eff = design_effect
        .filter(|&effect| effect > 0.0)
        .map(|effect| n / effect);
    let t = two_sided_t(level, (groups - 1.0).max(1.0))?;
    Ok(ClusterMean {
        mean,
        items: values.len() as u64,
        clusters: totals.len() as u64,
        uncorrected_error,
        standard_error,
        design_effect,
        n_eff,
        t_interval: standard_error.map(|error| around(mean, t * error)),
    })
}

/// A proportion of clustered, possibly weighted items, as a gate judges it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredProportion {
    /// The (weighted) share of right items.
    pub estimate: f64,
    /// Items of positive weight.
    pub items: u64,
    /// Their clusters.
    pub clusters: u64,
    /// How many independent items they are worth, at most [`ClusteredProportion::items`].
    pub n_eff: f64,
    /// Wilson's interval at `n_eff`: the one to print.
    pub wilson: Interval,
    /// The exact interval at `n_eff`: the one to judge by.
    pub exact: Interval,
}

/// A proportion at the effective size n / max(1, design effect), or the number of clusters
/// where the design effect is undefined because nothing varies.
///
/// Where every cluster has one item this is the plain proportion. Otherwise
/// fewer than ten clusters are not measurable.
///
/// ```
/// use decbench_core::stats::clusters::clustered_proportion;
///
/// let correct: Vec<bool> = (0..60).map(|i| i % 12 != 0).collect();
/// let calls: Vec<usize> = (0..60).map(|i| i / 3).collect();
/// let found = clustered_proportion(&correct, &calls, 0.95)?;
/// assert_eq!((found.items, found.clusters), (60, 20));
/// assert!(found.n_eff <= 60.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// As [`cluster_mean`], and [`Undefined::TooFew`] below ten clusters.
pub fn clustered_proportion(
    correct: &[bool],
    cluster: &[usize],
    level: f64,
) -> Result<ClusteredProportion, Undefined> {
    weighted_clustered_proportion(correct, &vec![1.0; correct.len()], cluster, level)
}

/// [`clustered_proportion`] of weighted items.
///
/// The design effect is that of the linearised ratio estimate with residual
/// sums per cluster; `n_eff` is never above Kish's size of the weights alone.
///
/// # Errors
///
/// As [`clustered_proportion`], and for weights as
/// [`weighted_mean`].
pub fn weighted_clustered_proportion(
    correct: &[bool],
    weights: &[f64],
    cluster: &[usize],
    level: f64,
) -> Result<ClusteredProportion, Undefined> {
    if correct.len() != cluster.len() || correct.len() != weights.len() {
        return Err(Undefined::LengthMismatch);
    }
    let values = as_numbers(correct);
    let mean = weighted_mean(&values, weights)?;
    let weights = scaled(weights)?;
    let kept = || (0..values.len()).filter(|&i| weights[i] > 0.0);
    let kept_clusters: Vec<usize> = kept().map(|i| cluster[i]).collect();
    let totals = residual_sums(
        kept().map(|i| weights[i] * (values[i] - mean.mean)),
        &kept_clusters,
    );
    let clusters = totals.len() as u64;
    let n_eff = if clusters == mean.items {
        mean.kish
    } else if clusters < LEAST_CLUSTERS {
        return Err(Undefined::TooFew {
            needed: LEAST_CLUSTERS,
            what: "clusters",
        });
    } else {
        let (n, groups) = (mean.items as f64, clusters as f64);
        let total = sum(weights.iter().copied());
        let between = sum(totals.iter().map(|s| s * s));
        let variance = groups / (groups - 1.0) * between / (total * total);
        let single = mean.mean * (1.0 - mean.mean);
        if variance > 0.0 && single > 0.0 {
            mean.kish.min(n / (n - 1.0) * single / variance)
        } else if single > 0.0 {
            // Right and wrong cancel in every cluster: no worse than independent.
            mean.kish
        } else {
            mean.kish.min(groups)
        }
    };
    Ok(ClusteredProportion {
        estimate: mean.mean,
        items: mean.items,
        clusters,
        n_eff,
        wilson: wilson_effective(mean.mean, n_eff, level)?,
        exact: clopper_pearson_effective(mean.mean, n_eff, level)?,
    })
}

/// The sum of each cluster's residuals, in the order of the cluster numbers.
fn residual_sums(residuals: impl Iterator<Item = f64>, cluster: &[usize]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    for (residual, &cluster) in residuals.zip(cluster) {
        sums.entry(cluster).or_default().add(residual);
    }
    sums.into_values().map(Sum::value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cluster_has_a_mean_and_no_error() {
        let found = cluster_mean(&[1.0, 0.0, 1.0], &[5, 5, 5], 0.95).unwrap();
        assert_eq!(found.clusters, 1);
        assert_eq!(found.standard_error, None);
        assert_eq!(found.t_interval, None);
    }

    #[test]
    fn a_gate_needs_ten_clusters_unless_each_item_is_its_own() {
        let correct = [true; 18];
        let pairs: Vec<usize> = (0..18).map(|i| i / 2).collect();
        assert!(matches!(
            clustered_proportion(&correct, &pairs, 0.95),
            Err(Undefined::TooFew { needed: 10, .. })
        ));
        let found = clustered_proportion(&correct[..5], &[4, 8, 1, 0, 2], 0.95).unwrap();
        assert_eq!(found.n_eff, 5.0);
    }

    #[test]
    fn all_right_is_worth_the_number_of_clusters() {
        let clusters: Vec<usize> = (0..48).map(|i| i / 4).collect();
        let found = clustered_proportion(&[true; 48], &clusters, 0.95).unwrap();
        assert_eq!(found.n_eff, 12.0);
        assert!(found.exact.width() > 0.2);
    }

    #[test]
    fn copies_are_worth_one_item_each() {
        let correct: Vec<bool> = (0..80).map(|i| (i / 4) % 5 != 0).collect();
        let clusters: Vec<usize> = (0..80).map(|i| i / 4).collect();
        let found = clustered_proportion(&correct, &clusters, 0.95).unwrap();
        // 80 items that are 20 items four times over: 20 up to n−1 against G−1.
        assert!(
            (found.n_eff - 80.0 * 19.0 / 79.0).abs() < 1e-9,
            "{}",
            found.n_eff
        );
    }

    #[test]
    fn clusters_better_than_chance_do_not_add_items() {
        let correct: Vec<bool> = (0..40).map(|i| i % 2 == 0).collect();
        let clusters: Vec<usize> = (0..40).map(|i| i / 2).collect();
        let found = clustered_proportion(&correct, &clusters, 0.95).unwrap();
        assert_eq!(found.n_eff, 40.0);
    }
}
