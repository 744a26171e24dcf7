//! Right or wrong: accuracy as taken, weighted, by group, and what a constant answer would reach.

use std::collections::BTreeMap;

use super::resampled::Items;
use super::scope::Scope;
use super::share::Share;
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
    let right = |row: &Row<'_>| row.is_right(answer(row, &scope.metric.argument)?);
    let share = Share::of(&scope.rows, right);
    let mut value = share.value(scope.selection.sample, scope.level, false)?;
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
    let MetricArgument::Field(field) = &scope.metric.argument else {
        return Err(Unmeasurable::because("no field named"));
    };
    let mut rows = Vec::new();
    let mut right = Vec::new();
    let mut group_of = Vec::new();
    let mut groups = BTreeMap::new();
    for row in &scope.rows {
        let (Some(group), Some(held)) = (
            row.field(field),
            row.base().and_then(|base| row.is_right(base)),
        ) else {
            continue;
        };
        let next = groups.len();
        group_of.push(*groups.entry(group).or_insert(next));
        rows.push(*row);
        right.push(f64::from(u8::from(held)));
    }
    if groups.is_empty() {
        return Err(Unmeasurable::because(format!("no case has a {field}")));
    }
    let mean_of_groups = |weights: &[f64]| {
        let mut sums = vec![(0.0, 0.0); groups.len()];
        for ((weight, right), group) in weights.iter().zip(&right).zip(&group_of) {
            sums[*group].0 += weight * right;
            sums[*group].1 += weight;
        }
        // A resample without any case of a group says nothing of it; the mean is over the groups it has.
        let accuracies: Vec<f64> = sums
            .iter()
            .filter(|(_, size)| *size > 0.0)
            .map(|(sum, size)| sum / size)
            .collect();
        (!accuracies.is_empty()).then(|| accuracies.iter().sum::<f64>() / accuracies.len() as f64)
    };
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.statistic(&scope.name(), Some(1.0), scope.level, mean_of_groups)?;
    value.notes.push(format!("{} groups", groups.len()));
    value.drivers = items
        .positions
        .iter()
        .zip(&right)
        .filter(|(_, right)| **right == 0.0)
        .map(|(at, _)| *at)
        .collect();
    Ok(value)
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
