//! The way out when no option fits: how often it is taken, and rightly.

use super::classes::gold_and_answer;
use super::contexts::difference;
use super::scope::Scope;
use super::share::Share;
use super::sheet::{Row, Sheet};
use super::value::{Unmeasurable, Value};
use crate::metric::{Sample, Selection};

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

/// By how much the share of escape answers has changed.
#[derive(Debug, Clone, PartialEq)]
pub struct EscapeChange {
    /// The share before.
    pub before: f64,
    /// The share now.
    pub now: f64,
    /// Now less before, with its interval, on the cases that were answered both times.
    pub change: Value,
}

/// Compares the share of escape answers with that of earlier answers to the same cases; `None` where the question has no
/// escape option.
///
/// # Errors
/// When no case was answered both times.
pub fn escape_change(
    now: &Sheet<'_>,
    earlier: &Sheet<'_>,
    level: f64,
) -> Option<Result<EscapeChange, Unmeasurable>> {
    now.rows.iter().find_map(|row| row.question.escape())?;
    let escaped = |row: &Row<'_>| {
        let escape = row.question.escape()?;
        let base = row.base().filter(|base| base.said.is_some())?;
        Some(base.option() == Some(escape))
    };
    let then: std::collections::HashMap<(usize, &str), bool> = earlier
        .rows
        .iter()
        .filter_map(|row| Some(((row.position, row.question.name.as_str()), escaped(row)?)))
        .collect();
    let (mut rows, mut after, mut before) = (Vec::new(), Vec::new(), Vec::new());
    for row in now.select(&Selection::default()) {
        let earlier = then.get(&(row.position, row.question.name.as_str()));
        if let (Some(earlier), Some(now)) = (earlier, escaped(row)) {
            rows.push(row);
            after.push(now);
            before.push(*earlier);
        }
    }
    if rows.is_empty() {
        let why = "no case was answered both times";
        return Some(Err(Unmeasurable::because(why)));
    }
    let share =
        |held: &[bool]| held.iter().filter(|held| **held).count() as f64 / rows.len() as f64;
    let measured = difference(
        "escape_change",
        (&rows, Sample::AsTaken),
        (&after, &before),
        level,
    );
    Some(measured.map(|(mut change, _)| {
        let moved = rows.iter().zip(after.iter().zip(&before));
        change.drivers = moved
            .filter(|(_, (now, before))| now != before)
            .map(|(row, _)| row.position)
            .collect();
        EscapeChange {
            before: share(&before),
            now: share(&after),
            change,
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::testing::Data;

    /// A hundred cases of which the first so many were answered with the way out.
    fn data(escaped: usize, clusters: usize) -> Data {
        let mut data = Data::choice(&["a", "other"]);
        data.questions[0].options[1].escape = true;
        for at in 0..100 {
            data.answered(0, usize::from(at < escaped));
            let case = data.cases.last_mut().expect("a case");
            case.unit = (at % clusters) as u32;
        }
        data
    }

    #[test]
    fn the_change_is_paired_with_its_interval_and_the_cases_that_moved() {
        let (now, then) = (data(15, 100), data(5, 100));
        let found = escape_change(&now.sheet(), &then.sheet(), 0.95)
            .expect("a way out")
            .expect("a change");
        assert_eq!((found.before, found.now), (0.05, 0.15));
        assert!((found.change.value - 0.1).abs() < 1e-12);
        assert_eq!(found.change.drivers, (5..15).collect::<Vec<_>>());
        // Ten of a hundred pairs moved, all one way: Newcombe's paired limits without continuity correction.
        let interval = found.change.interval.expect("an interval");
        assert!(interval.low > 0.03 && interval.high < 0.18, "{interval:?}");
        let clustered = (data(15, 20), data(5, 20));
        let clustered = escape_change(&clustered.0.sheet(), &clustered.1.sheet(), 0.95);
        let clustered = clustered.expect("a way out").expect("a change").change;
        assert_eq!((clustered.units, clustered.n), (20, 100));
    }

    #[test]
    fn without_a_way_out_or_earlier_answers_there_is_no_change() {
        let mut now = data(5, 100);
        let mut then = data(5, 100);
        then.answers.clear();
        let why = escape_change(&now.sheet(), &then.sheet(), 0.95).expect("a way out");
        assert_eq!(
            why.expect_err("nothing").reason,
            "no case was answered both times"
        );
        now.questions[0].options[1].escape = false;
        assert!(escape_change(&now.sheet(), &data(5, 100).sheet(), 0.95).is_none());
    }
}
