//! Cases with what each candidate answered.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use decbench_core::collect::read_answers;
use decbench_core::decision::{Answer, Case, Digest, Gold, Question, Split};
use decbench_core::metric::Conventions;
use decbench_core::run::answers_made_elsewhere;
use decbench_core::score::{GateAnswers, Observed, Said as Counted};
use decbench_core::suite::{Lockbox, Suite};

use crate::ending::Unusable;
use crate::packages::Package;

/// A case of one question as the page shows it.
#[derive(Debug, Clone)]
pub(crate) struct CaseRow {
    pub(crate) id: String,
    pub(crate) question: String,
    pub(crate) state: String,
    /// In words; empty where there is none.
    pub(crate) gold: String,
    /// One entry per candidate, in the suite's order.
    pub(crate) said: Vec<Option<Said>>,
}

/// What a candidate said of a case.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) label: String,
    pub(crate) right: Option<bool>,
    pub(crate) confidence: Option<f64>,
    /// Whether repeats of the same call disagree.
    pub(crate) flickers: bool,
}

/// Everything that is known of answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) cases: Vec<CaseRow>,
    /// Milliseconds of every base call, sorted, by candidate.
    pub(crate) latencies: Vec<Vec<f64>>,
    /// What makes the page incomplete.
    pub(crate) notes: Vec<String>,
}

/// Cases and answers of a suite: recordings, and the newest run for what is not recorded.
pub(crate) fn gather(package: &Package, suite: &Suite) -> Result<Rows, Unusable> {
    let mut rows = Rows::default();
    let mut by_candidate = Vec::new();
    let lockbox_open = std::env::var("DECBENCH_LOCKBOX").is_ok_and(|value| value == "1");
    let lockbox = if lockbox_open {
        Lockbox::Open
    } else {
        Lockbox::Closed
    };
    let config = package.config()?;
    for (position, candidate) in suite.candidates.iter().enumerate() {
        let elsewhere = answers_made_elsewhere(suite, position, lockbox, &config);
        let answers = match elsewhere.map_err(Unusable::new)? {
            Some(answers) => answers,
            None => answers(package, suite, &candidate.name)?,
        };
        if answers.is_empty() {
            rows.notes.push(format!(
                "no answers of `{}` were found beside the suite or in the last runs",
                candidate.name
            ));
        }
        let mut latencies: Vec<f64> = answers
            .iter()
            .filter(|answer| answer.probe.is_base() && answer.measured.cold != Some(true))
            .filter_map(|answer| answer.measured.latency_ms)
            .collect();
        latencies.sort_by(f64::total_cmp);
        rows.latencies.push(latencies);
        let gates = gates(suite, &answers);
        by_candidate.push((by_case(answers), gates));
    }
    let shown = |split: Split| split != Split::Lockbox || lockbox_open;
    let usual = Conventions::default();
    for case in suite.cases.iter().filter(|case| shown(case.split)) {
        for (position, question) in case.questions(&suite.questions).iter().enumerate() {
            let gold = case.gold.get(position).and_then(Option::as_ref);
            let counts_for = suite.counts_for(case, position);
            let conventions = counts_for
                .and_then(|at| suite.conventions.get(at))
                .unwrap_or(&usual);
            let said = by_candidate.iter().map(|(answers, gates)| {
                let answers = answers.get(&(case.id.clone(), question.name.clone()))?;
                let gate = conventions.gate.zip(gates.get(&counts_for?));
                said(answers, gold, question, |answer| {
                    let observed = Observed::read(answer, question, conventions);
                    match gate {
                        Some((gate, gates)) => gates.decide(&gate, case, observed),
                        None => Some(observed),
                    }
                })
            });
            rows.cases.push(CaseRow {
                id: case.id.clone(),
                question: question.name.clone(),
                state: case
                    .state
                    .as_ref()
                    .map(|state| state.as_text().into_owned())
                    .unwrap_or_default(),
                gold: gold
                    .map(|gold| gold_words(gold, question))
                    .unwrap_or_default(),
                said: said.collect(),
            });
        }
    }
    Ok(rows)
}

/// The answers to the gates of a suite, by the question that stands behind them.
fn gates(suite: &Suite, answers: &[Answer]) -> HashMap<usize, GateAnswers> {
    let gated = suite.conventions.iter().enumerate();
    gated
        .filter_map(|(position, conventions)| {
            let gate = conventions.gate?;
            let name = &suite.questions.get(gate.question)?.name;
            let read = GateAnswers::read(&gate, name, &suite.questions, &suite.cases, answers);
            Some((position, read))
        })
        .collect()
}

fn by_case(answers: Vec<Answer>) -> HashMap<(String, String), Vec<Answer>> {
    let mut by_case: HashMap<_, Vec<Answer>> = HashMap::new();
    for answer in answers {
        let key = (answer.case.clone(), answer.question.clone());
        by_case.entry(key).or_default().push(answer);
    }
    by_case
}

fn said(
    answers: &[Answer],
    gold: Option<&Gold>,
    question: &Question,
    read: impl Fn(&Answer) -> Option<Observed>,
) -> Option<Said> {
    let base = answers.iter().find(|answer| answer.probe.is_base())?;
    let observed = read(base)?;
    let flickers = answers
        .iter()
        .filter(|answer| {
            answer.probe.in_suite_order() && answer.probe.context == base.probe.context
        })
        .filter_map(&read)
        .any(|repeat| repeat.said != observed.said);
    let stated = base
        .outcome
        .as_ref()
        .ok()
        .and_then(|decided| decided.confidence);
    Some(Said {
        label: label(&observed, question),
        right: match (gold, observed.option()) {
            _ if observed.is_undecided() => None,
            (Some(gold), Some(option)) => gold.accepts(option),
            (Some(_), None) => Some(false),
            (None, _) => None,
        },
        confidence: observed.top().or(stated).filter(|share| share.is_finite()),
        flickers,
    })
}

/// The option that counts; what came in place of one stands in parentheses.
fn label(observed: &Observed, question: &Question) -> String {
    match (observed.said, observed.failure) {
        (Some(said @ Counted::Option(_)), _) => said.told(question),
        (Some(said), _) => format!("({})", said.told(question)),
        (None, failure) => format!("({})", failure.map_or("no answer", |kind| kind.name())),
    }
}

fn key_of(question: &Question, option: usize) -> String {
    question
        .options
        .get(option)
        .map(|option| option.key.clone())
        .unwrap_or_default()
}

fn gold_words(gold: &Gold, question: &Question) -> String {
    match gold.single() {
        Some(option) => key_of(question, option),
        None => (0..question.options.len())
            .filter(|option| gold.accepts(*option) == Some(true))
            .map(|option| key_of(question, option))
            .collect::<Vec<_>>()
            .join(" or "),
    }
}

/// The answers of a candidate that is asked: its recording, else what the newest run that asked it holds.
fn answers(package: &Package, suite: &Suite, candidate: &str) -> Result<Vec<Answer>, Unusable> {
    let file = format!("{candidate}.jsonl");
    let recorded = package.suites.join("answers").join(&suite.name).join(&file);
    let mut paths = vec![recorded];
    paths.extend(
        runs(&package.output)
            .into_iter()
            .map(|run| run.join(&suite.name).join(&file)),
    );
    for path in paths {
        let read = read_answers(&path).map_err(|error| Unusable::new(error.to_string()))?;
        if !read.answers.is_empty() {
            return Ok(in_force(suite, read.answers));
        }
    }
    Ok(Vec::new())
}

/// The latest answer to each call, without those to a state that the case no longer has and to an earlier wording.
///
/// A suite that was reworded and recorded again has the answers to both wordings in one file.
fn in_force(suite: &Suite, mut answers: Vec<Answer>) -> Vec<Answer> {
    // Of answers that name no time the one further down was written later.
    answers.reverse();
    answers.sort_by(|one, other| other.measured.at.cmp(&one.measured.at));
    let cases: HashMap<&str, &Case> = suite
        .cases
        .iter()
        .map(|case| (case.id.as_str(), case))
        .collect();
    let mut latest: HashMap<String, Digest> = HashMap::new();
    let mut seen = HashSet::new();
    answers.retain(|answer| {
        if let (Some(request), Some(case)) = (&answer.request, cases.get(answer.case.as_str())) {
            let state = case.state_digest(answer.probe.context);
            if state.is_some_and(|state| state != request.state) {
                return false;
            }
            // Of several questions any part may have been asked in one call, whose digest is that of the part.
            if case.questions(&suite.questions).len() == 1
                && *latest
                    .entry(answer.case.clone())
                    .or_insert(request.question)
                    != request.question
            {
                return false;
            }
        }
        let key = (answer.case.clone(), answer.question.clone());
        seen.insert((key, answer.probe.clone()))
    });
    answers
}

/// The folders of runs, newest first.
fn runs(output: &Path) -> Vec<PathBuf> {
    let mut runs: Vec<(SystemTime, PathBuf)> = std::fs::read_dir(output.join("runs"))
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    runs.sort();
    runs.into_iter().rev().map(|(_, path)| path).collect()
}
