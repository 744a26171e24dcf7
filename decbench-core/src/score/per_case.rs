//! One number per case by a metric that is a mean over cases, turned so that more is better.

use std::collections::{BTreeMap, BTreeSet};

use super::answer_score::{answer_score, truth, worst_score};
use super::classes::gold_and_answer;
use super::observed::{Observed, Said};
use super::open::{self, Unjudged};
use super::quality::{CaseQuality, Qualities};
use super::sheet::{Row, Sheet};
use super::value::Unmeasurable;
use crate::decision::FailureKind;
use crate::metric::{Better, Metric, MetricArgument, MetricId, Selection, Unit};

/// What one answer says to the metric.
enum Number {
    /// This number, in the metric's unit.
    Is(f64),
    /// The metric does not speak of this case.
    Foreign,
    /// The metric would need what the answer does not have.
    Lacks(&'static str),
    /// A judge that failed leaves the number unknown.
    Unjudged,
}

/// Every case's number by a metric that is a mean over cases, from the base call.
///
/// A share that is better when lower is counted as what it leaves, 1 − x, and any other such number as −x, so that
/// more is better in every case. A call that the model failed counts as the worst answer there is. A local candidate
/// is free.
///
/// # Errors
/// What the answers lack, such as probabilities; and metrics that are no mean over cases.
pub fn per_case(
    sheet: &Sheet<'_>,
    metric: &Metric,
    lockbox: bool,
    local: bool,
) -> Result<Qualities, Unmeasurable> {
    if !metric.id.is_mean_over_cases() {
        return Err(Unmeasurable::because(format!(
            "`{metric}` is no mean over cases"
        )));
    }
    let option = match &metric.argument {
        MetricArgument::Option(key) => {
            if !sheet.has_common_options() {
                return Err(Unmeasurable::because(
                    "cases ask questions with different options",
                ));
            }
            sheet.question.index_of(key)
        }
        _ => None,
    };
    let selection = Selection {
        lockbox,
        ..Selection::default()
    };
    let mut found = Qualities::default();
    let mut missing = BTreeSet::new();
    let mut foreign = BTreeSet::new();
    let mut cases: BTreeMap<(&str, usize), (CaseQuality, f64)> = BTreeMap::new();
    for row in sheet.select(&selection) {
        let Some(base) = row.base() else {
            missing.insert(row.position);
            continue;
        };
        let number = match number(sheet, metric, option, row, base, local) {
            Number::Is(number) => number,
            Number::Foreign => {
                foreign.insert(row.position);
                continue;
            }
            Number::Lacks(what) => return Err(Unmeasurable::because(what)),
            Number::Unjudged => {
                missing.insert(row.position);
                continue;
            }
        };
        let (case, count) = cases
            .entry((&row.case.id, row.position))
            .or_insert_with(|| (blank(row, base), 0.0));
        // Several questions of one case count as their mean.
        case.quality = (case.quality * *count + turned(metric, number)) / (*count + 1.0);
        case.unanswered |= base.said.is_none();
        case.approved &= row.is_approved();
        *count += 1.0;
    }
    found.missing = missing.len();
    found.unjudged = foreign
        .iter()
        .filter(|position| !cases.keys().any(|(_, at)| at == *position))
        .count();
    found.cases = cases
        .into_values()
        .map(|(case, _)| case)
        .filter(|case| !missing.contains(&case.position))
        .collect();
    Ok(found)
}

fn blank(row: &Row<'_>, base: &Observed) -> CaseQuality {
    CaseQuality {
        position: row.position,
        unit: row.case.unit,
        quality: 0.0,
        within_limits: true,
        chance_of_right: None,
        approved: true,
        unanswered: false,
        cost_usd: base.measured.cost_usd,
        latency_ms: base.measured.latency_ms,
    }
}

/// The number with more for better.
fn turned(metric: &Metric, number: f64) -> f64 {
    let info = metric.info();
    match (info.better, info.unit) {
        (Better::Lower, Unit::Share) => 1.0 - number,
        (Better::Lower, _) => -number,
        _ => number,
    }
}

fn number(
    sheet: &Sheet<'_>,
    metric: &Metric,
    option: Option<usize>,
    row: &Row<'_>,
    base: &Observed,
    local: bool,
) -> Number {
    let holds = |holds: bool| Number::Is(f64::from(u8::from(holds)));
    let failed =
        |kinds: &[FailureKind]| holds(base.failure.is_some_and(|failure| kinds.contains(&failure)));
    if metric.id.is_of_open_answers() {
        return match open::case_number(metric.id, row, base) {
            None => Number::Foreign,
            Some(Ok(number)) => Number::Is(number),
            Some(Err(Unjudged::Missing)) => Number::Lacks("a judgement is missing"),
            Some(Err(_)) => Number::Unjudged,
        };
    }
    match metric.id {
        MetricId::Accuracy => match row.gold.and_then(|gold| gold.accepts(0)) {
            None => Number::Foreign,
            Some(_) => holds(row.is_right(base) == Some(true)),
        },
        MetricId::WithinOne => match row.gold.and_then(crate::decision::Gold::single) {
            None => Number::Foreign,
            Some(gold) => holds(base.option().is_some_and(|level| level.abs_diff(gold) <= 1)),
        },
        MetricId::Recall => {
            // A call that nobody answered recalls nothing.
            let gold = match gold_and_answer(row) {
                Some((gold, _)) => Some(gold),
                None => row.gold.and_then(crate::decision::Gold::single),
            };
            match option {
                Some(option) if gold == Some(option) => holds(base.option() == Some(option)),
                _ => Number::Foreign,
            }
        }
        MetricId::ErrorRate => holds(base.failure.is_some()),
        MetricId::TimeoutRate => failed(&[FailureKind::Timeout]),
        MetricId::ThrottleRate => failed(&[FailureKind::RateLimited, FailureKind::Overloaded]),
        MetricId::RefusalRate => failed(&[FailureKind::Refused]),
        MetricId::FormatErrors => holds(base.is_format_error()),
        MetricId::CostPer1000 => match base.measured.cost_usd {
            Some(cost) => Number::Is(1000.0 * cost),
            None if local || base.failure.is_some() => Number::Is(0.0),
            None => Number::Lacks("no price is known for these calls"),
        },
        _ => scored(sheet, metric.id, row, base),
    }
}

/// A score of the probabilities; a failure scores the worst.
fn scored(sheet: &Sheet<'_>, metric: MetricId, row: &Row<'_>, base: &Observed) -> Number {
    let Some(truth) = row.gold.and_then(truth) else {
        return Number::Foreign;
    };
    let options = row.question.options.len();
    match (&base.probabilities, base.said) {
        (_, None | Some(Said::Failed(_) | Said::Closed)) => {
            Number::Is(worst_score(metric, sheet.conventions, options))
        }
        (None, _) => Number::Lacks("no probabilities"),
        (Some(shares), _) => answer_score(metric, sheet.conventions, row.question, shares, truth)
            .map_or(Number::Foreign, Number::Is),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::testing::Data;

    fn numbers(data: &Data, metric: &str) -> Vec<f64> {
        let metric = Metric::parse(metric).unwrap();
        let found = per_case(&data.sheet(), &metric, false, false).unwrap();
        found.cases.iter().map(|case| case.quality).collect()
    }

    #[test]
    fn means_over_cases_are_those_of_the_metrics() {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..40 {
            data.case(usize::from(at % 3 == 0));
            data.say_shares(if at % 4 == 0 {
                &[0.2, 0.8]
            } else {
                &[0.7, 0.3]
            });
        }
        for name in ["accuracy", "recall[b]", "brier", "log_loss"] {
            let numbers = numbers(&data, name);
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            let sign = if matches!(name, "brier" | "log_loss") {
                -1.0
            } else {
                1.0
            };
            assert!((sign * mean - data.value(name)).abs() < 1e-12, "{name}");
        }
        assert_eq!(numbers(&data, "recall[b]").len(), 14);
    }

    #[test]
    fn a_failure_is_the_worst_answer_there_is() {
        let mut data = Data::choice(&["a", "b"]);
        data.case(0);
        data.fail(FailureKind::Refused);
        data.case(0);
        data.say_shares(&[1.0, 0.0]);
        assert_eq!(numbers(&data, "brier"), [-2.0, 0.0]);
        assert_eq!(numbers(&data, "recall[a]"), [0.0, 1.0]);
        assert_eq!(numbers(&data, "refusal_rate"), [0.0, 1.0]);
        assert_eq!(numbers(&data, "timeout_rate"), [1.0, 1.0]);
    }

    #[test]
    fn what_answers_lack_is_said() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        let why = |metric: &str| {
            let metric = Metric::parse(metric).unwrap();
            per_case(&data.sheet(), &metric, false, false)
                .unwrap_err()
                .reason
        };
        assert_eq!(why("brier"), "no probabilities");
        assert!(why("cost_per_1000").contains("no price"));
        assert!(why("macro_f1").contains("no mean over cases"));
    }
}
