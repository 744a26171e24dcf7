//! Suites that name Rust types, which this tool is not linked with.

use crate::project::Project;

/// A suite whose question is the type `Team`, with or without its options beside it.
fn project(question: &str) -> Project {
    let project = Project::with_suite();
    project.write(
        "tests/suites/call-routing.yaml",
        &format!(
            "question: {question}\ncases: call-routing.cases.jsonl\ncandidates:\n  rules: {{ provider: rust, function: f }}\nassert:\n  accuracy: '>= 50%'\n  selective_accuracy: {{ policy: AUTO_ROUTE, at_least: 90% }}\n"
        ),
    );
    project
}

const LISTED: &str = "{ type: choice, rust: Team, version: 1, instructions: Which team?, options: { billing: Bills, support: Faults, sales: Orders, no_reason_yet: { description: Nothing said, escape: true } } }";

#[test]
fn what_a_suite_lists_beside_its_type_is_known() {
    let project = project(LISTED);
    let checked = project.run(&["check", "--strict"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let approved = project.run(&["approve", "call-routing", "--yes", "--by", "Ada"]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
}

#[test]
fn what_only_a_type_says_is_told_and_not_guessed() {
    let project = project("{ rust: Team }");
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, Some(0), "the rest is checked: {checked:?}");
    let approved = project.run(&["approve", "call-routing", "--yes", "--by", "Ada"]);
    assert_eq!(approved.code, Some(2), "{approved:?}");
    assert!(
        approved.stderr.contains("stand only in a Rust type"),
        "{approved:?}"
    );
    project.write("target/decbench/call-routing/scorecard.json", "{}");
    let reported = project.run(&["report"]);
    assert_eq!(reported.code, Some(2), "{reported:?}");
    assert!(
        reported
            .stderr
            .contains("only the Rust type `Team` lists the options"),
        "{reported:?}"
    );
}

#[test]
fn mistakes_beside_a_type_are_still_found() {
    let project = project(&LISTED.replace("version: 1", "verison: 1"));
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(
        checked.stdout.contains("did you mean `version`?"),
        "{checked:?}"
    );
}

#[test]
fn raters_of_a_question_that_names_bool_are_read() {
    let project = project("{ type: yes_no, rust: bool, instructions: Is it? }");
    project.write(
        "tests/suites/call-routing.cases.jsonl",
        "{\"state\":\"x\",\"gold\":\"yes\",\"labels\":{\"ana\":\"yes\",\"ben\":\"no\"}}\n",
    );
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
fn candidates_of_a_suite_whose_type_is_not_known_are_checked() {
    let project = project("{ rust: Team }");
    let suite = project.read("tests/suites/call-routing.yaml");
    for (candidate, code) in [
        ("far: { provider: system-one, model: jev-1.14.0 }", 0),
        ("far: { provider: system-one, modl: jev-1.14.0 }", 1),
    ] {
        let candidates = format!("candidates:\n  {candidate}\n");
        project.write(
            "tests/suites/call-routing.yaml",
            &suite.replace("candidates:\n", &candidates),
        );
        let checked = project.run(&["check"]);
        assert_eq!(checked.code, Some(code), "{candidate}: {checked:?}");
    }
}
