//! The same call again: flips, variance of scores, passing every time.

use super::resampled::Items;
use super::scope::Scope;
use super::share::Share;
use super::value::{Unmeasurable, Value};

fn count(scope: &Scope<'_, '_>) -> Result<u32, Unmeasurable> {
    let count = scope.sheet.repeats(scope.selection.repeats);
    if count < 2 {
        return Err(Unmeasurable::because(
            "each call was made once; repeats are needed",
        ));
    }
    Ok(count)
}

fn named(mut value: Value, count: u32) -> Value {
    value.conventions.push(("repeats", count.to_string()));
    value
}

pub(super) fn flip_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let count = count(scope)?;
    let share = Share::of(&scope.rows, |row| {
        let said: Option<Vec<_>> = row
            .repeats(count)?
            .into_iter()
            .map(|observed| observed.said)
            .collect();
        let said = said?;
        Some(said.iter().any(|other| *other != said[0]))
    });
    Ok(named(
        share.value(scope.selection.sample, scope.level, true)?,
        count,
    ))
}

pub(super) fn pass_every_time(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let count = count(scope)?;
    let share = Share::of(&scope.rows, |row| {
        let right: Option<Vec<bool>> = row
            .repeats(count)?
            .into_iter()
            .map(|observed| row.is_right(observed))
            .collect();
        Some(right?.into_iter().all(|right| right))
    });
    Ok(named(
        share.value(scope.selection.sample, scope.level, false)?,
        count,
    ))
}

/// The mean over cases of the variance (n - 1) of the expected level.
pub(super) fn score_variance(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let count = count(scope)?;
    let mut rows = Vec::new();
    let mut variances = Vec::new();
    for row in &scope.rows {
        let Some(repeats) = row.repeats(count) else {
            continue;
        };
        let levels: Option<Vec<f64>> = repeats
            .into_iter()
            .map(super::Observed::expected_level)
            .collect();
        if let Some(levels) = levels {
            let mean = levels.iter().sum::<f64>() / levels.len() as f64;
            variances.push(
                levels
                    .iter()
                    .map(|level| (level - mean).powi(2))
                    .sum::<f64>()
                    / (levels.len() - 1) as f64,
            );
            rows.push(*row);
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because("no probabilities"));
    }
    let items = Items::of(&rows, scope.selection.sample);
    Ok(named(
        items.mean(&scope.name(), &variances, None, scope.level)?,
        count,
    ))
}
