//! Right or wrong: accuracy as taken, weighted, by group, and what a constant answer would reach.

use super::groups::Groups;
use super::one_more::Table;
use super::orders::averaged;
use super::resampled::Items;
use super::scope::Scope;
use super::share::{SHARE, Share};
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::{Context, Gold};
use crate::metric::{MetricArgument, Sample};

/// The answer that an accuracy reads: the base probe's, or that of the order or view its argument names.
fn answer<'r>(row: &'r Row<'_>, argument: &MetricArgument) -> Option<&'r super::Observed> {
    match argument {
        MetricArgument::ReversedOrder => row.orders(2)?.last().copied(),
        MetricArgument::Context(name) => row.in_context(Context::from_name(name)?),
        _ => row.base(),
    }
}

pub(super) fn accuracy(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let averages = scope.metric.argument == MetricArgument::AveragedOrders;
    let right = |row: &Row<'_>| {
        if averages {
            row.is_right(&averaged(scope, row)?)
        } else {
            row.is_right(answer(row, &scope.metric.argument)?)
        }
    };
    let share = Share::of(&scope.rows, right);
    let mut value = share
        .value(scope.selection.sample, scope.level, false)
        .map_err(|why| {
            if averages && why.reason == "no items to measure" {
                Unmeasurable::because("no probabilities in several orders")
            } else {
                why
            }
        })?;
    let is_unknown = |row: &&&Row<'_>| row.gold == Some(&Gold::Unknown);
    let unknown = scope.rows.iter().filter(is_unknown).count();
    if unknown > 0 {
        let note = format!("{unknown} cases with gold `unknown` left out");
        value.notes.push(note);
    }
    Ok(value)
}

pub(super) fn weighted(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let right = |row: &Row<'_>| row.is_right(row.base()?);
    Share::of(&scope.rows, right).value(Sample::Population, scope.level, false)
}

pub(super) fn within_one(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let near = |row: &Row<'_>| {
        let gold = row.gold?.single()?;
        let observed = row.base()?;
        observed.said?;
        Some(
            observed
                .option()
                .is_some_and(|level| level.abs_diff(gold) <= 1),
        )
    };
    Share::of(&scope.rows, near).value(scope.selection.sample, scope.level, false)
}

/// The mean over groups of the accuracy within each.
pub(super) fn macro_accuracy(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let groups = Groups::of(scope)?;
    let mean_of_groups = |counts: &[f64]| {
        // A resample without any case of a group says nothing of it; the mean is over the groups it has.
        let groups = counts
            .chunks_exact(2)
            .filter(|group| group[0] + group[1] > 0.0);
        let (sum, count) = groups.fold((0.0, 0.0), |(sum, count), group| {
            (sum + group[1] / (group[0] + group[1]), count + 1.0)
        });
        (count > 0.0).then(|| sum / count)
    };
    let items = Items::of(&groups.rows, scope.selection.sample);
    // Two cells a group: wrong and right.
    let cell_of: Vec<usize> = groups
        .group_of
        .iter()
        .zip(&groups.right)
        .map(|(group, right)| 2 * group + usize::from(*right))
        .collect();
    let cells = 2 * groups.names.len();
    let table = Table {
        cells,
        cell_of: &cell_of,
        candidates: &(0..cells).collect::<Vec<_>>(),
        range: SHARE,
    };
    let mut value = items.table(&scope.name(), &table, scope.level, mean_of_groups)?;
    value.notes.push(format!("{} groups", groups.names.len()));
    value.drivers = groups.wrong();
    Ok(value)
}

/// What guessing would reach: the mean of one over the number of options. It is known, so that it has no interval.
pub(super) fn chance(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let judged: Vec<&Row<'_>> = scope
        .rows
        .iter()
        .copied()
        .filter(|row| row.gold.is_some_and(|gold| gold.accepts(0).is_some()))
        .collect();
    if judged.is_empty() {
        return Err(Unmeasurable::because("no gold that could be guessed"));
    }
    let items = Items::of(&judged, scope.selection.sample);
    let total: f64 = items.weights.iter().sum();
    let guessed: f64 = judged
        .iter()
        .zip(&items.weights)
        .map(|(row, weight)| weight * acceptable(row) as f64 / row.question.options.len() as f64)
        .sum();
    Ok(items.described(guessed / total, scope.level))
}

/// How many options of a row count as right.
fn acceptable(row: &Row<'_>) -> usize {
    match row.gold {
        Some(Gold::AnyOf(options)) => options.len(),
        _ => 1,
    }
}

/// The share of the most frequent gold answer; the first of several equally frequent ones.
pub(super) fn majority_baseline(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    scope.common_options()?;
    let mut counts = vec![0_usize; scope.sheet.question.options.len()];
    scope
        .rows
        .iter()
        .filter_map(|row| row.gold?.single())
        .for_each(|gold| counts[gold] += 1);
    let most = counts.iter().copied().max().unwrap_or(0);
    let majority = counts.iter().position(|count| *count == most).unwrap_or(0);
    let is_majority = |row: &Row<'_>| row.gold?.single().map(|gold| gold == majority);
    let mut value =
        Share::of(&scope.rows, is_majority).value(scope.selection.sample, scope.level, false)?;
    value.notes.push(format!(
        "always `{}`",
        scope.sheet.question.options[majority].key
    ));
    value.drivers.clear();
    Ok(value)
}
