//! The same case with more or less around it: paired differences of accuracy.

use super::resampled::Items;
use super::scope::Scope;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::Context;
use crate::stats::Interval;
use crate::stats::difference::{PairedTable, newcombe_paired};

/// The range of a difference of two shares.
const DIFFERENCE: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

/// Accuracy in `first` less accuracy in `second`, on the cases that have both.
pub(super) fn drop_between(
    scope: &Scope<'_, '_>,
    first: Context,
    second: Context,
) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut differences = Vec::new();
    let mut right_in = (Vec::new(), Vec::new());
    let mut drivers = Vec::new();
    for row in &scope.rows {
        let (Some(a), Some(b)) = (row.in_context(first), row.in_context(second)) else {
            continue;
        };
        let (Some(a), Some(b)) = (row.is_right(a), row.is_right(b)) else {
            continue;
        };
        right_in.0.push(a);
        right_in.1.push(b);
        differences.push(f64::from(u8::from(a)) - f64::from(u8::from(b)));
        rows.push(*row);
        if a && !b {
            drivers.push(row.position);
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because(format!(
            "no case was answered in both the {} and the {} view",
            first.name(),
            second.name()
        )));
    }
    let items = Items::of(&rows, scope.selection.sample);
    let table = PairedTable::count(&right_in.0, &right_in.1)?;
    let mut value =
        if items.units == rows.len() && scope.selection.sample == crate::metric::Sample::AsTaken {
            let interval = newcombe_paired(&table, scope.level)?;
            let mut value = items.described(table.difference()?, scope.level);
            value.interval = Some(interval);
            value.method = "Newcombe, paired";
            value.evidence = Evidence::Limits {
                interval,
                method: "Newcombe's paired limits",
            };
            value
        } else {
            items.mean(&scope.name(), &differences, Some(DIFFERENCE), scope.level)?
        };
    value.notes.push(format!(
        "right only in {}: {}, only in {}: {}",
        first.name(),
        table.first_only,
        second.name(),
        table.second_only
    ));
    value.drivers = drivers;
    Ok(value)
}
