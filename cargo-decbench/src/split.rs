//! `cargo decbench split`: which case lies in the lock box.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use clap::Args;
use decbench_core::decision::{Case, Gold, Split as Part};
use decbench_core::suite::{Suite, in_lockbox};
use serde_json::{Value as Json, json};

use crate::case_file::CaseFile;
use crate::ending::{Done, Ending, Unusable};
use crate::packages::Where;
use crate::suites;
use crate::terminal::{self, share};

/// Fewer independent units than this prove little.
const FEWEST_UNITS: usize = 30;

/// Shows how the cases are divided between development and lock box, and how often each option is right on either side.
///
/// With `--lockbox` another division is shown: the hash of a unit decides, so that a case never moves when others come or
/// go, and cases of a cluster stay together. Nothing is written unless `--write` says so. The exit code is 1 where the lock
/// box has fewer than 30 units of evidence, or an option is right on one side only.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench split call-routing\n  cargo decbench split call-routing --lockbox 30% --write"
)]
pub(crate) struct Split {
    /// The suite's name.
    suite: String,
    #[command(flatten)]
    place: Where,
    /// The share of units that goes into the lock box, in place of what the suite says.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    lockbox: Option<f64>,
    /// Another division of the same share.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "lockbox")]
    seed: u32,
    /// Write the side of every case into the case file; no other value of its lines changes.
    #[arg(long, requires = "lockbox")]
    write: bool,
    /// List every case with its side.
    #[arg(long)]
    list: bool,
    /// Print the division as JSON, every case with its side.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Split) -> Done {
    let (_, loaded) = suites::find(&task.place, &task.suite)?;
    let suite = loaded.suite;
    let parts: Vec<Part> = suite
        .cases
        .iter()
        .map(|case| match task.lockbox {
            Some(share) if in_lockbox(case, share, task.seed) => Part::Lockbox,
            Some(_) => Part::Dev,
            None => case.split,
        })
        .collect();
    let division = Division::of(&suite, &parts);
    if task.json {
        terminal::say(&format!("{:#}\n", division.in_json(&suite, &parts)));
    } else {
        terminal::say(&division.in_words(&suite));
        if task.list {
            let lines = suite.cases.iter().zip(&parts);
            let lines = lines.map(|(case, part)| format!("  {}  {}\n", part.name(), case.id));
            terminal::say(&lines.collect::<String>());
        }
    }
    if task.write {
        write(&suite, &parts)?;
    }
    Ok(Ending::holds_if(division.faults.is_empty()))
}

fn write(suite: &Suite, parts: &[Part]) -> Result<(), Unusable> {
    let mut file = CaseFile::open(suite)?;
    let mut changed = 0;
    for (case, part) in suite.cases.iter().zip(parts) {
        let now = json!(part.name());
        let stands = file.line(case)?.get("split").cloned();
        if stands.as_ref() != Some(&now) {
            file.set(case, "split", now)?;
            changed += 1;
        }
    }
    file.save()?;
    terminal::did(
        "Divided",
        &format!("{} cases, {changed} lines changed", parts.len()),
    );
    Ok(())
}

/// One side of a division.
#[derive(Default)]
struct Side {
    cases: usize,
    units: BTreeSet<u32>,
    /// How often each option is right, by question and key.
    right: BTreeMap<(String, String), usize>,
    without_gold: usize,
}

impl Side {
    fn add(&mut self, case: &Case, suite: &Suite) {
        self.cases += 1;
        self.units.insert(case.unit);
        let mut known = false;
        for (question, gold) in case.questions(&suite.questions).iter().zip(&case.gold) {
            let Some(option) = gold.as_ref().and_then(Gold::single) else {
                continue;
            };
            if let Some(option) = question.options.get(option) {
                known = true;
                let key = (question.name.clone(), option.key.clone());
                *self.right.entry(key).or_default() += 1;
            }
        }
        self.without_gold += usize::from(!known);
    }

    fn in_json(&self) -> Json {
        let right = self.right.iter();
        let right = right.map(
            |((question, option), n)| json!({ "question": question, "option": option, "n": n }),
        );
        json!({
            "cases": self.cases, "units": self.units.len(), "without_single_gold": self.without_gold,
            "right": right.collect::<Vec<_>>(),
        })
    }
}

struct Division {
    dev: Side,
    lockbox: Side,
    /// What the lock box cannot do.
    faults: Vec<String>,
}

impl Division {
    fn of(suite: &Suite, parts: &[Part]) -> Self {
        let (mut dev, mut lockbox) = (Side::default(), Side::default());
        for (case, part) in suite.cases.iter().zip(parts) {
            match part {
                Part::Lockbox => lockbox.add(case, suite),
                _ => dev.add(case, suite),
            }
        }
        let mut faults = Vec::new();
        let units = lockbox.units.len();
        if units < FEWEST_UNITS {
            faults.push(format!(
                "the lock box holds {units} units of evidence, fewer than {FEWEST_UNITS}: it can prove little"
            ));
        }
        for (key, here, there) in [
            (&dev, &lockbox, "the lock box"),
            (&lockbox, &dev, "development"),
        ]
        .into_iter()
        .flat_map(|(one, other, name)| {
            let only = one
                .right
                .keys()
                .filter(|key| !other.right.contains_key(*key));
            only.map(move |key| (key, one.right[key], name))
        }) {
            let (_, option) = key;
            faults.push(format!(
                "`{option}` is right in {here} cases, and in none of {there}"
            ));
        }
        Self {
            dev,
            lockbox,
            faults,
        }
    }

    fn in_words(&self, suite: &Suite) -> String {
        let mut out = format!("{}\n", suite.name);
        let count = |side: &Side| format!("{} cases in {} units", side.cases, side.units.len());
        let _ = writeln!(out, "  dev      {}", count(&self.dev));
        let _ = writeln!(out, "  lockbox  {}", count(&self.lockbox));
        let keys: BTreeSet<_> = self
            .dev
            .right
            .keys()
            .chain(self.lockbox.right.keys())
            .collect();
        for key in keys {
            let of = |side: &Side| side.right.get(key).copied().unwrap_or(0);
            let (question, option) = key;
            let name = if question.is_empty() {
                option.clone()
            } else {
                format!("{question}.{option}")
            };
            let _ = writeln!(
                out,
                "  {name}: {} dev, {} lockbox",
                of(&self.dev),
                of(&self.lockbox)
            );
        }
        for fault in &self.faults {
            let _ = writeln!(out, "  {fault}");
        }
        out
    }

    fn in_json(&self, suite: &Suite, parts: &[Part]) -> Json {
        let cases = suite.cases.iter().zip(parts);
        let cases: Vec<Json> = cases
            .map(|(case, part)| json!({ "case": case.id, "split": part.name() }))
            .collect();
        json!({
            "schema": 1, "suite": suite.name, "dev": self.dev.in_json(), "lockbox": self.lockbox.in_json(),
            "faults": self.faults, "cases": cases,
        })
    }
}
