//! `diff`: what changed between two states of recordings, and between two scorecards.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::project::{Project, Said};
use crate::service::{Service, cases};

const RECORDING: &str = "tests/suites/answers/even/far.jsonl";

/// A package with 30 recorded answers, all of them right, committed.
fn project() -> Project {
    let service = Service::start(Duration::ZERO);
    let project = Project::new();
    project.write(
        "tests/suites/even.yaml",
        &service.suite("  accuracy: '>= 50%'\n"),
    );
    project.write("tests/suites/even.cases.jsonl", &cases(30));
    project.write(".gitignore", "target\n");
    let said = project.run(&["record", "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for words in [
        &["init", "-q"][..],
        &["add", "-A"],
        &[
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit",
            "-q",
            "-m",
            "one",
        ],
    ] {
        let status = Command::new("git")
            .args(words)
            .current_dir(project.path())
            .status()
            .expect("git starts");
        assert!(status.success(), "{words:?}");
    }
    project
}

/// Lets the recording of this case say no, at 0.3.
fn flip(project: &Project, case: &str) {
    let text = project.read(RECORDING);
    let mut lines = String::new();
    for line in text.lines() {
        let mut answer: Json = serde_json::from_str(line).expect("an answer");
        if answer["case"] == case {
            answer["label"] = json!("no");
            answer["probabilities"] = json!({ "yes": 0.3, "no": 0.7 });
            answer["model"] = json!("far-2.0.0");
        }
        let _ = writeln!(lines, "{answer}");
    }
    project.write(RECORDING, &lines);
}

fn json_of(said: &Said) -> Json {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

#[test]
fn a_flip_since_a_revision_is_told_with_its_margins() {
    let project = project();
    let same = project.run(&["diff", "HEAD"]);
    assert_eq!(same.code, Some(0), "{same:?}");
    assert!(
        same.stdout.contains("0 of 30 answers are others now"),
        "{same:?}"
    );
    flip(&project, "c-004");
    let said = project.run(&["diff", "HEAD"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "far: 1 of 30 answers are others now",
        "c-004, gold yes: yes (leads by 0.80) → no (leads by 0.40)  newly wrong",
        "most in c-004 by 0.600",
        "accuracy 100.0% → 96.7%, -3.3%",
        "far-2.0.0",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    let told = json_of(&project.run(&["diff", "HEAD", "--json"]));
    let accuracy = &told["suites"][0]["candidates"][0]["questions"][0]["accuracy"];
    assert!((accuracy["difference"].as_f64().expect("a number") + 1.0 / 30.0).abs() < 1e-12);
    let (low, high) = (&accuracy["interval"][0], &accuracy["interval"][1]);
    assert!(
        low.as_f64() < Some(-1.0 / 30.0) && high.as_f64() > Some(0.0),
        "{accuracy}"
    );
    let back = project.run(&["diff", ".", "HEAD", "--suite", "even"]);
    assert!(
        back.stdout
            .contains("no (leads by 0.40) → yes (leads by 0.80)  newly right"),
        "{back:?}"
    );
}

#[test]
fn what_was_not_compared_is_told_and_counts_as_a_difference() {
    let project = project();
    let text = project.read(RECORDING);
    let kept: Vec<&str> = text.lines().skip(3).collect();
    project.write(RECORDING, &(kept.join("\n") + "\n"));
    let said = project.run(&["diff", "HEAD"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "0 of 27 answers are others now",
        "not compared: 3 cases answered only before, 0 only after",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    let told = json_of(&project.run(&["diff", ".", "HEAD", "--json"]));
    let question = &told["suites"][0]["candidates"][0]["questions"][0];
    assert_eq!(
        (&question["only_before"], &question["only_after"]),
        (&json!(0), &json!(3))
    );
    // Nothing at all is left to compare.
    project.write(RECORDING, "");
    let said = project.run(&["diff", "HEAD"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let nobody = project.run(&["diff", "HEAD", "--candidate", "nobody"]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
}

#[test]
fn a_side_that_is_not_there_is_wrong_use() {
    let project = project();
    let unknown = project.run(&["diff", "nowhere"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(
        unknown.stderr.contains("`nowhere` is no folder here"),
        "{unknown:?}"
    );
    let suite = project.run(&["diff", "HEAD", "--suite", "nobody"]);
    assert_eq!(suite.code, Some(2), "{suite:?}");
}

#[test]
fn scorecards_are_compared_number_by_number() {
    let project = Project::with_suite();
    let card = |value: f64, low: f64, high: f64, outcome: &str| {
        json!({
            "schema": 1, "suite": "s", "digest": "b3:same",
            "candidates": [{ "name": "jev", "questions": [{ "name": "", "metrics": {
                "accuracy": { "value": value, "interval": [low, high], "n": 100 },
                "kappa": { "value": 0.5, "interval": [0.4, 0.6], "n": 100 },
            } }] }],
            "assertions": [{ "trial": "s::jev::accuracy", "candidate": "jev", "metric": "accuracy", "bound": ">= 80%", "outcome": outcome }],
        })
        .to_string()
    };
    project.write("one/s/scorecard.json", &card(0.9, 0.83, 0.94, "pass"));
    project.write("two/s/scorecard.json", &card(0.7, 0.6, 0.78, "fail"));
    let said = project.run(&["diff", "one", "two"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "s::jev::accuracy >= 80%: pass → fail",
        "jev accuracy: 90.0% [83.0%, 94.0%] → 70.0% [60.0%, 78.0%]  (intervals do not overlap)",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    assert!(!said.stdout.contains("kappa"), "{said:?}");
    let same = project.run(&["diff", "one/s/scorecard.json", "one", "--json"]);
    assert_eq!(same.code, Some(0), "{same:?}");
    assert_eq!(json_of(&same)["differs"], false);
}

#[test]
fn what_only_the_earlier_side_has_is_told() {
    let project = project();
    let suite = project.read("tests/suites/even.yaml");
    project.write(
        "tests/suites/even.yaml",
        &suite.replace("\n  far: {", "\n  farther: {"),
    );
    let said = project.run(&["diff", "HEAD"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let gone = "  far: only the earlier side has this candidate\n";
    assert!(said.stdout.contains(gone), "{said:?}");
    project.write("tests/suites/even.yaml", &suite);
    let folder = project.path().join("tests/suites");
    std::fs::rename(folder.join("even.yaml"), folder.join("odd.yaml")).expect("a file");
    for suite in [None, Some("even")] {
        let mut words = vec!["diff", "HEAD", "--json"];
        words.extend(suite.iter().flat_map(|name| ["--suite", name]));
        let said = project.run(&words);
        assert_eq!(said.code, Some(1), "{said:?}");
        let told = json_of(&said);
        let suites = told["suites"].as_array().expect("suites");
        let even = suites.iter().find(|one| one["suite"] == "even");
        assert_eq!(even.map(|even| &even["only_before"]), Some(&json!(true)));
    }
    assert_eq!(
        project.run(&["diff", "HEAD", "--suite", "none"]).code,
        Some(2)
    );
}

#[test]
fn one_state_under_two_names_does_not_differ_from_itself() {
    let project = project();
    for sides in [
        &["HEAD", "HEAD"][..],
        &["HEAD", "@"],
        &["."],
        &[".", "tests/.."],
    ] {
        let said = project.run(&[&["diff"], sides].concat());
        assert_eq!(said.code, Some(0), "{sides:?}: {said:?}");
        assert!(said.stdout.contains("both sides are the same"), "{said:?}");
    }
    let told = json_of(&project.run(&["diff", "HEAD", "HEAD", "--json"]));
    assert_eq!(
        (&told["differs"], &told["suites"]),
        (&json!(false), &json!([]))
    );
    flip(&project, "c-004");
    assert_eq!(project.run(&["diff", "HEAD"]).code, Some(1));
}
