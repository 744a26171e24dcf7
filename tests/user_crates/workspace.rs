//! A workspace of two members: production code that only derives, and the tests of its decisions.

use std::path::PathBuf;

use crate::project::{Project, Ran};

/// As the README says to write it.
const WORKSPACE: &str = r#"
[workspace]
members = ["router", "evals"]
resolver = "3"

[workspace.dependencies]
decbench = { path = "DECBENCH", default-features = false }

[profile.dev]
debug = false
"#;

const ROUTER: &str = r#"
[package]
name = "router"
version = "0.0.0"
edition = "2024"

[dependencies]
decbench.workspace = true
"#;

const LIBRARY: &str = r#"
#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]
//! Routes calls.

use decbench::{Distribution, Options};

/// Who takes a call.
#[derive(Debug, Clone, Copy, PartialEq, Options)]
#[options(rename_all = "snake_case", question = "Which team should take this call?", version = 3)]
pub enum Team {
    /// Invoices, charges and refunds.
    Billing,
    /// Something is broken.
    Support,
    /// The caller has not said why they call.
    #[options(escape)]
    NoReasonYet,
}

decbench::policy! {
    /// From here on a call is passed on without a person.
    pub const AUTO_ROUTE: Threshold = Threshold::new(0.8);
    /// A caller waits no longer.
    pub const ROUTE_WITHIN: Timeout = Timeout::millis(2000).or("no_reason_yet");
}

/// How probable each team is.
pub fn shares(call: &str) -> Distribution<Team> {
    let sure = if call.contains("surely") { 0.9 } else { 0.6 };
    let (first, second) = if call.contains("invoice") {
        (Team::Billing, Team::Support)
    } else {
        (Team::Support, Team::Billing)
    };
    Distribution::of([(first, sure), (second, 1.0 - sure)])
}
"#;

const PROGRAM: &str = r#"
//! Routes one call.

use decbench::Options;
use router::{AUTO_ROUTE, Team, shares};

fn main() {
    let shares = shares("surely the invoice");
    let team = AUTO_ROUTE.decide(&shares);
    println!("version {:?}: {}", Team::VERSION, team.map_or("a person", Team::key));
}
"#;

const SMOKE: &str = r#"
#[test]
fn the_program_starts() {
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_router")).output().unwrap();
    assert_eq!(ran.stdout, b"version Some(3): billing\n");
}
"#;

const EVALS: &str = r#"
[package]
name = "evals"
version = "0.0.0"
edition = "2024"

[dev-dependencies]
bench = { package = "decbench", path = "DECBENCH", default-features = false, features = ["test"] }
router = { path = "../router" }

[[test]]
name = "decisions"
harness = false
"#;

const DECISIONS: &str = r#"
#![deny(warnings)]

use bench::{Distribution, State};
use router::Team;

/// A suite in Rust; the wording is the type's.
#[bench::test(
    suite = "calls-in-rust",
    options = Team,
    cases = "tests/suites/calls.cases.jsonl",
    scorecard = "off",
    assert(
        "accuracy >= 80%",
        "recall[billing] >= 60%",
        "selective_accuracy[policy: AUTO_ROUTE] >= 70%",
        "latency.p50 <= policy: ROUTE_WITHIN",
    ),
    crate = bench,
)]
async fn in_rust(state: &State) -> Result<Distribution<Team>, std::fmt::Error> {
    Ok(router::shares(&state.as_text()))
}

#[bench::provider(crate = bench)]
fn in_yaml(call: &str) -> Option<Team> {
    router::shares(call).top().map(|(team, _)| *team)
}

bench::main!();
"#;

const SUITE: &str = r"
question:
  rust: router::Team
  version: 3
  options:
    billing: Invoices, charges and refunds.
    support: Something is broken.
    no_reason_yet: { description: The caller has not said why they call., escape: true }
cases: calls.cases.jsonl
candidates:
  rules: { provider: rust, function: in_yaml }
assert:
  accuracy: '>= 80%'
scorecard: off
";

/// All answered right; the sure half of them with 0.9.
fn cases() -> String {
    (0..40)
        .map(|at| {
            let (gold, about) = [("billing", "the invoice"), ("support", "the line")][at % 2];
            let surely = ["", "surely "][at / 2 % 2];
            format!(r#"{{"state":"{surely}{about} {at}","gold":"{gold}"}}"#) + "\n"
        })
        .collect()
}

/// The program as Cargo left it.
fn program() -> Vec<u8> {
    let name = format!("router{}", std::env::consts::EXE_SUFFIX);
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "user-crates", "debug", &name]
        .iter()
        .collect();
    std::fs::read(path).expect("it is built")
}

fn holds_the_tests_side(program: &[u8]) -> bool {
    let name = b"decbench_core";
    program.windows(name.len()).any(|window| window == name)
}

#[test]
fn production_derives_and_another_member_tests_it() {
    let project = Project::new(
        "workspace",
        &[
            ("router/Cargo.toml", ROUTER),
            ("router/src/lib.rs", LIBRARY),
            ("router/src/main.rs", PROGRAM),
            ("router/tests/smoke.rs", SMOKE),
            ("evals/Cargo.toml", EVALS),
            ("evals/src/lib.rs", ""),
            ("evals/tests/decisions.rs", DECISIONS),
            ("evals/tests/suites/calls.yaml", SUITE),
            ("evals/tests/suites/calls.cases.jsonl", &cases()),
        ],
    );
    project.write("Cargo.toml", WORKSPACE);
    let run = |arguments: &[&str]| -> Ran {
        let ran = project.run(arguments);
        assert!(ran.succeeded, "{}", ran.all());
        ran
    };

    // What ships knows the derives and nothing of the tests.
    run(&["build"]);
    let shipped = program();
    assert!(!holds_the_tests_side(&shipped));

    let ran = run(&["test"]);
    for trial in [
        "calls::rules::accuracy",
        "calls-in-rust::in_rust::accuracy",
        "calls-in-rust::in_rust::recall[billing]",
        "calls-in-rust::in_rust::selective_accuracy[confidence____0.8]",
        "calls-in-rust::in_rust::latency.p50",
    ] {
        assert!(ran.passed(trial), "{trial}\n{}", ran.all());
    }
    // The version that production logs is the scorecard's.
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "user-crates", "decbench"]
        .iter()
        .collect();
    for suite in ["calls", "calls-in-rust"] {
        let card = std::fs::read(folder.join(suite).join("scorecard.json")).expect("it is written");
        let card: serde_json::Value = serde_json::from_slice(&card).expect("it is JSON");
        assert_eq!(card["candidates"][0]["questions"][0]["version"], 3);
    }
    // A test run builds the program again, with the features of the tests: what ships is what is built last.
    assert!(holds_the_tests_side(&program()));
    run(&["build"]);
    assert!(!holds_the_tests_side(&program()));

    // An editor runs the function by its name, and means its suite.
    let ran = run(&["test", "--test=decisions", "--", "in_rust", "--exact"]);
    assert!(
        ran.passed("calls-in-rust::in_rust::accuracy"),
        "{}",
        ran.all()
    );
    assert!(!ran.passed("calls::rules::accuracy"), "{}", ran.all());

    // A suite that drifts from the type is red, with both sides and the place.
    let drifted = SUITE
        .replace("support: Something is broken.", "support: Help.")
        .replace("version: 3", "version: 2");
    project.write("evals/tests/suites/calls.yaml", &drifted);
    let ran = project.run(&["test", "--test=decisions"]);
    assert!(!ran.succeeded);
    for expected in [
        "calls.yaml:4:12",
        "the suite is of version 2, and `Team` (router/src/lib.rs:11) of version 3",
        "calls.yaml:7:5",
        "here: Help.; in `Team`: Something is broken.",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.all());
    }

    // So is an assertion of a suite in Rust about an option that is none, at its literal.
    project.write("evals/tests/suites/calls.yaml", SUITE);
    project.write(
        "evals/tests/decisions.rs",
        &DECISIONS.replace("recall[billing]", "recall[bills]"),
    );
    let ran = project.run(&["test", "--test=decisions"]);
    assert!(!ran.succeeded);
    for expected in ["evals/tests/decisions.rs:15:9", "\"recall[bills] >= 60%\""] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.all());
    }
}
