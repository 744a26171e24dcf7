//! `cargo decbench suggest`: where to begin with bounds, and which models to try.

mod margin;
mod models;
mod pilot;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::ending::{Done, Ending, Unusable};
use crate::explain::{answered, last_run};
use crate::packages::Where;
use crate::suites;
use crate::terminal::{self, share};
use pilot::Pilot;

/// Suggests bounds from a pilot, or models to try.
///
/// Without a further word: reads the last run of a suite, a pilot of about 100 cases, and writes floors, a threshold and a
/// margin as YAML to paste. A bound of a share is one that the pilot proves, and that a candidate as good as the pilot's
/// would prove again four times of five. A bound of a calibration error, a latency or a cost is the end of the pilot's
/// interval: an equal candidate, whose own interval has to lie below it, meets it about half of the time. The exit code is 1 where the pilot is too small to suggest anything.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Example:\n  cargo decbench suggest call-routing --cases 300\n  cargo decbench suggest models call-routing"
)]
pub(crate) struct Suggest {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(Debug, Subcommand)]
enum What {
    Models(models::Models),
}

#[derive(Debug, Args)]
struct Bounds {
    /// The suite's name.
    #[arg(required = true)]
    suite: Option<String>,
    #[command(flatten)]
    place: Where,
    /// Whose pilot it is; by default that of today's candidate, else of the first that is gated.
    #[arg(long, value_name = "NAME")]
    candidate: Option<String>,
    /// How many cases the suite is going to have; by default as many as the pilot.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// How often the answers above the threshold should be right.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "95%")]
    accuracy: f64,
    /// Print the suggestions as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Suggest) -> Done {
    match &task.what {
        Some(What::Models(models)) => models::run(models),
        None => bounds(&task.bounds),
    }
}

fn bounds(task: &Bounds) -> Done {
    let name = task.suite.as_deref().unwrap_or_default();
    let (package, loaded) = suites::find(&task.place, name)?;
    let card = last_run(&package, &loaded)?;
    if suites::says_all(&loaded) && card.digest != loaded.suite.digest.to_string() {
        terminal::note("the suite or its cases changed after the run; run `cargo test` again");
    }
    let suite = &loaded.suite;
    let named = |name: &String| card.candidates.iter().find(|one| one.name == *name);
    let usual = || {
        let gated = || card.candidates.iter().filter(|one| !one.baseline);
        gated().find(|one| one.today).or_else(|| gated().next())
    };
    let candidate = task.candidate.as_ref().map_or_else(usual, named);
    let candidate = candidate.ok_or_else(|| {
        let names: Vec<&str> = card
            .candidates
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        Unusable::new(format!(
            "the last run of `{name}` has no such candidate; it has {}",
            names.join(", ")
        ))
    })?;
    let (rows, at) = answered(&package, suite, &candidate.name)?;
    let pilot = Pilot {
        suite,
        candidate,
        cases: task.cases,
        accuracy: task.accuracy,
    };
    let floors = pilot.floors();
    let margin = margin::against_today(suite, &rows, at, task.cases);
    if task.json {
        let floors: Vec<_> = floors.iter().map(pilot::Suggestion::in_json).collect();
        let all = json!({
            "schema": 1, "suite": suite.name, "candidate": candidate.name, "assert": floors,
            "margin": margin.as_ref().map(margin::Margin::in_json),
        });
        terminal::say(&format!("{all:#}\n"));
    } else {
        terminal::say(&pilot.yaml(&floors));
        if let Some(margin) = &margin {
            terminal::say(&margin.yaml());
        }
    }
    Ok(Ending::holds_if(!floors.is_empty()))
}
