//! What a tool asks of a test target: `--decbench=<task>` in place of running trials.
//!
//! Only the target is linked with the Rust functions and types of its suites, so that a tool outside asks it. Each line of
//! standard output is one JSON object whose `event` says what it is. When standard input ends, whoever asked is gone, and
//! nothing more is asked of any service.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::arguments::CommandLine;
use super::target::{Found, find};
use super::{Setup, environment};
use crate::collect::{Estimate, Progress};
use crate::report::{plan_json, plan_text};
use crate::run::{Filled, Qualified, Settings, SuiteRun, trials_of};
use crate::suite::Suite;

const FLAG: &str = "--decbench=";
/// Exit code where whoever asked is gone.
const DESERTED: i32 = 130;
/// Resamples of a gate where nobody says how many.
const DRAWS: usize = 200;

/// What is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Request {
    task: String,
    /// Only this suite.
    suite: Option<String>,
    /// Only these candidates.
    candidates: Vec<String>,
    /// Only so many cases of each suite.
    limit: Option<usize>,
    draws: Option<usize>,
}

impl Request {
    /// Reads what follows the program's name; `None` where trials are to be run.
    ///
    /// # Errors
    /// A message for words that are not understood.
    pub(super) fn read(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Option<Result<Self, String>> {
        let mut arguments = arguments.into_iter();
        let task = arguments.next()?;
        let task = task.to_str()?.strip_prefix(FLAG)?.to_owned();
        Some(Self::read_rest(task, arguments))
    }

    fn read_rest(task: String, rest: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut request = Self {
            task,
            ..Self::default()
        };
        if !["plan", "record", "qualify"].contains(&request.task.as_str()) {
            return Err(format!(
                "`{FLAG}{}` is no task of this version of decbench; give the tool and the library the same version",
                request.task
            ));
        }
        for word in rest {
            let word = word.to_string_lossy().into_owned();
            let wrong = || format!("`{word}` is not understood after `{FLAG}{}`", request.task);
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse::<usize>().map_err(|_| wrong());
            match key {
                "suite" => request.suite = Some(value.to_owned()),
                "candidate" => request.candidates.push(value.to_owned()),
                "limit" => request.limit = Some(number()?),
                "draws" => request.draws = Some(number()?),
                _ => return Err(wrong()),
            }
        }
        Ok(request)
    }
}

/// Does what is asked; broken suites are told as events, and the code is 0.
///
/// # Errors
/// What is wrong with `decbench.toml` or a variable, for a person.
pub(super) fn serve(setup: &Setup, request: &Request) -> Result<ExitCode, String> {
    let mut settings = environment::settings(setup, false)?;
    settings.notice = Box::new(|text| tell(&json!({ "event": "notice", "text": text })));
    settings.progress = Box::new(|progress| tell(&progress_json(progress)));
    end_with_standard_input();
    let mut line = CommandLine::parse([], None)?;
    for found in find(setup, &mut line, Some(&settings)) {
        if request
            .suite
            .as_ref()
            .is_some_and(|name| name != found.name())
        {
            continue;
        }
        match found {
            Found::Broken(name, message) => {
                tell(&json!({ "event": "broken", "suite": name, "message": message }));
            }
            Found::Suite(suite, _) => serve_suite(suite, request, &settings),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn serve_suite(suite: &Suite, request: &Request, settings: &Settings) {
    let thinned;
    let suite = match request.limit {
        Some(limit) => {
            thinned = thinned_to(suite, limit, settings.lockbox);
            &thinned
        }
        None => suite,
    };
    let trials = trials_of(suite);
    let meant: Vec<usize> = (0..suite.candidates.len())
        .filter(|at| {
            let name = &suite.candidates[*at].name;
            request.candidates.is_empty() || request.candidates.contains(name)
        })
        .collect();
    let run = SuiteRun::new(suite, settings, &trials).about(&meant);
    let names: Vec<&str> = suite
        .candidates
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    match request.task.as_str() {
        "plan" => {
            let plan = run.plan();
            let estimate = run.estimate(&meant);
            tell(&json!({
                "event": "plan", "suite": suite.name, "candidates": names, "text": plan_text(&plan),
                "plan": plan_json(&plan),
                "estimate": estimate.as_ref().map(estimate_json).unwrap_or_default(),
                "why": estimate.err(),
            }));
        }
        "record" => {
            for filled in run.fill(&meant) {
                tell(&filled_json(&suite.name, &filled));
            }
        }
        _ => {
            for qualified in run.qualify(request.draws.unwrap_or(DRAWS)) {
                tell(&qualified_json(&suite.name, &qualified));
            }
        }
    }
}

/// The suite with so many of the cases that may be asked, evenly spread over the file.
fn thinned_to(suite: &Suite, limit: usize, lockbox: bool) -> Suite {
    let mut thinned = suite.clone();
    let admitted =
        |case: &crate::decision::Case| lockbox || case.split != crate::decision::Split::Lockbox;
    thinned.cases.retain(admitted);
    let all = thinned.cases.len();
    if limit < all {
        let mut at = 0;
        thinned.cases.retain(|_| {
            at += 1;
            // Every time the running share passes a whole number one case is taken.
            at * limit / all > (at - 1) * limit / all
        });
    }
    thinned
}

fn progress_json(progress: &Progress) -> Json {
    json!({
        "event": "progress", "name": progress.name, "done": progress.done, "planned": progress.planned,
        "failed": progress.failed, "retries": progress.retries, "spent_usd": progress.spent_usd,
        "rate": progress.rate(), "elapsed_s": progress.elapsed.as_secs_f64(),
        "left_s": progress.left().map(|left| left.as_secs_f64()), "ended": progress.ended,
        "stopped": progress.stopped, "text": progress.to_string(),
    })
}

fn estimate_json(estimate: &Estimate) -> Json {
    json!({
        "calls": estimate.calls(), "usd": estimate.usd(), "to_confirm": estimate.to_confirm(),
        "text": estimate.to_string(),
        "candidates": estimate.parts.iter().map(|part| json!({
            "candidate": part.candidate, "calls": part.calls, "input_tokens": part.input_tokens,
            "output_tokens": part.output_tokens, "usd": part.usd, "seconds": part.seconds,
            "tokens_from": part.tokens_from, "price_from": part.price_from,
        })).collect::<Vec<_>>(),
    })
}

fn filled_json(suite: &str, filled: &Filled) -> Json {
    json!({
        "event": "recorded", "suite": suite, "candidate": filled.candidate, "failed": filled.failed,
        "missing": filled.missing, "misses": filled.misses, "notes": filled.notes,
        "failures": filled.failures.iter().map(|one| json!({
            "kind": one.kind.name(), "served": one.kind.is_models(), "answers": one.times, "first": one.first,
        })).collect::<Vec<_>>(),
    })
}

fn qualified_json(suite: &str, qualified: &Qualified) -> Json {
    let counts = |counts: &[usize; 4]| {
        let [pass, inconclusive, fail, could_not_run] = counts;
        json!({ "pass": pass, "inconclusive": inconclusive, "fail": fail, "could_not_run": could_not_run })
    };
    json!({
        "event": "qualified", "suite": suite, "trial": qualified.trial, "required": qualified.required,
        "outcome": qualified.outcome.name(), "draws": counts(&qualified.drawn), "flips": qualified.flips(),
        "runs": qualified.runs.as_ref().map(counts), "flips_between_runs": qualified.flips_between_runs(),
    })
}

/// One line in one write. Nobody reads it any more where whoever asked is gone, which is noticed elsewhere.
fn tell(event: &Json) {
    let _ = std::io::stdout().write_all(format!("{event}\n").as_bytes());
}

/// Ends the process when its standard input does: a killed tool must not leave calls behind that cost money. Answers
/// that came in are in the recordings by then.
fn end_with_standard_input() {
    std::thread::spawn(|| {
        let mut input = std::io::stdin().lock();
        let mut byte = [0];
        while matches!(input.read(&mut byte), Ok(1..)) {}
        #[expect(clippy::exit, reason = "calls under way on other threads must end too")]
        std::process::exit(DESERTED);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Option<Result<Request, String>> {
        Request::read(words.iter().map(OsString::from))
    }

    #[test]
    fn a_request_is_told_from_trials() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["--list"]), None);
        let asked = read(&[
            "--decbench=record",
            "suite=s",
            "candidate=a",
            "candidate=b",
            "limit=20",
        ]);
        assert_eq!(
            asked,
            Some(Ok(Request {
                task: "record".to_owned(),
                suite: Some("s".to_owned()),
                candidates: vec!["a".to_owned(), "b".to_owned()],
                limit: Some(20),
                draws: None,
            }))
        );
    }

    #[test]
    fn what_is_not_understood_is_told() {
        for words in [
            &["--decbench=fly"][..],
            &["--decbench=plan", "suite"],
            &["--decbench=plan", "limit=many"],
            &["--decbench=plan", "wings=2"],
        ] {
            assert!(matches!(read(words), Some(Err(_))), "{words:?}");
        }
    }

    #[test]
    fn cases_of_a_smoke_test_are_spread_over_the_file() {
        let text = "question: { type: yes_no, instructions: Is it? }\ncases:\n  - { state: a, gold: yes }\n  - { state: b, gold: yes }\n  - { state: c, gold: no, split: lockbox }\n  - { state: d, gold: no }\n  - { state: e, gold: no }\ncandidates:\n  rules: { provider: rust, function: f }\nassert:\n  accuracy: '>= 50%'\n";
        let source = std::sync::Arc::new(crate::diagnostic::Source::new("s.yaml", text));
        let suite = crate::suite::check_text(&source).expect("a suite").suite;
        let ids = |limit, lockbox| -> Vec<String> {
            let cases = thinned_to(&suite, limit, lockbox).cases;
            cases.into_iter().map(|case| case.id).collect()
        };
        assert_eq!(ids(2, false), ["2", "5"]);
        assert_eq!(ids(9, false), ["1", "2", "4", "5"]);
        assert_eq!(ids(5, true).len(), 5);
    }
}
