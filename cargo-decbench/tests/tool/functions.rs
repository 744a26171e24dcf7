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

#[test]
fn suites_that_are_written_in_rust_are_found_without_a_folder() {
    let project = Project::with_function();
    // Such a suite belongs to the folder it was compiled in, and packages of one name share a program in one build folder.
    let manifest = project.read("Cargo.toml");
    project.write(
        "Cargo.toml",
        &manifest.replace("name = \"shop\"", "name = \"typed-shop\""),
    );
    let source = project.read("tests/decisions.rs");
    project.write(
        "tests/decisions.rs",
        &format!(
            "{source}
#[derive(decbench::Options)]
#[options(rename_all = \"lowercase\")]
enum Team {{
    /// Bills
    Billing,
    /// Whatever is broken
    Support,
}}

#[decbench::test(name = \"typed\", question = \"Which team?\", options = Team, cases = \"cases.jsonl\", assert(\"accuracy >= 10%\"))]
fn typed(call: &str) -> Team {{
    if decide(call) == \"support\" {{ Team::Support }} else {{ Team::Billing }}
}}
"
        ),
    );
    project.write(
        "cases.jsonl",
        "{\"id\":\"a\",\"state\":\"my router\",\"gold\":\"support\"}\n",
    );
    let builds = builds();
    let output = project.path().join("output");
    let variables = [
        ("CARGO_TARGET_DIR", builds.to_str().expect("a path")),
        ("DECBENCH_OUTPUT", output.to_str().expect("a path")),
        ("CARGO_NET_OFFLINE", "true"),
    ];
    let said = run_with(project.path(), &["plan", "--json"], &variables);
    let plan: Json =
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    assert_eq!(plan["suites"][0]["plan"]["calls"][0]["total"], 1, "{plan}");
}
