//! Proper scores of the probabilities, and distances of ordered answers.

use std::cell::Cell;

use super::answer_score::{answer_score, truth, worst_score};
use super::calibration::binning;
use super::resampled::Items;
use super::scope::{Scope, VALUE_ALONE};
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::Gold;
use crate::metric::{BrierScale, Sample};
use crate::stats::Interval;
use crate::stats::calibration::Forecasts;
use crate::stats::proper::{MurphyParts, Truth, item_log_loss, murphy_binned};

/// From 0 to a largest number.
fn up_to(high: f64) -> Interval {
    Interval { low: 0.0, high }
}

/// The mean over answers of one number per answer, from its distribution and gold; `range` is asked last and holds
/// every such number.
///
/// Answers to several acceptable labels have no proper score and are passed over.
fn mean_of(
    scope: &Scope<'_, '_>,
    range: impl FnOnce() -> Interval,
    number: impl Fn(&Row<'_>, &[f64], Truth<'_>) -> Option<f64>,
) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    let mut without = 0;
    for row in &scope.rows {
        let Some(base) = row.base().filter(|base| base.said.is_some()) else {
            continue;
        };
        let Some(truth) = row.gold.and_then(truth) else {
            continue;
        };
        match &base.probabilities {
            None => without += 1,
            Some(shares) => {
                if let Some(number) = number(row, shares, truth) {
                    rows.push(*row);
                    numbers.push(number);
                }
            }
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because(if without > 0 {
            "no probabilities"
        } else {
            "no gold that this score can use"
        }));
    }
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.mean(&scope.name(), &numbers, Some(range()), scope.level)?;
    if without > 0 {
        value.notes.push(format!(
            "measured on {} of {} answers",
            rows.len(),
            rows.len() + without
        ));
    }
    value.drivers = worst(&items.positions, &numbers);
    Ok(value)
}

/// The twenty cases with the largest numbers, largest first.
fn worst(positions: &[usize], numbers: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).filter(|at| numbers[*at] > 0.0).collect();
    order.sort_by(|a, b| {
        numbers[*b]
            .total_cmp(&numbers[*a])
            .then(positions[*a].cmp(&positions[*b]))
    });
    order.into_iter().take(20).map(|at| positions[at]).collect()
}

/// The mean over answers of the metric's own score.
fn mean_score(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let (metric, conventions) = (scope.metric.id, scope.sheet.conventions);
    let range = worst_score(metric, conventions, scope.sheet.question.options.len());
    mean_of(
        scope,
        || up_to(range),
        |row, shares, truth| answer_score(metric, conventions, row.question, shares, truth),
    )
}

pub(super) fn brier(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let binary = scope.sheet.conventions.brier == BrierScale::Binary;
    let mut value = mean_score(scope)?;
    if scope.level == VALUE_ALONE {
        return Ok(value);
    }
    if let Some(parts) = decomposition(scope, binary) {
        value.notes.push(format!(
            "{:.4} reliability - {:.4} resolution + {:.4} uncertainty + {:.4} within bins",
            parts.reliability,
            parts.resolution,
            parts.uncertainty,
            parts.within_variance - parts.within_covariance
        ));
        value.parts.extend([
            ("reliability", parts.reliability),
            ("resolution", parts.resolution),
            ("uncertainty", parts.uncertainty),
            ("within_variance", parts.within_variance),
            ("within_covariance", parts.within_covariance),
        ]);
    }
    value.conventions.push((
        "scale",
        if binary {
            "binary, 0..1"
        } else {
            "labels, 0..2"
        }
        .to_owned(),
    ));
    Ok(value)
}

/// Murphy's parts over the bins of the calibration error, summed over options; `None` where they would not add up to the
/// score: options that differ between cases, gold that is a distribution, weights.
fn decomposition(scope: &Scope<'_, '_>, binary: bool) -> Option<MurphyParts> {
    scope.common_options().ok()?;
    if scope.selection.sample == Sample::Population {
        return None;
    }
    let mut rows: Vec<(&[f64], usize)> = Vec::new();
    for row in &scope.rows {
        let Some(base) = row.base().filter(|base| base.said.is_some()) else {
            continue;
        };
        match (&base.probabilities, row.gold) {
            (Some(shares), Some(Gold::Label(label))) => rows.push((shares, *label)),
            (Some(_), Some(Gold::Distribution(_))) => return None,
            _ => {}
        }
    }
    let binning = binning(scope.sheet.conventions.ece).ok()?;
    let options = if binary {
        1
    } else {
        scope.sheet.question.options.len()
    };
    let mut total: Option<MurphyParts> = None;
    for option in 0..options {
        let chances: Vec<f64> = rows
            .iter()
            .map(|(shares, _)| shares[option].min(1.0))
            .collect();
        let happened: Vec<bool> = rows.iter().map(|(_, gold)| *gold == option).collect();
        let parts = murphy_binned(&Forecasts::new(&chances, &happened).ok()?, &binning);
        total = Some(total.map_or(parts, |sum| MurphyParts {
            reliability: sum.reliability + parts.reliability,
            resolution: sum.resolution + parts.resolution,
            uncertainty: sum.uncertainty + parts.uncertainty,
            within_variance: sum.within_variance + parts.within_variance,
            within_covariance: sum.within_covariance + parts.within_covariance,
        }));
    }
    total
}

pub(super) fn log_loss(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    log_loss_of(scope, |shares| Some(shares.to_vec()))
}

/// The log loss of distributions that are changed first.
pub(super) fn log_loss_of(
    scope: &Scope<'_, '_>,
    change: impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> Result<Value, Unmeasurable> {
    let floor = scope.sheet.conventions.log_loss_floor;
    let clipped = Cell::new(0_usize);
    // The most that any of these answers could have lost: by gold on its least likely option.
    let most = Cell::new(0.0_f64);
    let mut value = mean_of(
        scope,
        || up_to(most.get()),
        |_, shares, truth| {
            let shares = change(shares)?;
            let item = item_log_loss(&shares, truth, floor).ok()?;
            clipped.set(clipped.get() + usize::from(item.clipped));
            let least = shares.iter().copied().fold(1.0, f64::min);
            most.set(most.get().max(-least.max(floor).ln()));
            Some(item.loss)
        },
    )?;
    value.conventions.push(("floor", format!("{floor:e}")));
    if clipped.get() > 0 {
        value
            .notes
            .push(format!("{} answers raised to the floor", clipped.get()));
    }
    Ok(value)
}

pub(super) fn rps(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut value = mean_score(scope)?;
    let normalised = scope.sheet.conventions.rps_normalised;
    value
        .conventions
        .push(("normalised", normalised.to_string()));
    Ok(value)
}

pub(super) fn mae(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    mean_score(scope)
}

pub(super) fn tvd(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    mean_score(scope)
}
