//! What services bore of a load, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::json::{interval, number};
use super::number::{format_interval, format_value};
use crate::judge::{LoadFinding, LoadHeld, LoadMeasure, LoadPoint};

/// What was found of a suite's load.
#[derive(Debug, Clone)]
pub struct LoadLine {
    /// Name of the trial.
    pub trial: String,
    /// What was found.
    pub finding: LoadFinding,
}

/// A load, candidate by candidate and rate by rate.
pub fn load_text(finding: &LoadFinding) -> String {
    let mut out = format!("{}: {}\n", finding.outcome, finding.reason);
    let mut any = false;
    for (name, points) in &finding.candidates {
        let points = match points {
            Ok(points) => points,
            Err(reason) => {
                let _ = writeln!(out, "  {name}: {reason}");
                continue;
            }
        };
        for point in points {
            any |= point.calls > 0;
            add(&mut out, name, point);
        }
    }
    if any {
        out.push_str(
            "  times count from when a call was due; limits at 95% take calls as independent, which they are not while a queue builds up\n",
        );
    }
    out
}

fn add(out: &mut String, name: &str, point: &LoadPoint) {
    let _ = writeln!(
        out,
        "  {name} at {}: {} of {} calls made, {} answered; {:.1} a second offered, {:.1} answered; at most {} unanswered at a time",
        point.rate,
        point.calls,
        point.planned,
        point.answered,
        point.offered,
        point.achieved,
        point.most_in_flight
    );
    if let Some(stopped) = &point.stopped {
        let _ = writeln!(out, "    broken off: {stopped}");
    }
    for found in &point.measured {
        let mut said = vec![value(found)];
        said.extend(found.notes.iter().cloned());
        let _ = writeln!(out, "    {}", said.join("; "));
    }
    if !point.failures.is_empty() {
        let kinds = point.failures.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let _ = writeln!(out, "    failed: {}", kinds.join(", "));
    }
    for held in &point.held {
        let _ = writeln!(
            out,
            "    {} {}: {}, {}",
            held.metric, held.bound, held.outcome, held.reason
        );
    }
}

fn value(found: &LoadMeasure) -> String {
    let unit = found.id.info().unit;
    let mut text = format!(
        "{} {} {}",
        found.id.info().name,
        format_value(found.value, unit),
        format_interval(found.interval, unit)
    );
    if found.limits != found.interval {
        let _ = write!(
            text,
            ", exact limits {}",
            format_interval(found.limits, unit)
        );
    }
    text
}

/// A load in `scorecard.json`.
pub(super) fn to_json(line: &LoadLine) -> Json {
    let finding = &line.finding;
    json!({
        "trial": line.trial,
        "outcome": finding.outcome.name(),
        "reason": finding.reason,
        "candidates": finding.candidates.iter().map(|(name, points)| json!({
            "candidate": name,
            "failed": points.as_ref().err(),
            "rates": points.iter().flatten().map(point).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn point(point: &LoadPoint) -> Json {
    let measured: serde_json::Map<String, Json> = point
        .measured
        .iter()
        .map(|found| (found.id.info().name.to_owned(), measure(found)))
        .collect();
    json!({
        "rate": point.rate,
        "offered": number(point.offered),
        "achieved": number(point.achieved),
        "planned": point.planned,
        "calls": point.calls,
        "answered": point.answered,
        "most_in_flight": point.most_in_flight,
        "failures": point.failures,
        "stopped": point.stopped,
        "measured": measured,
        "requirements": point.held.iter().map(held).collect::<Vec<_>>(),
    })
}

fn measure(found: &LoadMeasure) -> Json {
    json!({
        "value": number(found.value),
        "interval": interval(found.interval),
        "limits": interval(found.limits),
        "notes": found.notes,
    })
}

fn held(held: &LoadHeld) -> Json {
    json!({
        "metric": held.metric.to_string(),
        "bound": held.bound.to_string(),
        "outcome": held.outcome.name(),
        "reason": held.reason,
    })
}
