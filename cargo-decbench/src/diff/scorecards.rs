//! Two scorecards, number by number.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use decbench_core::metric::{Metric, Unit};
use decbench_core::report::format_value;
use serde_json::{Value as Json, json};

use super::{Diff, Found};
use crate::ending::Unusable;
use crate::report::card::{self, Card, Measured, measured};

const FILE: &str = "scorecard.json";

/// Scorecards by suite.
type Cards = BTreeMap<String, Card>;

/// The scorecards of both sides, where both have any.
pub(super) fn both(before: &Path, after: &Path) -> Result<Option<(Cards, Cards)>, Unusable> {
    let (before, after) = (cards(before)?, cards(after)?);
    Ok((!before.is_empty() && !after.is_empty()).then_some((before, after)))
}

/// A scorecard, or those of a folder and of the folders in it.
fn cards(side: &Path) -> Result<Cards, Unusable> {
    let mut paths: Vec<PathBuf> = Vec::new();
    if side.is_file() {
        paths.push(side.to_owned());
    } else if side.is_dir() {
        paths.push(side.join(FILE));
        let entries = std::fs::read_dir(side).map_err(|error| Unusable::file(side, error))?;
        paths.extend(entries.flatten().map(|entry| entry.path().join(FILE)));
    }
    let files = paths.iter().filter(|path| path.is_file());
    files
        .map(|path| card::read(path).map(|card| (card.suite.clone(), card)))
        .collect()
}

pub(super) fn compare(task: &Diff, before: &Cards, after: &Cards) -> Found {
    let mut found = Found::default();
    let meant = |name: &&String| task.suite.as_ref().is_none_or(|suite| suite == *name);
    for name in after.keys().filter(meant) {
        let now = &after[name];
        let _ = writeln!(found.text, "{name}");
        let Some(then) = before.get(name) else {
            found.differs = true;
            found.text.push_str("  new\n");
            found.json.push(json!({ "suite": name, "new": true }));
            continue;
        };
        let outcomes = outcomes(task, then, now);
        let metrics = metrics(task, then, now);
        found.differs |= !outcomes.is_empty() || !metrics.is_empty();
        for change in &outcomes {
            let _ = writeln!(
                found.text,
                "  {}: {} → {}",
                change.name, change.before, change.after
            );
        }
        for change in &metrics {
            let _ = writeln!(
                found.text,
                "  {}: {} → {}{}",
                change.name, change.before, change.after, change.note
            );
        }
        if outcomes.is_empty() && metrics.is_empty() {
            found.text.push_str("  nothing changed\n");
        }
        let all = |changes: &[Change]| changes.iter().map(Change::in_json).collect::<Vec<_>>();
        found.json.push(json!({
            "suite": name, "outcomes": all(&outcomes), "metrics": all(&metrics),
            "same_data": then.digest == now.digest,
        }));
    }
    for name in before
        .keys()
        .filter(meant)
        .filter(|name| !after.contains_key(*name))
    {
        found.differs = true;
        let _ = writeln!(found.text, "{name}\n  gone");
        found.json.push(json!({ "suite": name, "gone": true }));
    }
    found
}

/// Something that is not what it was, in words.
struct Change {
    name: String,
    before: String,
    after: String,
    note: &'static str,
}

impl Change {
    fn in_json(&self) -> Json {
        json!({ "name": self.name, "before": self.before, "after": self.after, "apart": !self.note.is_empty() })
    }
}

fn is_meant(task: &Diff, candidate: &str) -> bool {
    task.candidates.is_empty() || task.candidates.iter().any(|name| name == candidate)
}

fn outcomes(task: &Diff, before: &Card, after: &Card) -> Vec<Change> {
    let by_trial = |card: &Card| -> BTreeMap<String, String> {
        let lines = card.assertions.iter();
        let lines = lines.filter(|line| is_meant(task, &line.candidate));
        lines
            .map(|line| {
                (
                    format!("{} {}", line.trial, line.bound),
                    line.outcome.replace('_', " "),
                )
            })
            .collect()
    };
    changes(by_trial(before), by_trial(after), "not asserted")
}

fn metrics(task: &Diff, before: &Card, after: &Card) -> Vec<Change> {
    let all = |card: &Card| -> BTreeMap<String, (Metric, Measured)> {
        let mut found = BTreeMap::new();
        for candidate in card
            .candidates
            .iter()
            .filter(|one| is_meant(task, &one.name))
        {
            for question in &candidate.questions {
                for (name, value) in &question.metrics {
                    if let (Ok(metric), Some(value)) = (Metric::parse(name), measured(value)) {
                        let of = match question.name.as_str() {
                            "" => String::new(),
                            question => format!("{question}."),
                        };
                        let key = format!("{} {of}{name}", candidate.name);
                        found.insert(key, (metric, value));
                    }
                }
            }
        }
        found
    };
    let (before, after) = (all(before), all(after));
    let apart: BTreeMap<&String, bool> = before
        .iter()
        .filter_map(|(name, (_, then))| Some((name, are_apart(then, &after.get(name)?.1))))
        .collect();
    let words = |values: &BTreeMap<String, (Metric, Measured)>| -> BTreeMap<String, String> {
        let values = values.iter();
        values
            .map(|(name, (metric, value))| (name.clone(), value_words(metric.info().unit, value)))
            .collect()
    };
    let mut found = changes(words(&before), words(&after), "not measured");
    for change in &mut found {
        if apart.get(&change.name).copied().unwrap_or(false) {
            change.note = "  (intervals do not overlap)";
        }
    }
    found
}

fn are_apart(then: &Measured, now: &Measured) -> bool {
    match (then.interval, now.interval) {
        (Some(then), Some(now)) => then.1 < now.0 || now.1 < then.0,
        _ => false,
    }
}

fn value_words(unit: Unit, value: &Measured) -> String {
    let words = |number: f64| format_value(number, unit);
    match value.interval {
        Some((low, high)) => format!("{} [{}, {}]", words(value.value), words(low), words(high)),
        None => words(value.value),
    }
}

fn changes(
    before: BTreeMap<String, String>,
    mut after: BTreeMap<String, String>,
    nothing: &str,
) -> Vec<Change> {
    let mut found = Vec::new();
    for (name, then) in before {
        let now = after.remove(&name).unwrap_or_else(|| nothing.to_owned());
        if then != now {
            found.push(Change {
                name,
                before: then,
                after: now,
                note: "",
            });
        }
    }
    found.extend(after.into_iter().map(|(name, now)| Change {
        name,
        before: nothing.to_owned(),
        after: now,
        note: "",
    }));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}
