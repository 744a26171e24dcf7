//! Bootstrap means of single values.

use super::distinct::Distinct;
use super::replicates::{Replicates, Resampling};
use super::{checked, unit_count};
use crate::stats::Undefined;
use crate::stats::multinomial::Multinomial;
use crate::stats::random::{IndexSource, RandomStream, Seed};

/// The means of resamples of `values`, as many as drawn items each.
///
/// The result does not depend on the order of `values`: they are sorted first. At most
/// [`DISTINCT_VALUES`](super::DISTINCT_VALUES) distinct values take the multinomial path.
///
/// ```
/// use decbench_core::stats::Seed;
/// use decbench_core::stats::resample::{Resampling, resampled_means};
///
/// let means = resampled_means(&[1.0, 0.0, 0.0, -1.0, 1.0], 2_000, Seed(1))?;
/// assert_eq!(means.values.len(), 2_000);
/// assert_eq!(means.resampling, Resampling::Multinomial);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No values, a value that is not finite, or no resamples.
pub fn resampled_means(
    values: &[f64],
    resamples: usize,
    seed: Seed,
) -> Result<Replicates, Undefined> {
    checked(values, resamples)?;
    let sorted = sorted(values);
    let mut stream = RandomStream::new(seed);
    match Distinct::of(sorted.iter().copied()) {
        Some(distinct) => means_by_count(&distinct, resamples, &mut stream),
        None => means_by_index(&sorted, resamples, &mut stream),
    }
}

/// [`resampled_means`] of several lists, each as if it were alone with the same seed.
///
/// Lists of many distinct values and equal length share their indices, which costs a fraction of
/// drawing them for each.
pub fn resampled_means_of_each<V: AsRef<[f64]>>(
    lists: &[V],
    resamples: usize,
    seed: Seed,
) -> Vec<Result<Replicates, Undefined>> {
    let mut found: Vec<Result<Replicates, Undefined>> = Vec::with_capacity(lists.len());
    let mut waiting: Vec<(usize, Vec<f64>)> = Vec::new();
    for (place, list) in lists.iter().enumerate() {
        let values = list.as_ref();
        let sorted = sorted(values);
        found.push(checked(values, resamples).and_then(|()| {
            let Some(distinct) = Distinct::of(sorted.iter().copied()) else {
                waiting.push((place, sorted));
                return Ok(Replicates::new(Resampling::Indices, resamples));
            };
            means_by_count(&distinct, resamples, &mut RandomStream::new(seed))
        }));
    }
    waiting.sort_by_key(|(_, values)| values.len());
    for equal in waiting.chunk_by(|a, b| a.1.len() == b.1.len()) {
        let columns: Vec<&[f64]> = equal.iter().map(|(_, values)| values.as_slice()).collect();
        let means = means_of_columns(&columns, resamples, seed);
        for (column, (place, _)) in equal.iter().enumerate() {
            found[*place] = means
                .as_ref()
                .map(|means| means[column].clone())
                .map_err(|error| *error);
        }
    }
    found
}

fn sorted(values: &[f64]) -> Vec<f64> {
    // Adding 0.0 makes one value of the two zeros.
    let mut sorted: Vec<f64> = values.iter().map(|&value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn means_by_count(
    distinct: &Distinct<f64>,
    resamples: usize,
    stream: &mut RandomStream,
) -> Result<Replicates, Undefined> {
    let law = Multinomial::new(&distinct.counts)?;
    let mut replicates = Replicates::new(Resampling::Multinomial, resamples);
    let scale = 1.0 / law.total() as f64;
    law.each_resample(resamples, stream, |counts| {
        let terms = counts.iter().zip(&distinct.values);
        let total: f64 = terms.map(|(&count, value)| count as f64 * value).sum();
        replicates.push(Some(total * scale));
    });
    Ok(replicates)
}

/// Means of columns of equal length over the same indices.
fn means_of_columns(
    columns: &[&[f64]],
    resamples: usize,
    seed: Seed,
) -> Result<Vec<Replicates>, Undefined> {
    let n = unit_count(columns.first().map_or(0, |column| column.len()))?;
    let mut stream = RandomStream::new(seed);
    let mut indices = vec![0; n.get() as usize];
    let mut means = vec![Replicates::new(Resampling::Indices, resamples); columns.len()];
    for _ in 0..resamples {
        for index in &mut indices {
            *index = stream.index_below(n)?;
        }
        for (column, means) in columns.iter().zip(&mut means) {
            means.push(Some(sum_at(column, &indices) / f64::from(n.get())));
        }
    }
    Ok(means)
}

/// The means of resamples of `values` whose indices come from `source`, item after item.
///
/// # Errors
///
/// No values, a value that is not finite, no resamples, or a source that ends early.
pub fn resampled_means_from<S: IndexSource>(
    values: &[f64],
    resamples: usize,
    source: &mut S,
) -> Result<Replicates, Undefined> {
    checked(values, resamples)?;
    means_by_index(values, resamples, source)
}

fn means_by_index<S: IndexSource>(
    values: &[f64],
    resamples: usize,
    source: &mut S,
) -> Result<Replicates, Undefined> {
    let n = f64::from(unit_count(values.len())?.get());
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    for _ in 0..resamples {
        replicates.push(Some(drawn_sum(values, values.len(), source)? / n));
    }
    Ok(replicates)
}

/// Additions that overlap with their neighbours.
const STRANDS: usize = 4;
/// Sums of this many values are added up, so that the roundings of long sums stay small.
const BLOCK: usize = 64;

/// The sum of values drawn with replacement.
#[inline]
pub(crate) fn drawn_sum<S: IndexSource>(
    values: &[f64],
    draws: usize,
    source: &mut S,
) -> Result<f64, Undefined> {
    let n = unit_count(values.len())?;
    let mut total = 0.0;
    for _ in 0..draws / BLOCK {
        let mut strands = [0.0; STRANDS];
        for _ in 0..BLOCK / STRANDS {
            for strand in &mut strands {
                *strand += values[source.index_below(n)? as usize];
            }
        }
        total += (strands[0] + strands[1]) + (strands[2] + strands[3]);
    }
    for _ in 0..draws % BLOCK {
        total += values[source.index_below(n)? as usize];
    }
    Ok(total)
}

/// The sum of the values at these indices, to the same bits as [`drawn_sum`].
fn sum_at(values: &[f64], indices: &[u32]) -> f64 {
    let mut total = 0.0;
    let blocks = indices.chunks_exact(BLOCK);
    let rest = blocks.remainder();
    for block in blocks {
        let mut strands = [0.0; STRANDS];
        for draws in block.chunks_exact(STRANDS) {
            for (strand, &index) in strands.iter_mut().zip(draws) {
                *strand += values[index as usize];
            }
        }
        total += (strands[0] + strands[1]) + (strands[2] + strands[3]);
    }
    rest.iter()
        .fold(total, |total, &index| total + values[index as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_same_means_alone_and_beside_others() {
        let continuous = |n: u32| -> Vec<f64> { (0..n).map(|i| f64::from(i).sin()).collect() };
        let few: Vec<f64> = (0..100).map(|i| f64::from(i % 3)).collect();
        let lists = [
            continuous(150),
            few,
            vec![],
            continuous(99),
            continuous(150),
            vec![f64::NAN],
            vec![2.0],
        ];
        let together = resampled_means_of_each(&lists, 30, Seed(3));
        for (list, together) in lists.iter().zip(&together) {
            assert_eq!(&resampled_means(list, 30, Seed(3)), together);
        }
        let shared: Vec<f64> = lists[0].iter().rev().copied().collect();
        assert_eq!(resampled_means(&shared, 30, Seed(3)), together[0]);
    }

    #[test]
    fn no_resamples_are_refused() {
        assert!(resampled_means(&[1.0], 0, Seed(1)).is_err());
        assert!(resampled_means_of_each(&[[1.0]], 0, Seed(1))[0].is_err());
    }
}
