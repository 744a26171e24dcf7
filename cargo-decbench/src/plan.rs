//! `cargo decbench plan`: what a run would take, and what it could tell.

use std::fmt::Write as _;

use clap::Args;
use decbench_core::metric::Unit;
use decbench_core::report::format_value;
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending};
use crate::packages::Where;
use crate::target::{Scope, Targets, text, texts};
use crate::terminal::{self, duration};

/// Tells what a run would ask, cost and take, how many labels are missing, and what each assertion can tell.
///
/// Nobody is asked and no answer is read. The exit code is 1 where an assertion cannot pass with these cases, whatever is
/// answered.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench plan\n  cargo decbench plan call-routing --seconds-per-label 45 --json"
)]
pub(crate) struct Plan {
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    place: Where,
    /// How long a person takes for one label.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    seconds_per_label: f64,
    /// Print the plan as JSON.
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if seconds.is_finite() && seconds >= 0.0 {
        Ok(seconds)
    } else {
        Err("it is no time".to_owned())
    }
}

pub(crate) fn run(task: &Plan) -> Done {
    let mut told = Vec::new();
    for package in task.place.packages()? {
        let targets = Targets::build(&package, task.scope.test.as_deref())?;
        told.extend(targets.ask("plan", &task.scope.words(), &replay(), |_| {})?);
    }
    task.scope.check(&suites(&told), &candidates(&told))?;
    let labels: Vec<Labels> = told
        .iter()
        .map(|event| Labels::of(&event["plan"], task.seconds_per_label))
        .collect();
    if task.json {
        let suites: Vec<Json> = told.iter().zip(&labels).map(in_json).collect();
        terminal::say(&format!("{:#}\n", json!({ "schema": 1, "suites": suites })));
    } else {
        for (event, labels) in told.iter().zip(&labels) {
            let text = [text(&event["text"]), &costs(event), &labels.text()].concat();
            terminal::say(&format!("{text}\n"));
        }
    }
    let holds = told.iter().all(|event| {
        event["why"].is_null() && assertions(event).all(|line| line["can_pass"] == true)
    });
    Ok(Ending::holds_if(holds))
}

/// What a plan and a qualification are made with: recordings alone.
pub(crate) fn replay() -> [(&'static str, String); 1] {
    [("DECBENCH_MODE", "replay".to_owned())]
}

/// The suites that were told of.
pub(crate) fn suites(events: &[Json]) -> Vec<String> {
    let suites = events.iter().map(|event| text(&event["suite"]).to_owned());
    suites.collect()
}

/// The candidates of all suites that were told of.
pub(crate) fn candidates(events: &[Json]) -> Vec<String> {
    let mut names: Vec<String> = events
        .iter()
        .flat_map(|event| texts(&event["candidates"]))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn assertions(event: &Json) -> impl Iterator<Item = &Json> {
    event["plan"]["assertions"].as_array().into_iter().flatten()
}

fn in_json((event, labels): (&Json, &Labels)) -> Json {
    json!({
        "suite": event["suite"], "plan": event["plan"], "estimate": event["estimate"], "why": event["why"],
        "labels": {
            "without_gold": labels.without_gold, "hours": labels.hours(labels.without_gold),
            "more_cases": labels.more_cases, "hours_of_more": labels.hours(labels.more_cases),
            "seconds_per_label": labels.seconds_each,
        },
    })
}

/// What recording would take, a line a candidate.
pub(crate) fn costs(event: &Json) -> String {
    let mut out = String::new();
    if let Some(why) = event["why"].as_str() {
        let _ = writeln!(out, "what recording costs is not known: {why}");
    }
    let parts = event["estimate"]["candidates"].as_array();
    for part in parts.into_iter().flatten() {
        let name = text(&part["candidate"]);
        let calls = part["calls"].as_u64().unwrap_or(0);
        if calls == 0 {
            let _ = writeln!(out, "record {name}: every answer is there");
            continue;
        }
        let cost = match part["usd"].as_f64() {
            Some(usd) => format!(
                "about {} at {}",
                format_value(usd, Unit::Dollars),
                text(&part["price_from"])
            ),
            None => "at an unknown price".to_owned(),
        };
        let time = match part["seconds"].as_f64() {
            Some(seconds) => format!("about {}", duration(seconds)),
            None => "how long it takes a first recording will tell".to_owned(),
        };
        let _ = writeln!(
            out,
            "record {name}: {calls} calls, {cost}, {time}; tokens by {}",
            text(&part["tokens_from"])
        );
    }
    out
}

/// The labels that people have yet to give.
struct Labels {
    /// Cases without gold.
    without_gold: u64,
    /// Cases with gold that must come on top of those there are, for the assertion that needs most.
    more_cases: u64,
    seconds_each: f64,
}

impl Labels {
    fn of(plan: &Json, seconds_each: f64) -> Self {
        let number = |value: &Json| value.as_u64().unwrap_or(0);
        let more = plan["assertions"].as_array().into_iter().flatten();
        Self {
            without_gold: number(&plan["cases"]).saturating_sub(number(&plan["with_gold"])),
            more_cases: more
                .map(|line| number(&line["cases_needed"]).saturating_sub(number(&line["n"])))
                .max()
                .unwrap_or(0),
            seconds_each,
        }
    }

    fn hours(&self, labels: u64) -> f64 {
        labels as f64 * self.seconds_each / 3600.0
    }

    fn text(&self) -> String {
        let line = |labels: u64, what: &str| {
            if labels == 0 {
                return String::new();
            }
            let time = duration(labels as f64 * self.seconds_each);
            format!(
                "label {labels} {what}: {time} at {} s a label\n",
                self.seconds_each
            )
        };
        [
            line(self.without_gold, "cases that have no gold"),
            line(
                self.more_cases,
                "more cases for the assertion that needs most",
            ),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_counted_for_the_hungriest_assertion() {
        let plan = json!({
            "cases": 100, "with_gold": 90,
            "assertions": [{ "n": 90, "cases_needed": 120 }, { "n": 20, "cases_needed": 140 }, { "n": 9, "cases_needed": null }],
        });
        let labels = Labels::of(&plan, 60.0);
        assert_eq!((labels.without_gold, labels.more_cases), (10, 120));
        assert!((labels.hours(120) - 2.0).abs() < 1e-12);
        assert!(
            labels
                .text()
                .contains("label 10 cases that have no gold: 10 min at 60 s a label")
        );
    }

    #[test]
    fn costs_name_what_nobody_knows() {
        let event = json!({ "why": null, "estimate": { "candidates": [
            { "candidate": "jev", "calls": 0 },
            { "candidate": "other", "calls": 3, "usd": null, "seconds": 90.0, "tokens_from": "rule of thumb" },
        ] } });
        let text = costs(&event);
        assert!(text.contains("record jev: every answer is there"), "{text}");
        assert!(
            text.contains("3 calls, at an unknown price, about 90 s; tokens by rule of thumb"),
            "{text}"
        );
    }
}
