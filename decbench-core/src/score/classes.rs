//! Metrics of the confusion table: precision, recall, F1 and their averages, kappa, Matthews correlation.

use std::cell::RefCell;

use super::resampled::Items;
use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::metric::ClassSet;
use crate::stats::classification::{self, Margins};

/// Gold and answer of a row: the gold option and the answered one, `None` for an answer that is no option.
///
/// Where several labels are acceptable, the answered one counts as gold if it is among them, else the first.
pub(super) fn gold_and_answer(row: &Row<'_>) -> Option<(usize, Option<usize>)> {
    let observed = row.base()?;
    observed.said?;
    let answered = observed.option();
    let gold = match row.gold? {
        crate::decision::Gold::AnyOf(options) => answered
            .filter(|option| options.contains(option))
            .or(options.first().copied())?,
        other => other.single()?,
    };
    Some((gold, answered))
}

pub(super) fn precision(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let option = scope.option()?;
    precision_of(scope, option)
}

fn precision_of(scope: &Scope<'_, '_>, option: usize) -> Result<Value, Unmeasurable> {
    let share = Share::of(&scope.rows, |row| {
        let (gold, answered) = gold_and_answer(row)?;
        (answered == Some(option)).then_some(gold == option)
    });
    let key = &scope.sheet.question.options[option].key;
    share
        .value(scope.selection.sample, scope.level, false)
        .map_err(|why| no_items(why, format!("nothing was answered with `{key}`")))
}

pub(super) fn recall(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let option = scope.option()?;
    recall_of(scope, option)
}

fn recall_of(scope: &Scope<'_, '_>, option: usize) -> Result<Value, Unmeasurable> {
    let share = Share::of(&scope.rows, |row| {
        let (gold, answered) = gold_and_answer(row)?;
        (gold == option).then_some(answered == Some(option))
    });
    let key = &scope.sheet.question.options[option].key;
    share
        .value(scope.selection.sample, scope.level, false)
        .map_err(|why| no_items(why, format!("no case has gold `{key}`")))
}

fn no_items(why: Unmeasurable, reason: String) -> Unmeasurable {
    if why.reason == "no items to measure" {
        Unmeasurable::because(reason)
    } else {
        why
    }
}

/// A statistic of the confusion table, whose last column holds answers that are no option.
fn of_confusion(
    scope: &Scope<'_, '_>,
    statistic: impl Fn(&Margins) -> Option<f64>,
) -> Result<Value, Unmeasurable> {
    scope.common_options()?;
    let mut rows = Vec::new();
    let mut pairs = Vec::new();
    let mut wrong = Vec::new();
    for row in &scope.rows {
        if let Some((gold, answered)) = gold_and_answer(row) {
            pairs.push((gold, answered));
            rows.push(*row);
            if answered != Some(gold) {
                wrong.push(row.position);
            }
        }
    }
    // Only cells that occur: a table of 150 options is mostly empty.
    let mut cells = pairs.clone();
    cells.sort_unstable();
    cells.dedup();
    let cell_of: Vec<usize> = pairs
        .iter()
        .map(|pair| cells.partition_point(|cell| cell < pair))
        .collect();
    let items = Items::of(&rows, scope.selection.sample);
    let margins = RefCell::new(Margins::new(scope.sheet.question.options.len()));
    let mut value = items.table(
        &scope.name(),
        cells.len(),
        &cell_of,
        scope.level,
        |counts| {
            let mut margins = margins.borrow_mut();
            margins.clear();
            cells
                .iter()
                .zip(counts)
                .for_each(|((gold, answered), count)| margins.add(*gold, *answered, *count));
            statistic(&margins)
        },
    )?;
    value.drivers = wrong;
    Ok(value)
}

pub(super) fn f1(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let option = scope.option()?;
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    let mut wrong = Vec::new();
    for row in &scope.rows {
        let Some((gold, answered)) = gold_and_answer(row) else {
            continue;
        };
        // Of a table of many options F1 reads these cells alone: found, missed, taken for it, and all others.
        let cell = match (gold == option, answered == Some(option)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        rows.push(*row);
        cells.push(cell);
        if matches!(cell, 1 | 2) {
            wrong.push(row.position);
        }
    }
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.table(&scope.name(), 4, &cells, scope.level, |counts| {
        let named = 2.0 * counts[0] + counts[1] + counts[2];
        (named > 0.0).then(|| 2.0 * counts[0] / named)
    })?;
    value.drivers = wrong;
    Ok(value)
}

pub(super) fn macro_f1(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let (set, name) = match scope.sheet.conventions.macro_f1 {
        ClassSet::Gold => (classification::ClassSet::Gold, "gold"),
        ClassSet::Seen => (classification::ClassSet::Seen, "seen"),
        ClassSet::Declared => (classification::ClassSet::Declared, "declared"),
    };
    let mut value = of_confusion(scope, |margins| margins.macro_f1(set))?;
    value.conventions.push(("classes", name.to_owned()));
    Ok(value)
}

pub(super) fn balanced_accuracy(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, Margins::balanced_accuracy)
}

pub(super) fn kappa(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, Margins::kappa)
}

pub(super) fn mcc(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, Margins::mcc)
}
