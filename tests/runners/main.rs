//! A whole user project under the real runners: cargo's own, cargo-nextest, and cargo-insta.
//!
//! Where a tool is not installed its tests are listed as ignored; with `DECBENCH_REQUIRE_TOOLS=1`, as in CI, they fail.

mod model_switch;
mod project;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use project::{Project, has_tool};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let required = std::env::var_os("DECBENCH_REQUIRE_TOOLS").is_some();
    let trial = |name: &str, tool: Option<&'static str>, run: fn()| {
        let absent = tool.is_some_and(|tool| !has_tool(tool));
        let kind = tool
            .filter(|_| absent)
            .map(|tool| format!("needs cargo-{tool}"))
            .unwrap_or_default();
        let run = move || {
            run();
            Ok::<(), Failed>(())
        };
        Trial::test(name, run)
            .with_ignored_flag(absent && !required)
            .with_kind(kind)
    };
    let trials = vec![
        trial(
            "a_broken_gate_is_red_under_cargo_test",
            None,
            a_broken_gate_is_red_under_cargo_test,
        ),
        trial(
            "a_broken_gate_is_red_under_nextest_in_every_retry",
            Some("nextest"),
            a_broken_gate_is_red_under_nextest,
        ),
        trial(
            "both_runners_see_the_same_trials_and_calls",
            Some("nextest"),
            both_runners_see_the_same_trials_and_calls,
        ),
        trial(
            "a_scorecard_is_reviewed_with_cargo_insta",
            Some("insta"),
            a_scorecard_is_reviewed_with_cargo_insta,
        ),
        trial(
            "a_pull_request_to_the_example_shows_its_flips",
            None,
            model_switch::a_pull_request_shows_its_flips,
        ),
    ];
    // One build folder serves all, so they take turns.
    let arguments = Arguments {
        test_threads: Some(1),
        ..arguments
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn a_broken_gate_is_red_under_cargo_test() {
    let project = Project::new("off");
    let said = project.cargo(&["test", "--test", "decisions"]);
    assert_eq!(said.code, Some(101), "{said:?}");
    for part in [
        "test s::rules::accuracy",
        "FAILED",
        "test result: FAILED. 6 passed; 1 failed",
        "-- --exact \"s::rules::accuracy\"",
    ] {
        assert!(said.stdout.contains(part), "{part}\n{}", said.stdout);
    }
    let rerun = said
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("rerun     cargo "))
        .expect("a command");
    let words: Vec<&str> = rerun
        .split(' ')
        .map(|word| word.trim_matches('"'))
        .collect();
    let again = project.cargo(&words);
    assert!(
        again.stdout.contains("running 1 test\n") && again.code == Some(101),
        "{again:?}"
    );
}

fn a_broken_gate_is_red_under_nextest() {
    let project = Project::new("off");
    let said = project.cargo(&["nextest", "run", "--retries", "2", "--no-fail-fast"]);
    assert_eq!(said.code, Some(100), "{said:?}");
    let tries = said.stderr.lines().filter(|line| {
        line.contains("TRY") && line.contains("FAIL") && line.contains("s::rules::accuracy")
    });
    assert!(tries.count() >= 3, "{}", said.stderr);
    assert!(
        said.stderr.contains("6 passed") && said.stderr.contains("1 failed"),
        "{}",
        said.stderr
    );
    assert!(
        !said.stderr.contains("FLAKY"),
        "a retry never turns a verdict"
    );
}

fn both_runners_see_the_same_trials_and_calls() {
    let project = Project::new("off");
    let listed = project.cargo(&["test", "--test", "decisions", "--", "--list"]);
    let mut names: Vec<&str> = listed
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .collect();
    let nextest = project.cargo(&["nextest", "list", "--message-format", "oneline"]);
    let mut seen: Vec<&str> = nextest
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    names.sort_unstable();
    seen.sort_unstable();
    assert_eq!(names, seen, "{nextest:?}");

    project.cargo(&["test", "--test", "decisions"]);
    assert_eq!(
        project.take_calls(),
        project::CASES,
        "cargo test asks once for each case"
    );
    project.cargo(&["nextest", "run", "--no-fail-fast", "--retries", "1"]);
    assert_eq!(
        project.take_calls(),
        project::CASES,
        "a process per trial and a retry ask no more"
    );
    let halves = ["count:1/2", "count:2/2"]
        .map(|part| project.cargo(&["nextest", "run", "--no-fail-fast", "--partition", part]));
    let ran = halves.iter().map(|said| {
        said.stderr
            .lines()
            .filter(|line| {
                line.contains("s::") && (line.contains("PASS") || line.contains("FAIL ["))
            })
            .count()
    });
    assert!(ran.sum::<usize>() >= names.len(), "{halves:?}");
}

fn a_scorecard_is_reviewed_with_cargo_insta() {
    let project = Project::new("snapshot");
    let first = project.cargo(&["test", "--test", "decisions", "scorecard"]);
    assert!(
        first.code == Some(101) && first.stdout.contains("cargo insta review"),
        "{first:?}"
    );
    // It asks cargo about the packages of every platform, and a build fetches those of its own alone.
    project.cargo_with(&["fetch"], &[("CARGO_NET_OFFLINE", "false")]);
    let pending = project.cargo(&["insta", "pending-snapshots"]);
    assert!(pending.stdout.contains("s.scorecard.snap"), "{pending:?}");
    let accepted = project.cargo(&["insta", "accept"]);
    assert_eq!(accepted.code, Some(0), "{accepted:?}");
    assert_eq!(
        project
            .cargo(&["test", "--test", "decisions", "scorecard"])
            .code,
        Some(0)
    );
}
