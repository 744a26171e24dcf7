//! Pairs of cases or contexts that should be answered alike, or oppositely.

use crate::stats::clusters::cluster_mean;
use crate::stats::difference::{PairedTable, newcombe_paired};
use crate::stats::distribution::student_two_sided_p;
use crate::stats::mcnemar::mcnemar_exact;
use crate::stats::proper::mean;
use crate::stats::proportion::wilson;
use crate::stats::{Interval, Undefined};

/// How much accuracy differs between two forms of the same items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDrop {
    /// Which of the two was right, counted.
    pub table: PairedTable,
    /// Accuracy under the first form.
    pub first: f64,
    /// Accuracy under the second form.
    pub second: f64,
    /// First minus second, in [−1, 1].
    pub drop: f64,
    /// Newcombe's paired interval for the drop.
    pub interval: Interval,
    /// The exact two-sided McNemar p-value.
    pub p: f64,
}

impl PairedDrop {
    /// The share of items right under both forms.
    pub fn both_right(&self) -> f64 {
        self.table.both as f64 / self.table.items() as f64
    }

    /// The share of items that are right under both or under neither.
    pub fn same_outcome(&self) -> f64 {
        (self.table.both + self.table.neither) as f64 / self.table.items() as f64
    }
}

/// The drop of accuracy from a first to a second form of the same items.
///
/// ```
/// use decbench_core::stats::robustness::paired_drop;
///
/// let minimal = [true, true, true, true, false];
/// let padded = [true, true, false, true, false];
/// let found = paired_drop(&minimal, &padded, 0.95)?;
/// assert!((found.drop - 0.2).abs() < 1e-12 && found.p == 1.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items, lists of different length, or a level outside (0, 1).
pub fn paired_drop(first: &[bool], second: &[bool], level: f64) -> Result<PairedDrop, Undefined> {
    let table = PairedTable::count(first, second)?;
    let interval = newcombe_paired(&table, level)?;
    let items = table.items() as f64;
    Ok(PairedDrop {
        first: (table.both + table.first_only) as f64 / items,
        second: (table.both + table.second_only) as f64 / items,
        drop: table.difference()?,
        interval,
        p: mcnemar_exact(table.first_only, table.second_only),
        table,
    })
}

/// How the answers of a pair should relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same label: a rewording, another order, an irrelevant attribute.
    Same,
    /// Yes for one and no for the other: a negation. Labels are 0 and 1.
    Opposite,
}

/// The two answers of a pair. A failed answer is `None` and makes the pair inconsistent and wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairAnswer {
    /// The labels given, as places of options.
    pub labels: [Option<usize>; 2],
    /// The right labels, where known.
    pub gold: [Option<usize>; 2],
}

/// How pairs were answered; the unit is the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairFamily {
    /// The number of pairs.
    pub pairs: u64,
    /// Pairs whose labels relate as they should.
    pub consistent: u64,
    /// Pairs with gold on both sides.
    pub judged: u64,
    /// Judged pairs with both labels right.
    pub both_right: u64,
}

impl PairFamily {
    /// The share of consistent pairs.
    pub fn consistency(&self) -> f64 {
        self.consistent as f64 / self.pairs as f64
    }

    /// Wilson's interval for the share of consistent pairs.
    ///
    /// # Errors
    ///
    /// A level outside (0, 1).
    pub fn consistency_interval(&self, level: f64) -> Result<Interval, Undefined> {
        wilson(self.consistent, self.pairs, level)
    }

    /// The share of judged pairs with both labels right; `None` without judged pairs.
    pub fn accuracy(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.both_right as f64 / self.judged as f64)
    }
}

/// Counts consistent and right pairs of one relation.
///
/// # Errors
///
/// No pairs.
pub fn pair_family(pairs: &[PairAnswer], relation: Relation) -> Result<PairFamily, Undefined> {
    if pairs.is_empty() {
        return Err(Undefined::NoItems);
    }
    let related = |pair: &&PairAnswer| match (pair.labels, relation) {
        ([Some(a), Some(b)], Relation::Same) => a == b,
        ([Some(a), Some(b)], Relation::Opposite) => matches!((a, b), (0, 1) | (1, 0)),
        _ => false,
    };
    let judged = || {
        pairs
            .iter()
            .filter(|pair| pair.gold.iter().all(Option::is_some))
    };
    Ok(PairFamily {
        pairs: pairs.len() as u64,
        consistent: pairs.iter().filter(related).count() as u64,
        judged: judged().count() as u64,
        both_right: judged().filter(|pair| pair.labels == pair.gold).count() as u64,
    })
}

/// How P(yes) moves between the two sides of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YesShift {
    /// The mean shift, in [−1, 1].
    pub mean: f64,
    /// The mean |shift|, in [0, 1].
    pub mean_absolute: f64,
    /// The t statistic of the mean and its two-sided p-value; `None` for a single pair or shifts that do
    /// not vary.
    pub test: Option<(f64, f64)>,
    /// Mean ± t·SE, not cut; `None` for a single pair.
    pub interval: Option<Interval>,
}

/// The shift of P(yes) from the second to the first side of each pair, against 1 − P(yes) of the second
/// where the relation is opposite.
///
/// # Errors
///
/// No pairs, a number that is no probability, or a level outside (0, 1).
pub fn yes_shift(
    pairs: &[(f64, f64)],
    relation: Relation,
    level: f64,
) -> Result<YesShift, Undefined> {
    let sides = || pairs.iter().flat_map(|&(a, b)| [a, b]);
    crate::stats::calibration::check_chances(&sides().collect::<Vec<_>>())?;
    let shift = |&(a, b): &(f64, f64)| match relation {
        Relation::Same => a - b,
        Relation::Opposite => a - (1.0 - b),
    };
    let shifts: Vec<f64> = pairs.iter().map(shift).collect();
    let units: Vec<usize> = (0..shifts.len()).collect();
    let found = cluster_mean(&shifts, &units, level)?;
    let test = found
        .standard_error
        .filter(|&error| error > 0.0)
        .and_then(|error| {
            let t = found.mean / error;
            Some((t, student_two_sided_p(t, found.clusters as f64 - 1.0).ok()?))
        });
    Ok(YesShift {
        mean: found.mean,
        mean_absolute: mean(&shifts.iter().map(|shift| shift.abs()).collect::<Vec<_>>())?,
        test,
        interval: found.t_interval,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_side_makes_a_pair_inconsistent_and_wrong() {
        let gold = [Some(1), Some(1)];
        let pairs = [
            PairAnswer {
                labels: [Some(1), Some(1)],
                gold,
            },
            PairAnswer {
                labels: [Some(1), None],
                gold,
            },
            PairAnswer {
                labels: [None, None],
                gold: [Some(1), None],
            },
        ];
        let found = pair_family(&pairs, Relation::Same).unwrap();
        let counts = (
            found.pairs,
            found.consistent,
            found.judged,
            found.both_right,
        );
        assert_eq!(counts, (3, 1, 2, 1));
    }

    #[test]
    fn opposite_means_one_yes_and_one_no() {
        let pair = |a, b| PairAnswer {
            labels: [Some(a), Some(b)],
            gold: [None, None],
        };
        let pairs = [pair(0, 1), pair(1, 0), pair(1, 1), pair(0, 2)];
        assert_eq!(
            pair_family(&pairs, Relation::Opposite).unwrap().consistent,
            2
        );
        assert_eq!(
            pair_family(&pairs, Relation::Opposite).unwrap().accuracy(),
            None
        );
    }

    #[test]
    fn equal_shifts_have_no_test() {
        let found = yes_shift(&[(0.75, 0.5), (0.5, 0.25)], Relation::Same, 0.95).unwrap();
        assert_eq!((found.mean, found.test), (0.25, None));
        assert_eq!(
            yes_shift(&[(0.7, 0.5)], Relation::Same, 0.95)
                .unwrap()
                .interval,
            None
        );
    }

    #[test]
    fn nothing_and_nonsense_are_refused() {
        assert!(paired_drop(&[], &[], 0.95).is_err());
        assert!(paired_drop(&[true], &[], 0.95).is_err());
        assert!(pair_family(&[], Relation::Same).is_err());
        assert!(yes_shift(&[(0.5, 1.5)], Relation::Same, 0.95).is_err());
    }
}
