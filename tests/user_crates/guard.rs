//! A target that Cargo gave the built-in harness, and a suite whose file changes.

use crate::project::Project;

const MANIFEST: &str = r#"
[package]
name = "my-app"
version = "0.0.0"
edition = "2024"

[dev-dependencies]
decbench = { path = "DECBENCH", default-features = false, features = ["test"] }
"#;

const TEST: &str = r#"
#![deny(warnings)]
#![forbid(unsafe_code)]

#[decbench::test(suite = "tests/suites/urgency.yaml")]
fn keyword_rules(call: &str) -> bool {
    call.contains("water")
}

decbench::main!();
"#;

const SUITE: &str = r"
question: { type: yes_no, instructions: Does this caller need help today? }
cases:
  - { id: flood, state: There is water in the cellar, gold: yes }
  - { id: form, state: Where do I find the form, gold: no }
assert:
  accuracy: { at_least: 50%, reading: point }
scorecard: off
";

#[test]
fn under_the_built_in_harness_no_suite_is_silently_unrun() {
    let project = Project::new(
        "guard",
        &[
            ("my-app/Cargo.toml", MANIFEST),
            ("my-app/src/lib.rs", ""),
            ("my-app/tests/my-decisions.rs", TEST),
            ("my-app/tests/suites/urgency.yaml", SUITE),
        ],
    );
    let ran = project.run(&["test", "--test=my-decisions"]);
    assert!(!ran.succeeded, "{}", ran.all());
    let lines = "[[test]]\nname = \"my-decisions\"\nharness = false\n";
    assert!(ran.stdout.contains(lines), "{}", ran.all());
    assert!(
        ran.stdout
            .contains("suite_urgency_of_keyword_rules_needs_harness_false ... ignored"),
        "{}",
        ran.stdout
    );

    // With the lines that it asked for, the same source compiles without a warning and both tests are gone.
    project.write("my-app/Cargo.toml", &format!("{MANIFEST}\n{lines}"));
    let ran = project.run(&["test", "--test=my-decisions", "--", "--list"]);
    assert!(ran.succeeded, "{}", ran.all());
    assert!(!ran.stdout.contains("needs_harness_false"), "{}", ran.all());

    let fresh = |project: &Project| {
        let ran = project.run(&[
            "test",
            "--test=my-decisions",
            "--no-run",
            "--message-format=json",
        ]);
        assert!(ran.succeeded, "{}", ran.all());
        let artifact = ran
            .stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .find(|message| message["target"]["name"] == "my-decisions")
            .expect("Cargo tells of the target");
        artifact["fresh"]
            .as_bool()
            .expect("Cargo tells whether it was built")
    };
    assert!(fresh(&project), "nothing changed");
    project.write(
        "my-app/tests/suites/urgency.yaml",
        &SUITE.replace("today", "now"),
    );
    assert!(
        !fresh(&project),
        "the suite that the attribute names changed"
    );
}
