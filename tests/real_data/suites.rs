//! Runs a suite in this process and reads figures off its `scorecard.json`.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use decbench_core::collect::Mode;
use decbench_core::config::Config;
use decbench_core::provider::Clock;
use decbench_core::report::to_json;
use decbench_core::run::{Settings, SuiteRun, TrialResult, check_candidates, trials_of};
use serde_json::Value;

/// A scorecard as JSON.
pub(crate) struct Card(pub(crate) Value);

/// Writes a suite with its case file beside it into a fresh folder, and runs it. In the texts `{data}` stands for the
/// folder of data.
pub(crate) fn run(data: &Path, suite: &str, cases: Option<&str>) -> Result<Card, String> {
    let files: Vec<(String, String)> = cases
        .map(|cases| ("cases.jsonl".to_owned(), cases.to_owned()))
        .into_iter()
        .collect();
    run_with(data, suite, &files)
}

/// As [`run`], with any files beside the suite.
pub(crate) fn run_with(
    data: &Path,
    suite: &str,
    files: &[(String, String)],
) -> Result<Card, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let data = data.canonicalize().map_err(|error| error.to_string())?;
    let text = suite.replace("{data}", &data.to_string_lossy());
    let path = folder.path().join("suite.yaml");
    fs::write(&path, text).map_err(|error| error.to_string())?;
    for (name, text) in files {
        fs::write(folder.path().join(name), text).map_err(|error| error.to_string())?;
    }
    let loaded = decbench_core::suite::load(&path).map_err(|mistakes| mistakes.render())?;
    let settings = Settings {
        mode: Mode::Replay,
        strict: false,
        budget_usd: None,
        confirm_usd: None,
        deadline: None,
        allow_unpriced: Vec::new(),
        baseline: None,
        folder: folder.path().to_owned(),
        lockbox: false,
        output: folder.path().join("out"),
        run: "real-data".to_owned(),
        config: Config::default(),
        package: "decbench".to_owned(),
        rerun: "{}".to_owned(),
        record: "{}".to_owned(),
        confirm: String::new(),
        clock: Clock::new(SystemTime::now),
        variable: Box::new(|_| None),
        notice: Box::new(|_| {}),
        progress: Box::new(|_| {}),
    };
    check_candidates(&loaded.suite, &settings.config, &settings.package, false)
        .map_err(|mistakes| mistakes.render())?;
    let trials = trials_of(&loaded.suite);
    let run = SuiteRun::new(&loaded.suite, &settings, &trials);
    // Data checks are part of what a suite says of its cases. Authors may settle a case against both of their raters,
    // which the check of agreement names and the published figures keep.
    for trial in &trials {
        if trial.name.contains("::data::")
            && !trial.name.ends_with("::data::agreement")
            && let TrialResult::Failed(text) = run.run(trial)
        {
            return Err(format!("{}: {text}", trial.name));
        }
    }
    Ok(Card(to_json(&run.scorecard())))
}

impl Card {
    /// The first candidate's results on a question; empty for a single unnamed one.
    pub(crate) fn question(&self, name: &str) -> Result<Figures<'_>, String> {
        Self::question_of(&self.0["candidates"][0], name)
    }

    /// A candidate's results on a question.
    pub(crate) fn of(&self, candidate: &str, name: &str) -> Result<Figures<'_>, String> {
        let candidates = self.0["candidates"].as_array().ok_or("no candidates")?;
        let found = candidates.iter().find(|card| card["name"] == candidate);
        Self::question_of(
            found.ok_or_else(|| format!("no candidate `{candidate}`"))?,
            name,
        )
    }

    fn question_of<'a>(candidate: &'a Value, name: &str) -> Result<Figures<'a>, String> {
        let questions = candidate["questions"].as_array().ok_or("no questions")?;
        let question = questions
            .iter()
            .find(|question| question["name"] == name)
            .ok_or_else(|| format!("no question `{name}`"))?;
        Ok(Figures {
            what: format!("{} {name}", candidate["name"]),
            metrics: &question["metrics"],
            question,
        })
    }
}

/// The metrics of one question or group.
pub(crate) struct Figures<'a> {
    what: String,
    metrics: &'a Value,
    question: &'a Value,
}

impl<'a> Figures<'a> {
    /// The metrics of one group.
    pub(crate) fn group(&self, by: &str, value: &str) -> Result<Figures<'a>, String> {
        let groups = self.question["groups"].as_array().ok_or("no groups")?;
        let group = groups
            .iter()
            .find(|group| group["by"] == by && group["value"] == value)
            .ok_or_else(|| format!("no group {by} = {value}"))?;
        Ok(Figures {
            what: format!("{}, {by} = {value}", self.what),
            metrics: &group["metrics"],
            question: self.question,
        })
    }

    /// The same metrics with every case counting by its weight.
    pub(crate) fn population(&self) -> Figures<'a> {
        Figures {
            what: format!("{}, of the population", self.what),
            metrics: &self.question["population"],
            question: self.question,
        }
    }

    /// A part of a value, by name.
    pub(crate) fn part(&self, name: &str, part: &str) -> Result<f64, String> {
        let found = &self.metrics[name]["parts"][part];
        found
            .as_f64()
            .ok_or_else(|| format!("{}: no part {part} of {name}", self.what))
    }

    pub(crate) fn metric(&self, name: &str) -> &'a Value {
        &self.metrics[name]
    }

    /// Checks a value to within a tolerance.
    pub(crate) fn near(&self, name: &str, expected: f64, tolerance: f64) -> Result<(), String> {
        let found = &self.metrics[name];
        let value = found["value"]
            .as_f64()
            .ok_or_else(|| format!("{}: {name} is {found}", self.what))?;
        self.close(name, value, expected, tolerance)
    }

    /// Checks the two ends of an interval to within a tolerance.
    pub(crate) fn interval_near(
        &self,
        name: &str,
        expected: [f64; 2],
        tolerance: f64,
    ) -> Result<(), String> {
        for (end, expected) in expected.into_iter().enumerate() {
            let value = self.metrics[name]["interval"][end]
                .as_f64()
                .ok_or_else(|| format!("{}: no interval of {name}", self.what))?;
            self.close(name, value, expected, tolerance)?;
        }
        Ok(())
    }

    pub(crate) fn n(&self, name: &str, expected: u64) -> Result<(), String> {
        let n = self.metrics[name]["n"].as_u64();
        if n == Some(expected) {
            Ok(())
        } else {
            Err(format!(
                "{}: n of {name} is {n:?}, published {expected}",
                self.what
            ))
        }
    }

    fn close(&self, name: &str, value: f64, expected: f64, tolerance: f64) -> Result<(), String> {
        if (value - expected).abs() <= tolerance {
            Ok(())
        } else {
            Err(format!(
                "{}: {name} is {value}, published {expected} (within {tolerance})",
                self.what
            ))
        }
    }
}
