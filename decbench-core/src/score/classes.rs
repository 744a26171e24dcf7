//! Metrics of the confusion table: precision, recall, F1 and their averages, kappa, Matthews correlation.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::one_more::Table;
use super::resampled::Items;
use super::scope::Scope;
use super::share::{SHARE, Share};
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::metric::ClassSet;
use crate::stats::Interval;
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
    range: Interval,
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
    let candidates = candidates(&pairs);
    let mut cells = pairs.clone();
    cells.extend(&candidates);
    cells.sort_unstable();
    cells.dedup();
    let cell = |pair: &(usize, Option<usize>)| cells.partition_point(|cell| cell < pair);
    let cell_of: Vec<usize> = pairs.iter().map(cell).collect();
    let candidates: Vec<usize> = candidates.iter().map(cell).collect();
    let table = Table {
        cells: cells.len(),
        cell_of: &cell_of,
        candidates: &candidates,
        range,
    };
    let items = Items::of(&rows, scope.selection.sample);
    let margins = RefCell::new(Margins::new(scope.sheet.question.options.len()));
    let mut value = items.table(&scope.name(), &table, scope.level, |counts| {
        let mut margins = margins.borrow_mut();
        margins.clear();
        cells
            .iter()
            .zip(counts)
            .for_each(|((gold, answered), count)| margins.add(*gold, *answered, *count));
        statistic(&margins)
    })?;
    value.drivers = wrong;
    Ok(value)
}

/// What one more case might be at its worst: right, unusable, or taken for or from the rarest gold class.
fn candidates(pairs: &[(usize, Option<usize>)]) -> Vec<(usize, Option<usize>)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (gold, _) in pairs {
        *counts.entry(*gold).or_default() += 1;
    }
    let Some((rarest, _)) = counts.iter().min_by_key(|(_, count)| **count) else {
        return Vec::new();
    };
    let each = counts.keys().flat_map(|class| {
        [
            (*class, Some(*class)),
            (*class, None),
            (*class, Some(*rarest)),
            (*rarest, Some(*class)),
        ]
    });
    each.collect()
}

/// From complete disagreement to complete agreement.
pub(super) const AGREEMENT: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

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
    let table = Table {
        cells: 4,
        cell_of: &cells,
        candidates: &[0, 1, 2, 3],
        range: SHARE,
    };
    let mut value = items.table(&scope.name(), &table, scope.level, |counts| {
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
    let mut value = of_confusion(scope, SHARE, |margins| margins.macro_f1(set))?;
    value.conventions.push(("classes", name.to_owned()));
    Ok(value)
}

pub(super) fn balanced_accuracy(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, SHARE, Margins::balanced_accuracy)
}

pub(super) fn kappa(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, AGREEMENT, Margins::kappa)
}

pub(super) fn mcc(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    of_confusion(scope, AGREEMENT, Margins::mcc)
}
