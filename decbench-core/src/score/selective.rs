//! Deciding only where the candidate is confident: coverage, selective accuracy, ranking of confidence.

use std::cell::RefCell;

use super::calibration::Forecasts;
use super::observed::Observed;
use super::one_more::Added;
use super::resampled::Items;
use super::scope::Scope;
use super::share::{SHARE, Share};
use super::value::{Evidence, ONE_MORE, Unmeasurable, Value};
use crate::decision::QuestionKind;
use crate::metric::{BinnedQuantity, MetricArgument, Sample};
use crate::stats::one_more::{estimate_limits, mean_limits};
use crate::stats::ranking::auroc as auroc_of;
use crate::stats::{Interval, Undefined};

/// The thresholds a coverage is searched over, fixed before any answer is seen, highest first.
pub const GRID: [f64; 11] = [0.99, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5];

fn limit(scope: &Scope<'_, '_>) -> Result<f64, Unmeasurable> {
    match &scope.metric.argument {
        MetricArgument::AtLeast(limit, _) => Ok(limit.value()),
        _ => Err(Unmeasurable::because("no limit given")),
    }
}

pub(super) fn coverage(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let target = limit(scope)?;
    if scope.selection.sample == Sample::Population {
        return Err(Unmeasurable::because(
            "a guaranteed coverage has no weighted form; read it as taken",
        ));
    }
    let forecasts = Forecasts::of_confidence(scope)?;
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    let n = items.positions.len();
    // Accuracy and coverage must both hold, so that each may err half as often.
    let level = f64::midpoint(1.0, scope.level);
    let delta = (1.0 - level) / 2.0;
    let limits = |of: &dyn Fn(usize) -> Option<bool>| share_limits(&items, of, level);
    let mut certified = None;
    let mut reachable = Vec::with_capacity(GRID.len());
    let mut still = true;
    for threshold in GRID {
        let kept = |at: usize| forecasts.chances[at] >= threshold;
        let covered = limits(&|at| Some(kept(at)))?;
        let kept_n = (0..n).filter(|at| kept(*at)).count();
        if kept_n == 0 {
            reachable.push((covered.high, 1.0));
            continue;
        }
        let accuracy = limits(&|at| kept(at).then_some(forecasts.happened[at]))?;
        reachable.push((covered.high, accuracy.high));
        // Passing over thresholds that could not be certified even without an error, stopping at the first that fails.
        let at_best = limits(&|at| kept(at).then_some(true))?;
        if still && at_best.low >= target {
            if accuracy.low >= target {
                certified = Some((threshold, kept_n, covered));
            } else {
                still = false;
            }
        }
    }
    let mut value = items.described(
        certified.map_or(0.0, |(_, kept, _)| kept as f64 / n as f64),
        scope.level,
    );
    value.method = "fixed-sequence testing";
    if let Some((threshold, kept, _)) = certified {
        let kept_at = |at: usize| Some(forecasts.chances[at] >= threshold);
        value.interval = Some(share_limits(&items, &kept_at, scope.level)?);
        let note = format!("threshold {threshold}: decides {kept} of {n}");
        value.notes.push(note);
        value.conventions.push(("threshold", threshold.to_string()));
        value.parts.push(("threshold", threshold));
        value.parts.push(("kept", kept as f64));
    } else {
        value
            .notes
            .push("no threshold is certain to reach this accuracy".to_owned());
    }
    if let Some(needed) = kept_for_a_guarantee(target, delta) {
        value.notes.push(format!(
            "a guarantee takes {needed} independent kept answers without an error, or more with errors"
        ));
        value.parts.push(("kept_for_a_guarantee", needed as f64));
    }
    value.evidence = Evidence::Coverage {
        certified_low: certified.map(|(_, _, covered)| covered.low),
        reachable,
        target,
    };
    // Without the noise of binary fractions.
    value
        .conventions
        .push(("delta", ((delta * 1e9).round() / 1e9).to_string()));
    forecasts.note_share(&mut value);
    Ok(value)
}

/// The fewest kept answers that can prove an accuracy when none of them is wrong: A^m ≤ δ. `None` for an accuracy of 100%,
/// which no number proves, and of 0%.
fn kept_for_a_guarantee(target: f64, delta: f64) -> Option<u64> {
    let needed = delta.ln() / target.ln();
    (needed.is_finite() && target < 1.0).then(|| (needed * (1.0 - 1e-12)).ceil() as u64)
}

/// Limits of the share of items that hold, among those of which that can be said.
fn share_limits(
    items: &Items,
    holds: &dyn Fn(usize) -> Option<bool>,
    level: f64,
) -> Result<Interval, Undefined> {
    let mut held = vec![0.0; items.units];
    let mut sizes = vec![0.0; items.units];
    for (at, unit) in items.unit_of.iter().enumerate() {
        if let Some(holds) = holds(at) {
            sizes[*unit] += 1.0;
            held[*unit] += f64::from(u8::from(holds));
        }
    }
    Ok(mean_limits(&held, &sizes, SHARE, level)?.interval)
}

pub(super) fn selective_accuracy(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let (least, by_margin) = match &scope.metric.argument {
        MetricArgument::Margin(least, _) => (least.value(), true),
        _ => (limit(scope)?, false),
    };
    let forecasts = if by_margin {
        Forecasts::of(scope, BinnedQuantity::Top)?
    } else {
        Forecasts::of_confidence(scope)?
    };
    let mut share = Share::default();
    for ((row, chance), right) in forecasts
        .rows
        .iter()
        .zip(&forecasts.chances)
        .zip(&forecasts.happened)
    {
        let margin = || row.base().and_then(Observed::margin).unwrap_or(0.0);
        let sure = if by_margin { margin() } else { *chance };
        if sure >= least {
            share.push(row, *right);
        }
    }
    let mut value = share
        .value(scope.selection.sample, scope.level, false)
        .map_err(|_| {
            let quantity = if by_margin { "margin" } else { "confidence" };
            Unmeasurable::because(format!("no answer has a {quantity} of at least {least}"))
        })?;
    value
        .notes
        .push(format!("decides {} of {}", value.n, forecasts.rows.len()));
    forecasts.note_share(&mut value);
    Ok(value)
}

pub(super) fn aurc(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let forecasts = Forecasts::of_confidence(scope)?;
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    // Two cases more that count only when asked for: as sure as the surest, one wrong and one right.
    let n = forecasts.chances.len();
    let surest = forecasts.chances.iter().copied().fold(0.0, f64::max);
    let mut chances = forecasts.chances.clone();
    let mut happened = forecasts.happened.clone();
    chances.extend([surest; 2]);
    happened.extend([false, true]);
    let mut order: Vec<usize> = (0..n + 2).collect();
    order.sort_by(|a, b| chances[*b].total_cmp(&chances[*a]));
    let with = RefCell::new(Vec::with_capacity(n + 2));
    let mut value =
        items.statistic(&scope.name(), Some(SHARE), scope.level, |weights, added| {
            let mut with = with.borrow_mut();
            with.clear();
            with.extend_from_slice(weights);
            with.extend(match added {
                Added::Nothing => [0.0, 0.0],
                Added::Highest(size) => [size, 0.0],
                Added::Lowest(size) => [0.0, size],
            });
            mean_risk(&order, &chances, &happened, &with)
        })?;
    value.conventions.push(("ties", "averaged".to_owned()));
    forecasts.note_share(&mut value);
    Ok(value)
}

/// The mean over coverages of the risk among the most confident, errors spread evenly within ties.
fn mean_risk(order: &[usize], chances: &[f64], happened: &[bool], weights: &[f64]) -> Option<f64> {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return None;
    }
    let (mut kept, mut errors, mut area) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut at = 0;
    while at < order.len() {
        let chance = chances[order[at]];
        let (mut size, mut wrong) = (0.0_f64, 0.0_f64);
        while at < order.len() && chances[order[at]] == chance {
            size += weights[order[at]];
            wrong += if happened[order[at]] {
                0.0
            } else {
                weights[order[at]]
            };
            at += 1;
        }
        if size > 0.0 {
            let rate = wrong / size;
            // Whole items one by one; a last fraction of an item counts as its share.
            let mut left = size;
            while left > 0.0 {
                let step = left.min(1.0);
                kept += step;
                errors += rate * step;
                area += step * errors / kept;
                left -= step;
            }
        }
    }
    Some(area / total)
}

/// Limits of the area with one more case on the wrong end, and with one more on the right one.
fn ranking_limits(forecasts: &Forecasts<'_, '_>, level: f64) -> Result<Interval, Undefined> {
    let with = |chance: f64, happens: bool| -> Result<(f64, f64), Undefined> {
        let mut chances = forecasts.chances.clone();
        let mut happened = forecasts.happened.clone();
        chances.push(chance);
        happened.push(happens);
        let found = auroc_of(&chances, &happened)?;
        let error = found.se.ok_or(Undefined::ZeroVariance)?;
        Ok((found.area, error * error))
    };
    let (wrong_below, wrong_above) = (with(0.0, true)?, with(1.0, false)?);
    let (right_above, right_below) = (with(1.0, true)?, with(0.0, false)?);
    let lowest = if wrong_below.0 < wrong_above.0 {
        wrong_below
    } else {
        wrong_above
    };
    let highest = if right_below.0 > right_above.0 {
        right_below
    } else {
        right_above
    };
    estimate_limits(lowest, highest, SHARE, level)
}

/// Yes/no: P(yes) against gold; else the top probability against "right". DeLong's interval where items are independent.
pub(super) fn auroc(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let yes_no =
        scope.sheet.question.kind == QuestionKind::YesNo && scope.sheet.has_common_options();
    // Without probabilities there is no P(yes), and agreement is about the answer whichever it is.
    let yes_no =
        yes_no && (scope.sheet.confidence_from.is_none() || scope.sheet.has_probabilities());
    let forecasts = if yes_no {
        Forecasts::of(scope, BinnedQuantity::Yes)?
    } else {
        Forecasts::of_confidence(scope)?
    };
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    let ranking = auroc_of(&forecasts.chances, &forecasts.happened)?;
    let mut value = items.described(ranking.area, scope.level);
    if let (Ok(interval), true) = (
        ranking.interval(scope.level),
        items.units == items.positions.len(),
    ) {
        value.interval = Some(interval);
        value.method = "DeLong";
        value.evidence = Evidence::Limits {
            interval: ranking_limits(&forecasts, scope.level)?,
            method: ONE_MORE,
        };
    }
    value.conventions.push((
        "of",
        if yes_no {
            "P(yes) against gold"
        } else {
            "top probability against right"
        }
        .to_owned(),
    ));
    forecasts.note_share(&mut value);
    Ok(value)
}
