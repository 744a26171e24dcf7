//! Recorded answers of two sides, candidate by candidate.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::SystemTime;

use decbench_core::collect::Mode;
use decbench_core::config::Config;
use decbench_core::metric::Unit;
use decbench_core::provider::Clock;
use decbench_core::report::{format_interval, format_value};
use decbench_core::run::{Difference, Flip, QuestionDifference, Settings, SuiteRun};
use decbench_core::suite::{self, Suite, suite_files};
use serde_json::{Value as Json, json};

use super::{Diff, Found};
use crate::ending::Unusable;
use crate::packages::Package;
use crate::suites;

/// Compares every suite of the later side with the same one of the earlier, and tells what only the earlier has.
pub(super) fn compare(
    task: &Diff,
    package: &Package,
    before: &Path,
    after: &Path,
    found: &mut Found,
) -> Result<(), Unusable> {
    let below = package
        .suites
        .strip_prefix(&package.folder)
        .map_err(|_| Unusable::new("the folder of suites lies outside the package"))?;
    let folder = after.join(below);
    let paths = suite_files(&folder).map_err(|error| Unusable::file(&folder, error))?;
    let settings = settings(package, before, after)?;
    let mut gone = earlier_suites(&before.join(below));
    for path in paths {
        let suite = suites::load(&path)?.suite;
        let earlier = gone.remove(&suite.name).unwrap_or_default();
        if task.suite.as_ref().is_none_or(|name| *name == suite.name) {
            of_suite(task, &suite, &earlier, &settings, found);
        }
    }
    for name in gone.into_keys() {
        if task.suite.as_ref().is_none_or(|meant| *meant == name) {
            found.differs = true;
            let _ = writeln!(found.text, "{name}\n  only the earlier side has this suite");
            found
                .json
                .push(json!({ "suite": name, "only_before": true, "candidates": [] }));
        }
    }
    Ok(())
}

/// The suites of the earlier side with their candidates. One that does not read is known by its file's name alone, as
/// it is not this side that anybody would mend.
fn earlier_suites(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let paths = suite_files(folder).unwrap_or_default();
    let read = paths.iter().filter_map(|path| match suite::load(path) {
        Ok(loaded) => {
            let candidates = loaded.suite.candidates.into_iter();
            let names = candidates.map(|candidate| candidate.name).collect();
            Some((loaded.suite.name, names))
        }
        Err(_) => Some((path.file_stem()?.to_str()?.to_owned(), Vec::new())),
    });
    read.collect()
}

/// Recordings alone are read: nobody is asked.
fn settings(package: &Package, before: &Path, after: &Path) -> Result<Settings, Unusable> {
    let file = after.join("decbench.toml");
    let config = if file.exists() {
        Config::load(&file).map_err(|mistakes| Unusable::new(mistakes.render()))?
    } else {
        Config::default()
    };
    Ok(Settings {
        mode: Mode::Replay,
        strict: false,
        budget_usd: None,
        confirm_usd: None,
        deadline: None,
        allow_unpriced: Vec::new(),
        baseline: Some(before.to_string_lossy().into_owned()),
        folder: after.to_owned(),
        lockbox: std::env::var("DECBENCH_LOCKBOX").is_ok_and(|value| value == "1"),
        output: package.output.clone(),
        run: "diff".to_owned(),
        config,
        package: package.name.clone(),
        rerun: String::new(),
        record: String::new(),
        confirm: String::new(),
        clock: Clock::new(SystemTime::now),
        variable: Box::new(|_| None),
        notice: Box::new(|_| {}),
        progress: Box::new(|_| {}),
    })
}

fn of_suite(
    task: &Diff,
    suite: &Suite,
    earlier: &[String],
    settings: &Settings,
    found: &mut Found,
) {
    let run = SuiteRun::new(suite, settings, []);
    let is_meant = |name: &String| task.candidates.is_empty() || task.candidates.contains(name);
    let meant = (0..suite.candidates.len()).filter(|at| is_meant(&suite.candidates[*at].name));
    let _ = writeln!(found.text, "{}", suite.name);
    let mut candidates = Vec::new();
    for at in meant {
        let name = &suite.candidates[at].name;
        match run.difference(at) {
            Ok(difference) => {
                found.differs |= differs(&difference);
                found.text.push_str(&in_words(&difference, task.flips));
                candidates.push(in_json(&difference));
            }
            Err(reason) => {
                found.differs = true;
                let _ = writeln!(found.text, "  {name}: not compared: {reason}");
                candidates.push(json!({ "candidate": name, "not_compared": reason }));
            }
        }
    }
    let is_there = |name: &String| suite.candidates.iter().any(|one| one.name == *name);
    for name in earlier
        .iter()
        .filter(|name| is_meant(name) && !is_there(name))
    {
        found.differs = true;
        let _ = writeln!(
            found.text,
            "  {name}: only the earlier side has this candidate"
        );
        candidates.push(json!({ "candidate": name, "only_before": true }));
    }
    found
        .json
        .push(json!({ "suite": suite.name, "candidates": candidates }));
}

fn differs(difference: &Difference) -> bool {
    // Where nothing was compared nobody knows that it is the same.
    let moved = |question: &QuestionDifference| {
        question.cases == 0
            || question.only != (0, 0)
            || !question.flips.is_empty()
            || question
                .shift
                .as_ref()
                .is_some_and(|shift| shift.most > 0.0)
    };
    difference.questions.iter().any(moved)
        || difference.models.0 != difference.models.1
        || difference
            .cost_per_1000
            .is_some_and(|(before, after)| before != after)
}

fn in_words(difference: &Difference, shown: usize) -> String {
    let mut out = String::new();
    for question in &difference.questions {
        let name = match question.question.as_str() {
            "" => difference.candidate.clone(),
            name => format!("{} {name}", difference.candidate),
        };
        let _ = writeln!(
            out,
            "  {name}: {} of {} answers are others now",
            question.flips.len(),
            question.cases
        );
        if question.only != (0, 0) {
            let (before, after) = question.only;
            let _ = writeln!(
                out,
                "    not compared: {before} cases answered only before, {after} only after"
            );
        }
        for flip in question.flips.iter().take(shown) {
            let _ = writeln!(out, "    {}", flip_words(flip));
        }
        if question.flips.len() > shown {
            let _ = writeln!(out, "    and {} more", question.flips.len() - shown);
        }
        if let Some(shift) = &question.shift {
            let _ = writeln!(
                out,
                "    probabilities moved by {:.3} on average of {} cases, most in {} by {:.3}",
                shift.mean, shift.cases, shift.case, shift.most
            );
        }
        if let Some(accuracy) = &question.accuracy {
            let interval = accuracy.interval.map_or_else(String::new, |interval| {
                let interval = format_interval(interval, Unit::Difference);
                format!(" {interval} at 95%, {}", accuracy.method)
            });
            let _ = writeln!(
                out,
                "    accuracy {} → {}, {}{interval}, n {}",
                format_value(accuracy.before, Unit::Share),
                format_value(accuracy.after, Unit::Share),
                format_value(accuracy.after - accuracy.before, Unit::Difference),
                accuracy.cases
            );
        }
    }
    if let Some((before, after)) = difference.cost_per_1000 {
        let _ = writeln!(
            out,
            "    cost per 1,000 {} → {}",
            format_value(before, Unit::Dollars),
            format_value(after, Unit::Dollars)
        );
    }
    let (before, after) = &difference.models;
    if before != after {
        let names = |names: &[String]| match names {
            [] => "unnamed".to_owned(),
            names => names.join(", "),
        };
        let _ = writeln!(out, "    model {} → {}", names(before), names(after));
    }
    out
}

fn flip_words(flip: &Flip) -> String {
    let (then, now) = &flip.said;
    let lead = |margin: Option<f64>| {
        margin.map_or_else(String::new, |margin| format!(" (leads by {margin:.2})"))
    };
    let gold = flip
        .gold
        .as_ref()
        .map_or_else(String::new, |gold| format!(", gold {gold}"));
    let turn = match flip.right {
        (Some(true), Some(false)) => "  newly wrong",
        (Some(false), Some(true)) => "  newly right",
        _ => "",
    };
    format!(
        "{}{gold}: {then}{} → {now}{}{turn}",
        flip.case,
        lead(flip.margins.0),
        lead(flip.margins.1)
    )
}

fn in_json(difference: &Difference) -> Json {
    let questions: Vec<Json> = difference.questions.iter().map(question_json).collect();
    json!({
        "candidate": difference.candidate, "questions": questions,
        "models": { "before": difference.models.0, "after": difference.models.1 },
        "cost_per_1000": difference.cost_per_1000.map(|(before, after)| json!({ "before": before, "after": after })),
    })
}

fn question_json(question: &QuestionDifference) -> Json {
    let flips: Vec<Json> = question
        .flips
        .iter()
        .map(|flip| {
            json!({
                "case": flip.case, "gold": flip.gold, "before": flip.said.0, "after": flip.said.1,
                "right_before": flip.right.0, "right_after": flip.right.1,
                "margin_before": flip.margins.0, "margin_after": flip.margins.1,
            })
        })
        .collect();
    json!({
        "question": question.question, "cases": question.cases, "flips": flips,
        "only_before": question.only.0, "only_after": question.only.1,
        "probability_shift": question.shift.as_ref().map(|shift| json!({
            "mean": shift.mean, "most": shift.most, "case": shift.case, "cases": shift.cases,
        })),
        "accuracy": question.accuracy.as_ref().map(|accuracy| json!({
            "before": accuracy.before, "after": accuracy.after,
            "difference": accuracy.after - accuracy.before,
            "interval": accuracy.interval.map(|interval| [interval.low, interval.high]),
            "cases": accuracy.cases, "method": accuracy.method,
        })),
    })
}
