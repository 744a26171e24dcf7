//! `explain`: the evidence of the last run, the cases behind it, and what to do next.

use serde_json::{Value as Json, json};

use crate::project::Project;

/// A suite whose run found this of the rule's accuracy.
fn project(outcome: &str, more_cases: Option<u64>) -> Project {
    let project = Project::with_suite();
    project.write(
        "tests/suites/call-routing.cases.jsonl",
        "{\"id\":\"a\",\"state\":\"My invoice is wrong.\",\"gold\":\"billing\"}
{\"id\":\"b\",\"state\":\"I want to buy.\",\"gold\":\"sales\"}
{\"id\":\"c\",\"state\":\"It is broken.\",\"reference\":\"support\"}
",
    );
    project.write(
        "target/decbench/runs/one/call-routing/rules.jsonl",
        "{\"case\":\"a\",\"question\":\"\",\"probe\":{\"repeat\":0,\"order\":[0,1,2,3],\"context\":\"production\"},\"label\":\"billing\"}
{\"case\":\"b\",\"question\":\"\",\"probe\":{\"repeat\":0,\"order\":[0,1,2,3],\"context\":\"production\"},\"label\":\"support\"}
",
    );
    project.write(
        "target/decbench/call-routing/scorecard.json",
        &json!({
            "schema": 1, "suite": "call-routing", "digest": "b3:other", "candidates": [],
            "data": { "gold": { "trial": "call-routing::data::gold", "outcome": "pass", "reason": "2 of 3 have gold", "observations": [] } },
            "assertions": [{
                "trial": "call-routing::rules::accuracy", "candidate": "rules", "question": "", "metric": "accuracy",
                "bound": ">= 80%", "outcome": outcome, "reason": "so it is", "value": 0.5, "interval": [0.1, 0.9],
                "limits": [0.01, 0.99], "n": 2, "more_cases": more_cases,
            }],
        })
        .to_string(),
    );
    project
}

const TRIAL: &str = "call-routing::rules::accuracy";

#[test]
fn evidence_cases_and_the_cheapest_step_are_told() {
    let said = project("inconclusive", Some(40)).run(&["explain", TRIAL]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in [
        "required  accuracy >= 80%",
        "observed  50.0% [10.0%, 90.0%], n 2",
        "judged by [1.0%, 99.0%]",
        "next      read 1 references, about 10 s: `cargo decbench approve call-routing`; 39 more are wanted after that",
        "or        collect and label 39 more cases",
        "b, gold sales, answered support: I want to buy.",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    assert!(!said.stdout.contains("  a, gold"), "{said:?}");
    assert!(said.stderr.contains("changed after the run"), "{said:?}");
}

#[test]
fn a_trial_that_fails_does_not_hold() {
    let said = project("fail", None).run(&["explain", TRIAL, "--json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let told: Json = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(told["holds"], false);
    assert_eq!(told["cases"][0]["case"], "b", "{told}");
    let data = project("fail", None).run(&["explain", "call-routing::data::gold"]);
    assert_eq!(data.code, Some(0), "{data:?}");
    assert!(data.stdout.contains("2 of 3 have gold"), "{data:?}");
}

#[test]
fn a_trial_that_is_not_there_is_wrong_use() {
    let near = project("pass", None).run(&["explain", "call-routing::rules::acuracy"]);
    assert_eq!(near.code, Some(2), "{near:?}");
    assert!(
        near.stderr.contains(&format!("did you mean `{TRIAL}`?")),
        "{near:?}"
    );
    let unrun = Project::with_suite().run(&["explain", TRIAL]);
    assert_eq!(unrun.code, Some(2), "{unrun:?}");
    assert!(unrun.stderr.contains("has not been run yet"), "{unrun:?}");
}

#[test]
fn of_several_answers_to_a_call_the_latest_counts() {
    let project = project("pass", None);
    let line = |at: &str, label: &str| {
        json!({
            "case": "a", "question": "", "probe": { "repeat": 0, "order": [0, 1, 2, 3], "context": "production" },
            "label": label, "at": at,
        })
    };
    let (old, new) = (
        line("2026-01-01T00:00:00Z", "sales"),
        line("2026-02-01T00:00:00Z", "billing"),
    );
    for lines in [[&old, &new], [&new, &old]] {
        project.write(
            "target/decbench/runs/one/call-routing/rules.jsonl",
            &format!("{}\n{}\n", lines[0], lines[1]),
        );
        let said = project.run(&["explain", TRIAL, "--json"]);
        let told: Json = serde_json::from_str(&said.stdout).expect("JSON");
        assert_eq!(told["cases"], json!([]), "`a` is right by now: {told}");
    }
    project.write(
        "target/decbench/runs/one/call-routing/rules.jsonl",
        &format!("{old}\n"),
    );
    let said = project.run(&["explain", TRIAL, "--json"]);
    let told: Json = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(told["cases"][0]["case"], "a", "{told}");
}

#[test]
fn trials_that_are_no_assertion_say_what_they_are() {
    let project = project("inconclusive", Some(40));
    for (trial, says) in [
        ("call-routing::loads", "cargo decbench check"),
        ("call-routing::plan", "never red"),
        ("call-routing::scorecard", "red where they differ"),
        ("decbench::decisions", "never red"),
        (
            "call-routing::undecided",
            "call-routing::rules::accuracy: so it is",
        ),
    ] {
        let said = project.run(&["explain", trial]);
        assert_eq!(said.code, Some(0), "{trial}: {said:?}");
        assert!(said.stdout.contains(says), "`{says}` is not in {said:?}");
    }
    // None of that needs a run.
    let unrun = Project::with_suite().run(&["explain", "call-routing::loads", "--json"]);
    assert_eq!(unrun.code, Some(0), "{unrun:?}");
    let told: Json = serde_json::from_str(&unrun.stdout).expect("JSON");
    assert_eq!(told["requirements"], json!([]), "{told}");
    assert!(told["about"].is_string(), "{told}");
}

#[test]
fn a_candidate_of_which_nothing_was_decided_is_explained() {
    let trial = "call-routing::rules::decided";
    for (outcome, code, says) in [
        ("pass", 0, "1 of 1 assertions passed or failed"),
        ("fail", 0, "1 of 1 assertions passed or failed"),
        (
            "inconclusive",
            1,
            "read 1 references, about 10 s: `cargo decbench approve call-routing`",
        ),
        (
            "could_not_run",
            1,
            "`cargo decbench record call-routing --candidate rules --limit 20`",
        ),
    ] {
        let said = project(outcome, Some(40)).run(&["explain", trial]);
        assert_eq!(said.code, Some(code), "{outcome}: {said:?}");
        assert!(said.stdout.contains(says), "`{says}` is not in {said:?}");
    }
    let unrun = Project::with_suite().run(&["explain", trial]);
    assert_eq!(unrun.code, Some(0), "what it is can be told: {unrun:?}");
    assert!(unrun.stdout.contains("passed or failed"), "{unrun:?}");
}

#[test]
fn what_was_not_to_be_judged_does_not_fail() {
    let project = project("could_not_run", None);
    let file = "target/decbench/call-routing/scorecard.json";
    let card = project.read(file);
    let mut card: Json = serde_json::from_str(&card).expect("JSON");
    card["assertions"][0]["skipped"] = json!(true);
    project.write(file, &card.to_string());
    for trial in [TRIAL, "call-routing::rules::decided"] {
        let said = project.run(&["explain", trial]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.stdout.contains("skipped"), "{said:?}");
    }
    assert_eq!(project.run(&["report"]).code, Some(0));
}
