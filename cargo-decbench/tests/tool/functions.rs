//! What needs the Rust functions of a suite asks the user's own test target.

use std::path::Path;

use serde_json::Value as Json;

use crate::project::run_with;

#[test]
fn functions_are_reached_through_the_test_target_that_holds_them() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/call-routing");
    let output = tempfile::tempdir().expect("a temporary folder");
    let variables = [("DECBENCH_OUTPUT", output.path().to_str().expect("a path"))];
    let planned = run_with(
        &example,
        &["plan", "-p", "call-routing", "--json"],
        &variables,
    );
    assert!(matches!(planned.code, Some(0 | 1)), "{planned:?}");
    let plan: Json = serde_json::from_str(&planned.stdout).expect("JSON");
    let calls = plan["suites"][0]["plan"]["calls"]
        .as_array()
        .expect("calls");
    assert!(!calls.is_empty(), "{plan}");
    let qualified = run_with(
        &example,
        &["qualify", "-p", "call-routing", "--json", "--draws", "20"],
        &variables,
    );
    assert_eq!(qualified.code, Some(0), "{qualified:?}");
    let gates: Json = serde_json::from_str(&qualified.stdout).expect("JSON");
    let judged = gates["gates"]
        .as_array()
        .expect("gates")
        .iter()
        .filter(|gate| gate["flips"].is_number())
        .count();
    assert!(judged > 0, "{gates}");
}
