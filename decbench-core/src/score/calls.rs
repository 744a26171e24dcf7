//! What calls do besides answering: fail.

use super::Observed;
use super::resampled::Items;
use super::scope::Scope;
use super::share::{SHARE, Share};
use super::value::{Unmeasurable, Value};
use crate::decision::FailureKind;

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
    let mut value = items.mean(&scope.name(), &masses, Some(SHARE), scope.level)?;
    let mut low: Vec<usize> = (0..masses.len())
        .filter(|at| masses[*at] < value.value)
        .collect();
    low.sort_by(|a, b| masses[*a].total_cmp(&masses[*b]));
    value.drivers = low.into_iter().map(|at| rows[at].position).collect();
    Ok(value)
}
