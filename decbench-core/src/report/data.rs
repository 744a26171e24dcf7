//! What the checks of the data found, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use super::json::{interval, number};
use super::number::{format_interval, format_value};
use super::scorecard::DataLine;
use crate::data::{CaseList, Figure, Finding, Quantity};
use crate::metric::{Outcome, Unit};

/// Cases named in a line of text; the rest is counted.
const NAMED: usize = 5;

/// Everything a check observed, one thing a line, with its figures.
pub fn observations(finding: &Finding) -> String {
    let mut out = String::new();
    if finding.observations.is_empty() {
        let _ = writeln!(out, "observed  {}", finding.reason);
    }
    for observation in &finding.observations {
        let head = match observation.outcome {
            Outcome::Pass => "note      ",
            Outcome::Inconclusive => "open      ",
            Outcome::Fail => "observed  ",
            Outcome::CouldNotRun => "not run   ",
        };
        let _ = writeln!(out, "{head}{}", observation.text);
        let cases = &observation.cases;
        for (at, case) in cases.named.iter().enumerate() {
            let head = if at == 0 { "cases     " } else { "          " };
            let _ = writeln!(out, "{head}{case}");
        }
        if cases.more > 0 {
            let _ = writeln!(out, "          and {} more", cases.more);
        }
    }
    let figures = figures(finding);
    if !figures.is_empty() {
        let _ = writeln!(out, "figures   {figures}");
    }
    out
}

/// The figures in one line; what was counted and is not there says nothing to a person.
fn figures(finding: &Finding) -> String {
    let figures: Vec<String> = finding
        .figures
        .iter()
        .filter(|figure| figure.value != Quantity::Count(0))
        .map(figure)
        .collect();
    figures.join(", ")
}

fn figure(figure: &Figure) -> String {
    let value = match &figure.value {
        Quantity::Count(count) => count.to_string(),
        Quantity::Share(share) => format_value(*share, Unit::Share),
        Quantity::Number(value, None) => format_value(*value, Unit::Number),
        Quantity::Number(value, Some(limits)) => format!(
            "{} {}",
            format_value(*value, Unit::Number),
            format_interval(*limits, Unit::Number)
        ),
        Quantity::Text(text) => text.clone(),
    };
    format!("{} {value}", figure.name)
}

/// The block of a scorecard: a line for each check, below it what it observed.
pub(super) fn write_text(out: &mut String, lines: &[DataLine]) {
    if lines.is_empty() {
        return;
    }
    out.push_str("\ndata checks\n");
    let width = lines
        .iter()
        .map(|line| line.finding.check.len())
        .max()
        .unwrap_or(0);
    for line in lines {
        let finding = &line.finding;
        let outcome = finding.outcome.to_string();
        let _ = writeln!(
            out,
            "  {outcome:<13}  {:<width$}  {}",
            finding.check, finding.reason
        );
        for observation in &finding.observations {
            if observation.text != finding.reason {
                let _ = writeln!(out, "    {}", observation.text);
            }
            if !observation.cases.is_empty() {
                let _ = writeln!(out, "      {}", some(&observation.cases));
            }
        }
        let figures = figures(finding);
        if !figures.is_empty() {
            let _ = writeln!(out, "    {figures}");
        }
    }
}

fn some(cases: &CaseList) -> String {
    let named = &cases.named[..cases.named.len().min(NAMED)];
    let text = named.join(", ");
    match cases.len() - named.len() {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// The object `data` of `scorecard.json`, by check.
pub(super) fn to_json(lines: &[DataLine]) -> Json {
    let checks = lines
        .iter()
        .map(|line| (line.finding.check.to_owned(), check(line)));
    Json::Object(checks.collect())
}

fn check(line: &DataLine) -> Json {
    let finding = &line.finding;
    let mut figures = Map::new();
    for figure in &finding.figures {
        let value = match &figure.value {
            Quantity::Count(count) => json!(count),
            Quantity::Share(share) => number(*share),
            Quantity::Number(value, None) => number(*value),
            Quantity::Number(value, Some(limits)) => {
                json!({ "value": number(*value), "interval": interval(*limits) })
            }
            Quantity::Text(text) => json!(text),
        };
        figures.insert(figure.name.clone(), value);
    }
    json!({
        "trial": line.trial,
        "outcome": finding.outcome.name(),
        "reason": finding.reason,
        "figures": figures,
        "observations": finding.observations.iter().map(|observation| json!({
            "outcome": observation.outcome.name(),
            "text": observation.text,
            "cases": observation.cases.named,
            "more": observation.cases.more,
        })).collect::<Vec<_>>(),
    })
}
