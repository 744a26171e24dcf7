//! `report`: the page holds the run, whatever the cases say.

use crate::project::Project;

/// A scorecard as a run writes it, with one failed assertion.
fn scorecard(project: &Project, digest: &str) {
    project.write(
        "target/decbench/call-routing/scorecard.json",
        &serde_json::json!({
            "schema": 1, "suite": "call-routing", "digest": digest, "cases": 42, "with_gold": 42, "units": 42,
            "candidates": [{ "name": "rules", "today": true, "questions": [{
                "name": "", "metrics": { "accuracy": { "value": 0.5, "interval": [0.4, 0.6], "n": 42, "method": "wilson" } },
                "tables": { "confusion": { "options": ["<b>", "sales"], "rows": [[1, 2, 0], [0, 3, 1]] } },
            }] }],
            "assertions": [{ "trial": "call-routing::rules::accuracy", "candidate": "rules", "metric": "accuracy",
                "bound": ">= 80%", "outcome": "fail", "reason": "below <i>", "value": 0.5, "interval": [0.4, 0.6], "n": 42 }],
        })
        .to_string(),
    );
}

#[test]
fn a_page_holds_the_run_and_its_exit_code() {
    let project = Project::with_suite();
    scorecard(&project, "b3:other");
    let said = project.run(&["report"]);
    assert_eq!(said.code, Some(1), "an assertion failed: {said:?}");
    let page = project.read("target/decbench/report.html");
    for part in [
        "0 of 1 assertions hold",
        "the suite or its cases changed after the run",
        "&lt;b&gt;",
        "below &lt;i&gt;",
        "Is this the hotline?",
    ] {
        assert!(page.contains(part), "`{part}` is not on the page");
    }
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "nothing is loaded"
    );
    let bare = project.run(&["report", "--without-states", "-o", "bare.html"]);
    assert_eq!(bare.code, Some(1), "{bare:?}");
    assert!(!project.read("bare.html").contains("Is this the hotline?"));
}

#[test]
fn no_state_leaves_its_place() {
    let project = Project::with_suite();
    project.write(
        "tests/suites/call-routing.cases.jsonl",
        "{\"state\": \"</script><script>document.title='run'</script>\", \"gold\": \"sales\"}\n",
    );
    scorecard(&project, "b3:other");
    project.run(&["report"]);
    let page = project.read("target/decbench/report.html");
    assert!(page.contains(r"\u003c/script>"), "the text is there");
    assert!(!page.contains("<script>document.title"));
}

#[test]
fn without_a_run_there_is_nothing_to_report() {
    let said = Project::with_suite().run(&["report"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("cargo test"), "{said:?}");
}

#[test]
fn assertions_name_their_question_and_what_could_not_run_fails() {
    let project = Project::with_suite();
    let line = |question: &str, outcome: &str| {
        serde_json::json!({ "trial": "t", "candidate": "rules", "question": question, "metric": "error_rate",
            "bound": "<= 5%", "outcome": outcome, "reason": "so" })
    };
    let card = |lines: [serde_json::Value; 2]| {
        serde_json::json!({ "schema": 1, "suite": "call-routing", "digest": "b3:other", "candidates": [], "assertions": lines })
            .to_string()
    };
    let file = "target/decbench/call-routing/scorecard.json";
    project.write(
        file,
        &card([line("ending", "pass"), line("topic", "could_not_run")]),
    );
    let said = project.run(&["report"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let page = project.read("target/decbench/report.html");
    for part in [
        ">ending.error_rate<",
        ">topic.error_rate<",
        "1 could not run",
        "aria-label=\"Assertions, call-routing\"",
    ] {
        assert!(page.contains(part), "`{part}` is not on the page");
    }
    project.write(file, &card([line("", "pass"), line("", "inconclusive")]));
    assert_eq!(project.run(&["report"]).code, Some(0));
    let page = project.read("target/decbench/report.html");
    assert!(page.contains(">error_rate<"), "one question has no name");
}
