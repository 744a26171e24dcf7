//! What a statistic would be with one more item that nobody has seen: the limits by which it is judged.
//!
//! Resamples hold nothing that the cases do not hold. Where the only two cases of a rare class came out right, every
//! resample has them right, and an interval of resamples would prove what nothing has shown.

use crate::stats::one_more::estimate_limits;
use crate::stats::{Interval, Undefined};

/// With or without one more item of this weight, at its worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Added {
    /// The items as they are.
    Nothing,
    /// One that pulls the statistic down most.
    Lowest(f64),
    /// One that pulls it up most.
    Highest(f64),
}

/// The two items to add.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extremes {
    size: f64,
}

impl Extremes {
    /// Items of this weight.
    pub(super) fn of(size: f64) -> Self {
        Self { size }
    }

    /// Limits from the statistic and its variance with either item.
    pub(super) fn limits(
        self,
        range: Interval,
        level: f64,
        mut side: impl FnMut(Added) -> Result<(f64, f64), Undefined>,
    ) -> Result<Interval, Undefined> {
        let lowest = side(Added::Lowest(self.size))?;
        let highest = side(Added::Highest(self.size))?;
        estimate_limits(lowest, highest, range, level)
    }
}

/// Items that a statistic sees through the cell they fall into.
#[derive(Debug)]
pub(super) struct Table<'t> {
    /// How many cells there are, empty ones included.
    pub(super) cells: usize,
    /// The cell of each item.
    pub(super) cell_of: &'t [usize],
    /// The cells into which one more item might fall.
    pub(super) candidates: &'t [usize],
    /// Where the statistic can lie.
    pub(super) range: Interval,
}

impl Table<'_> {
    /// The weight in each cell.
    pub(super) fn tabulate(&self, weights: &[f64]) -> Vec<f64> {
        let mut counts = vec![0.0; self.cells];
        let items = self.cell_of.iter().zip(weights);
        items.for_each(|(cell, weight)| counts[*cell] += weight);
        counts
    }

    /// The cells in which one more item of this weight pulls the statistic down and up most.
    pub(super) fn extremes(
        &self,
        counts: &[f64],
        size: f64,
        statistic: impl Fn(&[f64]) -> Option<f64>,
    ) -> (usize, usize) {
        let mut counts = counts.to_vec();
        let mut lowest = (f64::INFINITY, 0);
        let mut highest = (f64::NEG_INFINITY, 0);
        for &cell in self.candidates {
            let before = counts[cell];
            counts[cell] += size;
            if let Some(value) = statistic(&counts) {
                if value < lowest.0 {
                    lowest = (value, cell);
                }
                if value > highest.0 {
                    highest = (value, cell);
                }
            }
            counts[cell] = before;
        }
        (lowest.1, highest.1)
    }
}

/// A table's statistic and its jackknife variance over single items.
pub(super) fn without_each(
    counts: &[f64],
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Result<(f64, f64), Undefined> {
    let whole = statistic(counts).ok_or(Undefined::NotFinite)?;
    let mut without = counts.to_vec();
    let (mut squares, mut n) = (0.0, 0.0);
    for (cell, count) in counts.iter().enumerate() {
        if *count > 0.0 {
            without[cell] -= 1.0;
            let left = statistic(&without).ok_or(Undefined::NotFinite)?;
            without[cell] = *count;
            squares += count * (left - whole).powi(2);
            n += count;
        }
    }
    Ok((whole, squares * (n - 1.0) / n))
}

/// Units beyond this many are left out in groups.
const MOST_GROUPS: usize = 500;

/// A statistic with one more item, and its jackknife variance over units and that item.
pub(super) fn with_one_more(
    units: usize,
    added: Added,
    mut statistic: impl FnMut(&[u32], Added) -> Option<f64>,
) -> Result<(f64, f64), Undefined> {
    let mut times = vec![1_u32; units];
    let whole = statistic(&times, added).ok_or(Undefined::NotFinite)?;
    let seen = statistic(&times, Added::Nothing).ok_or(Undefined::NotFinite)?;
    let mut squares = (seen - whole).powi(2);
    let groups = units.min(MOST_GROUPS);
    for group in 0..groups {
        set_group(&mut times, group, groups, 0);
        let left = statistic(&times, added).ok_or(Undefined::NotFinite)?;
        set_group(&mut times, group, groups, 1);
        squares += (left - whole).powi(2);
    }
    let n = (groups + 1) as f64;
    Ok((whole, squares * (n - 1.0) / n))
}

fn set_group(times: &mut [u32], group: usize, groups: usize, to: u32) {
    let members = times[group..].iter_mut().step_by(groups);
    members.for_each(|time| *time = to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::proportion::clopper_pearson;

    const SHARE: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    fn share(counts: &[f64]) -> Option<f64> {
        let all: f64 = counts.iter().sum();
        (all > 0.0).then(|| counts[1] / all)
    }

    #[test]
    fn a_share_read_as_a_table_has_about_the_exact_limits() {
        for (wrong, right) in [(0.0, 60.0), (3.0, 97.0), (40.0, 160.0)] {
            let side = |added| {
                let mut counts = [wrong, right];
                counts[usize::from(added == Added::Highest(1.0))] += 1.0;
                without_each(&counts, share)
            };
            let found = Extremes::of(1.0).limits(SHARE, 0.95, side).unwrap();
            let n = wrong + right;
            let exact = clopper_pearson(right as u64, n as u64, 0.95).unwrap();
            assert!(
                (found.low - exact.low).abs() < 0.2 * (1.0 - exact.low),
                "{wrong}"
            );
            assert!(
                (found.high - exact.high).abs() < 0.2 * (1.0 - exact.low),
                "{wrong}"
            );
        }
    }

    #[test]
    fn units_of_one_are_single_items() {
        let right = |at: usize| at >= 4;
        let of = |times: &[u32], added: Added| {
            let mut counts = [0.0, 0.0];
            for (at, time) in times.iter().enumerate() {
                counts[usize::from(right(at))] += f64::from(*time);
            }
            match added {
                Added::Nothing => {}
                Added::Lowest(size) => counts[0] += size,
                Added::Highest(size) => counts[1] += size,
            }
            share(&counts)
        };
        let units = with_one_more(50, Added::Lowest(1.0), of).unwrap();
        let single = without_each(&[5.0, 46.0], share).unwrap();
        assert!((units.0 - single.0).abs() < 1e-15 && (units.1 - single.1).abs() < 1e-15);
    }

    #[test]
    fn the_worst_cell_is_that_of_the_smallest_class() {
        // Two groups, wrong and right: one of two and one of a hundred.
        let table = Table {
            cells: 4,
            cell_of: &[],
            candidates: &[0, 1, 2, 3],
            range: SHARE,
        };
        let mean = |counts: &[f64]| {
            let rate = |wrong: usize| counts[wrong + 1] / (counts[wrong] + counts[wrong + 1]);
            Some(f64::midpoint(rate(0), rate(2)))
        };
        assert_eq!(table.extremes(&[0.0, 2.0, 10.0, 90.0], 1.0, mean), (0, 3));
    }
}
