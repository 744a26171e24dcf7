//! The four outcomes as a person and a build see them.

use crate::Test;
use crate::project::{Project, case_lines, suite};

pub(crate) const TESTS: &[Test] = &[
    (
        "evidence_on_the_good_side_passes",
        evidence_on_the_good_side_passes,
    ),
    (
        "evidence_on_the_bad_side_is_red_with_its_reasons",
        evidence_on_the_bad_side_is_red_with_its_reasons,
    ),
    (
        "evidence_on_both_sides_is_ignored_and_red_when_strict",
        evidence_on_both_sides_is_ignored_and_red_when_strict,
    ),
    (
        "an_undecided_outcome_counts_as_the_suite_says",
        an_undecided_outcome_counts_as_the_suite_says,
    ),
    ("nothing_to_measure_is_red", nothing_to_measure_is_red),
    (
        "green_never_means_that_nothing_was_tested",
        green_never_means_that_nothing_was_tested,
    ),
    (
        "the_same_answers_give_the_same_words",
        the_same_answers_give_the_same_words,
    ),
    (
        "a_gold_floor_says_how_much_is_missing",
        a_gold_floor_says_how_much_is_missing,
    ),
    (
        "a_function_that_fails_is_wrong_and_stops_nothing",
        a_function_that_fails_is_wrong_and_stops_nothing,
    ),
    (
        "calibration_is_judged_from_probabilities",
        calibration_is_judged_from_probabilities,
    ),
    (
        "baselines_are_shown_and_never_gated",
        baselines_are_shown_and_never_gated,
    ),
    ("skipped_metrics_do_not_fail", skipped_metrics_do_not_fail),
];

fn evidence_on_the_good_side_passes() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    let said = project.run(&[]);
    said.assert_code(0);
    assert_eq!(said.outcome("s::rules::accuracy"), "ok");
}

fn evidence_on_the_bad_side_is_red_with_its_reasons() {
    let project = Project::with_suite(60, 100, "  accuracy: '>= 90%'");
    let said = project.run(&[]);
    said.assert_code(101);
    assert_eq!(said.outcome("s::rules::accuracy"), "FAILED");
    for part in [
        "required  accuracy >= 90%",
        "observed  60.0% [50.2%, 69.1%] at 95%, wilson, n 100",
        "exact limits",
        "c-0060, gold a, answered b",
        "and 35 more",
        r#"rerun     cargo test -p my-app --test decisions -- --exact "s::rules::accuracy""#,
    ] {
        said.assert_says(part);
    }
    assert_eq!(
        said.outcome("s::rules::decided"),
        "ok",
        "a failure is a decision"
    );
}

fn evidence_on_both_sides_is_ignored_and_red_when_strict() {
    let project = Project::with_suite(92, 100, "  accuracy: '>= 90%'\n  recall[a]: '>= 50%'");
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("more cases like these would settle it");
    assert_eq!(said.outcome("s::rules::accuracy"), "ignored");
    assert!(
        said.stderr.contains("s::rules::accuracy: inconclusive"),
        "the list of undecided ones is told: {}",
        said.stderr
    );
    project.write("decbench.toml", "[profile.ci]\nstrict = true\n");
    let strict = project.run_with(&[], &[("DECBENCH_PROFILE", "ci")]);
    strict.assert_code(101);
    assert_eq!(strict.outcome("s::rules::accuracy"), "FAILED");
}

fn nothing_to_measure_is_red() {
    let project = Project::with_suite(99, 100, "  ece: '<= 0.05'\n  accuracy: '>= 90%'");
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("not measurable: no probabilities");
    assert_eq!(said.outcome("s::rules::ece"), "FAILED");
    assert_eq!(said.outcome("s::rules::accuracy"), "ok");
}

fn green_never_means_that_nothing_was_tested() {
    let project = Project::with_suite(92, 100, "  accuracy: '>= 90%'");
    let said = project.run(&[]);
    said.assert_code(101).assert_says("nothing was tested");
    assert_eq!(said.outcome("s::rules::accuracy"), "ignored");
    assert_eq!(said.outcome("s::rules::decided"), "FAILED");
}

fn the_same_answers_give_the_same_words() {
    let project = Project::with_suite(60, 100, "  accuracy: '>= 90%'\n  macro_f1: '>= 90%'");
    let words = |said: crate::project::Said| {
        let lines = said
            .stdout
            .lines()
            .filter(|line| !line.contains("finished in"));
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(words(project.run(&[])), words(project.run(&[])));
}

fn a_gold_floor_says_how_much_is_missing() {
    let project = Project::with_suite(
        20,
        20,
        "  accuracy: '>= 50%'\n  gold: { cases: 30, share: 50% }",
    );
    project
        .run(&[])
        .assert_code(101)
        .assert_says("10 more cases are needed: there are 20 of 30");
    let project = Project::with_suite(
        40,
        40,
        "  accuracy: '>= 50%'\n  gold: { cases: 30, share: 90% }",
    );
    let half = case_lines(40, 40)
        .lines()
        .enumerate()
        .fold(String::new(), |text, (at, line)| {
            text + &if at % 2 == 0 {
                line.replace(r#","gold":"a""#, "")
            } else {
                line.to_owned()
            } + "\n"
        });
    project.write("suites/s.cases.jsonl", half);
    project
        .run(&[])
        .assert_code(101)
        .assert_says("16 more approvals are needed: 20 of 40 cases have gold, 36 must");
}

fn a_function_that_fails_is_wrong_and_stops_nothing() {
    let project = Project::new();
    project.write(
        "suites/s.yaml",
        suite("fragile", "  accuracy: '>= 90%'\n  error_rate: '<= 1%'"),
    );
    let lines = case_lines(100, 100)
        .replace("a 7\"", "panic 7\"")
        .replace("a 8\"", "error 8\"");
    project.write("suites/s.cases.jsonl", lines);
    let said = project.run(&[]);
    assert_eq!(
        said.outcome("s::rules::accuracy"),
        "ok",
        "98 of 100 right\n{}",
        said.stdout
    );
    assert_ne!(said.outcome("s::rules::error_rate"), "ok");
}

fn calibration_is_judged_from_probabilities() {
    let project = Project::new();
    project.write(
        "suites/s.yaml",
        suite("sure_parrot", "  ece: '<= 0.20'\n  brier: '<= 0.5'"),
    );
    let lines: Vec<String> = (0..200)
        .map(|at| {
            let gold = if at % 10 < 9 { "a" } else { "b" };
            format!(r#"{{"state":"a {at} 0.9","gold":"{gold}"}}"#)
        })
        .collect();
    let lines = lines.join("\n");
    project.write("suites/s.cases.jsonl", lines);
    project.run(&[]).assert_code(0);
}

fn baselines_are_shown_and_never_gated() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    let text = project
        .read("suites/s.yaml")
        .replace("assert:", "  bayes: { provider: naive-bayes }\nassert:");
    project.write("suites/s.yaml", text);
    let said = project.run(&[]);
    said.assert_code(0);
    assert!(!said.stdout.contains("s::bayes"), "{}", said.stdout);
    assert!(project.read("out/s/scorecard.json").contains("\"bayes\""));
}

fn skipped_metrics_do_not_fail() {
    let project = Project::with_suite(
        99,
        100,
        "  ece: { at_most: 0.05, unmeasurable: skip }\n  accuracy: '>= 90%'",
    );
    let said = project.run(&[]);
    said.assert_code(0);
    assert_eq!(said.outcome("s::rules::ece"), "ignored");
}

fn an_undecided_outcome_counts_as_the_suite_says() {
    for (option, shown) in [("ignore", "ignored"), ("fail", "FAILED"), ("pass", "ok")] {
        let accuracy = format!("  accuracy: {{ at_least: 90%, on_inconclusive: {option} }}");
        let project = Project::with_suite(92, 100, &accuracy);
        let said = project.run(&[]);
        assert_eq!(said.outcome("s::rules::accuracy"), shown);
        assert_eq!(
            said.outcome("s::rules::decided"),
            "FAILED",
            "nothing was decided"
        );
    }
}
