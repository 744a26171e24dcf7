//! The machine's view: numbers unrounded, fields added and never changed within a schema number.

use serde_json::{Map, Value as Json, json};

use super::scorecard::{
    AssertionLine, CandidateCard, GroupCard, MetricLine, QuestionCard, Scorecard,
};
use super::{claim, data, load, published, turn, verdict};
use crate::judge::proven_limits;
use crate::score::{Measurement, Tables};
use crate::stats::Interval;

/// Version of the file's schema.
const SCHEMA: u32 = 1;

/// The scorecard as JSON. A number that does not exist or is infinite is `null`.
pub fn to_json(card: &Scorecard) -> Json {
    json!({
        "schema": SCHEMA,
        "suite": card.suite,
        "digest": card.digest,
        "cases": card.cases,
        "with_gold": card.with_gold,
        "units": card.units,
        "data": data::to_json(&card.data),
        "candidates": card.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "assertions": card.assertions.iter().map(assertion).collect::<Vec<_>>(),
        "comparisons": card.claims.iter().map(claim::to_json).collect::<Vec<_>>(),
        "published": card.published.iter().map(published::to_json).collect::<Vec<_>>(),
        "load": card.load.iter().map(load::to_json).collect::<Vec<_>>(),
        "turns": card.turns.iter().map(turn::to_json).collect::<Vec<_>>(),
        "notes": card.notes,
        "verdict": card.verdict.as_ref().map_or(Json::Null, verdict::to_json),
    })
}

fn candidate(card: &CandidateCard) -> Json {
    json!({
        "name": card.name,
        "today": card.today,
        "baseline": card.baseline,
        "questions": card.questions.iter().map(question).collect::<Vec<_>>(),
        "notes": card.notes,
    })
}

fn question(card: &QuestionCard) -> Json {
    json!({
        "name": card.name,
        "version": card.version,
        "metrics": metrics(&card.metrics),
        "population": if card.population.is_empty() {
            Json::Null
        } else {
            metrics(&card.population)
        },
        "groups": card.groups.iter().map(group).collect::<Vec<_>>(),
        "tables": tables(&card.tables, &card.options),
    })
}

fn group(card: &GroupCard) -> Json {
    json!({ "by": card.by, "value": card.value, "metrics": metrics(&card.metrics) })
}

fn metrics(lines: &[MetricLine]) -> Json {
    Json::Object(
        lines
            .iter()
            .map(|line| (line.metric.to_string(), measurement(&line.measurement)))
            .collect(),
    )
}

fn measurement(measured: &Measurement) -> Json {
    let mut fields = Map::new();
    match &measured.value {
        Err(why) => {
            fields.insert("value".into(), Json::Null);
            fields.insert("why".into(), why.to_string().into());
        }
        Ok(value) => {
            fields.insert("value".into(), number(value.value));
            fields.insert(
                "interval".into(),
                value.interval.map_or(Json::Null, interval),
            );
            fields.insert(
                "limits".into(),
                proven_limits(value).map_or(Json::Null, interval),
            );
            fields.insert("level".into(), number(value.level));
            fields.insert("n".into(), value.n.into());
            fields.insert("units".into(), value.units.into());
            fields.insert("method".into(), value.method.into());
            let conventions = value
                .conventions
                .iter()
                .map(|(name, text)| ((*name).to_owned(), text.as_str().into()));
            fields.insert("conventions".into(), Json::Object(conventions.collect()));
            if !value.parts.is_empty() {
                let parts = value
                    .parts
                    .iter()
                    .map(|(name, part)| ((*name).to_owned(), number(*part)));
                fields.insert("parts".into(), Json::Object(parts.collect()));
            }
            if !value.notes.is_empty() {
                fields.insert("notes".into(), json!(value.notes));
            }
        }
    }
    let availability = &measured.availability;
    for (name, count) in [
        ("missing", availability.missing),
        ("unanswered", availability.unanswered),
        ("skipped", availability.skipped),
    ] {
        if count > 0 {
            fields.insert(name.into(), count.into());
        }
    }
    Json::Object(fields)
}

pub(super) fn interval(interval: Interval) -> Json {
    json!([number(interval.low), number(interval.high)])
}

pub(super) fn number(value: f64) -> Json {
    serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number)
}

fn tables(tables: &Tables, options: &[String]) -> Json {
    json!({
        "confusion": tables.confusion.as_ref().map(|rows| json!({ "options": options, "rows": rows })),
        "confused": tables.confused.iter().map(|pair| json!({
            "gold": pair.gold, "answered": pair.answered, "n": pair.n, "cases": pair.cases,
        })).collect::<Vec<_>>(),
        "flickering": tables.flickering.iter().map(|case| json!({
            "case": case.case,
            "said": case.said.iter().map(|(said, times)| json!({ "answer": said, "times": times })).collect::<Vec<_>>(),
            "margin": case.margin, "variance": case.variance,
        })).collect::<Vec<_>>(),
        "orders": tables.orders.as_ref().map(|orders| json!({
            "prior": orders.prior, "prior_cases": orders.prior_cases, "cases": orders.cases,
            "declared_accuracy": orders.declared_accuracy, "averaged_accuracy": orders.averaged_accuracy,
        })),
        "reliability": tables.reliability.iter().map(|row| json!({
            "lo": row.low, "hi": row.high, "n": row.n, "accuracy": row.accuracy, "confidence": row.confidence,
        })).collect::<Vec<_>>(),
        "coverage": tables.coverage.iter().map(|row| json!({
            "threshold": row.threshold, "coverage": row.coverage, "accuracy": row.accuracy,
        })).collect::<Vec<_>>(),
    })
}

fn assertion(line: &AssertionLine) -> Json {
    let judgement = &line.judgement;
    let value = judgement.value.as_ref();
    json!({
        "trial": line.trial,
        "candidate": line.candidate,
        "question": line.question,
        "metric": line.metric.to_string(),
        "bound": line.requirement.bound.to_string(),
        "reading": line.requirement.reading.name(),
        "outcome": judgement.outcome.name(),
        "skipped": judgement.skipped,
        "reason": judgement.reason,
        "value": value.map_or(Json::Null, |value| number(value.value)),
        "interval": value.and_then(|value| value.interval).map_or(Json::Null, interval),
        "limits": judgement.limits.map_or(Json::Null, |(limits, _)| interval(limits)),
        "n": value.map(|value| value.n),
        "more_cases": judgement.more_cases,
    })
}
