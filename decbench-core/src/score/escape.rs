//! The way out when no option fits: how often it is taken, and rightly.

use super::classes;
use super::scope::Scope;
use super::share::Share;
use super::value::{Unmeasurable, Value};

fn escape(scope: &Scope<'_, '_>) -> Result<usize, Unmeasurable> {
    scope.common_options()?;
    scope
        .sheet
        .question
        .escape()
        .ok_or_else(|| Unmeasurable::because("the question has no escape option"))
}

pub(super) fn recall(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    classes::recall_of(scope, escape(scope)?)
}

pub(super) fn precision(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    classes::precision_of(scope, escape(scope)?)
}

pub(super) fn rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let escape = escape(scope)?;
    let took = Share::of(&scope.rows, |row| {
        let base = row.base()?;
        base.said?;
        Some(base.option() == Some(escape))
    });
    took.value(scope.selection.sample, scope.level, true)
}
