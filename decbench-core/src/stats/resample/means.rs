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
    let mut sorted: Vec<f64> = values.iter().map(|&value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut stream = RandomStream::new(seed);
    let Some(distinct) = Distinct::of(sorted.iter().copied()) else {
        return means_by_index(&sorted, resamples, &mut stream);
    };
    let law = Multinomial::new(&distinct.counts)?;
    let mut counts = vec![0; distinct.counts.len()];
    let mut replicates = Replicates::new(Resampling::Multinomial, resamples);
    let scale = 1.0 / law.total() as f64;
    for _ in 0..resamples {
        law.draw(&mut stream, &mut counts);
        let total: f64 = counts
            .iter()
            .zip(&distinct.values)
            .map(|(&count, value)| count as f64 * value)
            .sum();
        replicates.push(Some(total * scale));
    }
    Ok(replicates)
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

/// The sum of values drawn with replacement.
///
/// Four strands let the additions of neighbours overlap; blocks keep the roundings of long sums small.
#[inline]
pub(crate) fn drawn_sum<S: IndexSource>(
    values: &[f64],
    draws: usize,
    source: &mut S,
) -> Result<f64, Undefined> {
    const STRANDS: usize = 4;
    const BLOCK: usize = 64;
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
