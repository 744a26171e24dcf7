//! Calling a service: agreeing to the costs, progress, and several candidates side by side.

use crate::Test;
use crate::project::{Project, Said, case_lines};
use crate::support::system_one::{KEY, Server};

pub(crate) const TESTS: &[Test] = &[
    (
        "an_estimate_comes_with_the_line_that_agrees_to_it",
        an_estimate_comes_with_the_line_that_agrees_to_it,
    ),
    (
        "progress_is_told_on_standard_error_and_only_while_calls_are_made",
        progress_is_told_on_standard_error_and_only_while_calls_are_made,
    ),
    (
        "candidates_are_asked_side_by_side_about_a_case",
        candidates_are_asked_side_by_side_about_a_case,
    ),
    (
        "a_model_without_a_price_is_allowed_by_its_name",
        a_model_without_a_price_is_allowed_by_its_name,
    ),
    (
        "a_deadline_that_is_none_is_told",
        a_deadline_that_is_none_is_told,
    ),
];

fn project(server: &Server, candidates: &str, cases: usize) -> Project {
    let project = Project::new();
    let url = server.url();
    project.write(
        "suites/s.yaml",
        format!(
            "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: The second }}
cases: s.cases.jsonl
candidates:
{candidates}
assert:
  accuracy: '>= 80%'
scorecard: off
"
        ),
    );
    project.write("suites/s.cases.jsonl", case_lines(cases, cases));
    project.write(
        "decbench.toml",
        format!(
            "[provider.system-one]\nbase_url = '{url}'\nprice = {{ input_per_million = 0.042 }}\n"
        ),
    );
    project
}

fn asking<'v>(further: &[(&'v str, &'v str)]) -> Vec<(&'v str, &'v str)> {
    let mut variables = vec![("DECBENCH_MODE", "fill"), ("TYPESAFE_API_KEY", KEY)];
    variables.extend(further);
    variables
}

const JEV: &str =
    "  jev: { provider: system-one, model: jev-1.13.0, price: { input_per_million: 0.042 } }";

fn an_estimate_comes_with_the_line_that_agrees_to_it() {
    let server = Server::answering();
    let project = project(&server, JEV, 60);
    let said = project.run_with(&[], &asking(&[]));
    said.assert_code(101)
        .assert_says("60 calls are to be made for about $0.00")
        .assert_says("$0.00")
        .assert_says("at its own `price`")
        .assert_says(
            "confirm   DECBENCH_MODE=fill DECBENCH_CONFIRM_USD=0.01 cargo test -p my-app --test decisions -- \"s::\"",
        );
    assert_eq!(server.calls(), 0);
    let said = project.run_with(&["s::"], &asking(&[("DECBENCH_CONFIRM_USD", "0.01")]));
    said.assert_code(0);
    assert_eq!(server.calls(), 60);
    project.run(&[]).assert_code(0);
    assert_eq!(server.calls(), 60, "what was recorded replays");
}

/// What was said of progress; nothing of it may stand on standard output.
fn progress(said: &Said) -> Vec<&str> {
    assert!(!said.stdout.contains("60/60"), "{}", said.stdout);
    let lines = said.stderr.lines();
    lines
        .filter(|line| line.starts_with("decbench: s::jev"))
        .collect()
}

fn progress_is_told_on_standard_error_and_only_while_calls_are_made() {
    let server = Server::answering();
    let project = project(&server, JEV, 60);
    let variables = asking(&[("DECBENCH_BUDGET_USD", "1")]);
    let said = project.run_with(&[], &variables);
    said.assert_code(0);
    let lines = progress(&said);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("60/60 calls") && lines[0].contains("done in"),
        "{lines:?}"
    );
    assert!(lines[0].contains("  $0.0000"), "{lines:?}");
    let said = project.run_with(&[], &variables);
    assert!(progress(&said).is_empty(), "nothing was asked");
    let mut variables = variables;
    variables[0].1 = "live";
    let said = project.run_with(&["--format", "json"], &variables);
    assert_eq!(server.calls(), 120);
    assert!(progress(&said).is_empty(), "a program reads it");
    let said = project.run_with(&["--list"], &variables);
    assert!(said.stderr.is_empty(), "{}", said.stderr);
    assert_eq!(server.calls(), 120);
}

fn candidates_are_asked_side_by_side_about_a_case() {
    let server = Server::answering();
    let both = "  jev: { provider: system-one, model: jev-1.13.0, concurrency: 1 }
  new: { provider: system-one, model: jev-1.14.0 }";
    let project = project(&server, both, 40);
    project
        .run_with(&[], &asking(&[("DECBENCH_BUDGET_USD", "1")]))
        .assert_code(0);
    let seen = server.seen();
    assert_eq!(seen.len(), 80);
    for pair in seen.chunks(2) {
        assert_eq!(pair[0].state(), pair[1].state());
        assert_ne!(pair[0].body["model"], pair[1].body["model"]);
    }
}

fn a_model_without_a_price_is_allowed_by_its_name() {
    let server = Server::answering();
    // A function is asked by nobody else, so nobody has published its price.
    let project = project(
        &server,
        "  lab: { provider: rust, function: parrot, recorded: true }",
        50,
    );
    let variables = [("DECBENCH_MODE", "fill"), ("DECBENCH_BUDGET_USD", "1")];
    project
        .run_with(&[], &variables)
        .assert_code(101)
        .assert_says("50 calls are to be made at an unknown price");
    project.write(
        "decbench.toml",
        "[profile.default]\nallow_unpriced = ['lab']\n",
    );
    project.run_with(&[], &variables).assert_code(0);
    assert_eq!(server.calls(), 0);
}

fn a_deadline_that_is_none_is_told() {
    let project = Project::with_suite(9, 9, "  accuracy: '>= 50%'");
    project
        .run_with(&[], &[("DECBENCH_DEADLINE", "20")])
        .assert_code(2)
        .assert_says("DECBENCH_DEADLINE is `20`; write a time with its unit such as 20min");
}
