//! Checks of the data as a person and a build see them.

use crate::Test;
use crate::project::{Project, suite};

pub(crate) const TESTS: &[Test] = &[
    (
        "leaks_are_red_with_the_cases_in_all_three_scorecards",
        leaks_are_red_with_the_cases_in_all_three_scorecards,
    ),
    (
        "void_approvals_are_red_and_their_gold_does_not_count",
        void_approvals_are_red_and_their_gold_does_not_count,
    ),
];

/// A project of these lines of cases and of `data:`; its scorecard is printed.
fn project(cases: &[&str], data: &str) -> Project {
    let project = Project::new();
    let text = suite("parrot", "  accuracy: '>= 10%'")
        .replace("candidates:", &format!("data: {data}\ncandidates:"))
        .replace("scorecard: off", "scorecard: print");
    project.write("suites/s.yaml", text);
    project.write("suites/s.cases.jsonl", cases.join("\n"));
    project
}

fn json(project: &Project) -> serde_json::Value {
    serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON")
}

fn leaks_are_red_with_the_cases_in_all_three_scorecards() {
    let cases = [
        r#"{"id":"one","state":"a 1, moved to A","gold":"a"}"#,
        r#"{"id":"two","state":"a 2 [end] thanks","gold":"a"}"#,
        r#"{"id":"three","state":"a 3 in Zürich","gold":"a"}"#,
        r#"{"id":"four","state":"a 4 [end]","gold":"a"}"#,
    ];
    let project = project(
        &cases,
        "{ decided_at: '[end]', giveaways: ['moved to {gold}'], overlap: { file: train.csv, state: text } }",
    );
    project.write(
        "suites/train.csv",
        "id,text\n17,A 3  in ZURICH!\n18,nothing\n",
    );
    let said = project.run(&[]);
    said.assert_code(101);
    assert_eq!(said.outcome("s::data::leakage"), "FAILED");
    for part in [
        "1 state goes on after the decision at `[end]`",
        "cases     two",
        "`moved to {gold}` gives the answer away in 1 state",
        "cases     one",
        "1 state stands also in `train.csv`",
        "cases     three = 17",
        r#"rerun     cargo test -p my-app --test decisions -- --exact "s::data::leakage""#,
    ] {
        said.assert_says(part);
    }
    let json = json(&project);
    let leakage = &json["data"]["leakage"];
    assert_eq!(leakage["outcome"], "fail");
    assert_eq!(leakage["trial"], "s::data::leakage");
    assert_eq!(leakage["figures"]["overlap[train.csv]"], 1);
    assert_eq!(leakage["observations"][0]["cases"][0], "two");
    assert!(
        project
            .read("out/s/scorecard.md")
            .contains("| fail | leakage | 1 state goes on")
    );
    assert!(
        said.stderr
            .contains("data checks\n  fail           leakage")
    );
}

fn void_approvals_are_red_and_their_gold_does_not_count() {
    let case = |digest: &str| {
        format!(
            r#"{{"id":"one","state":"a 1","gold":"a","approved":{{"by":"ann","digest":"{digest}"}}}}"#
        )
    };
    let other = "b3:00000000000000000000000000000000";
    let stamped = project(&[&case(other)], "{}");
    let said = stamped.run(&["s::data::gold"]);
    said.assert_code(101).assert_says("1 approval is void");
    let now = said
        .stdout
        .split_once("(now ")
        .and_then(|(_, rest)| rest.split_once(')'))
        .expect("the digest to stamp")
        .0
        .to_owned();
    stamped.write("suites/s.cases.jsonl", case(&now));
    assert_eq!(stamped.run(&[]).outcome("s::data::gold"), "ok");
    let reworded = stamped
        .read("suites/s.yaml")
        .replace("Which letter?", "Which letter is it?");
    stamped.write("suites/s.yaml", reworded);
    let said = stamped.run(&[]);
    assert_eq!(said.outcome("s::data::gold"), "FAILED");
    assert_eq!(json(&stamped)["data"]["gold"]["figures"]["gold"], 0);
}
