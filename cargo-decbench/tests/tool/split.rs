//! `split`: which case lies where, and nothing is written unless asked.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::project::Project;

const FILE: &str = "tests/suites/call-routing.cases.jsonl";

/// So many cases, two of a cluster each, with options in turn.
fn project(count: usize) -> Project {
    let project = Project::with_suite();
    let mut cases = String::new();
    for at in 0..count {
        let gold = ["billing", "support", "sales", "no_reason_yet"][at / 2 % 4];
        let _ = writeln!(
            cases,
            "{{\"id\": \"c-{at}\", \"state\": \"call {at}\", \"gold\": \"{gold}\", \"cluster\": \"k-{}\"}}",
            at / 2
        );
    }
    project.write(FILE, &cases);
    project
}

#[test]
fn a_division_is_shown_and_written_only_when_asked() {
    let project = project(400);
    let before = project.read(FILE);
    let words = ["split", "call-routing", "--lockbox", "30%", "--json"];
    let said = project.run(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(project.read(FILE), before);
    let told: Json = serde_json::from_str(&said.stdout).expect("JSON");
    let units = told["lockbox"]["units"].as_u64().expect("a number");
    // 200 units at 30%: five standard deviations around 60.
    assert!((60 - 33..=60 + 33).contains(&units), "{units}");
    let cases = told["cases"].as_array().expect("cases");
    let sides: Vec<&str> = cases
        .iter()
        .filter_map(|case| case["split"].as_str())
        .collect();
    assert!(
        sides.chunks(2).all(|pair| pair[0] == pair[1]),
        "clusters stay together"
    );
    let written = project.run(&["split", "call-routing", "--lockbox", "30%", "--write"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let after = project.run(&["split", "call-routing", "--json"]);
    let after: Json = serde_json::from_str(&after.stdout).expect("JSON");
    assert_eq!(
        after["cases"], told["cases"],
        "the suite reads what was written"
    );
    let again = project.run(&["split", "call-routing", "--lockbox", "30%", "--write"]);
    assert!(
        again.stderr.contains("400 cases, 0 lines changed"),
        "{again:?}"
    );
}

#[test]
fn a_lock_box_that_proves_little_does_not_hold() {
    let said = project(40).run(&["split", "call-routing", "--lockbox", "30%", "--list"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stdout.contains("fewer than 30: it can prove little"),
        "{said:?}"
    );
    assert!(said.stdout.contains("dev  c-"), "{said:?}");
}

#[test]
fn wrong_use_writes_nothing() {
    let project = project(40);
    let before = project.read(FILE);
    for words in [
        &["split", "nobody"][..],
        &["split", "call-routing", "--lockbox", "130%"],
        &["split", "call-routing", "--write"],
    ] {
        assert_eq!(project.run(words).code, Some(2), "{words:?}");
    }
    assert_eq!(project.read(FILE), before);
}
