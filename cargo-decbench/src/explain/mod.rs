//! `cargo decbench explain`: what a trial's outcome rests on, and what to do next.

mod behind;
mod kind;
mod step;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use decbench_core::decision::Split;
use decbench_core::metric::{Metric, Unit};
use decbench_core::report::{format_interval, format_value};
use decbench_core::run::{Trial, trials_of};
use decbench_core::stats::Interval;
use decbench_core::suite::{Loaded, Suite};
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::report::card::{self, Assertion, Card};
use crate::report::rows;
use crate::suites;
use crate::terminal;

/// Cases shown where nobody says how many.
const SHOWN: usize = 10;

/// Shows what the last run found of a trial: the evidence, the cases behind it, and the cheapest next step.
///
/// Trials are named as `cargo test` prints them. Nothing is run or asked. The exit code is 1 where the trial does not hold;
/// of trials that only a run knows the outcome of it is told what makes them red.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench explain call-routing::jev::accuracy\n  cargo decbench explain \"call-routing::jev::recall[billing]\" --cases 30 --json"
)]
pub(crate) struct Explain {
    /// The trial, such as `call-routing::jev::accuracy`.
    trial: String,
    #[command(flatten)]
    place: Where,
    /// How many cases are shown.
    #[arg(long, value_name = "NUMBER", default_value_t = SHOWN)]
    cases: usize,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Explain) -> Done {
    if task.trial == kind::DECISIONS {
        let about = Some(kind::ABOUT_DECISIONS.to_owned());
        return Ok(tell(task, &Told::of(about, None), false));
    }
    let name = task.trial.split("::").next().unwrap_or_default();
    let (package, loaded) = suites::find(&task.place, name)?;
    let suite = &loaded.suite;
    let trials = trials_of(suite);
    let trial = trials.iter().find(|trial| trial.name == task.trial);
    if let Some(trial) = trial
        && let Some(about) = kind::about(trial.kind, suite)
    {
        // What such a trial is can be told before the first run, too.
        let card = was_run(&package, &loaded)
            .then(|| last_run(&package, &loaded))
            .transpose()?;
        let found = card
            .as_ref()
            .and_then(|card| kind::found(trial.kind, suite, card));
        let stale = found.is_some() && card.is_some_and(|card| is_stale(&card, &loaded));
        return Ok(tell(task, &Told::of(Some(about), found), stale));
    }
    let card = last_run(&package, &loaded)?;
    let asserted: Vec<&Assertion> = card
        .assertions
        .iter()
        .filter(|line| line.trial == task.trial)
        .collect();
    let told = if asserted.is_empty() {
        other(&card, &task.trial).ok_or_else(|| unknown(&card, &trials, &task.trial))?
    } else {
        let cases = behind::cases(&package, suite, asserted[0])?;
        Told {
            about: None,
            requirements: asserted
                .iter()
                .map(|line| requirement(line, suite, cases.len()))
                .collect(),
            cases,
        }
    };
    Ok(tell(task, &told, is_stale(&card, &loaded)))
}

/// Whether the suite changed after the run, as far as that is known here.
fn is_stale(card: &Card, loaded: &Loaded) -> bool {
    suites::says_all(loaded) && card.digest != loaded.suite.digest.to_string()
}

fn tell(task: &Explain, told: &Told, stale: bool) -> Ending {
    if task.json {
        terminal::say(&format!("{:#}\n", told.in_json(&task.trial, stale)));
    } else {
        terminal::say(&told.in_words(&task.trial, task.cases));
        if stale {
            terminal::note("the suite or its cases changed after the run; run `cargo test` again");
        }
    }
    Ending::holds_if(told.holds())
}

/// Where the suite's last run left its scorecard.
fn scorecard(package: &Package, loaded: &Loaded) -> PathBuf {
    let folder = package.output.join(&loaded.suite.name);
    folder.join("scorecard.json")
}

fn was_run(package: &Package, loaded: &Loaded) -> bool {
    scorecard(package, loaded).exists()
}

/// The scorecard of the suite's last run.
pub(crate) fn last_run(package: &Package, loaded: &Loaded) -> Result<Card, Unusable> {
    if was_run(package, loaded) {
        return card::read(&scorecard(package, loaded));
    }
    let name = &loaded.suite.name;
    Err(Unusable::new(format!(
        "suite `{name}` has not been run yet; run `cargo test -p {} {name}::` first, which writes its scorecard",
        package.name
    )))
}

/// One requirement of a trial, or all of a trial that is no assertion.
struct Requirement {
    outcome: String,
    /// Lines of the evidence.
    evidence: Vec<String>,
    reason: String,
    steps: Vec<String>,
}

struct Told {
    /// What the trial is, where its name and evidence do not say it.
    about: Option<String>,
    requirements: Vec<Requirement>,
    cases: Vec<behind::Behind>,
}

impl Told {
    /// A trial that rests on no cases.
    fn of(about: Option<String>, found: Option<Requirement>) -> Self {
        Self {
            about,
            requirements: found.into_iter().collect(),
            cases: Vec::new(),
        }
    }

    fn holds(&self) -> bool {
        let mut outcomes = self.requirements.iter().map(|one| one.outcome.as_str());
        !outcomes.any(|outcome| matches!(outcome, "fail" | "could_not_run"))
    }

    fn in_words(&self, trial: &str, shown: usize) -> String {
        let mut out = format!("{trial}\n");
        if let Some(about) = &self.about {
            let _ = writeln!(out, "  {about}");
        }
        for requirement in &self.requirements {
            let _ = writeln!(out, "{}", requirement.outcome.replace('_', " "));
            for line in &requirement.evidence {
                let _ = writeln!(out, "  {line}");
            }
            let _ = writeln!(out, "  because   {}", requirement.reason);
            for (position, step) in requirement.steps.iter().enumerate() {
                let head = if position == 0 { "next" } else { "or  " };
                let _ = writeln!(out, "  {head}      {step}");
            }
        }
        if !self.cases.is_empty() {
            let _ = writeln!(out, "{} cases behind it", self.cases.len());
        }
        for case in self.cases.iter().take(shown) {
            let _ = writeln!(out, "  {}", case.in_words());
        }
        if self.cases.len() > shown {
            let _ = writeln!(out, "  and {} more", self.cases.len() - shown);
        }
        out
    }

    fn in_json(&self, trial: &str, stale: bool) -> Json {
        let requirements: Vec<Json> = self
            .requirements
            .iter()
            .map(|one| {
                json!({ "outcome": one.outcome, "evidence": one.evidence, "reason": one.reason, "next": one.steps })
            })
            .collect();
        let cases: Vec<Json> = self.cases.iter().map(behind::Behind::in_json).collect();
        json!({
            "schema": 1, "trial": trial, "about": self.about, "stale": stale, "holds": self.holds(), "requirements": requirements,
            "cases": cases,
        })
    }
}

fn requirement(line: &Assertion, suite: &Suite, wrong: usize) -> Requirement {
    let unit = Metric::parse(&line.metric).map_or(Unit::Number, |metric| metric.info().unit);
    let interval = |ends: Option<[Option<f64>; 2]>| {
        let [low, high] = ends?;
        Some(Interval {
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        })
    };
    let mut evidence = vec![format!("required  {} {}", line.name(), line.bound)];
    if let Some(value) = line.value {
        let range =
            interval(line.interval).map(|range| format!(" {}", format_interval(range, unit)));
        let n = line.n.map(|n| format!(", n {n}"));
        evidence.push(format!(
            "observed  {}{}{}",
            format_value(value, unit),
            range.unwrap_or_default(),
            n.unwrap_or_default()
        ));
    }
    if let Some(limits) = interval(line.limits) {
        evidence.push(format!("judged by {}", format_interval(limits, unit)));
    }
    Requirement {
        outcome: line.outcome().to_owned(),
        evidence,
        reason: line.reason.clone(),
        steps: step::next(line, &waiting(suite), &suite.name, wrong),
    }
}

/// What people could still do with the cases there are.
fn waiting(suite: &Suite) -> step::Waiting {
    let open = suite
        .cases
        .iter()
        .filter(|case| case.split != Split::Lockbox && case.gold.iter().all(Option::is_none));
    let (references, others): (Vec<_>, Vec<_>) =
        open.partition(|case| case.reference.iter().any(Option::is_some));
    step::Waiting {
        references: references.len() as u64,
        unlabelled: others.len() as u64,
    }
}

/// A trial that is no assertion, as the scorecard tells of it.
fn other(card: &Card, trial: &str) -> Option<Told> {
    let checks = card.data.as_object().into_iter().flatten();
    let published = card.published.iter();
    let published = published.flat_map(|line| line["bounds"].as_array().into_iter().flatten());
    let all = checks
        .map(|(_, check)| check)
        .chain(&card.comparisons)
        .chain(&card.turns)
        .chain(&card.load)
        .chain(published);
    let found = all.into_iter().find(|line| line["trial"] == trial);
    let requirement = if let Some(line) = found {
        let seen = line["observations"].as_array().into_iter().flatten();
        let evidence = seen.map(|seen| crate::target::text(&seen["text"]).to_owned());
        Requirement {
            outcome: crate::target::text(&line["outcome"]).to_owned(),
            evidence: evidence.collect(),
            reason: crate::target::text(&line["reason"]).to_owned(),
            steps: Vec::new(),
        }
    } else if *trial == format!("{}::verdict", card.suite) {
        let verdict = card.verdict.as_ref()?;
        Requirement {
            outcome: verdict.outcome.clone(),
            evidence: vec![format!("verdict   {}", verdict.sentence)],
            reason: verdict.reasons.join("; "),
            steps: Vec::new(),
        }
    } else {
        return None;
    };
    Some(Told::of(None, Some(requirement)))
}

fn unknown(card: &Card, trials: &[Trial], trial: &str) -> Unusable {
    let mut names: Vec<&str> = card
        .assertions
        .iter()
        .map(|line| line.trial.as_str())
        .chain(trials.iter().map(|trial| trial.name.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let near = decbench_core::diagnostic::nearest(trial, names.iter().copied());
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its trials are\n  {}", names.join("\n  ")),
    };
    Unusable::new(format!("the last run has no trial `{trial}`; {help}"))
}

/// A candidate's answers beside the cases, as the page shows them.
pub(crate) fn answered(
    package: &Package,
    suite: &Suite,
    candidate: &str,
) -> Result<(rows::Rows, usize), Unusable> {
    let at = suite
        .candidates
        .iter()
        .position(|one| one.name == candidate);
    let at = at.ok_or_else(|| {
        Unusable::new(format!(
            "suite `{}` has no candidate `{candidate}`",
            suite.name
        ))
    })?;
    Ok((rows::gather(package, suite)?, at))
}
