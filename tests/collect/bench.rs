//! A small suite, a folder for its stores, and a way to collect.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use decbench_core::collect::{
    Asking, CollectError, Collected, Environment, Job, Limits, Mode, Progress, Source,
    collect_together, read_answers,
};
use decbench_core::decision::{
    Answer, AnswerOption, Call, Case, Context, Plan, Question, QuestionKind, State,
};
use decbench_core::provider::{
    AnsweredBy, Clock, Description, Outside, Price, Service, Settings, find_provider,
};
use serde_json::{Value, json};

use crate::support::system_one::{KEY, Server};

/// A suite with its stores.
pub(crate) struct Bench {
    pub(crate) folder: PathBuf,
    pub(crate) provider: &'static str,
    pub(crate) questions: Vec<Question>,
    pub(crate) cases: Vec<Case>,
    pub(crate) plan: Plan,
    /// The candidate's settings.
    pub(crate) settings: Settings,
    pub(crate) run: String,
    pub(crate) budget_usd: Option<f64>,
    pub(crate) confirm_usd: Option<f64>,
    pub(crate) deadline: Option<Duration>,
    /// Whether nobody knows what it costs, and whether that is allowed.
    pub(crate) unpriced: Option<bool>,
    /// What the environment holds.
    pub(crate) key: Option<String>,
    /// What people were told while they waited.
    pub(crate) told: Mutex<Vec<String>>,
    /// Where that is written too, for tests that kill.
    pub(crate) told_file: Option<PathBuf>,
    /// Tells the time of day.
    pub(crate) clock: Clock,
    /// What they heard of progress.
    pub(crate) heard: Mutex<Vec<Progress>>,
}

impl Bench {
    /// A choice about so many cases, asked once each.
    pub(crate) fn new(folder: &Path, server: &Server, cases: usize) -> Self {
        Self::at(folder, &server.url(), cases)
    }

    pub(crate) fn at(folder: &Path, url: &str, cases: usize) -> Self {
        let options = ["billing", "support", "sales"].map(AnswerOption::new);
        let mut bench = Self {
            folder: folder.to_owned(),
            provider: "system-one",
            questions: vec![Question {
                name: String::new(),
                kind: QuestionKind::Choice,
                version: None,
                instructions: "Which team?".to_owned(),
                options: options.to_vec(),
            }],
            cases: (0..cases)
                .map(|number| {
                    let state = State::Text(format!("caller {number} says something"));
                    Case::new(format!("c-{number}"), state)
                })
                .collect(),
            plan: Plan::default(),
            settings: Settings::new(),
            run: "run-1".to_owned(),
            budget_usd: Some(1.0),
            confirm_usd: None,
            deadline: None,
            unpriced: None,
            key: Some(KEY.to_owned()),
            told: Mutex::default(),
            told_file: None,
            clock: Clock::new(SystemTime::now),
            heard: Mutex::default(),
        };
        bench.set("model", json!("jev-1.13.0"));
        bench.set("base_url", json!(url));
        // No price is published for this machine.
        bench.set("price", json!({"input_per_million": 0.042}));
        bench.ask(&[(0, 0)]);
        bench
    }

    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.settings.insert(key.to_owned(), value);
    }

    /// Plans every case under these (repeat, order), all questions together.
    pub(crate) fn ask(&mut self, probes: &[(u32, u32)]) {
        let questions: Vec<usize> = (0..self.questions.len()).collect();
        self.plan.calls = (0..self.cases.len())
            .flat_map(|case| {
                let questions = questions.clone();
                probes.iter().map(move |(repeat, order)| Call {
                    case,
                    repeat: *repeat,
                    order: *order,
                    context: Context::Production,
                    questions: questions.clone(),
                })
            })
            .collect();
    }

    pub(crate) fn collect(&self, mode: Mode) -> Result<Collected, CollectError> {
        let jev = [("jev", self.settings.clone())];
        self.collect_from(&jev, mode)
            .pop()
            .expect("one for one candidate")
    }

    /// Collects from several candidates together.
    pub(crate) fn collect_from(
        &self,
        candidates: &[(&str, Settings)],
        mode: Mode,
    ) -> Vec<Result<Collected, CollectError>> {
        let resolved: Vec<_> = candidates
            .iter()
            .map(|(_, settings)| resolve(self.provider, settings))
            .collect();
        let connects: Vec<_> = resolved
            .iter()
            .map(|(service, settings, ..)| {
                move || {
                    let named = settings.get("key_env").and_then(Value::as_str);
                    let key_env = named.or(service.usual.map(|usual| usual.key_env));
                    let variable =
                        |name: &str| (Some(name) == key_env).then(|| self.key.clone())?;
                    let outside = Outside {
                        variable: &variable,
                        clock: Clock::new(SystemTime::now),
                        folder: &self.folder,
                    };
                    service.connection(settings, &outside)
                }
            })
            .collect();
        let told = |text: &str| {
            self.told.lock().expect("no panic").push(text.to_owned());
            if let Some(path) = &self.told_file {
                fs::OpenOptions::new()
                    .append(true)
                    .create(true)
                    .open(path)
                    .and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()))
                    .expect("a file");
            }
        };
        let heard = |progress: &Progress| {
            self.heard.lock().expect("no panic").push(progress.clone());
        };
        let jobs: Vec<Job<'_>> = candidates
            .iter()
            .zip(&resolved)
            .zip(&connects)
            .map(
                |(((name, _), (_, _, limits, price, description)), connect)| Job {
                    suite: "routing",
                    candidate: name,
                    questions: &self.questions,
                    cases: &self.cases,
                    plan: &self.plan,
                    source: Source::Asked(Asking {
                        identity: &description.identity,
                        remote: true,
                        host: Some(&description.host),
                        connect,
                    }),
                    context: None,
                    skip_missing: false,
                    limits: *limits,
                    price: price.filter(|_| self.unpriced.is_none()),
                    price_from: "its own price",
                    allow_unpriced: self.unpriced == Some(true),
                },
            )
            .collect();
        let environment = Environment {
            mode,
            recordings: self.folder.join("answers"),
            output: self.folder.join("out"),
            run: self.run.clone(),
            budget_usd: self.budget_usd,
            confirm_usd: self.confirm_usd,
            deadline: self.deadline,
            clock: self.clock.clone(),
            notice: &told,
            progress: &heard,
        };
        collect_together(&jobs, &environment)
    }

    pub(crate) fn fill(&self) -> Collected {
        self.collect(Mode::Fill).expect("a fill")
    }

    pub(crate) fn replay(&self) -> Collected {
        self.collect(Mode::Replay).expect("a replay")
    }

    pub(crate) fn live(&self) -> Collected {
        self.collect(Mode::Live).expect("live answers")
    }

    pub(crate) fn recordings_path(&self) -> PathBuf {
        self.folder.join("answers/routing/jev.jsonl")
    }

    pub(crate) fn recordings(&self) -> Vec<Answer> {
        let read = read_answers(&self.recordings_path()).expect("a file that reads");
        assert_eq!(read.bad, []);
        read.answers
    }

    pub(crate) fn run_store(&self) -> Vec<Answer> {
        let path = self.folder.join("out/runs").join(&self.run);
        let read = read_answers(&path.join("routing/jev.jsonl")).expect("a file that reads");
        assert_eq!(read.bad, []);
        read.answers
    }

    /// Every file below the folder, with its text.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).expect("a file");
                    files.push((path, String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
        files
    }
}

fn resolve(
    provider: &str,
    settings: &Settings,
) -> (Service, Settings, Limits, Option<Price>, Description) {
    let mut settings = settings.clone();
    let (limits, price) = Limits::take_from(&mut settings).expect("usable limits");
    let kind = find_provider(provider).expect("there is one");
    let AnsweredBy::Service(service) = kind.answered_by else {
        panic!("it is a service");
    };
    let description = service.description(&settings).expect("usable settings");
    let price = price.or(description.price);
    (service, settings, limits, price, description)
}

/// Labels, or kinds of failures, by case.
pub(crate) fn outcomes(answers: &[Answer]) -> Vec<(&str, &str)> {
    answers
        .iter()
        .map(|answer| {
            let outcome = match &answer.outcome {
                Ok(decided) => decided.label.as_deref().unwrap_or("-"),
                Err(failure) => failure.kind.name(),
            };
            (answer.case.as_str(), outcome)
        })
        .collect()
}
