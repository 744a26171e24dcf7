//! Which model answered, and when: names that move, models that change, recordings that grow old.

use serde_json::json;

use crate::Test;
use crate::project::{Project, Said, case_lines};
use crate::support::system_one::{Act, KEY, Server};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_name_that_moves_is_a_warning_and_refused_where_it_is_strict",
        a_name_that_moves_is_a_warning_and_refused_where_it_is_strict,
    ),
    (
        "answers_of_two_models_under_one_name_could_not_run",
        answers_of_two_models_under_one_name_could_not_run,
    ),
    (
        "a_recording_has_a_greatest_age_and_an_exact_model",
        a_recording_has_a_greatest_age_and_an_exact_model,
    ),
    (
        "what_a_service_cannot_be_asked_is_told_when_the_suite_loads",
        what_a_service_cannot_be_asked_is_told_when_the_suite_loads,
    ),
    (
        "keys_in_a_suite_are_refused_and_not_shown",
        keys_in_a_suite_are_refused_and_not_shown,
    ),
];

fn write_suite(project: &Project, server: &Server, model: &str, recording: &str, cases: usize) {
    project.write(
        "suites/s.yaml",
        format!(
            "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: The second }}
cases: s.cases.jsonl
candidates:
  jev:
    provider: system-one
    model: {model}
    base_url: {}
    price: {{ input_per_million: 0.042 }}
  rules: {{ provider: rust, function: parrot }}
{recording}
assert:
  accuracy: '>= 80%'
scorecard: off
",
            server.url()
        ),
    );
    project.write("suites/s.cases.jsonl", case_lines(cases, cases));
}

fn fill(project: &Project) -> Said {
    let variables = [
        ("DECBENCH_MODE", "fill"),
        ("DECBENCH_BUDGET_USD", "1"),
        ("TYPESAFE_API_KEY", KEY),
    ];
    project.run_with(&[], &variables)
}

fn a_name_that_moves_is_a_warning_and_refused_where_it_is_strict() {
    let server = Server::answering();
    let project = Project::new();
    write_suite(&project, &server, "jev-latest", "", 40);
    project.write("decbench.toml", "[profile.ci]\nstrict = true\n");
    let said = fill(&project);
    said.assert_code(0)
        .assert_says("warning[floating-model]")
        .assert_says("`jev-latest` is the name of whatever model is current");
    assert_eq!(said.outcome("s::loads"), "ok");
    assert!(
        project
            .read("out/s/scorecard.json")
            .contains("may mean another one tomorrow"),
        "the scorecard remarks it"
    );
    assert!(
        project
            .read("suites/answers/s/jev.jsonl")
            .lines()
            .all(|line| line.contains(r#""model":"jev-1.13.0""#)),
        "every answer names the model that served"
    );
    let said = project.run_with(&[], &[("DECBENCH_PROFILE", "ci")]);
    said.assert_code(101)
        .assert_says("error[floating-model]")
        .assert_says("write the full version");
    assert_eq!(said.outcome("s::loads"), "FAILED");
}

fn answers_of_two_models_under_one_name_could_not_run() {
    let server = Server::behaving(|seen| {
        let number: usize = seen.state()[2..].parse().expect("a number");
        if number < 40 {
            Act::Answer
        } else {
            Act::Changed(|answer| answer["model"] = json!("jev-1.14.0"))
        }
    });
    let project = Project::new();
    write_suite(&project, &server, "jev-latest", "", 40);
    fill(&project).assert_code(0);
    // New cases, and meanwhile the name means another model.
    write_suite(&project, &server, "jev-latest", "", 45);
    let filled = fill(&project);
    let replayed = project.run(&[]);
    for said in [filled, replayed] {
        said.assert_code(101)
            .assert_says("could not run")
            .assert_says(
                "under the name `jev-latest` 2 models answered: jev-1.13.0 (40 answers), jev-1.14.0 (5 answers)",
            )
            .assert_says("ask for one of them by its full name");
        assert_eq!(said.outcome("s::jev::accuracy"), "FAILED");
        assert_eq!(said.outcome("s::rules::accuracy"), "ok");
    }
    assert_eq!(server.calls(), 45, "nothing is bought again");
    write_suite(
        &project,
        &server,
        "jev-latest",
        "recording: { model: any }",
        45,
    );
    project.run(&[]).assert_code(0);
}

fn a_recording_has_a_greatest_age_and_an_exact_model() {
    let server = Server::answering();
    let project = Project::new();
    let rule = "recording: { max_age: 90d, model: exact }";
    write_suite(&project, &server, "jev-1.13.0", rule, 40);
    let said = fill(&project);
    said.assert_code(0);
    assert_eq!(said.outcome("s::jev::recording"), "ok");
    assert!(
        !said.stdout.contains("s::rules::recording"),
        "a function has no recording"
    );
    let path = "suites/answers/s/jev.jsonl";
    let fresh = project.read(path);
    let (_, after) = fresh.split_once(r#""at":"20"#).expect("a date");
    let year = format!(r#""at":"20{}"#, &after[..2]);
    project.write(path, fresh.replacen(&year, r#""at":"2020"#, 1));
    let said = project.run(&["s::jev"]);
    said.assert_code(101)
        .assert_says("the oldest of 40 answers is of 2020-")
        .assert_says("`max_age` is 90 days")
        .assert_says("delete answers/s/jev.jsonl beside the suite, then DECBENCH_MODE=fill");
    assert_eq!(said.outcome("s::jev::recording"), "FAILED");
    assert_eq!(said.outcome("s::jev::accuracy"), "ok");

    project.write(path, fresh.replace("jev-1.13.0", "jev-1.13.0-hotfix"));
    let said = project.run(&["s::jev::recording"]);
    said.assert_code(101)
        .assert_says("40 answers of jev-1.13.0-hotfix, and `jev-1.13.0` was asked for");

    write_suite(
        &project,
        &server,
        "jev-1.13.0",
        "recording: { max_age: 90, modell: exact }",
        40,
    );
    project
        .run(&[])
        .assert_code(101)
        .assert_says("`max_age` wants a time with its unit")
        .assert_says("did you mean `model`?");
}

fn what_a_service_cannot_be_asked_is_told_when_the_suite_loads() {
    let project = Project::new();
    project.write("suites/s.cases.jsonl", case_lines(40, 40));
    project.write(
        "suites/s.yaml",
        "question:
  type: score
  instructions: How far down the alphabet?
  levels: [a, b, c, d, e, f, g, h, i, j, k]
cases: s.cases.jsonl
candidates:
  luna: { provider: openai-decisions, model: gpt-6-luna }
  away: { provider: gemini-decisions, model: g, base_url: 'https://gateway.example.org' }
assert:
  accuracy: '>= 80%'
scorecard: off
",
    );
    project
        .run(&[])
        .assert_code(101)
        .assert_says(
            "candidate `luna`: `openai-decisions` takes 2 to 10 levels, and the question has 11",
        )
        .assert_says("candidate `away`: the key in GEMINI_API_KEY is not sent to another host");
}

fn keys_in_a_suite_are_refused_and_not_shown() {
    let server = Server::answering();
    let project = Project::new();
    for (settings, told, place) in [
        (
            "headers: { Authorization: Bearer canary-51 }",
            "the header `Authorization` is not to be set here",
            "headers: { Authorization: **",
        ),
        (
            "api_key: canary-51",
            "unknown setting `api_key`",
            "api_key: **",
        ),
        (
            "concurency: 3\n    X-Auth-Token: canary-51",
            "unknown setting `X-Auth-Token`",
            "X-Auth-Token: **",
        ),
    ] {
        write_suite(&project, &server, "jev-1.13.0", "", 40);
        let text = project.read("suites/s.yaml");
        let with = format!("    {settings}\n    price:");
        project.write("suites/s.yaml", text.replacen("    price:", &with, 1));
        let said = project.run(&[]);
        said.assert_code(101).assert_says(told).assert_says(place);
        assert!(!said.stdout.contains("canary"), "{}", said.stdout);
        assert!(!said.stderr.contains("canary"), "{}", said.stderr);
    }
    write_suite(&project, &server, "jev-1.13.0", "", 40);
    let text = project.read("suites/s.yaml");
    let with_user = text.replace("http://", "http://somebody:canary-51@");
    project.write("suites/s.yaml", with_user);
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("it holds a user or password")
        .assert_says("base_url: http://******");
    assert!(!said.stdout.contains("canary"), "{}", said.stdout);
    assert!(!said.stderr.contains("canary"), "{}", said.stderr);
    assert_eq!(server.calls(), 0);
}
