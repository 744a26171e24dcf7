//! The way out when no option fits: how often it is taken, and rightly.

use super::classes::gold_and_answer;
use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};

/// A share over the rows whose question has a way out, which `holds` gets beside the row.
fn share_of(
    scope: &Scope<'_, '_>,
    drivers: bool,
    nothing: &str,
    holds: impl Fn(&Row<'_>, usize) -> Option<bool>,
) -> Result<Value, Unmeasurable> {
    let has_escape = scope.rows.iter().any(|row| row.question.escape().is_some());
    if !has_escape {
        return Err(Unmeasurable::because("the question has no escape option"));
    }
    Share::of(&scope.rows, |row| holds(row, row.question.escape()?))
        .value(scope.selection.sample, scope.level, drivers)
        .map_err(|why| {
            if why.reason == "no items to measure" {
                Unmeasurable::because(nothing)
            } else {
                why
            }
        })
}

pub(super) fn recall(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = "the escape option is gold of no case";
    share_of(scope, false, nothing, |row, escape| {
        let (gold, answered) = gold_and_answer(row)?;
        (gold == escape).then_some(answered == Some(escape))
    })
}

pub(super) fn precision(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = "nothing was answered with the escape option";
    share_of(scope, false, nothing, |row, escape| {
        let (gold, answered) = gold_and_answer(row)?;
        (answered == Some(escape)).then_some(gold == escape)
    })
}

pub(super) fn rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, true, "nothing was answered", |row, escape| {
        let base = row.base()?;
        base.said?;
        Some(base.option() == Some(escape))
    })
}
