//! `cargo decbench record`: asks what no recording answers, once, and with consent.

mod bars;

use clap::Args;
use decbench_core::metric::Unit;
use decbench_core::report::format_value;
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::plan::{candidates, costs, replay, suites};
use crate::target::{Scope, Targets, text, texts};
use crate::terminal;
use bars::Bars;

/// Asks services and recorded functions what no recording answers, and records their answers beside the suites.
///
/// What it is likely to cost is told first, and nothing is asked before somebody agrees: at the terminal, by `--yes`, or by
/// a budget. It may be interrupted at any time: every answer that came in is kept, and the next time it goes on there.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench record call-routing --limit 20\n  cargo decbench record --candidate jev --budget 2.50"
)]
pub(crate) struct Record {
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    place: Where,
    /// Only so many cases of each suite, spread over its file, as a smoke test.
    #[arg(long, value_name = "CASES", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// The most that may be spent, in US dollars; it stands for consent.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    budget: Option<f64>,
    /// Agree to the estimate; 1.2 times as much may be spent.
    #[arg(short, long)]
    yes: bool,
    /// Print what came of it as JSON.
    #[arg(long)]
    json: bool,
}

fn dollars(text: &str) -> Result<f64, String> {
    let text = text.trim_start_matches('$');
    match text.parse::<f64>() {
        Ok(usd) if usd.is_finite() && usd >= 0.0 => Ok(usd),
        _ => Err("write an amount of US dollars such as 2.50".to_owned()),
    }
}

pub(crate) fn run(task: &Record) -> Done {
    let packages = task.place.packages()?;
    let mut words = task.scope.words();
    words.extend(task.limit.map(|limit| format!("limit={limit}")));
    let mut planned = Vec::new();
    let mut asked: Vec<(&Package, Targets<'_>, Vec<Json>)> = Vec::new();
    for package in &packages {
        let targets = Targets::build(package, task.scope.test.as_deref())?;
        let plans = targets.ask("plan", &words, &replay(), |_| {})?;
        planned.extend(plans.iter().cloned());
        asked.push((package, targets, plans));
    }
    task.scope.check(&suites(&planned), &candidates(&planned))?;
    if let Some(why) = planned.iter().find_map(|event| event["why"].as_str()) {
        return Err(Unusable::new(why));
    }
    if calls(&planned) == 0 {
        return Ok(nothing_to_do(task));
    }
    agree(task, &planned)?;
    let bars = Bars::new();
    let mut told = Vec::new();
    let consent = consent(task, &planned);
    for (_, targets, plans) in &asked {
        if calls(plans) > 0 {
            told.extend(targets.ask("record", &words, &consent, |event| bars.hear(event))?);
        }
    }
    drop(bars);
    Ok(finish(task, &told))
}

fn nothing_to_do(task: &Record) -> Ending {
    if task.json {
        terminal::say(&format!("{:#}\n", outcome(&[])));
    }
    terminal::did("Recorded", "nothing: every answer is there");
    Ending::Holds
}

/// How many calls are to be made.
fn calls(planned: &[Json]) -> u64 {
    let calls = planned
        .iter()
        .map(|event| event["estimate"]["calls"].as_u64());
    calls.flatten().sum()
}

/// What they are likely to cost, in US dollars.
fn usd(planned: &[Json]) -> f64 {
    let usd = planned
        .iter()
        .map(|event| event["estimate"]["usd"].as_f64());
    usd.flatten().sum()
}

/// Tells what it costs and waits for consent.
fn agree(task: &Record, planned: &[Json]) -> Result<(), Unusable> {
    let mut lines: String = planned.iter().map(costs).collect();
    lines.truncate(lines.trim_end().len());
    terminal::explain(&lines);
    if task.yes || task.budget.is_some() {
        return Ok(());
    }
    let question = format!(
        "{} calls for about {}",
        calls(planned),
        format_value(usd(planned), Unit::Dollars)
    );
    if !terminal::is_attended() {
        return Err(Unusable::new(format!(
            "{question} are to be made, and nobody is there to agree; say `--yes`, or `--budget` and the most that may be spent"
        )));
    }
    if terminal::confirm(&format!("Make {question}?"))? {
        Ok(())
    } else {
        Err(Unusable::new("nothing was asked, as nobody agreed to it"))
    }
}

/// What the run is told of money. A budget alone is consent to whatever it costs within it.
///
/// All processes are told the same, and that they are one run: it is the run that keeps to it, over all of them.
fn consent(task: &Record, planned: &[Json]) -> Vec<(&'static str, String)> {
    let mut variables = vec![
        ("DECBENCH_MODE", "fill".to_owned()),
        ("NEXTEST_RUN_ID", run_name()),
    ];
    if let Some(budget) = task.budget {
        variables.push(("DECBENCH_BUDGET_USD", budget.to_string()));
    }
    if task.yes || task.budget.is_none() {
        // A part of a cent is a cent, as in the run's own estimate.
        let cents = (usd(planned) * 100.0 - 1e-9).max(0.0).ceil();
        variables.push(("DECBENCH_CONFIRM_USD", format!("{:.2}", cents / 100.0)));
    }
    variables
}

/// A name that no other run has.
fn run_name() -> String {
    let now = jiff::Timestamp::now().as_nanosecond();
    format!("record-{now}-{}", std::process::id())
}

fn finish(task: &Record, told: &[Json]) -> Ending {
    if task.json {
        terminal::say(&format!("{:#}\n", outcome(told)));
    }
    let mut holds = true;
    for event in told.iter().filter(|event| event["event"] == "recorded") {
        let name = format!("{}::{}", text(&event["suite"]), text(&event["candidate"]));
        if let Some(reason) = event["failed"].as_str() {
            holds = false;
            terminal::complain(&format!("{name}: {reason}"));
        }
        let missing = event["missing"].as_u64().unwrap_or(0);
        if missing > 0 {
            holds = false;
            let misses = texts(&event["misses"]).join("\n  ");
            terminal::complain(&format!(
                "{name}: {missing} answers are still missing\n  {misses}"
            ));
        }
        for failed in event["failures"].as_array().into_iter().flatten() {
            let answers = failed["answers"].as_u64().unwrap_or(0);
            let what = format!("{}: {}", text(&failed["kind"]), text(&failed["first"]));
            if failed["served"] == true {
                terminal::note(&format!("{name}: {answers} answers are none ({what})"));
            } else {
                holds = false;
                terminal::complain(&format!(
                    "{name}: {answers} answers did not come and are asked for the next time ({what})"
                ));
            }
        }
        for note in texts(&event["notes"]) {
            terminal::note(&format!("{name}: {note}"));
        }
    }
    Ending::holds_if(holds)
}

fn outcome(told: &[Json]) -> Json {
    let of = |kind: &str| -> Vec<&Json> {
        let events = told.iter().filter(|event| event["event"] == kind);
        events.collect()
    };
    let calls: Vec<&Json> = of("progress")
        .into_iter()
        .filter(|event| event["ended"] == true)
        .collect();
    json!({ "schema": 1, "calls": calls, "candidates": of("recorded") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_others_refused() {
        assert_eq!(dollars("2.50"), Ok(2.5));
        assert_eq!(dollars("$1"), Ok(1.0));
        assert!(dollars("-1").is_err() && dollars("inf").is_err() && dollars("much").is_err());
    }

    #[test]
    fn what_is_planned_is_summed_over_suites() {
        let planned = [
            json!({ "estimate": { "calls": 3, "usd": 0.011 } }),
            json!({ "estimate": { "calls": 4, "usd": 0.02 } }),
            json!({ "estimate": null }),
        ];
        assert_eq!(calls(&planned), 7);
        assert!((usd(&planned) - 0.031).abs() < 1e-12);
    }
}
