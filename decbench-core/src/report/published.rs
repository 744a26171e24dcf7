//! Agreement with a published table as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::json::{interval, number};
use super::number::{format_interval, format_value};
use super::text::write_table;
use crate::judge::PublishedMeasure;
use crate::metric::{Bound, Metric, Outcome, Unit};
use crate::score::{BesidePublished, Estimate, Unmeasurable};
use crate::stats::Undefined;

/// One published metric beside what the candidates measure here.
#[derive(Debug, Clone)]
pub struct PublishedLine {
    /// Who published it.
    pub source: Option<String>,
    /// The metric as the suite names it, a named question before it.
    pub name: String,
    /// The metric.
    pub metric: Metric,
    /// The models, in the order of the table.
    pub models: Vec<PublishedModel>,
    /// What was required and what came of it.
    pub bounds: Vec<PublishedBound>,
    /// What was found.
    pub found: Result<BesidePublished, Unmeasurable>,
}

/// One model of a published table.
#[derive(Debug, Clone)]
pub struct PublishedModel {
    /// The candidate.
    pub name: String,
    /// The published figure.
    pub published: f64,
    /// What it measures here.
    pub measured: Option<f64>,
    /// What the line through other models says.
    pub predicted: Option<f64>,
    /// Whether the suite leaves it out of the line.
    pub left_out: bool,
}

/// A bound on the agreement.
#[derive(Debug, Clone)]
pub struct PublishedBound {
    /// Name of the trial.
    pub trial: String,
    /// Of what it is a bound.
    pub measure: PublishedMeasure,
    /// The bound.
    pub bound: Bound,
    /// What the evidence says.
    pub outcome: Outcome,
    /// Why, in one sentence.
    pub reason: String,
}

/// The agreement, every model with its numbers.
pub fn published_text(line: &PublishedLine) -> String {
    let unit = line.metric.info().unit;
    let source = line.source.as_deref().unwrap_or("published");
    let mut out = format!("{} against {source}", line.name);
    match &line.found {
        Err(why) => {
            let _ = writeln!(out, ": not measurable: {why}");
        }
        Ok(found) => {
            let turn = if line.models.iter().any(|model| model.left_out) {
                "of the models left out"
            } else {
                "each model left out in turn"
            };
            let _ = writeln!(
                out,
                ": {} models on {} cases in {} units\n  Spearman {}\n  leave-out error {}, {turn}",
                line.models.len(),
                found.cases,
                found.units,
                told(&found.spearman, Unit::Number),
                told(&found.error, unit),
            );
        }
    }
    let value = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| format_value(value, unit))
    };
    let rows: Vec<[String; 4]> = line
        .models
        .iter()
        .map(|model| {
            [
                model.name.clone(),
                format!("measured {}", value(model.measured)),
                format!("published {}", value(Some(model.published))),
                format!("predicted {}", value(model.predicted)),
            ]
        })
        .collect();
    write_table(&mut out, &rows);
    out.push_str("  intervals are over cases: of other models they say nothing\n");
    out
}

fn told(estimate: &Result<Estimate, Undefined>, unit: Unit) -> String {
    match estimate {
        Err(why) => format!("not measurable: {why}"),
        Ok(estimate) => {
            let interval = estimate.interval.map_or_else(
                || "without an interval".to_owned(),
                |interval| format_interval(interval, unit),
            );
            format!("{} {interval}", format_value(estimate.value, unit))
        }
    }
}

/// The agreements as they stand in the reviewed snapshot.
pub(super) fn write_text(out: &mut String, lines: &[PublishedLine]) {
    for line in lines {
        out.push('\n');
        out.push_str(&published_text(line));
        for bound in &line.bounds {
            let _ = writeln!(
                out,
                "  {}: {} {}; {}",
                bound.outcome,
                bound.measure.name(),
                bound.bound,
                bound.reason
            );
        }
    }
}

/// An agreement in `scorecard.json`.
pub(super) fn to_json(line: &PublishedLine) -> Json {
    let estimate = |estimate: Option<&Result<Estimate, Undefined>>| match estimate {
        None => Json::Null,
        Some(Err(why)) => json!({ "value": null, "why": why.to_string() }),
        Some(Ok(estimate)) => json!({
            "value": number(estimate.value),
            "interval": estimate.interval.map_or(Json::Null, interval),
        }),
    };
    let found = line.found.as_ref().ok();
    json!({
        "source": line.source,
        "metric": line.name,
        "why": line.found.as_ref().err().map(ToString::to_string),
        "cases": found.map(|found| found.cases),
        "units": found.map(|found| found.units),
        "spearman": estimate(found.map(|found| &found.spearman)),
        "error": estimate(found.map(|found| &found.error)),
        "models": line.models.iter().map(|model| json!({
            "name": model.name,
            "published": number(model.published),
            "measured": model.measured.map(number),
            "predicted": model.predicted.map(number),
            "left_out": model.left_out,
        })).collect::<Vec<_>>(),
        "bounds": line.bounds.iter().map(|bound| json!({
            "trial": bound.trial,
            "measure": bound.measure.name(),
            "bound": bound.bound.to_string(),
            "outcome": bound.outcome.name(),
            "reason": bound.reason,
        })).collect::<Vec<_>>(),
    })
}
