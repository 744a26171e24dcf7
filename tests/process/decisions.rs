//! The table over the suites of a crate.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Test;
use crate::project::Project;

pub(crate) const TESTS: &[Test] = &[
    (
        "a_table_picks_a_candidate_for_each_decision",
        a_table_picks_a_candidate_for_each_decision,
    ),
    (
        "without_a_verdict_there_is_no_table",
        without_a_verdict_there_is_no_table,
    ),
];

/// A suite of two recorded candidates, each wrong on a range of 100 cases; the second costs a fifth.
fn add(project: &Project, name: &str, wrong: [std::ops::Range<usize>; 2], today: bool, tail: &str) {
    let mut cases = String::new();
    for at in 0..100 {
        let _ = writeln!(cases, r#"{{"id":"c-{at:04}","state":"s {at}","gold":"a"}}"#);
    }
    project.write(&format!("suites/{name}.cases.jsonl"), cases);
    for (who, (wrong, (cost, sure))) in ["one", "two"]
        .iter()
        .zip(wrong.into_iter().zip([(0.01, 0.99), (0.002, 0.75)]))
    {
        let mut answers = String::new();
        for at in 0..100 {
            let (a, b) = if wrong.contains(&at) {
                (1.0 - sure, sure)
            } else {
                (sure, 1.0 - sure)
            };
            let _ = writeln!(
                answers,
                r#"{{"case":"c-{at:04}","probabilities":{{"a":{a:.2},"b":{b:.2}}},"cost_usd":{cost},"latency_ms":100}}"#
            );
        }
        project.write(&format!("suites/{name}.{who}.jsonl"), answers);
    }
    let mark = if today { ", today: true" } else { "" };
    project.write(
        &format!("suites/{name}.yaml"),
        format!(
            "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: {{ description: The second, escape: true }} }}
cases: {name}.cases.jsonl
candidates:
  one: {{ provider: recorded, file: {name}.one.jsonl{mark} }}
  two: {{ provider: recorded, file: {name}.two.jsonl }}
{tail}
scorecard: off
"
        ),
    );
}

fn a_table_picks_a_candidate_for_each_decision() {
    let project = Project::new();
    add(
        &project,
        "clear",
        [0..40, 0..5],
        true,
        "verdict: { expect: switch, fallback: ask a person }",
    );
    let covered =
        "assert: { 'coverage[accuracy >= 60%]': { at_least: 1%, on_inconclusive: pass } }";
    // 30 and 28 wrong: nobody is shown to be better, and nobody reaches the bar.
    add(
        &project,
        "tied",
        [0..30, 2..30],
        false,
        &format!("verdict: any\n{covered}"),
    );
    let said = project.run(&[]);
    assert_eq!(
        said.outcome("decbench::decisions"),
        "ok",
        "{}{}",
        said.stdout,
        said.stderr
    );
    said.assert_says("clear: two (by the verdict)")
        .assert_says("timeout 100 ms (p99); fallback ask a person; $2.00 per 1,000")
        .assert_says("tied: two (tied with one, broken by calibration)")
        .assert_says("fallback answer `b`");
    let table: Value = serde_json::from_str(&project.read("out/decisions.json")).expect("JSON");
    let rows = table["decisions"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["verdict"], &rows[0]["picked_by"]),
        (&"switch".into(), &"verdict".into())
    );
    assert_eq!(rows[1]["tied"][0], "one");
    assert!(rows[1]["threshold"].is_number(), "{}", rows[1]);
    // A process of its own says the same.
    let alone = project.run(&["--exact", "decbench::decisions"]);
    alone
        .assert_code(0)
        .assert_says("tied: two (tied with one, broken by calibration)");
    assert!(
        project
            .read("out/decisions.md")
            .contains("| clear | switch | two |")
    );
}

fn without_a_verdict_there_is_no_table() {
    let project = Project::with_suite(90, 100, "  accuracy: '>= 50%'");
    let said = project.run(&["--list"]);
    assert!(
        !said.stdout.contains("decbench::decisions"),
        "{}",
        said.stdout
    );
}
