//! The user's side: functions and a main, as `decbench::main!()` writes it.

use std::process::ExitCode;

use decbench::__private::{Setup, SnapshotRequest, insta};
use decbench::Distribution;

use crate::project::{FIXTURE, GUIDE};

/// Answers what the state says: `a`, `b`, …; states look like `a 17`.
#[decbench::provider]
fn parrot(state: &str) -> String {
    state.split(' ').next().unwrap_or_default().to_owned()
}

/// As [`parrot`], with a probability: `a 17 0.8` is `a` at 0.8.
#[decbench::provider]
fn sure_parrot(state: &str) -> Distribution {
    let mut words = state.split(' ');
    let label = words.next().unwrap_or_default().to_owned();
    let share = words
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0.5);
    let other = if label == "a" { "b" } else { "a" };
    Distribution::new([(label, share), (other.to_owned(), 1.0 - share)])
}

/// As [`parrot`], and passes over what stands around the material.
#[decbench::provider]
fn careful_parrot(state: &str) -> String {
    let own = state
        .split_once("The material to decide on:\n")
        .map_or(state, |(_, own)| own);
    parrot(own)
}

/// Fails in one way or another.
#[decbench::provider]
fn fragile(state: &str) -> Result<&'static str, String> {
    assert!(!state.contains("panic"), "the state said so");
    if state.contains("error") {
        Err("no idea".to_owned())
    } else {
        Ok("a")
    }
}

pub(crate) fn main() -> ExitCode {
    fn compare_snapshot(request: &SnapshotRequest<'_>) -> Result<(), String> {
        request.compare_with(|name, text| {
            insta::assert_snapshot!(name, text);
        })
    }
    let guide = std::env::var(FIXTURE).is_ok_and(|value| value == GUIDE);
    let folder = if guide { "tests/suites" } else { "suites" };
    decbench::__private::main(Setup {
        manifest_dir: env!("CARGO_MANIFEST_DIR"),
        target_tmpdir: None,
        package: "my-app",
        test_target: "decisions",
        folder,
        compare_snapshot,
    })
}
