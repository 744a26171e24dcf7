//! The user's side: functions and a main, as `decbench::main!()` writes it.

use std::process::ExitCode;

use decbench::__private::{Setup, SnapshotRequest, insta};
use decbench::{Answers, Distribution};

use crate::project::{FIXTURE, GUIDE};

/// Answers what the state says: `a`, `b`, …; states look like `a 17`.
#[decbench::provider]
fn parrot(state: &str) -> String {
    state.split(' ').next().unwrap_or_default().to_owned()
}

/// As [`parrot`], with a probability: `a 17 0.8` is `a` at 0.8.
#[decbench::provider]
fn sure_parrot(state: &str) -> Distribution {
    let mut words = state.split(' ');
    let label = words.next().unwrap_or_default().to_owned();
    let share = words
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0.5);
    let other = if label == "a" { "b" } else { "a" };
    Distribution::new([(label, share), (other.to_owned(), 1.0 - share)])
}

/// As [`parrot`], and passes over what stands around the material.
#[decbench::provider]
fn careful_parrot(state: &str) -> String {
    let own = state
        .split_once("The material to decide on:\n")
        .map_or(state, |(_, own)| own);
    parrot(own)
}

/// Fails in one way or another.
#[decbench::provider]
fn fragile(state: &str) -> Result<&'static str, String> {
    assert!(!state.contains("panic"), "the state said so");
    if state.contains("error") {
        Err("no idea".to_owned())
    } else {
        Ok("a")
    }
}

/// Says what it was told.
#[decbench::provider]
fn open_echo(state: &str) -> String {
    state.to_owned()
}

/// As [`open_echo`], politely.
#[decbench::provider]
fn open_polite(state: &str) -> String {
    format!("{state} Wait, please.")
}

/// As [`open_echo`], where the state does not want an error.
#[decbench::provider]
fn open_fragile(state: &str) -> Result<String, String> {
    if state.contains("error") {
        Err("no idea".to_owned())
    } else {
        Ok(state.to_owned())
    }
}

/// What a judge is shown.
#[derive(serde::Deserialize)]
struct Judged {
    answer: Option<String>,
    first_answer: Option<String>,
    second_answer: Option<String>,
}

/// Whether the answer is polite and short, and which of two is polite.
fn judge(material: Judged) -> Answers {
    let Judged {
        answer,
        first_answer,
        second_answer,
    } = material;
    let polite = |answer: Option<&str>| answer.is_some_and(|text| text.contains("please"));
    if let Some(answer) = answer {
        let is_polite = polite(Some(&answer));
        return Answers::new()
            .and("polite", is_polite)
            .and("r1", is_polite)
            .and("case_1", is_polite)
            .and("short", answer.len() < 100);
    }
    let (first, second) = (first_answer.as_deref(), second_answer.as_deref());
    let better = match (polite(first), polite(second)) {
        (true, false) => "first",
        (false, true) => "second",
        _ => "tie",
    };
    Answers::new().and("better", better)
}

#[decbench::provider]
fn open_judge(material: Judged) -> Answers {
    judge(material)
}

#[decbench::provider]
fn open_judge_strict(material: Judged) -> Answers {
    judge(material)
}

/// Finds every answer good.
#[decbench::provider]
fn open_judge_always(_material: &str) -> Answers {
    ["polite", "short", "r1"]
        .into_iter()
        .fold(Answers::new(), |answers, name| answers.and(name, true))
}

/// As [`open_judge`], where it can be judged at all; sometimes it will not say.
#[decbench::provider]
fn open_judge_fragile(material: Judged) -> Result<Answers, String> {
    let answer = material.answer.as_deref().unwrap_or_default();
    if answer.contains("unjudgeable") {
        return Err("too hard".to_owned());
    }
    if answer.contains("undecided") {
        let neither = Distribution::new([("yes", 0.5), ("no", 0.5)]);
        return Ok(Answers::new().and("r1", neither));
    }
    Ok(judge(material))
}

pub(crate) fn main() -> ExitCode {
    fn compare_snapshot(request: &SnapshotRequest<'_>) -> Result<(), String> {
        request.compare_with(|name, text| {
            insta::assert_snapshot!(name, text);
        })
    }
    let guide = std::env::var(FIXTURE).is_ok_and(|value| value == GUIDE);
    let folder = if guide { "tests/suites" } else { "suites" };
    decbench::__private::main(Setup {
        manifest_dir: env!("CARGO_MANIFEST_DIR"),
        target_tmpdir: None,
        package: "my-app",
        test_target: "decisions",
        folder,
        compare_snapshot,
    })
}
