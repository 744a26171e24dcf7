//! The metrics of open answers.

use super::super::observed::Observed;
use super::super::resampled::Items;
use super::super::scope::Scope;
use super::super::share::{SHARE, Share};
use super::super::sheet::Row;
use super::super::value::{Unmeasurable, Value};
use super::grade::{Unjudged, agent_succeeds, graded, passes, quality};
use crate::decision::CheckKind;
use crate::metric::MetricId;

/// Below this share of agreeing votes a reader is warned.
const LOW_AGREEMENT: f64 = 0.7;

/// What a metric says of one answer: a number from 0 to 1, or why it is missing; nothing where it does not speak of it.
pub(in super::super) fn number(
    metric: MetricId,
    row: &Row<'_>,
    observed: &Observed,
) -> Option<Result<f64, Unjudged>> {
    let held = |held: Result<bool, Unjudged>| held.map(|held| f64::from(u8::from(held)));
    match metric {
        MetricId::Quality => quality(observed),
        MetricId::PassRate => passes(observed).map(held),
        MetricId::AgentTaskSuccess => agent_succeeds(row, observed).map(held),
        // What judges say is said of answers that came.
        MetricId::Rubric => graded(observed)?.judged.as_ref()?.rubric,
        MetricId::PairwiseWinRate => graded(observed)?.judged.as_ref()?.pairwise,
        MetricId::JudgeAgreement => {
            let (agreeing, all) = graded(observed)?.judged.as_ref()?.agreement;
            (all > 0).then(|| Ok(f64::from(agreeing) / f64::from(all)))
        }
        other => {
            let kind = kind_of(other)?;
            let Some(grade) = graded(observed) else {
                // An answer that did not come holds nothing that was asked of it.
                return Some(Ok(0.0));
            };
            let mut of_kind = grade
                .checks
                .iter()
                .filter(|one| one.kind == kind)
                .peekable();
            of_kind.peek()?;
            Some(Ok(f64::from(u8::from(
                of_kind.all(|one| one.wrong.is_none()),
            ))))
        }
    }
}

/// The check that a metric counts.
fn kind_of(metric: MetricId) -> Option<CheckKind> {
    CheckKind::ALL
        .into_iter()
        .find(|kind| kind.name() == metric.info().name)
}

/// The numbers of all base answers, with their rows.
fn numbers<'s, 'a>(scope: &Scope<'s, 'a>) -> (Vec<&'s Row<'a>>, Vec<f64>) {
    let with_number = |row: &&'s Row<'a>| {
        let number = number(scope.metric.id, row, row.base()?)?.ok()?;
        Some((*row, number))
    };
    scope.rows.iter().filter_map(with_number).unzip()
}

fn mean(scope: &Scope<'_, '_>, nothing: &str) -> Result<Value, Unmeasurable> {
    let (rows, numbers) = numbers(scope);
    if rows.is_empty() {
        return Err(Unmeasurable::because(nothing));
    }
    let items = Items::of(&rows, scope.selection.sample);
    let mut value = items.mean(&scope.name(), &numbers, Some(SHARE), scope.level)?;
    let mut low: Vec<usize> = (0..numbers.len()).filter(|at| numbers[*at] < 1.0).collect();
    low.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    value.drivers = low.into_iter().map(|at| rows[at].position).collect();
    Ok(value)
}

fn share(scope: &Scope<'_, '_>, nothing: &str) -> Result<Value, Unmeasurable> {
    let held = Share::of(&scope.rows, |row| {
        let number = number(scope.metric.id, row, row.base()?)?.ok()?;
        Some(number == 1.0)
    });
    if held.is_empty() {
        return Err(Unmeasurable::because(nothing));
    }
    held.value(scope.selection.sample, scope.level, false)
}

/// Why judges' metrics have no value: what happened most.
fn unjudged(scope: &Scope<'_, '_>, without: &str) -> String {
    let mut why: Vec<Unjudged> = scope
        .rows
        .iter()
        .filter_map(|row| number(scope.metric.id, row, row.base()?)?.err())
        .collect();
    why.sort_unstable();
    match why.first() {
        Some(first) => format!("no answer is judged: {}", first.told()),
        None => without.to_owned(),
    }
}

pub(in super::super) fn quality_mean(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = unjudged(
        scope,
        "nothing says what a good answer is: no checks, no gold, no judge",
    );
    mean(scope, &nothing)
}

pub(in super::super) fn pass_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = unjudged(
        scope,
        "nothing says what a good answer is: no checks, no gold, no judge",
    );
    share(scope, &nothing)
}

pub(in super::super) fn agent_task_success(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = unjudged(
        scope,
        "no case has tools, or nothing says when a task is done",
    );
    share(scope, &nothing)
}

pub(in super::super) fn check_share(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let name = scope.metric.info().name;
    let applies = scope.rows.iter().filter_map(|row| row.base()).any(|base| {
        let kind = kind_of(scope.metric.id);
        graded(base).is_some_and(|grade| grade.checks.iter().any(|one| Some(one.kind) == kind))
    });
    if !applies {
        return Err(Unmeasurable::because(format!(
            "no answer is checked by `{name}`"
        )));
    }
    share(scope, "no answer is checked")
}

pub(in super::super) fn rubric(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    mean(scope, &unjudged(scope, "no answer is judged by a rubric"))
}

pub(in super::super) fn pairwise_win_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let nothing = unjudged(scope, "no answer is compared with another");
    mean(scope, &nothing)
}

pub(in super::super) fn judge_agreement(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut value = mean(
        scope,
        "no two judges voted on the same thing, and nothing was judged in both orders",
    )?;
    if value.value < LOW_AGREEMENT {
        value.notes.push(
            "judges agree on less than 70%: what they say of quality is no more reliable than that"
                .to_owned(),
        );
    }
    Ok(value)
}
