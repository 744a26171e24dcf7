//! How many calls answer within a turn's budget, and what the others cost in accuracy.

use super::latency::{timed, warm};
use super::scope::Scope;
use super::share::Share;
use super::sheet::{Row, Sheet};
use super::value::{Unmeasurable, Value};
use crate::decision::{FailureKind, Gold};
use crate::metric::{Metric, MetricId, Sample, Selection, TurnRule};
use crate::stats::latency::Latencies;

/// What calls say about a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnCalls {
    /// The share of calls that answered within the budget: warm calls, and calls without an answer, which never do.
    pub within: Value,
    /// The time that so many calls stay within as a turn needs of each, in milliseconds; infinite where calls that ran out
    /// of time are among them.
    pub time_needed: f64,
}

/// What is left of a question's accuracy where late answers give way to the default action.
#[derive(Debug, Clone, PartialEq)]
pub struct WithDefault {
    /// As answered, however late.
    pub answered: f64,
    /// With the default action where no answer came in time.
    pub acted: Value,
    /// On how many cases the default action is taken.
    pub late: usize,
}

/// Counts the calls of a sheet; `quantile` is the share of calls that a turn needs within the budget.
///
/// # Errors
/// When no call has a time.
pub fn turn_calls(
    sheet: &Sheet<'_>,
    rule: &TurnRule,
    quantile: f64,
    level: f64,
) -> Result<TurnCalls, Unmeasurable> {
    let selection = Selection::default();
    let metric = Metric::plain(MetricId::LatencyP95);
    let scope = Scope {
        sheet,
        rows: sheet.select(&selection),
        selection: &selection,
        metric: &metric,
        level,
    };
    let calls = timed(&scope);
    if calls.iter().all(|call| call.ms.is_infinite()) {
        return Err(Unmeasurable::because("no latency was measured"));
    }
    let (warm, notes) = warm(&calls);
    let mut share = Share::default();
    for call in &warm {
        share.push(call.row, call.ms <= rule.budget_ms);
    }
    // Whoever does not answer for another reason leaves the turn without an answer too.
    for row in &scope.rows {
        let unanswered = row.plain().filter(|observed| {
            observed
                .failure
                .is_some_and(|kind| kind != FailureKind::Timeout)
        });
        unanswered.for_each(|_| share.push(row, false));
    }
    let mut within = share.value(Sample::AsTaken, level, false)?;
    within.notes.extend(notes);
    let times = Latencies::new(warm.iter().map(|call| call.ms).collect())?;
    Ok(TurnCalls {
        within,
        time_needed: times.quantile(quantile)?,
    })
}

/// The accuracy of a question with a default action; `None` where it has none or no case has gold.
pub fn with_default(
    sheet: &Sheet<'_>,
    rule: &TurnRule,
    question: usize,
    level: f64,
) -> Option<WithDefault> {
    let default = rule.default.get(question).copied().flatten()?;
    let rows = sheet.select(&Selection::default());
    let is_late = |row: &Row<'_>| {
        row.base().is_some_and(|base| {
            base.failure.is_some()
                || base
                    .measured
                    .latency_ms
                    .is_some_and(|ms| ms > rule.budget_ms)
        })
    };
    let judged: Vec<&Row<'_>> = rows
        .into_iter()
        .filter(|row| {
            let judged = row.gold.is_some_and(|gold| gold.accepts(0).is_some());
            judged && row.base().is_some()
        })
        .collect();
    let right = |row: &Row<'_>| {
        row.base()
            .and_then(|base| row.is_right(base))
            .unwrap_or(false)
    };
    let acted = |row: &Row<'_>| {
        if is_late(row) {
            row.gold.and_then(|gold: &Gold| gold.accepts(default))
        } else {
            Some(right(row))
        }
    };
    let answered = judged.iter().filter(|row| right(row)).count() as f64 / judged.len() as f64;
    Some(WithDefault {
        answered,
        acted: Share::of(&judged, acted)
            .value(Sample::AsTaken, level, false)
            .ok()?,
        late: judged.iter().filter(|row| is_late(row)).count(),
    })
}
