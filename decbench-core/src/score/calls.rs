//! What calls do besides answering: fail, and take time.

use std::collections::HashSet;

use super::Observed;
use super::resampled::Items;
use super::scope::Scope;
use super::share::Share;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::FailureKind;
use crate::stats::latency::{Latencies, calls_for_upper_limit};

/// A 99% point of fewer calls rests on a handful of them.
const RELIABLE_P99: u64 = 1_000;

/// The share of base calls for which something holds.
fn share_of(
    scope: &Scope<'_, '_>,
    holds: impl Fn(&Observed) -> bool,
) -> Result<Value, Unmeasurable> {
    Share::of(&scope.rows, |row| Some(holds(row.base()?))).value(
        scope.selection.sample,
        scope.level,
        true,
    )
}

pub(super) fn error_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |observed| observed.failure.is_some())
}

pub(super) fn timeout_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |observed| {
        observed.failure == Some(FailureKind::Timeout)
    })
}

pub(super) fn throttle_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |observed| {
        matches!(
            observed.failure,
            Some(FailureKind::RateLimited | FailureKind::Overloaded)
        )
    })
}

pub(super) fn truncation_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |observed| observed.truncated)
}

pub(super) fn refusal_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |observed| {
        observed.failure == Some(FailureKind::Refused)
    })
}

pub(super) fn format_errors(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, Observed::is_format_error)
}

/// The mean over base calls. Where a service tells the mass at all, an answer that could not be read as an option had
/// none of it there, so that the worst replies are not left out of what they are gated by.
pub(super) fn format_mass(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut masses = Vec::new();
    let mut told = false;
    for row in &scope.rows {
        let Some(base) = row.base() else { continue };
        let invalid = base.failure == Some(FailureKind::InvalidAnswer);
        told |= base.format_mass.is_some();
        if let Some(mass) = base.format_mass.or(invalid.then_some(0.0)) {
            rows.push(*row);
            masses.push(mass.clamp(0.0, 1.0));
        }
    }
    if !told {
        return Err(Unmeasurable::because(
            "no answer tells how much probability fell on the options",
        ));
    }
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.mean(&scope.name(), &masses, Some(1.0), scope.level)?;
    let mut low: Vec<usize> = (0..masses.len())
        .filter(|at| masses[*at] < value.value)
        .collect();
    low.sort_by(|a, b| masses[*a].total_cmp(&masses[*b]));
    value.drivers = low.into_iter().map(|at| rows[at].position).collect();
    Ok(value)
}

/// A percentile over all calls that were measured, each call once; calls that ran out of time are slower than any other.
pub(super) fn latency(scope: &Scope<'_, '_>, q: f64) -> Result<Value, Unmeasurable> {
    let mut times = Vec::new();
    let mut rows = Vec::new();
    let mut days: Vec<&str> = Vec::new();
    for row in &scope.rows {
        // Other views and orders are other requests; production makes the base call, repeats of it included.
        for observed in row.plain() {
            let time = match observed.failure {
                Some(FailureKind::Timeout) => Some(f64::INFINITY),
                Some(_) => None,
                None => observed.measured.latency_ms,
            };
            if let Some(time) = time {
                times.push(time);
                rows.push(*row);
                days.extend(observed.measured.at.as_deref().and_then(|at| at.get(..10)));
            }
        }
    }
    if times.iter().all(|time| time.is_infinite()) {
        return Err(Unmeasurable::because("no latency was measured"));
    }
    let independent = one_of_each_unit(&rows, &times);
    let calls = independent.len();
    let latencies = Latencies::new(times)?;
    let limits = Latencies::new(independent)?.quantile_limits(q, scope.level)?;
    // No time lies below 0, so a lower limit is never missing altogether.
    let interval = limits.interval().cut(0.0, f64::INFINITY);
    let mut value =
        Items::of(&rows, scope.selection.sample).described(latencies.quantile(q)?, scope.level);
    value.interval = Some(interval);
    value.method = "order statistics";
    value.evidence = Evidence::Limits {
        interval,
        method: "order statistics",
    };
    if let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) {
        let until = if first == last {
            String::new()
        } else {
            format!(" to {last}")
        };
        value.notes.push(format!("measured {first}{until}"));
    }
    if limits.high.is_none() {
        let needed = calls_for_upper_limit(q, scope.level)?;
        value.notes.push(format!(
            "no upper limit: {calls} independent calls, of {needed} needed"
        ));
    }
    if q >= 0.99 && latencies.calls() < RELIABLE_P99 {
        value
            .notes
            .push(format!("unreliable from fewer than {RELIABLE_P99} calls"));
    }
    Ok(value)
}

/// The first time of every unit of evidence: repeats of one case say little that is new.
fn one_of_each_unit(rows: &[&super::Row<'_>], times: &[f64]) -> Vec<f64> {
    let mut seen = HashSet::new();
    let each = rows.iter().zip(times);
    each.filter(|(row, _)| seen.insert(row.case.unit))
        .map(|(_, time)| *time)
        .collect()
}
