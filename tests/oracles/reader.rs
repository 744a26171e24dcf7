//! Reads a folder of golden values and dispatches its cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::{Map, Value};

use crate::case::{Case, number};
use crate::compare::{Answer, Tolerance, compare};

/// The statistics of one topic.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    pub(crate) stats: &'static [Stat],
}

/// One statistic: how its cases are computed, and which expected keys are not ours.
pub(crate) struct Stat {
    pub(crate) name: &'static str,
    pub(crate) compute: fn(&Case) -> Answer,
    /// Expected keys that are not compared, each with its reason.
    pub(crate) left_out: &'static [(&'static str, &'static str)],
}

impl Stat {
    pub(crate) const fn new(name: &'static str, compute: fn(&Case) -> Answer) -> Self {
        Self {
            name,
            compute,
            left_out: &[],
        }
    }
}

/// Counts and disagreements of a whole folder.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) problems: Vec<String>,
    /// Topic to (passed, all) cases.
    passed: BTreeMap<String, (usize, usize)>,
}

impl Outcome {
    /// Adds a problem for each known topic that the folder did not hold.
    pub(crate) fn require_all_of(&mut self, tables: &[&[Topic]]) {
        for topic in tables.iter().copied().flatten() {
            if !self.passed.contains_key(topic.name) {
                self.problems.push(format!("{}: has no file", topic.name));
            }
        }
    }

    /// Cases passed per topic, one topic a line, and the sum.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from("\ngolden values, cases passed per topic\n");
        let mut sum = (0, 0);
        for (topic, (passed, all)) in &self.passed {
            let _ = writeln!(text, "  {topic:<24}{passed:>4} of {all}");
            sum = (sum.0 + passed, sum.1 + all);
        }
        let topics = self.passed.len();
        let _ = writeln!(
            text,
            "  {:<24}{:>4} of {} in {topics} topics",
            "", sum.0, sum.1
        );
        text
    }
}

pub(crate) fn read_folder(folder: &Path, tables: &[&[Topic]]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut files: Vec<_> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => {
            let problem = format!("{}: cannot be read: {error}", folder.display());
            outcome.problems.push(problem);
            return outcome;
        }
    };
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    if files.is_empty() {
        let problem = format!("{}: holds no golden values", folder.display());
        outcome.problems.push(problem);
    }
    for path in files {
        let read = std::fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        match read {
            Ok(file) => read_topic(&file, tables, &mut outcome),
            Err(error) => outcome
                .problems
                .push(format!("{}: {error}", path.display())),
        }
    }
    outcome
}

fn read_topic(file: &Value, tables: &[&[Topic]], outcome: &mut Outcome) {
    let name = file["topic"].as_str().unwrap_or_default();
    let Some(cases) = file["cases"].as_array().filter(|cases| !cases.is_empty()) else {
        outcome.problems.push(format!("{name}: has no cases"));
        return;
    };
    let known = tables.iter().copied().flatten();
    let topic = known.into_iter().find(|topic| topic.name == name);
    let counts = outcome.passed.entry(name.to_owned()).or_default();
    counts.1 += cases.len();
    let Some(topic) = topic else {
        outcome.problems.push(format!("{name}: unknown topic"));
        return;
    };
    for case in cases {
        let problems = run_case(topic, case, cases);
        if problems.is_empty() {
            counts.0 += 1;
        }
        outcome.problems.extend(problems);
    }
}

fn run_case(topic: &Topic, case: &Value, all: &[Value]) -> Vec<String> {
    let label = case["name"].as_str().unwrap_or_default();
    let place = format!("{}: {label}", topic.name);
    let stat_name = case["stat"].as_str().unwrap_or_default();
    let Some(stat) = topic.stats.iter().find(|stat| stat.name == stat_name) else {
        return vec![format!("{place}: unknown stat `{stat_name}`")];
    };
    let (Some(input), Some(expected)) = (input_of(case, all), case["expected"].as_object()) else {
        return vec![format!(
            "{place}: has no readable input and expected values"
        )];
    };
    let tolerance = &case["tolerance"];
    let (Some(abs), Some(rel)) = (number(&tolerance["abs"]), number(&tolerance["rel"])) else {
        return vec![format!("{place}: has no tolerance")];
    };
    let case = Case {
        name: place.clone(),
        input,
        expected: expected.clone(),
    };
    // A panic is the disagreement of one case, not the end of the table.
    let Ok(answer) = catch_unwind(AssertUnwindSafe(|| (stat.compute)(&case))) else {
        return vec![format!("{place}: panicked")];
    };
    let mut problems = Vec::new();
    for (key, expected) in &case.expected {
        if stat.left_out.iter().any(|(name, _)| name == key) {
            continue;
        }
        let place = format!("{place}: {key}");
        let field = &tolerance["fields"][key];
        let tolerance = Tolerance {
            abs: number(&field["abs"]).unwrap_or(abs),
            rel: number(&field["rel"]).unwrap_or(rel),
        };
        match answer.0.iter().find(|(name, _)| name == key) {
            Some((_, got)) => compare(&place, expected, got, tolerance, &mut problems),
            None => problems.push(format!("{place}: nothing compares this key")),
        }
    }
    problems
}

/// The case's input, over that of the case whose data it shares.
fn input_of(case: &Value, all: &[Value]) -> Option<Map<String, Value>> {
    let own = case["input"].as_object()?;
    let shared = case
        .get("same_data_as")
        .or_else(|| own.get("same_data_as"))
        .and_then(Value::as_str);
    let mut input = match shared {
        Some(name) => input_of(all.iter().find(|other| other["name"] == name)?, all)?,
        None => Map::new(),
    };
    for (key, value) in own {
        input.insert(key.clone(), value.clone());
    }
    Some(input)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TABLE: &[Topic] = &[Topic {
        name: "halves",
        stats: &[Stat::new("half", |case| {
            Answer::new().with("value", case.number("x") / 2.0)
        })],
    }];

    fn problems_of(topic: &str, stat: &str, expected: &Value) -> Vec<String> {
        let file = json!({"topic": topic, "cases": [
            {"name": "first", "stat": stat, "input": {"x": 3}, "expected": expected,
             "tolerance": {"abs": 1e-12, "rel": 0, "fields": {"value": {"abs": 1e-3}}}},
        ]});
        let mut outcome = Outcome::default();
        read_topic(&file, &[TABLE], &mut outcome);
        outcome.problems
    }

    #[test]
    fn agreement_within_the_field_tolerance_passes() {
        assert!(problems_of("halves", "half", &json!({"value": 1.5009})).is_empty());
        assert_eq!(
            problems_of("halves", "half", &json!({"value": 1.502})).len(),
            1
        );
    }

    #[test]
    fn what_the_tables_do_not_know_fails() {
        let expected = json!({"value": 1.5});
        assert_eq!(problems_of("thirds", "half", &expected).len(), 1);
        assert_eq!(problems_of("halves", "third", &expected).len(), 1);
        let uncompared = json!({"value": 1.5, "other": 2});
        assert_eq!(problems_of("halves", "half", &uncompared).len(), 1);
    }

    #[test]
    fn shared_data_is_taken_from_the_named_case() {
        let all = [
            json!({"name": "a", "input": {"x": 1, "y": 2}}),
            json!({"name": "b", "same_data_as": "a", "input": {"y": 3}}),
        ];
        let input = input_of(&all[1], &all).unwrap();
        assert_eq!(Value::Object(input), json!({"x": 1, "y": 3}));
    }

    #[test]
    fn a_topic_without_a_file_fails_where_all_are_required() {
        let mut outcome = Outcome::default();
        outcome.require_all_of(&[TABLE]);
        assert_eq!(outcome.problems, ["halves: has no file"]);
    }

    #[test]
    fn a_folder_without_values_fails() {
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(read_folder(empty.path(), &[TABLE]).problems.len(), 1);
        let missing = empty.path().join("missing");
        assert_eq!(read_folder(&missing, &[TABLE]).problems.len(), 1);
    }
}
