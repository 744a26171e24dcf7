//! Bootstrap ratios of sums over units: clusters, weighted cases, costs per success.

use super::cells::cells_from;
use super::distinct::Distinct;
use super::replicates::{Replicates, Resampling};
use super::{checked, unit_count};
use crate::stats::Undefined;
use crate::stats::random::{IndexSource, RandomStream, Seed};
use crate::stats::sum::finite;

/// Ratios Σ numerator / Σ denominator over resamples of units.
///
/// One unit is a cluster with its sum and size, a case with its weighted value and weight, or a case
/// with its cost and success. The order of units does not matter. A resample whose denominators sum to
/// zero has the value +∞ when its numerators are positive and is otherwise undefined.
///
/// # Errors
///
/// No units, lists of different length, a number that is not finite, a negative denominator, or no
/// resamples.
pub fn resampled_ratios(
    numerators: &[f64],
    denominators: &[f64],
    resamples: usize,
    seed: Seed,
) -> Result<Replicates, Undefined> {
    checked(numerators, resamples)?;
    finite(denominators)?;
    if numerators.len() != denominators.len() {
        return Err(Undefined::LengthMismatch);
    }
    if denominators.iter().any(|&denominator| denominator < 0.0) {
        return Err(Undefined::OutOfRange {
            what: "a denominator",
        });
    }
    let mut pairs: Vec<[f64; 2]> = numerators
        .iter()
        .zip(denominators)
        .map(|(&numerator, &denominator)| [numerator + 0.0, denominator + 0.0])
        .collect();
    pairs.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut stream = RandomStream::new(seed);
    if let Some(distinct) = Distinct::of(pairs.iter().copied()) {
        let ratio = |counts: &[u64]| {
            let weighted = |side: usize| -> f64 {
                let terms = counts.iter().zip(&distinct.values);
                terms.map(|(&count, pair)| count as f64 * pair[side]).sum()
            };
            quotient(weighted(0), weighted(1))
        };
        return cells_from(&distinct.counts, resamples, &mut stream, ratio);
    }
    let n = unit_count(pairs.len())?;
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    for _ in 0..resamples {
        let (mut numerator, mut denominator) = (0.0, 0.0);
        for _ in 0..pairs.len() {
            let pair = pairs[stream.index_below(n)? as usize];
            numerator += pair[0];
            denominator += pair[1];
        }
        replicates.push(quotient(numerator, denominator));
    }
    Ok(replicates)
}

fn quotient(numerator: f64, denominator: f64) -> Option<f64> {
    if denominator > 0.0 {
        Some(numerator / denominator)
    } else if numerator > 0.0 {
        Some(f64::INFINITY)
    } else {
        None
    }
}

/// Sums and sizes of clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterTotals {
    /// The sum of values of each cluster.
    pub sums: Vec<f64>,
    /// The number of items of each cluster.
    pub sizes: Vec<f64>,
}

/// Sums `values` within clusters; `clusters[i]` is any number that names item i's cluster.
///
/// Clusters come out in the order of their numbers. `resampled_ratios(&totals.sums, &totals.sizes, …)`
/// is the cluster bootstrap of the mean.
///
/// # Errors
///
/// No items, lists of different length, or a value that is not finite.
pub fn cluster_totals(values: &[f64], clusters: &[usize]) -> Result<ClusterTotals, Undefined> {
    finite(values)?;
    if values.len() != clusters.len() {
        return Err(Undefined::LengthMismatch);
    }
    if values.is_empty() {
        return Err(Undefined::NoItems);
    }
    let mut items: Vec<(usize, f64)> = clusters
        .iter()
        .copied()
        .zip(values.iter().copied())
        .collect();
    items.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut totals = ClusterTotals {
        sums: Vec::new(),
        sizes: Vec::new(),
    };
    for cluster in items.chunk_by(|a, b| a.0 == b.0) {
        totals.sums.push(cluster.iter().map(|item| item.1).sum());
        totals.sizes.push(cluster.len() as f64);
    }
    Ok(totals)
}
