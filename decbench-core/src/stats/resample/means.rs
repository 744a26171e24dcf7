//! Bootstrap means of single values.

use super::distinct::Distinct;
use super::replicates::{Replicates, Resampling};
use super::{BLOCK, checked, unit_count};
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
    let n = unit_count(values.len())?;
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    let mut block = [0_u32; BLOCK];
    for _ in 0..resamples {
        let mut total = 0.0;
        let mut left = values.len();
        while left > 0 {
            let indices = &mut block[..left.min(BLOCK)];
            source.fill(n, indices)?;
            total += sum_at(values, indices);
            left -= indices.len();
        }
        replicates.push(Some(total / f64::from(n)));
    }
    Ok(replicates)
}

/// The sum of the values at these indices, in four strands so that additions overlap.
#[inline]
pub(crate) fn sum_at(values: &[f64], indices: &[u32]) -> f64 {
    let at = |index: u32| values[index as usize];
    let mut strands = [0.0; 4];
    let fours = indices.chunks_exact(4);
    let rest: f64 = fours.remainder().iter().map(|&index| at(index)).sum();
    for four in fours {
        for (strand, &index) in strands.iter_mut().zip(four) {
            *strand += at(index);
        }
    }
    (strands[0] + strands[1]) + (strands[2] + strands[3]) + rest
}
