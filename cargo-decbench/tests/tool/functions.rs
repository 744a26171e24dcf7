//! What needs the Rust functions of a suite asks the user's own test target.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::project::{Project, builds, run_with};

const SUITE: &str = "question:
  type: choice
  instructions: Which team?
  options: { billing: Bills, support: Whatever is broken }
cases: teams.cases.jsonl
candidates:
  rules: { provider: rust, function: decide }
assert:
  accuracy: '>= 60%'
scorecard: off
";

#[test]
fn functions_are_reached_through_the_test_target_that_holds_them() {
    let project = Project::with_function();
    project.write("tests/suites/teams.yaml", SUITE);
    // The function is right about three of four.
    let cases = (0..60).fold(String::new(), |mut lines, at| {
        let (word, gold) = [("router", "support"), ("bill", "billing")][at % 2];
        let gold = if at % 4 == 3 { "support" } else { gold };
        let _ = writeln!(
            lines,
            r#"{{"id":"c-{at}","state":"my {word} {at}","gold":"{gold}"}}"#
        );
        lines
    });
    project.write("tests/suites/teams.cases.jsonl", &cases);
    let builds = builds();
    let output = project.path().join("output");
    let text = |path: &std::path::Path| path.to_str().expect("a path").to_owned();
    let (builds, output) = (text(&builds), text(&output));
    let variables = [
        ("CARGO_TARGET_DIR", builds.as_str()),
        ("DECBENCH_OUTPUT", &output),
        ("CARGO_NET_OFFLINE", "true"),
    ];
    let json = |arguments: &[&str]| -> Json {
        let said = run_with(project.path(), arguments, &variables);
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"))
    };
    let plan = json(&["plan", "--json"]);
    assert_eq!(plan["suites"][0]["plan"]["calls"][0]["total"], 60, "{plan}");
    let gates = json(&["qualify", "--json", "--draws", "20"]);
    let gate = &gates["gates"][0];
    assert!(gate["flips"].is_number(), "{gates}");
}
