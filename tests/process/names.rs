//! Listing, filtering, and the command line.

use crate::Test;
use crate::project::{Project, case_lines, suite};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_list_is_names_alone_sorted_and_unique",
        a_list_is_names_alone_sorted_and_unique,
    ),
    (
        "a_list_needs_no_configuration",
        a_list_needs_no_configuration,
    ),
    (
        "filters_work_as_under_the_built_in_harness",
        filters_work_as_under_the_built_in_harness,
    ),
    (
        "names_do_not_depend_on_the_order_of_a_suite",
        names_do_not_depend_on_the_order_of_a_suite,
    ),
    ("wrong_use_ends_with_2", wrong_use_ends_with_2),
    ("one_thread_gives_the_same", one_thread_gives_the_same),
    ("a_filtered_trial_runs_alone", a_filtered_trial_runs_alone),
    (
        "strange_option_keys_make_plain_names",
        strange_option_keys_make_plain_names,
    ),
];

const ASSERTIONS: &str =
    "  accuracy: '>= 50%'\n  recall[a]: '>= 50%'\n  gold: { cases: 30, share: 50% }";

fn names(list: &str) -> Vec<&str> {
    list.lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .collect()
}

fn a_list_is_names_alone_sorted_and_unique() {
    let project = Project::with_suite(90, 100, ASSERTIONS);
    let said = project.run(&["--list"]);
    said.assert_code(0);
    let found = names(&said.stdout);
    assert_eq!(
        found,
        [
            "s::data::gold",
            "s::loads",
            "s::plan",
            "s::rules::accuracy",
            "s::rules::decided",
            "s::rules::recall[a]",
            "s::scorecard",
            "s::undecided"
        ]
    );
    assert!(said.stderr.is_empty(), "{}", said.stderr);
    assert!(
        !project.path().join("out").exists(),
        "a list writes nothing"
    );
    // What nextest asks.
    assert_eq!(
        names(&project.run(&["--list", "--format", "terse"]).stdout),
        found
    );
    assert!(
        names(
            &project
                .run(&["--list", "--format", "terse", "--ignored"])
                .stdout
        )
        .is_empty()
    );
}

fn a_list_needs_no_configuration() {
    let project = Project::with_suite(90, 100, ASSERTIONS);
    project.write("decbench.toml", "[profile.default\n");
    project
        .run_with(&["--list"], &[("DECBENCH_MODE", "nonsense")])
        .assert_code(0);
    project
        .run(&[])
        .assert_code(2)
        .assert_says("decbench.toml:1");
}

fn filters_work_as_under_the_built_in_harness() {
    let project = Project::with_suite(90, 100, ASSERTIONS);
    let several = project.run(&["accuracy", "recall"]);
    several
        .assert_code(0)
        .assert_says("running 2 tests")
        .assert_says("6 filtered out");
    project
        .run(&["--exact", "s::rules"])
        .assert_code(0)
        .assert_says("running 0 tests");
    project
        .run(&["--exact", "s::rules::accuracy"])
        .assert_code(0)
        .assert_says("running 1 test\n");
    project
        .run(&["s::rules", "--skip", "recall", "--skip", "decided"])
        .assert_says("running 1 test\n");
    project
        .run(&["--ignored"])
        .assert_code(0)
        .assert_says("running 0 tests");
    project
        .run(&["--no-capture", "--include-ignored", "-q"])
        .assert_code(0);
    project
        .run(&["--", "--exact-looking-filter"])
        .assert_code(0)
        .assert_says("running 0 tests");
}

fn names_do_not_depend_on_the_order_of_a_suite() {
    let one = Project::with_suite(90, 100, ASSERTIONS);
    let turned: Vec<&str> = ASSERTIONS.lines().rev().collect();
    let other = Project::with_suite(90, 100, &turned.join("\n"));
    assert_eq!(one.run(&["--list"]).stdout, other.run(&["--list"]).stdout);
}

fn wrong_use_ends_with_2() {
    let project = Project::with_suite(90, 100, ASSERTIONS);
    project.run(&["--no-such-flag"]).assert_code(2);
    project
        .run(&["--test-threads=0"])
        .assert_code(2)
        .assert_says("at least 1");
    project
        .run_with(&[], &[("RUST_TEST_THREADS", "many")])
        .assert_code(2)
        .assert_says("RUST_TEST_THREADS");
    project
        .run_with(&[], &[("DECBENCH_MODE", "reply")])
        .assert_code(2)
        .assert_says("replay, fill, live");
    project
        .run_with(&[], &[("DECBENCH_PROFILE", "nightly")])
        .assert_code(2)
        .assert_says("nightly");
    project
        .run_with(&[], &[("DECBENCH_BUDGET_USD", "-1")])
        .assert_code(2)
        .assert_says("DECBENCH_BUDGET_USD");
}

fn one_thread_gives_the_same() {
    let project = Project::with_suite(60, 100, ASSERTIONS);
    let outcomes = |said: &crate::project::Said| {
        ["s::rules::accuracy", "s::rules::recall[a]"].map(|name| said.outcome(name).to_owned())
    };
    let many = project.run(&[]);
    let one = project.run_with(&[], &[("RUST_TEST_THREADS", "1")]);
    assert_eq!(outcomes(&many), outcomes(&one));
}

/// As nextest does it: a process per trial.
fn a_filtered_trial_runs_alone() {
    let project = Project::with_suite(60, 100, "  accuracy: '>= 90%'\n  recall[b]: '>= 50%'");
    let together = project.run(&[]);
    for name in [
        "s::rules::accuracy",
        "s::rules::recall[b]",
        "s::rules::decided",
        "s::scorecard",
    ] {
        let alone = project.run(&["--exact", name]);
        alone.assert_says("running 1 test\n");
        assert_eq!(alone.outcome(name), together.outcome(name), "{name}");
    }
}

fn strange_option_keys_make_plain_names() {
    let project = Project::new();
    let text = suite("parrot", "  'recall[Is it \"odd\"?]': '>= 50%'")
        .replace("a: The first", "'Is it \"odd\"?': Odd");
    project.write("suites/s.yaml", text);
    project.write(
        "suites/s.cases.jsonl",
        case_lines(0, 20).replace("\"gold\":\"a\"", "\"gold\":\"b\""),
    );
    let said = project.run(&["--list"]);
    assert!(
        names(&said.stdout).contains(&"s::rules::recall[Is_it__odd__]"),
        "{}",
        said.stdout
    );
}
