//! The same call again: flips, variance of scores, passing every time.

use super::open::passes;
use super::resampled::Items;
use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::Measured;
use crate::stats::Interval;

fn count(scope: &Scope<'_, '_>) -> Result<u32, Unmeasurable> {
    let count = scope.sheet.repeats(scope.selection.repeats);
    if count < 2 {
        return Err(Unmeasurable::because(
            "each call was made once; repeats are needed",
        ));
    }
    let copied: Vec<&str> = scope
        .rows
        .iter()
        .filter(|row| is_copied(row, count))
        .map(|row| row.case.id.as_str())
        .collect();
    // That two calls took the same time to the microsecond within one second happens: a fast server's spread is small.
    // In several cases, and a good part of all, it does not.
    if copied.len() >= 3 && copied.len() * 4 > scope.rows.len() {
        return Err(Unmeasurable::because(format!(
            "repeats are no calls of their own: of {} cases ({}) they have the same time, latency and tokens",
            copied.len(),
            copied[..copied.len().min(3)].join(", ")
        )));
    }
    Ok(count)
}

/// Whether two repeats are one call written down twice: made at the same time, and alike in all that was measured.
fn is_copied(row: &Row<'_>, count: u32) -> bool {
    /// Calls that stay on this machine take so little that two may well take the same.
    const TELLING_MS: f64 = 5.0;
    let calls: Vec<&Measured> = row
        .plain()
        .filter(|observed| observed.probe.repeat < count)
        .map(|observed| &observed.measured)
        .filter(|measured| {
            // Where no time stands, only what is finer than a whole millisecond tells calls apart.
            let tells = |ms: f64| ms >= TELLING_MS && (measured.at.is_some() || ms.fract() != 0.0);
            measured.latency_ms.is_some_and(tells)
        })
        .collect();
    (1..calls.len()).any(|at| calls[..at].contains(&calls[at]))
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
            .map(|observed| {
                if row.question.kind.is_open() {
                    passes(observed)?.ok()
                } else {
                    row.is_right(observed)
                }
            })
            .collect();
        Some(right?.into_iter().all(|right| right))
    });
    Ok(named(
        share.value(scope.selection.sample, scope.level, false)?,
        count,
    ))
}

/// The variance (n - 1) of numbers, of which there are two at least.
pub(super) fn variance(numbers: &[f64]) -> Option<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    (numbers.len() > 1).then(|| squares.sum::<f64>() / (numbers.len() - 1) as f64)
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
        if let Some(variance) = levels.and_then(|levels| variance(&levels)) {
            variances.push(variance);
            rows.push(*row);
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because("no probabilities"));
    }
    let items = Items::of(&rows, scope.selection.sample);
    // Half of the answers at either end of the scale.
    let steps = scope.sheet.question.options.len().max(2) - 1;
    let repeats = f64::from(count);
    let range = Interval {
        low: 0.0,
        high: (steps * steps) as f64 / 4.0 * repeats / (repeats - 1.0),
    };
    Ok(named(
        items.mean(&scope.name(), &variances, Some(range), scope.level)?,
        count,
    ))
}

#[cfg(test)]
mod tests {
    use crate::metric::Selection;
    use crate::score::testing::Data;

    fn thrice(latency: impl Fn(usize, u32) -> f64) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..40 {
            data.answered(0, 0);
            for repeat in 1..3 {
                let probe = data.repeat(repeat);
                data.say(probe, 0);
            }
            for (repeat, answer) in data.answers.iter_mut().rev().take(3).enumerate() {
                answer.measured.at = Some("2026-11-02T10:11:12Z".into());
                answer.measured.latency_ms = Some(latency(at, repeat as u32));
            }
        }
        data
    }

    fn flips(data: &Data) -> Result<f64, String> {
        let selection = Selection {
            repeats: 3,
            ..Selection::default()
        };
        let value = data.measure_on("flip_rate", &selection).value;
        value.map(|value| value.value).map_err(|why| why.reason)
    }

    #[test]
    fn repeats_that_are_one_call_copied_are_refused() {
        let why = flips(&thrice(|at, _| 200.0 + at as f64)).expect_err("copies");
        assert!(
            why.contains("no calls of their own") && why.contains("c-00000"),
            "{why}"
        );
    }

    #[test]
    fn calls_that_differ_in_time_are_calls() {
        let own = thrice(|at, repeat| 200.0 + at as f64 + f64::from(repeat) / 8.0);
        assert_eq!(flips(&own), Ok(0.0));
        let mut undated = thrice(|at, _| 100.0 + 1.37 * at as f64);
        for answer in &mut undated.answers {
            answer.measured.at = None;
        }
        assert!(flips(&undated).is_err(), "fine times tell without a date");
        let mut coarse = thrice(|at, _| 100.0 + at as f64);
        for answer in &mut coarse.answers {
            answer.measured.at = None;
        }
        assert_eq!(flips(&coarse), Ok(0.0), "whole milliseconds meet by chance");
        let local = thrice(|_, _| 1.2);
        assert_eq!(flips(&local), Ok(0.0), "too fast to tell");
        // A quarter of the cases, by chance.
        let chance =
            thrice(|at, repeat| 200.0 + f64::from(if at < 10 { repeat / 2 } else { repeat }));
        assert_eq!(flips(&chance), Ok(0.0), "too few to tell");
    }
}
