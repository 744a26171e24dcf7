//! The bootstrap of calibration error, through bins.

use super::binning::Binning;
use super::equal_width::equal_width;
use super::forecasts::Forecasts;
use crate::stats::bootstrap_interval::basic;
use crate::stats::multinomial::Multinomial;
use crate::stats::random::{IndexSource, RandomStream, Seed};
use crate::stats::resample::{Replicates, Resampling, drawn_sum, unit_count};
use crate::stats::{Interval, Undefined};

/// Which error over bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinnedError {
    /// Expected calibration error, the mean gap over items.
    Expected,
    /// Maximum calibration error, the largest gap of a bin.
    Maximum,
}

impl BinnedError {
    /// The error of bins given as (Σ(chance − outcome), items).
    fn of(self, bins: &[(f64, f64)]) -> Option<f64> {
        let filled = bins.iter().filter(|(_, items)| *items > 0.0);
        let items: f64 = filled.clone().map(|(_, items)| items).sum();
        match self {
            _ if items <= 0.0 => None,
            Self::Expected => Some(filled.map(|(gap, _)| gap.abs()).sum::<f64>() / items),
            Self::Maximum => {
                Some(filled.fold(0.0_f64, |most, (gap, items)| most.max(gap.abs() / items)))
            }
        }
    }
}

/// Binned calibration error on resamples of items.
///
/// A resample first draws how many items fall in each bin, by one multinomial draw, and then the items
/// inside it; few distinct pairs of chance and outcome are drawn as counts outright. Either has the law
/// of drawing items one by one. The order of items does not matter.
///
/// # Errors
///
/// No resamples.
pub fn resampled_error(
    forecasts: &Forecasts<'_>,
    binning: &Binning,
    error: BinnedError,
    resamples: usize,
    seed: Seed,
) -> Result<Replicates, Undefined> {
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    let pairs = forecasts.sorted();
    let mut stream = RandomStream::new(seed);
    let mut cells: Vec<(usize, f64, u64)> = Vec::new();
    for same in pairs.chunk_by(|a, b| a == b) {
        let (chance, outcome) = same[0];
        cells.push((binning.bin_of(chance), chance - outcome, same.len() as u64));
    }
    // One count costs as much as some thirty indices.
    if cells.len() <= 64 || cells.len() * 32 <= pairs.len() {
        by_cells(&cells, binning.len(), error, resamples, &mut stream)
    } else {
        by_bins(&cells, binning.len(), error, resamples, &mut stream)
    }
}

fn by_cells(
    cells: &[(usize, f64, u64)],
    bins: usize,
    error: BinnedError,
    resamples: usize,
    stream: &mut RandomStream,
) -> Result<Replicates, Undefined> {
    let law = Multinomial::new(&cells.iter().map(|cell| cell.2).collect::<Vec<_>>())?;
    let mut tallies = vec![(0.0, 0.0); bins];
    let mut replicates = Replicates::new(Resampling::Multinomial, resamples);
    law.each_resample(resamples, stream, |counts| {
        tallies.fill((0.0, 0.0));
        for (&(bin, gap, _), &count) in cells.iter().zip(counts) {
            tallies[bin].0 += gap * count as f64;
            tallies[bin].1 += count as f64;
        }
        replicates.push(error.of(&tallies));
    });
    Ok(replicates)
}

fn by_bins(
    cells: &[(usize, f64, u64)],
    bins: usize,
    error: BinnedError,
    resamples: usize,
    stream: &mut RandomStream,
) -> Result<Replicates, Undefined> {
    let mut gaps = vec![Vec::new(); bins];
    for &(bin, gap, count) in cells {
        gaps[bin].extend(std::iter::repeat_n(gap, count as usize));
    }
    let sizes: Vec<u64> = gaps.iter().map(|bin| bin.len() as u64).collect();
    let law = Multinomial::new(&sizes)?;
    let mut counts = vec![0; bins];
    let mut tallies = vec![(0.0, 0.0); bins];
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    for _ in 0..resamples {
        law.draw(stream, &mut counts);
        for ((tally, &count), gaps) in tallies.iter_mut().zip(&counts).zip(&gaps) {
            // An empty bin has nothing to draw from, and no draws.
            let gap = if count == 0 {
                0.0
            } else {
                drawn_sum(gaps, count as usize, stream)?
            };
            *tally = (gap, count as f64);
        }
        replicates.push(error.of(&tallies));
    }
    Ok(replicates)
}

/// Binned calibration error on resamples of whole clusters.
///
/// `clusters[i]` is any number that names item i's cluster. A resample has as many clusters as there
/// are, and as many items as they happen to hold.
///
/// # Errors
///
/// Lists of different length or no resamples.
pub fn resampled_error_by_cluster(
    forecasts: &Forecasts<'_>,
    clusters: &[usize],
    binning: &Binning,
    error: BinnedError,
    resamples: usize,
    seed: Seed,
) -> Result<Replicates, Undefined> {
    if clusters.len() != forecasts.len() {
        return Err(Undefined::LengthMismatch);
    }
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    let clusters = cluster_shares(forecasts, clusters, binning);
    let units = unit_count(clusters.len())?;
    let mut stream = RandomStream::new(seed);
    let mut tallies = vec![(0.0, 0.0); binning.len()];
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    for _ in 0..resamples {
        tallies.fill((0.0, 0.0));
        for _ in 0..clusters.len() {
            for share in &clusters[stream.index_below(units)? as usize] {
                tallies[share.bin].0 += share.gap;
                tallies[share.bin].1 += share.items;
            }
        }
        replicates.push(error.of(&tallies));
    }
    Ok(replicates)
}

/// What one cluster adds to a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    bin: usize,
    gap: f64,
    items: f64,
}

/// The shares of each cluster, clusters ordered by what they hold.
fn cluster_shares(
    forecasts: &Forecasts<'_>,
    clusters: &[usize],
    binning: &Binning,
) -> Vec<Vec<Share>> {
    let mut items: Vec<(usize, usize, f64)> = forecasts
        .pairs()
        .zip(clusters)
        .map(|((chance, outcome), &cluster)| (cluster, binning.bin_of(chance), chance - outcome))
        .collect();
    items.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    let in_bin = |items: &[(usize, usize, f64)]| Share {
        bin: items[0].1,
        gap: items.iter().map(|item| item.2).sum(),
        items: items.len() as f64,
    };
    let mut shares: Vec<Vec<Share>> = items
        .chunk_by(|a, b| a.0 == b.0)
        .map(|cluster| cluster.chunk_by(|a, b| a.1 == b.1).map(in_bin).collect())
        .collect();
    let key = |share: &Share| (share.bin, share.items as u64);
    shares.sort_by(|a, b| {
        let kinds = a.iter().map(key).cmp(b.iter().map(key));
        let gaps = || {
            let pairs = a.iter().zip(b);
            pairs
                .map(|(a, b)| a.gap.total_cmp(&b.gap))
                .find(|order| order.is_ne())
        };
        kinds.then_with(|| gaps().unwrap_or(std::cmp::Ordering::Equal))
    });
    shares
}

/// A calibration error with the interval by which it is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorInterval {
    /// The error of the items themselves.
    pub estimate: f64,
    /// The basic bootstrap interval, cut to [0, 1].
    pub interval: Interval,
    /// How the resamples were drawn.
    pub resampling: Resampling,
}

/// The basic bootstrap interval of ECE or MCE, cut to [0, 1].
///
/// Resampling adds noise to an error that noise can only raise, so that the replicates lie above the
/// estimate and their percentiles would make a perfect model fail a tight bound most of the time. The
/// basic interval reflects them back. An upper bound is failed only when, besides, the estimate exceeds
/// the bound by the 97.5% point of [`ece_null`](super::ece_null).
///
/// ```
/// use decbench_core::stats::Seed;
/// use decbench_core::stats::calibration::{BinnedError, Binning, Forecasts, error_interval};
///
/// let chances = [0.9; 100];
/// let happened: Vec<bool> = (0..100).map(|i| i % 10 != 0).collect();
/// let forecasts = Forecasts::new(&chances, &happened)?;
/// let binning = Binning::new(10)?;
/// let found =
///     error_interval(&forecasts, None, &binning, BinnedError::Expected, 0.95, 2_000, Seed(1))?;
/// assert!(found.interval.low == 0.0 && found.interval.high < 0.05);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// Clusters of another length than the forecasts, a level outside (0, 1) or no resamples.
pub fn error_interval(
    forecasts: &Forecasts<'_>,
    clusters: Option<&[usize]>,
    binning: &Binning,
    error: BinnedError,
    level: f64,
    resamples: usize,
    seed: Seed,
) -> Result<ErrorInterval, Undefined> {
    let found = equal_width(forecasts, binning);
    let estimate = match error {
        BinnedError::Expected => found.ece,
        BinnedError::Maximum => found.mce,
    };
    let replicates = match clusters {
        None => resampled_error(forecasts, binning, error, resamples, seed)?,
        Some(clusters) => {
            resampled_error_by_cluster(forecasts, clusters, binning, error, resamples, seed)?
        }
    };
    Ok(ErrorInterval {
        estimate,
        interval: basic(estimate, &replicates.values, level)?.cut(0.0, 1.0),
        resampling: replicates.resampling,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::bootstrap_interval::spread;

    fn data(n: u32, distinct: u32) -> (Vec<f64>, Vec<bool>) {
        let chance = |i: u32| 0.4 + 0.6 * f64::from(i * 7919 % distinct) / f64::from(distinct);
        (
            (0..n).map(chance).collect(),
            (0..n).map(|i| i * 31 % 100 < 72).collect(),
        )
    }

    /// Mean and sd of ECE when items are drawn one by one and scored from scratch.
    fn item_by_item(chances: &[f64], happened: &[bool], binning: &Binning) -> (f64, f64) {
        let mut stream = RandomStream::new(Seed(77));
        let mut values = Vec::new();
        for _ in 0..4_000 {
            let drawn: Vec<usize> = (0..chances.len())
                .map(|_| stream.next_index(chances.len()))
                .collect();
            let chances: Vec<f64> = drawn.iter().map(|&i| chances[i]).collect();
            let happened: Vec<bool> = drawn.iter().map(|&i| happened[i]).collect();
            values.push(equal_width(&Forecasts::new(&chances, &happened).unwrap(), binning).ece);
        }
        spread(&Replicates {
            values,
            undefined: 0,
            resampling: Resampling::Indices,
        })
        .unwrap()
    }

    #[test]
    fn both_paths_have_the_law_of_drawing_items() {
        let binning = Binning::new(10).unwrap();
        for (distinct, path) in [(20, Resampling::Multinomial), (1_000, Resampling::Indices)] {
            let (chances, happened) = data(300, distinct);
            let forecasts = Forecasts::new(&chances, &happened).unwrap();
            let error = BinnedError::Expected;
            let found = resampled_error(&forecasts, &binning, error, 8_000, Seed(3)).unwrap();
            assert_eq!(found.resampling, path);
            let (mean, sd) = spread(&found).unwrap();
            let (plain_mean, plain_sd) = item_by_item(&chances, &happened, &binning);
            assert!((mean - plain_mean).abs() < 0.1 * sd, "{mean} {plain_mean}");
            assert!((sd / plain_sd - 1.0).abs() < 0.06, "{sd} {plain_sd}");
        }
    }

    #[test]
    fn clusters_of_one_item_are_items() {
        let binning = Binning::new(10).unwrap();
        let (chances, happened) = data(200, 1_000);
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let clusters: Vec<usize> = (0..200).rev().collect();
        let error = BinnedError::Expected;
        let single = resampled_error(&forecasts, &binning, error, 4_000, Seed(3)).unwrap();
        let clustered =
            resampled_error_by_cluster(&forecasts, &clusters, &binning, error, 4_000, Seed(3))
                .unwrap();
        let (mean, sd) = spread(&single).unwrap();
        let (clustered_mean, clustered_sd) = spread(&clustered).unwrap();
        assert!((mean - clustered_mean).abs() < 0.1 * sd);
        assert!((sd / clustered_sd - 1.0).abs() < 0.06);
    }

    #[test]
    fn repeated_items_widen_the_interval_when_clustered() {
        let binning = Binning::new(10).unwrap();
        let (chances, happened) = data(100, 1_000);
        let chances: Vec<f64> = chances.iter().flat_map(|&chance| [chance; 4]).collect();
        let happened: Vec<bool> = happened
            .iter()
            .flat_map(|&happened| [happened; 4])
            .collect();
        let clusters: Vec<usize> = (0..400).map(|item| item / 4).collect();
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let interval = |clusters: Option<&[usize]>| {
            let error = BinnedError::Expected;
            error_interval(&forecasts, clusters, &binning, error, 0.95, 2_000, Seed(1)).unwrap()
        };
        let (plain, clustered) = (interval(None), interval(Some(&clusters)));
        assert_eq!(plain.estimate, clustered.estimate);
        assert!(clustered.interval.width() > 1.5 * plain.interval.width());
    }

    #[test]
    fn the_order_of_items_leaves_no_trace() {
        let binning = Binning::new(10).unwrap();
        let (chances, happened) = data(200, 1_000);
        let reversed: (Vec<f64>, Vec<bool>) = (
            chances.iter().rev().copied().collect(),
            happened.iter().rev().copied().collect(),
        );
        for error in [BinnedError::Expected, BinnedError::Maximum] {
            let one = Forecasts::new(&chances, &happened).unwrap();
            let other = Forecasts::new(&reversed.0, &reversed.1).unwrap();
            assert_eq!(
                resampled_error(&one, &binning, error, 50, Seed(3)),
                resampled_error(&other, &binning, error, 50, Seed(3))
            );
        }
    }
}
