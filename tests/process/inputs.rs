//! Broken, missing and odd input.

use crate::Test;
use crate::project::{Project, suite};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_broken_suite_lists_and_fails_alone",
        a_broken_suite_lists_and_fails_alone,
    ),
    (
        "no_suite_is_a_failure_that_names_the_folder",
        no_suite_is_a_failure_that_names_the_folder,
    ),
    ("all_mistakes_come_in_one_go", all_mistakes_come_in_one_go),
    (
        "a_function_that_is_not_linked_is_told_with_those_that_are",
        a_function_that_is_not_linked_is_told_with_those_that_are,
    ),
    (
        "a_mistake_in_a_candidate_points_at_its_line",
        a_mistake_in_a_candidate_points_at_its_line,
    ),
    (
        "two_suites_of_one_name_are_refused",
        two_suites_of_one_name_are_refused,
    ),
    (
        "a_recording_that_lacks_a_case_could_not_run",
        a_recording_that_lacks_a_case_could_not_run,
    ),
    (
        "a_service_without_a_recording_is_a_miss_and_never_called",
        a_service_without_a_recording_is_a_miss_and_never_called,
    ),
];

fn a_broken_suite_lists_and_fails_alone() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    project.write("suites/broken.yaml", "question: [\n");
    let list = project.run(&["--list"]);
    list.assert_code(0).assert_says("broken::loads: test");
    assert_eq!(list.stdout.matches("broken").count(), 1);
    let said = project.run(&[]);
    said.assert_code(101).assert_says("broken.yaml:");
    assert_eq!(said.outcome("broken::loads"), "FAILED");
    assert_eq!(said.outcome("s::rules::accuracy"), "ok");
}

fn no_suite_is_a_failure_that_names_the_folder() {
    let project = Project::new();
    let said = project.run(&[]);
    said.assert_code(101).assert_says("no suites found");
    said.assert_says(&project.path().join("suites").display().to_string());
    // Under a filter too: a typo in a folder never turns green.
    assert_eq!(project.run(&["--list"]).stdout.matches(": test").count(), 1);
}

fn all_mistakes_come_in_one_go() {
    let project = Project::with_suite(
        9,
        10,
        "  acuracy: '>= 90%'\n  recall[c]: '>= 50%'\n  latency.p95: '<= 300'",
    );
    let text = project
        .read("suites/s.yaml")
        .replace("candidates:", "candidate:");
    project.write("suites/s.yaml", text);
    project.write(
        "suites/s.cases.jsonl",
        "{\"id\":\"x\",\"state\":\"a\",\"gold\":\"z\"}\n{\"id\":\"x\",\"state\":\"b\"}\n{\n",
    );
    let said = project.run(&[]);
    for part in [
        "did you mean `accuracy`?",
        "did you mean `candidates`?",
        "`c`",
        "300ms",
        "`z`",
        "s.cases.jsonl:2",
        "s.cases.jsonl:3",
    ] {
        said.assert_says(part);
    }
}

fn a_function_that_is_not_linked_is_told_with_those_that_are() {
    let project = Project::with_suite(9, 10, "  accuracy: '>= 50%'");
    project.write("suites/s.yaml", suite("elsewhere", "  accuracy: '>= 50%'"));
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("elsewhere")
        .assert_says("parrot")
        .assert_says("as _;");
    assert_eq!(said.outcome("s::loads"), "FAILED");
}

fn a_mistake_in_a_candidate_points_at_its_line() {
    let project = Project::with_suite(9, 10, "  accuracy: '>= 50%'");
    let text = project.read("suites/s.yaml");
    let text = text.replace(
        "assert:",
        "  jev: { provider: system-one, model: jev-1.13.0, concurency: 4 }\nassert:",
    );
    project.write("suites/s.yaml", text);
    project
        .run(&[])
        .assert_code(101)
        .assert_says("s.yaml:8:")
        .assert_says("did you mean `concurrency`?");
}

fn two_suites_of_one_name_are_refused() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 90%'");
    project.write(
        "suites/t.yaml",
        format!("suite: s\n{}", project.read("suites/s.yaml")),
    );
    project
        .run(&[])
        .assert_code(101)
        .assert_says("another suite is named `s` too");
}

fn a_recording_that_lacks_a_case_could_not_run() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 50%'");
    let recorded = |options: &str| {
        suite("parrot", "  accuracy: '>= 50%'").replace(
            "{ provider: rust, function: parrot, today: true }",
            &format!("{{ provider: recorded, file: r.jsonl{options} }}"),
        )
    };
    let answers: Vec<String> = (0..99)
        .map(|at| format!(r#"{{"case":"c-{at:04}","label":"a"}}"#))
        .collect();
    let answers = answers.join("\n");
    project.write("suites/r.jsonl", answers);
    project.write("suites/s.yaml", recorded(""));
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("1 of 100 answers are missing")
        .assert_says("case `c-0099`");
    project.write("suites/s.yaml", recorded(", missing: skip"));
    project.run(&[]).assert_code(0);
    assert!(
        project
            .read("out/s/scorecard.json")
            .contains("1 cases have no recorded answer")
    );
}

fn a_service_without_a_recording_is_a_miss_and_never_called() {
    let project = Project::with_suite(99, 100, "  accuracy: '>= 50%'");
    let text = suite("parrot", "  accuracy: '>= 50%'").replace(
        "{ provider: rust, function: parrot, today: true }",
        "{ provider: system-one, model: jev-1.13.0, base_url: 'http://127.0.0.1:9' }",
    );
    project.write("suites/s.yaml", text);
    let said = project.run_with(&[], &[("TYPESAFE_API_KEY", "apikey_canary_2718281828")]);
    said.assert_code(101)
        .assert_says("100 of 100 answers are missing")
        .assert_says("no recording")
        .assert_says(r#"DECBENCH_MODE=fill DECBENCH_BUDGET_USD=1 cargo test -p my-app --test decisions -- --exact "s::rules::accuracy""#);
    assert!(!said.stdout.contains("canary") && !said.stderr.contains("canary"));
    assert!(
        !project.path().join("suites/answers").exists(),
        "replay writes nothing beside the suite"
    );
}
