//! Files and snapshots.

use std::fs;

use crate::Test;
use crate::project::Project;

pub(crate) const TESTS: &[Test] = &[
    (
        "a_snapshot_is_reviewed_and_a_change_of_outcome_is_red",
        a_snapshot_is_reviewed_and_a_change_of_outcome_is_red,
    ),
    (
        "the_scorecard_is_written_as_json_and_markdown",
        the_scorecard_is_written_as_json_and_markdown,
    ),
    (
        "an_output_folder_that_cannot_be_written_stops_nothing",
        an_output_folder_that_cannot_be_written_stops_nothing,
    ),
    (
        "hostile_text_stays_text_in_markdown",
        hostile_text_stays_text_in_markdown,
    ),
    (
        "a_pull_request_gets_a_summary_and_notes_on_lines",
        a_pull_request_gets_a_summary_and_notes_on_lines,
    ),
];

fn compared(right: usize) -> Project {
    let project = Project::with_suite(right, 100, "  accuracy: '>= 90%'\n  recall[a]: '>= 50%'");
    let text = project
        .read("suites/s.yaml")
        .replace("scorecard: off", "scorecard: snapshot");
    project.write("suites/s.yaml", text);
    project
}

fn a_snapshot_is_reviewed_and_a_change_of_outcome_is_red() {
    let project = compared(99);
    let first = project.run(&[]);
    first.assert_code(101).assert_says("has not been reviewed");
    assert_eq!(first.outcome("s::scorecard"), "FAILED");
    let snapshots = project.path().join("suites/snapshots");
    let pending = snapshots.join("s.scorecard.snap.new");
    assert!(pending.is_file(), "insta leaves the new text for review");
    fs::rename(&pending, snapshots.join("s.scorecard.snap")).expect("accepted");
    project.run(&[]).assert_code(0);
    // From pass to inconclusive: green by itself, red by the reviewed scorecard.
    project.write("suites/s.cases.jsonl", crate::project::case_lines(92, 100));
    let changed = project.run(&[]);
    changed.assert_code(101).assert_says("inconclusive");
    assert_eq!(changed.outcome("s::rules::accuracy"), "ignored");
    assert_eq!(changed.outcome("s::scorecard"), "FAILED");
    // In CI nothing is written for review.
    fs::remove_file(&pending).expect("pending again");
    project.run_with(&[], &[("CI", "true")]).assert_code(101);
    assert!(!pending.exists());
}

fn the_scorecard_is_written_as_json_and_markdown() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    project.run(&[]).assert_code(0);
    let json: serde_json::Value =
        serde_json::from_str(&project.read("out/s/scorecard.json")).expect("valid JSON");
    assert_eq!(json["schema"], 1);
    let accuracy = &json["candidates"][0]["questions"][0]["metrics"]["accuracy"];
    assert_eq!(
        (&accuracy["value"], &accuracy["n"]),
        (&0.99.into(), &100.into())
    );
    assert_eq!(json["assertions"][0]["outcome"], "pass");
    assert_eq!(
        json["candidates"][0]["questions"][0]["metrics"]["ece"]["why"],
        "no probabilities"
    );
    assert!(
        project
            .read("out/s/scorecard.md")
            .contains("| pass | rules |")
    );
}

fn an_output_folder_that_cannot_be_written_stops_nothing() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    project.write("file", "in the way");
    let blocked = project.path().join("file/out");
    let said = project.run_with(&[], &[("DECBENCH_OUTPUT", &blocked.to_string_lossy())]);
    said.assert_code(0).assert_says("cannot be written");
}

fn hostile_text_stays_text_in_markdown() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    let text = project
        .read("suites/s.yaml")
        .replace("a: The first", "'a|<script>`': x, a: The first");
    project.write(
        "suites/s.yaml",
        text.replace(
            "accuracy: '>= 90%'",
            "accuracy: '>= 90%'\n  'recall[a|<script>`]': '>= 1%'",
        ),
    );
    project.run(&[]);
    let markdown = project.read("out/s/scorecard.md");
    let table: Vec<&str> = markdown
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    assert!(
        table.iter().all(|line| !line.contains("<script>")),
        "{markdown}"
    );
}

fn a_pull_request_gets_a_summary_and_notes_on_lines() {
    let project = Project::with_suite(60, 100, "  accuracy: '>= 90%'\n  error_rate: '<= 5%'");
    let summary = project.path().join("summary.md");
    let summary = summary.to_str().expect("a path");
    let root = project.path().to_str().expect("a path");
    let quiet = project.run_with(&[], &[("GITHUB_STEP_SUMMARY", summary)]);
    quiet.assert_code(101);
    assert!(!quiet.stderr.contains("::error"), "notes are opt-in");
    let variables = [
        ("GITHUB_STEP_SUMMARY", summary),
        ("GITHUB_WORKSPACE", root),
        ("DECBENCH_ANNOTATIONS", "github"),
    ];
    let said = project.run_with(&[], &variables);
    let suite = project.read("suites/s.yaml");
    let line = suite.lines().position(|line| line.contains("accuracy:"));
    let line = line.expect("the assertion") + 1;
    said.assert_says(&format!(
        "::error file=suites/s.yaml,line={line},title=s%3A%3Arules%3A%3Aaccuracy::fail: accuracy >= 90%25: "
    ));
    assert_eq!(said.stderr.matches("::error").count(), 1, "{}", said.stderr);
    let summary = project.read("summary.md");
    assert_eq!(
        summary.matches("## s\n").count(),
        1,
        "once for both runs: {summary}"
    );
}
