//! `cargo decbench qualify`: how often each gate would come out otherwise.

use std::fmt::Write as _;

use clap::Args;
use decbench_core::metric::Unit;
use decbench_core::report::format_value;
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending};
use crate::packages::Where;
use crate::plan::{replay, suites};
use crate::target::{Scope, Targets, text};
use crate::terminal::{self, share};

/// Judges each gate against itself, and tells how often its outcome would flip.
///
/// Every assertion is judged again on samples of its own cases, drawn with replacement, and on every further repeat of its
/// calls that is recorded. The draws know nothing of cases unlike these: the true figure is rather higher.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench qualify call-routing\n  cargo decbench qualify --draws 500 --at-most 10% --json"
)]
pub(crate) struct Qualify {
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    place: Where,
    /// How many samples are drawn for each gate.
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=10_000))]
    draws: u32,
    /// The share of flips above which a gate does not hold; without it only a suite of which nothing can be judged does not.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    at_most: Option<f64>,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Qualify) -> Done {
    let mut words = task.scope.words();
    words.push(format!("draws={}", task.draws));
    let mut told = Vec::new();
    for package in task.place.packages()? {
        let targets = Targets::build(&package, task.scope.test.as_deref())?;
        told.extend(targets.ask("qualify", &words, &replay(), |_| {})?);
    }
    let gates: Vec<&Json> = told
        .iter()
        .filter(|event| event["event"] == "qualified")
        .filter(|event| task.scope.candidates.is_empty() || is_meant(task, event))
        .collect();
    task.scope.check(&suites(&told), &task.scope.candidates)?;
    let flips = |gate: &Json| {
        let both = ["flips", "flips_between_runs"].map(|key| gate[key].as_f64());
        both.into_iter().flatten().fold(0.0, f64::max)
    };
    if task.json {
        let all = json!({ "schema": 1, "draws": task.draws, "gates": gates });
        terminal::say(&format!("{all:#}\n"));
    } else {
        for gate in &gates {
            terminal::say(&line(gate));
        }
    }
    let beyond = gates
        .iter()
        .filter(|gate| task.at_most.is_some_and(|most| flips(gate) > most))
        .count();
    terminal::did(
        "Qualified",
        &match task.at_most {
            Some(most) => format!(
                "{} gates: {beyond} flip more often than {}",
                gates.len(),
                format_value(most, Unit::Share)
            ),
            None => format!("{} gates", gates.len()),
        },
    );
    let judged = gates.iter().any(|gate| gate["flips"].is_number());
    Ok(Ending::holds_if(beyond == 0 && judged))
}

fn is_meant(task: &Qualify, gate: &Json) -> bool {
    let candidate = text(&gate["trial"]).split("::").nth(1);
    candidate.is_some_and(|name| task.scope.candidates.iter().any(|meant| meant == name))
}

fn line(gate: &Json) -> String {
    let outcome = text(&gate["outcome"]).replace('_', " ");
    let percent = |value: &Json| value.as_f64().map(|share| format_value(share, Unit::Share));
    let mut out = format!(
        "{}  {}: {outcome}\n",
        text(&gate["trial"]),
        text(&gate["required"])
    );
    match percent(&gate["flips"]) {
        Some(flips) => {
            let _ = writeln!(
                out,
                "  on other samples of these cases it is another outcome {flips} of the time ({})",
                counts(&gate["draws"])
            );
        }
        None => out.push_str("  there is nothing to judge again\n"),
    }
    if let Some(flips) = percent(&gate["flips_between_runs"]) {
        let _ = writeln!(
            out,
            "  in other runs on the same cases {flips} of the time ({})",
            counts(&gate["runs"])
        );
    }
    out
}

fn counts(counts: &Json) -> String {
    let counts = counts.as_object().into_iter().flatten();
    let parts: Vec<String> = counts
        .filter(|(_, times)| times.as_u64().is_some_and(|times| times > 0))
        .map(|(outcome, times)| format!("{} {times}", outcome.replace('_', " ")))
        .collect();
    parts.join(", ")
}
