//! Any statistic of counts, on resamples of a table or of whole units.

use super::replicates::{Replicates, Resampling};
use super::unit_count;
use crate::stats::Undefined;
use crate::stats::multinomial::Multinomial;
use crate::stats::random::{IndexSource, RandomStream, Seed};

/// A statistic of a table of counts on multinomial resamples of the table.
///
/// This is the bootstrap over items when the statistic sees an item only through its cell: a confusion
/// table, the distinct pairs of forecast and outcome. `statistic` gets one count for every cell.
///
/// # Errors
///
/// All cells empty, or no resamples.
pub fn resampled_cells<F>(
    cells: &[u64],
    resamples: usize,
    seed: Seed,
    statistic: F,
) -> Result<Replicates, Undefined>
where
    F: FnMut(&[u64]) -> Option<f64>,
{
    cells_from(cells, resamples, &mut RandomStream::new(seed), statistic)
}

pub(super) fn cells_from<F>(
    cells: &[u64],
    resamples: usize,
    stream: &mut RandomStream,
    mut statistic: F,
) -> Result<Replicates, Undefined>
where
    F: FnMut(&[u64]) -> Option<f64>,
{
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    let law = Multinomial::new(cells)?;
    let mut replicates = Replicates::new(Resampling::Multinomial, resamples);
    law.each_resample(resamples, stream, |counts| {
        replicates.push(statistic(counts));
    });
    Ok(replicates)
}

/// Any statistic on resamples of whole units: cases, or clusters of them.
///
/// `statistic` gets how often each of the `units` was drawn, in their order; it should be a function of
/// sums over units so that one resample costs no more than a pass over them. Units belong in an order
/// that does not depend on the file, such as that of their ids, for the same result everywhere.
///
/// # Errors
///
/// No units or no resamples.
pub fn resampled_units<F>(
    units: usize,
    resamples: usize,
    seed: Seed,
    mut statistic: F,
) -> Result<Replicates, Undefined>
where
    F: FnMut(&[u32]) -> Option<f64>,
{
    if units == 0 {
        return Err(Undefined::NoItems);
    }
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    let n = unit_count(units)?;
    let mut stream = RandomStream::new(seed);
    let mut times = vec![0_u32; units];
    let mut replicates = Replicates::new(Resampling::Indices, resamples);
    for _ in 0..resamples {
        times.fill(0);
        for _ in 0..units {
            times[stream.index_below(n)? as usize] += 1;
        }
        replicates.push(statistic(&times));
    }
    Ok(replicates)
}
