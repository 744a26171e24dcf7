//! What decisions cost.

use super::resampled::Items;
use super::scope::Scope;
use super::value::{Evidence, Unmeasurable, Value};
use crate::stats::Interval;

/// The rows whose base call has a price, with their costs.
fn costs<'s, 'a>(
    scope: &Scope<'s, 'a>,
) -> Result<(Vec<&'s super::Row<'a>>, Vec<f64>), Unmeasurable> {
    let mut rows = Vec::new();
    let mut costs = Vec::new();
    for row in &scope.rows {
        let Some(base) = row.base() else { continue };
        let Some(cost) = base.measured.cost_usd else {
            continue;
        };
        rows.push(*row);
        costs.push(cost);
    }
    if rows.is_empty() {
        Err(Unmeasurable::because("no price is known for these calls"))
    } else {
        Ok((rows, costs))
    }
}

pub(super) fn per_1000(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let (rows, costs) = costs(scope)?;
    let per_thousand: Vec<f64> = costs.iter().map(|cost| cost * 1000.0).collect();
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.mean(&scope.name(), &per_thousand, None, scope.level)?;
    if value.interval.is_none() && per_thousand.iter().all(|cost| *cost == per_thousand[0]) {
        // A price that is the same for every call is known, not estimated.
        let interval = Interval {
            low: value.value,
            high: value.value,
        };
        value.interval = Some(interval);
        value.method = "constant";
        value.evidence = Evidence::Limits {
            interval,
            method: "a constant price",
        };
        value.notes.clear();
    }
    Ok(value)
}

pub(super) fn per_correct(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let (rows, costs) = costs(scope)?;
    let passed: Vec<bool> = rows
        .iter()
        .map(|row| {
            row.base()
                .and_then(|base| row.is_right(base))
                .unwrap_or(false)
        })
        .collect();
    let items = Items::of(&rows, scope.selection.sample);
    let ratio = |weights: &[f64], _| {
        let total: f64 = costs
            .iter()
            .zip(weights)
            .map(|(cost, weight)| cost * weight)
            .sum();
        let right: f64 = passed
            .iter()
            .zip(weights)
            .filter(|(passed, _)| **passed)
            .map(|(_, weight)| weight)
            .sum();
        (right > 0.0).then(|| total / right)
    };
    items.statistic(&scope.name(), None, scope.level, ratio)
}
