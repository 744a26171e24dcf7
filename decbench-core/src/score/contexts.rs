//! The same case with more or less around it: paired differences of accuracy.

use super::resampled::Items;
use super::scope::Scope;
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::Context;
use crate::metric::Sample;
use crate::stats::Interval;
use crate::stats::difference::{PairedTable, newcombe_paired};

/// The range of a difference of two shares.
const DIFFERENCE: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

/// By how much what holds of rows in the first of two circumstances exceeds what holds in the second, with the table of
/// both.
pub(super) fn difference(
    name: &str,
    (rows, sample): (&[&Row<'_>], Sample),
    (first, second): (&[bool], &[bool]),
    level: f64,
) -> Result<(Value, PairedTable), Unmeasurable> {
    let items = Items::of(rows, sample);
    let table = PairedTable::count(first, second)?;
    if items.units == rows.len() && sample == Sample::AsTaken {
        let interval = newcombe_paired(&table, level)?;
        let mut value = items.described(table.difference()?, level);
        value.interval = Some(interval);
        value.method = "Newcombe, paired";
        value.evidence = Evidence::Limits {
            interval,
            method: "Newcombe's paired limits",
        };
        return Ok((value, table));
    }
    let number = |holds: &bool| f64::from(u8::from(*holds));
    let differences: Vec<f64> = first
        .iter()
        .zip(second)
        .map(|(first, second)| number(first) - number(second))
        .collect();
    let value = items.mean(name, &differences, Some(DIFFERENCE), level)?;
    Ok((value, table))
}

/// Accuracy in `first` less accuracy in `second`, on the cases that have both.
pub(super) fn drop_between(
    scope: &Scope<'_, '_>,
    first: Context,
    second: Context,
) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
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
    let (mut value, table) = difference(
        &scope.name(),
        (&rows, scope.selection.sample),
        (&right_in.0, &right_in.1),
        scope.level,
    )?;
    value.notes.push(format!(
        "right only in {}: {}, only in {}: {}",
        first.name(),
        table.first_only,
        second.name(),
        table.second_only
    ));
    if first == Context::Production {
        value
            .notes
            .push("no case has a minimal view; production's stands for it".to_owned());
    }
    if second == Context::Padded && rows.iter().any(|row| row.case.built_padding) {
        value.notes.push(
            "padding is built from other cases' states, two to four times as long as the own"
                .to_owned(),
        );
    }
    value.drivers = drivers;
    Ok(value)
}
