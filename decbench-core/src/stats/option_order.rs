//! What changes when the options are shown in another order.

use crate::stats::clusters::cluster_mean;
use crate::stats::distribution::student_two_sided_p;
use crate::stats::proper::{mean, top_option};
use crate::stats::{Interval, Undefined};

/// One answer and the order in which the options were shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderRun<'a> {
    /// The places of the options in the suite's order, as they were shown.
    pub order: &'a [usize],
    /// The place in the suite's order of the option answered; `None` for a failed answer.
    pub label: Option<usize>,
}

/// One case asked in several orders.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderItem<'a> {
    /// The right option's place in the suite's order, where known.
    pub gold: Option<usize>,
    /// The answers, that in the suite's order first.
    pub runs: Vec<OrderRun<'a>>,
}

/// How answers follow the order of options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderBias {
    /// The number of items.
    pub items: u64,
    /// How many of them changed their label with the order. A flip at equal input counts too.
    pub flips: u64,
    /// How many answers were given.
    pub answers: u64,
    /// How many of them are the option shown first.
    pub first: u64,
}

impl OrderBias {
    /// The share of items whose label changes.
    pub fn flip_rate(&self) -> f64 {
        self.flips as f64 / self.items as f64
    }

    /// The share of answers that are the option shown first; `None` without answers.
    pub fn first_slot_rate(&self) -> Option<f64> {
        (self.answers > 0).then(|| self.first as f64 / self.answers as f64)
    }
}

/// Flips and first-slot answers over all orders. A failed answer is a label of its own.
///
/// # Errors
///
/// No items, an item without runs, or an order that does not show its options once each.
pub fn order_bias(items: &[OrderItem<'_>]) -> Result<OrderBias, Undefined> {
    check(items)?;
    let changes =
        |item: &OrderItem<'_>| item.runs.iter().any(|run| run.label != item.runs[0].label);
    let answered = || {
        items
            .iter()
            .flat_map(|item| &item.runs)
            .filter(|run| run.label.is_some())
    };
    Ok(OrderBias {
        items: items.len() as u64,
        flips: items.iter().filter(|item| changes(item)).count() as u64,
        answers: answered().count() as u64,
        first: answered()
            .filter(|run| run.label == run.order.first().copied())
            .count() as u64,
    })
}

/// The pull of the first slot: how much more often it is answered than right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstSlotGap {
    /// The share of answers with gold whose option was shown first.
    pub answered_first: f64,
    /// The share of the same answers whose gold was shown first.
    pub gold_first: f64,
    /// The difference of the two, in [−1, 1].
    pub gap: f64,
    /// Its standard error over clusters.
    pub standard_error: f64,
    /// Gap over standard error.
    pub t: f64,
    /// The two-sided p-value on clusters − 1 degrees of freedom.
    pub p: f64,
    /// Gap ± t·SE, not cut.
    pub interval: Interval,
}

/// Tests whether the option shown first is answered more often than it is right.
///
/// Answers of one item are not independent: the standard error is clustered by item, or by `clusters`,
/// any number for each item, where several items belong together. Answers that failed and items without
/// gold are left out.
///
/// # Errors
///
/// As [`order_bias`]; [`Undefined::NoItems`] when nothing is left; [`Undefined::TooFew`] for a single
/// cluster; [`Undefined::ZeroVariance`] when the standard error is 0; a level outside (0, 1).
pub fn first_slot_gap(
    items: &[OrderItem<'_>],
    clusters: Option<&[usize]>,
    level: f64,
) -> Result<FirstSlotGap, Undefined> {
    check(items)?;
    if clusters.is_some_and(|clusters| clusters.len() != items.len()) {
        return Err(Undefined::LengthMismatch);
    }
    let (mut gaps, mut units) = (Vec::new(), Vec::new());
    let (mut answered, mut right) = (0.0, 0.0);
    for (place, item) in items.iter().enumerate() {
        let Some(gold) = item.gold else { continue };
        for run in item.runs.iter().filter(|run| run.label.is_some()) {
            let shown = run.order.first().copied();
            let answer_first = f64::from(u8::from(run.label == shown));
            let gold_first = f64::from(u8::from(Some(gold) == shown));
            answered += answer_first;
            right += gold_first;
            gaps.push(answer_first - gold_first);
            units.push(clusters.map_or(place, |clusters| clusters[place]));
        }
    }
    let found = cluster_mean(&gaps, &units, level)?;
    let few = Undefined::TooFew {
        needed: 2,
        what: "clusters",
    };
    let standard_error = found.standard_error.ok_or(few)?;
    if standard_error <= 0.0 {
        return Err(Undefined::ZeroVariance);
    }
    let t = found.mean / standard_error;
    Ok(FirstSlotGap {
        answered_first: answered / gaps.len() as f64,
        gold_first: right / gaps.len() as f64,
        gap: found.mean,
        standard_error,
        t,
        p: student_two_sided_p(t, found.clusters as f64 - 1.0)?,
        interval: found.t_interval.ok_or(few)?,
    })
}

/// The largest change of an option's probability between orders, for one item.
///
/// `rows` holds one distribution for each order, all in the suite's order of options.
///
/// # Errors
///
/// No rows or no options, rows of different length, or a number that is not finite.
pub fn probability_shift<P: AsRef<[f64]>>(rows: &[P]) -> Result<f64, Undefined> {
    let options = checked_rows(rows)?;
    let shift = |option: usize| {
        let values = || rows.iter().map(|row| row.as_ref()[option]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    Ok((0..options).map(shift).fold(0.0, f64::max))
}

/// The mean of the distributions over orders, which cancels the pull of slots.
///
/// Its largest entry (see [`top_option`]) is the averaged answer.
///
/// # Errors
///
/// As [`probability_shift`].
pub fn averaged<P: AsRef<[f64]>>(rows: &[P]) -> Result<Vec<f64>, Undefined> {
    let options = checked_rows(rows)?;
    (0..options)
        .map(|option| {
            mean(
                &rows
                    .iter()
                    .map(|row| row.as_ref()[option])
                    .collect::<Vec<_>>(),
            )
        })
        .collect()
}

/// The answer of [`averaged`].
///
/// # Errors
///
/// As [`probability_shift`].
pub fn averaged_answer<P: AsRef<[f64]>>(rows: &[P]) -> Result<usize, Undefined> {
    top_option(&averaged(rows)?).ok_or(Undefined::NoItems)
}

/// How many orders of this many options there are; `u64::MAX` stands for more.
///
/// Two options have two: asking in four orders would ask the same twice and measure the noise of runs.
pub fn distinct_orders(options: usize) -> u64 {
    (1..=options as u64).fold(1, u64::saturating_mul)
}

fn check(items: &[OrderItem<'_>]) -> Result<(), Undefined> {
    if items.is_empty() {
        return Err(Undefined::NoItems);
    }
    if items.iter().any(|item| item.runs.is_empty()) {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "runs",
        });
    }
    let mut runs = items.iter().flat_map(|item| &item.runs);
    if runs.all(|run| is_order(run.order)) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            what: "order of options",
        })
    }
}

/// Whether 0, 1, … occur once each.
pub(crate) fn is_order(order: &[usize]) -> bool {
    let mut seen = vec![false; order.len()];
    !order.is_empty()
        && order.iter().all(|&place| {
            seen.get_mut(place)
                .is_some_and(|seen| !std::mem::replace(seen, true))
        })
}

fn checked_rows<P: AsRef<[f64]>>(rows: &[P]) -> Result<usize, Undefined> {
    let options = rows.first().ok_or(Undefined::NoItems)?.as_ref().len();
    if options == 0 {
        return Err(Undefined::NoItems);
    }
    for row in rows {
        crate::stats::sum::finite(row.as_ref())?;
        if row.as_ref().len() != options {
            return Err(Undefined::LengthMismatch);
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item<'a>(gold: Option<usize>, runs: &[(&'a [usize], Option<usize>)]) -> OrderItem<'a> {
        let runs = runs
            .iter()
            .map(|&(order, label)| OrderRun { order, label })
            .collect();
        OrderItem { gold, runs }
    }

    #[test]
    fn a_failed_answer_flips_and_is_no_first_slot_answer() {
        let items = [item(Some(0), &[(&[0, 1], Some(0)), (&[1, 0], None)])];
        let found = order_bias(&items).unwrap();
        assert_eq!((found.flips, found.answers, found.first), (1, 1, 1));
    }

    #[test]
    fn always_answering_the_first_slot_is_a_gap() {
        let items: Vec<OrderItem<'_>> = (0..40)
            .map(|i| {
                item(
                    Some(i % 2),
                    &[(&[0, 1], Some(0)), (&[1, 0], Some(usize::from(i % 5 != 0)))],
                )
            })
            .collect();
        let found = first_slot_gap(&items, None, 0.95).unwrap();
        assert_eq!((found.answered_first, found.gold_first), (0.9, 0.5));
        assert!(found.p < 1e-9 && found.interval.low > 0.3);
        let all_one: Vec<usize> = vec![7; 40];
        assert!(first_slot_gap(&items, Some(&all_one), 0.95).is_err());
    }

    #[test]
    fn a_gap_that_never_varies_has_no_test() {
        let items = [
            item(Some(0), &[(&[0, 1], Some(0))]),
            item(Some(1), &[(&[0, 1], Some(1))]),
        ];
        assert_eq!(
            first_slot_gap(&items, None, 0.95),
            Err(Undefined::ZeroVariance)
        );
    }

    #[test]
    fn what_is_no_order_is_refused() {
        for order in [&[][..], &[0, 0], &[1, 2], &[0, 2]] {
            assert!(order_bias(&[item(None, &[(order, Some(0))])]).is_err());
        }
    }

    #[test]
    fn orders_are_counted() {
        assert_eq!(
            [1, 2, 3, 4, 30].map(distinct_orders),
            [1, 2, 6, 24, u64::MAX]
        );
    }

    #[test]
    fn rows_must_cover_the_same_options() {
        assert!(probability_shift(&[vec![0.5, 0.5], vec![1.0]]).is_err());
        assert!(averaged::<Vec<f64>>(&[]).is_err());
        assert_eq!(averaged_answer(&[[0.6, 0.4], [0.1, 0.9]]), Ok(1));
    }
}
