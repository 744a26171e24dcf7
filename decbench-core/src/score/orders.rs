//! The same options in other orders: flips, shifts, and a liking for the first slot.

use std::collections::BTreeMap;

use super::classes::AGREEMENT;
use super::one_more::Table;
use super::resampled::Items;
use super::scope::Scope;
use super::share::{SHARE, Share, distinct};
use super::sheet::Row;
use super::value::{Evidence, ONE_MORE, Unmeasurable, Value};
use super::{Observed, Said};
use crate::stats::Interval;
use crate::stats::clusters::cluster_mean;
use crate::stats::one_more::mean_limits;
use crate::stats::option_order;

/// A row's answers to the orders the selection reads, where there are at least two.
pub(super) fn orders<'r>(scope: &Scope<'_, '_>, row: &'r Row<'_>) -> Option<Vec<&'r Observed>> {
    row.orders(scope.selection.orders)
        .filter(|orders| orders.len() >= 2)
}

fn named(scope: &Scope<'_, '_>, mut value: Value) -> Value {
    let most = scope
        .rows
        .iter()
        .filter_map(|row| orders(scope, row))
        .map(|orders| orders.len())
        .max()
        .unwrap_or(0);
    value.conventions.push(("orders", most.to_string()));
    value
}

fn none_asked(why: Unmeasurable) -> Unmeasurable {
    if why.reason == "no items to measure" {
        Unmeasurable::because("options were shown in one order only")
    } else {
        why
    }
}

pub(super) fn order_flip_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let share = Share::of(&scope.rows, |row| {
        let said: Option<Vec<Said>> = orders(scope, row)?
            .into_iter()
            .map(|observed| observed.said)
            .collect();
        let said = said?;
        Some(said.iter().any(|other| *other != said[0]))
    });
    Ok(named(
        scope,
        share
            .value(scope.selection.sample, scope.level, true)
            .map_err(none_asked)?,
    ))
}

pub(super) fn order_both_right(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let share = Share::of(&scope.rows, |row| {
        let both = row.orders(2).filter(|orders| orders.len() == 2)?;
        Some(row.is_right(both[0])? && row.is_right(both[1])?)
    });
    share
        .value(scope.selection.sample, scope.level, false)
        .map_err(none_asked)
}

pub(super) fn max_prob_shift(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut shifts = Vec::new();
    for row in &scope.rows {
        let Some(orders) = orders(scope, row) else {
            continue;
        };
        let shares: Option<Vec<&Vec<f64>>> = orders
            .iter()
            .map(|observed| observed.probabilities.as_ref())
            .collect();
        let Some(shares) = shares else { continue };
        let shift = (0..shares[0].len()).map(|option| {
            let of_option = shares.iter().map(|shares| shares[option]);
            of_option.clone().fold(f64::NEG_INFINITY, f64::max)
                - of_option.fold(f64::INFINITY, f64::min)
        });
        shifts.push(shift.fold(0.0, f64::max));
        rows.push(*row);
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because("no probabilities in several orders"));
    }
    let items = Items::of(&rows, scope.selection.sample);
    Ok(named(
        scope,
        items.mean(&scope.name(), &shifts, Some(SHARE), scope.level)?,
    ))
}

/// The answer that the mean of the probabilities over orders gives; `None` where an order has none.
pub(super) fn averaged(scope: &Scope<'_, '_>, row: &Row<'_>) -> Option<Observed> {
    let orders = orders(scope, row)?;
    let shares: Option<Vec<&Vec<f64>>> = orders
        .iter()
        .map(|observed| observed.probabilities.as_ref())
        .collect();
    let mean = option_order::averaged(&shares?).ok()?;
    Some(
        row.base()?
            .with_probabilities(mean, row.question, scope.sheet.conventions),
    )
}

/// What one more case might be: steady, or a flip between any class and the rarest one.
fn one_more_pair(pairs: &[(usize, usize)], classes: usize) -> Vec<(usize, usize)> {
    let mut counts = vec![0_usize; classes];
    for (first, second) in pairs {
        counts[*first] += 1;
        counts[*second] += 1;
    }
    let seen = || (0..classes).filter(|class| counts[*class] > 0);
    let Some(rarest) = seen().min_by_key(|class| counts[*class]) else {
        return Vec::new();
    };
    let each = seen().flat_map(|class| [(class, class), (class, rarest), (rarest, class)]);
    each.collect()
}

/// Agreement beyond chance of the declared and the reversed order; answers that are no option are a class of their own.
pub(super) fn order_kappa(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for row in &scope.rows {
        let Some(both) = row.orders(2).filter(|orders| orders.len() == 2) else {
            continue;
        };
        if both.iter().any(|observed| observed.said.is_none()) {
            continue;
        }
        rows.push(*row);
        cells.push((both[0].option(), both[1].option()));
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because(
            "options were shown in one order only",
        ));
    }
    let classes = scope.sheet.question.options.len() + 1;
    let class = |option: &Option<usize>| option.map_or(0, |option| option + 1);
    let pairs: Vec<(usize, usize)> = cells
        .iter()
        .map(|(first, second)| (class(first), class(second)))
        .collect();
    let more = one_more_pair(&pairs, classes);
    let mut distinct: Vec<(usize, usize)> = pairs.iter().chain(&more).copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let at = |pair: &(usize, usize)| distinct.partition_point(|other| other < pair);
    let items = Items::of(&rows, scope.selection.sample);
    let table = Table {
        cells: distinct.len(),
        cell_of: &pairs.iter().map(at).collect::<Vec<_>>(),
        candidates: &more.iter().map(at).collect::<Vec<_>>(),
        range: AGREEMENT,
    };
    let mut value = items.table(&scope.name(), &table, scope.level, |counts| {
        let mut margins = (vec![0.0; classes], vec![0.0; classes]);
        let (mut same, mut total) = (0.0, 0.0);
        for ((first, second), count) in distinct.iter().zip(counts) {
            margins.0[*first] += count;
            margins.1[*second] += count;
            same += if first == second { *count } else { 0.0 };
            total += count;
        }
        let pairs = margins.0.iter().zip(&margins.1);
        let chance: f64 = pairs.map(|(a, b)| a * b).sum::<f64>() / (total * total);
        (total > 0.0 && chance < 1.0).then(|| (same / total - chance) / (1.0 - chance))
    })?;
    let flipped = rows.iter().zip(&cells);
    value.drivers = flipped
        .filter(|(_, (first, second))| first != second)
        .map(|(row, _)| row.position)
        .collect();
    Ok(value)
}

/// First-slot answers and first-slot gold of all orders, with the unit each belongs to.
fn first_slots(scope: &Scope<'_, '_>) -> Vec<(bool, Option<bool>, usize)> {
    let mut slots = Vec::new();
    for row in &scope.rows {
        for observed in orders(scope, row).into_iter().flatten() {
            let (Some(option), Some(first)) = (observed.option(), observed.probe.order.first())
            else {
                continue;
            };
            let first = usize::from(*first);
            let gold = row
                .gold
                .and_then(crate::decision::Gold::single)
                .map(|gold| gold == first);
            slots.push((option == first, gold, row.case.unit as usize));
        }
    }
    slots
}

pub(super) fn first_slot_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let slots = first_slots(scope);
    let numbers: Vec<f64> = slots
        .iter()
        .map(|(first, _, _)| f64::from(u8::from(*first)))
        .collect();
    Ok(named(
        scope,
        clustered_mean(
            scope,
            &numbers,
            &slots.iter().map(|slot| slot.2).collect::<Vec<_>>(),
            Interval {
                low: 0.0,
                high: 1.0,
            },
        )?,
    ))
}

pub(super) fn first_slot_gap(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let slots: Vec<_> = first_slots(scope)
        .into_iter()
        .filter_map(|(first, gold, unit)| Some((first, gold?, unit)))
        .collect();
    let numbers: Vec<f64> = slots
        .iter()
        .map(|(first, gold, _)| f64::from(u8::from(*first)) - f64::from(u8::from(*gold)))
        .collect();
    Ok(named(
        scope,
        clustered_mean(
            scope,
            &numbers,
            &slots.iter().map(|slot| slot.2).collect::<Vec<_>>(),
            Interval {
                low: -1.0,
                high: 1.0,
            },
        )?,
    ))
}

/// A mean over answers with a t interval clustered by unit; where they do not vary, with that of one more unit at its
/// worst. `range` holds every number.
fn clustered_mean(
    scope: &Scope<'_, '_>,
    numbers: &[f64],
    units: &[usize],
    range: Interval,
) -> Result<Value, Unmeasurable> {
    if numbers.is_empty() {
        return Err(Unmeasurable::because(
            "options were shown in one order only",
        ));
    }
    let mean = cluster_mean(numbers, units, scope.level)?;
    let mut value = Items::of(&[], scope.selection.sample).described(mean.mean, scope.level);
    value.n = numbers.len();
    value.units = distinct(units);
    match mean.t_interval {
        Some(interval) if interval.width() > 0.0 => {
            value.interval = Some(interval);
            value.method = "t, clusters";
            value.evidence = Evidence::Limits {
                interval,
                method: "t limits clustered by unit",
            };
        }
        _ => {
            let mut by_unit: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
            for (number, unit) in numbers.iter().zip(units) {
                let of_unit = by_unit.entry(*unit).or_default();
                of_unit.0 += number;
                of_unit.1 += 1.0;
            }
            let (sums, sizes): (Vec<f64>, Vec<f64>) = by_unit.into_values().unzip();
            let interval = mean_limits(&sums, &sizes, range, scope.level)?.interval;
            value.interval = Some(interval);
            value.method = ONE_MORE;
            value.evidence = Evidence::Limits {
                interval,
                method: ONE_MORE,
            };
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use crate::decision::Probe;
    use crate::metric::Selection;
    use crate::score::testing::Data;

    /// Forty cases, asked in both orders of two options; the last `lured` of them name whatever stands first.
    fn in_both_orders(lured: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..40 {
            let gold = at % 2;
            let label = |first: usize| if at >= 40 - lured { first } else { gold };
            data.answered(gold, label(0));
            let turned = Probe {
                order: vec![1, 0],
                ..data.probe()
            };
            data.say(turned, label(1));
        }
        data
    }

    fn gap(lured: usize) -> (f64, f64, f64) {
        let selection = Selection {
            orders: 2,
            ..Selection::default()
        };
        let found = in_both_orders(lured).measure_on("first_slot_gap", &selection);
        let value = found.value.expect("a gap");
        let interval = value.interval.expect("an interval");
        (value.value, interval.low, interval.high)
    }

    #[test]
    fn answers_that_never_follow_the_order_have_limits_too() {
        let (value, low, high) = gap(0);
        assert_eq!(value, 0.0);
        // One more case could be lured both times, or shun the first slot.
        assert!(low < -0.01 && high > 0.01 && high < 0.2, "{low} to {high}");
        let (value, low, high) = gap(20);
        assert_eq!(value, 0.25, "half of the answers of half of the cases");
        assert!(low > 0.05 && high < 0.45, "{low} to {high}");
    }
}
