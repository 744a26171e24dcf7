//! Calling a service: agreeing to the costs, progress, and several candidates side by side.

use crate::Test;
use crate::project::{Project, Said, case_lines};
use crate::support::chat_completions;
use crate::support::system_one::{Act, KEY, Server};

pub(crate) const TESTS: &[Test] = &[
    (
        "an_estimate_comes_with_the_line_that_agrees_to_it",
        an_estimate_comes_with_the_line_that_agrees_to_it,
    ),
    (
        "progress_is_told_on_standard_error_and_only_while_calls_are_made",
        progress_is_told_on_standard_error_and_only_while_calls_are_made,
    ),
    (
        "candidates_are_asked_side_by_side_about_a_case",
        candidates_are_asked_side_by_side_about_a_case,
    ),
    (
        "a_model_without_a_price_is_allowed_by_its_name",
        a_model_without_a_price_is_allowed_by_its_name,
    ),
    (
        "what_would_be_cut_is_listed_and_not_sent",
        what_would_be_cut_is_listed_and_not_sent,
    ),
    (
        "costs_are_of_the_calls_that_production_would_make",
        costs_are_of_the_calls_that_production_would_make,
    ),
    (
        "a_deadline_that_is_none_is_told",
        a_deadline_that_is_none_is_told,
    ),
];

fn project(server: &Server, candidates: &str, cases: usize) -> Project {
    let project = Project::new();
    let url = server.url();
    project.write(
        "suites/s.yaml",
        format!(
            "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: The second }}
cases: s.cases.jsonl
candidates:
{candidates}
assert:
  accuracy: '>= 80%'
scorecard: off
"
        ),
    );
    project.write("suites/s.cases.jsonl", case_lines(cases, cases));
    project.write(
        "decbench.toml",
        format!(
            "[provider.system-one]\nbase_url = '{url}'\nprice = {{ input_per_million = 0.042 }}\n"
        ),
    );
    project
}

fn asking<'v>(further: &[(&'v str, &'v str)]) -> Vec<(&'v str, &'v str)> {
    let mut variables = vec![("DECBENCH_MODE", "fill"), ("TYPESAFE_API_KEY", KEY)];
    variables.extend(further);
    variables
}

const JEV: &str =
    "  jev: { provider: system-one, model: jev-1.13.0, price: { input_per_million: 0.042 } }";

fn an_estimate_comes_with_the_line_that_agrees_to_it() {
    let server = Server::answering();
    let project = project(&server, JEV, 60);
    let said = project.run_with(&[], &asking(&[]));
    said.assert_code(101)
        .assert_says("60 calls are to be made for about $0.00")
        .assert_says("$0.00")
        .assert_says("at its own `price`")
        .assert_says(
            "confirm   DECBENCH_MODE=fill DECBENCH_CONFIRM_USD=0.01 cargo test -p my-app --test decisions -- \"s::\"",
        );
    assert_eq!(server.calls(), 0);
    let said = project.run_with(&["s::"], &asking(&[("DECBENCH_CONFIRM_USD", "0.01")]));
    said.assert_code(0);
    assert_eq!(server.calls(), 60);
    project.run(&[]).assert_code(0);
    assert_eq!(server.calls(), 60, "what was recorded replays");
}

/// What was said of progress; nothing of it may stand on standard output.
fn progress(said: &Said) -> Vec<&str> {
    assert!(!said.stdout.contains("60/60"), "{}", said.stdout);
    let lines = said.stderr.lines();
    lines
        .filter(|line| line.starts_with("decbench: s::jev"))
        .collect()
}

fn progress_is_told_on_standard_error_and_only_while_calls_are_made() {
    let server = Server::answering();
    let project = project(&server, JEV, 60);
    let variables = asking(&[("DECBENCH_BUDGET_USD", "1")]);
    let said = project.run_with(&[], &variables);
    said.assert_code(0);
    let lines = progress(&said);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("60/60 calls") && lines[0].contains("done in"),
        "{lines:?}"
    );
    assert!(lines[0].contains("  $0.0000"), "{lines:?}");
    let said = project.run_with(&[], &variables);
    assert!(progress(&said).is_empty(), "nothing was asked");
    let mut variables = variables;
    variables[0].1 = "live";
    let said = project.run_with(&["--format", "json"], &variables);
    assert_eq!(server.calls(), 120);
    assert!(progress(&said).is_empty(), "a program reads it");
    let said = project.run_with(&["--list"], &variables);
    assert!(said.stderr.is_empty(), "{}", said.stderr);
    assert_eq!(server.calls(), 120);
}

fn candidates_are_asked_side_by_side_about_a_case() {
    let server = Server::answering();
    let both = "  jev: { provider: system-one, model: jev-1.13.0, concurrency: 1 }
  new: { provider: system-one, model: jev-1.14.0 }";
    let project = project(&server, both, 40);
    project
        .run_with(&[], &asking(&[("DECBENCH_BUDGET_USD", "1")]))
        .assert_code(0);
    let seen = server.seen();
    assert_eq!(seen.len(), 80);
    for pair in seen.chunks(2) {
        assert_eq!(pair[0].state(), pair[1].state());
        assert_ne!(pair[0].body["model"], pair[1].body["model"]);
    }
}

fn a_model_without_a_price_is_allowed_by_its_name() {
    let server = Server::answering();
    // A function is asked by nobody else, so nobody has published its price.
    let project = project(
        &server,
        "  lab: { provider: rust, function: parrot, recorded: true }",
        50,
    );
    let variables = [("DECBENCH_MODE", "fill"), ("DECBENCH_BUDGET_USD", "1")];
    project
        .run_with(&[], &variables)
        .assert_code(101)
        .assert_says("50 calls are to be made at an unknown price");
    project.write(
        "decbench.toml",
        "[profile.default]\nallow_unpriced = ['lab']\n",
    );
    project.run_with(&[], &variables).assert_code(0);
    assert_eq!(server.calls(), 0);
}

fn what_would_be_cut_is_listed_and_not_sent() {
    let server = Server::answering();
    let project = project(&server, JEV, 40);
    let long = format!(
        "{}\n{{\"id\":\"endless\",\"state\":\"a {}\",\"gold\":\"a\"}}\n",
        case_lines(40, 40),
        "and so on ".repeat(500)
    );
    project.write("suites/s.cases.jsonl", long);
    let variables = asking(&[("DECBENCH_BUDGET_USD", "1")]);
    // Nobody has published what a server on this machine reads.
    let said = project.run_with(&["s::data::size"], &variables);
    said.assert_code(0)
        .assert_says("how much `jev` reads of a request is not known");
    assert_eq!(said.outcome("s::data::size"), "ignored");
    let config = project.read("decbench.toml");
    let limited = |tokens: u32| {
        project.write(
            "decbench.toml",
            format!("{config}[context.\"jev-1.13.0\"]\ntokens = {tokens}\nat = 2026-11-29\n"),
        );
    };
    limited(1_000);
    for mode in ["fill", "live"] {
        let mut variables = variables.clone();
        variables[0].1 = mode;
        let before = server.calls();
        let said = project.run_with(&[], &variables);
        said.assert_code(101)
            .assert_says("1 request would be cut for `jev`, which reads 1000 tokens of a request (looked up 2026-11-29)")
            .assert_says("cases     endless: about 1")
            .assert_says("1 of 41 answers are missing")
            .assert_says("case `endless`: not sent, about 1");
        assert_eq!(said.outcome("s::data::size"), "FAILED");
        assert_eq!(said.outcome("s::jev::accuracy"), "FAILED");
        assert_eq!(server.calls() - before, 40, "{mode}");
    }
    assert!(server.seen().iter().all(|seen| seen.state().len() < 100));
    project
        .run(&["s::jev::accuracy"])
        .assert_code(101)
        .assert_says("case `endless`: not sent, about 1");
    limited(32_768);
    let said = project.run_with(&[], &variables);
    said.assert_code(0);
    assert_eq!(said.outcome("s::data::size"), "ok");
    assert_eq!(server.calls(), 81, "what was too long is sent now");
}

fn costs_are_of_the_calls_that_production_would_make() {
    // A tenth of the cases has to be asked again: a refused request costs nothing, and where two are made for one answer
    // the one that was answered is paid, kept, and not made again.
    let server = Server::behaving(|seen| {
        let alone = seen.body["model"] == "jev-1.13.0";
        let criteria = seen.body["questions"]["decision"]["criteria"].as_object();
        let second_first = criteria
            .and_then(|criteria| criteria.keys().next())
            .is_some_and(|key| key == "b");
        if seen.arrival == 1 && seen.state().ends_with('7') && (alone || second_first) {
            Act::Reply(529, vec![("retry-after", "0".to_owned())], String::new())
        } else {
            Act::Answer
        }
    });
    let chats = Server::speaking(chat_completions::CONTRACT, |_| Act::Answer);
    let candidates = format!(
        "  jev: {{ provider: system-one, model: jev-1.13.0 }}
  mean: {{ provider: system-one, model: jev-1.14.0, average_orders: 2 }}
  votes: {{ provider: vote-share, model: m, samples: 3, base_url: '{}', key_env: TYPESAFE_API_KEY, price: {{ input_per_million: 1, output_per_million: 4 }} }}",
        chats.url()
    );
    let project = project(&server, &candidates, 40);
    let text = project
        .read("suites/s.yaml")
        .replace(
            "  accuracy: '>= 80%'",
            "  accuracy: '>= 10%'\n  flip_rate: { at_most: 100%, repeats: 2 }\n  order_flip_rate: { at_most: 100%, orders: 2 }",
        )
        .replace("scorecard: off", "scorecard: print");
    project.write("suites/s.yaml", text);
    project.run_with(&[], &asking(&[("DECBENCH_BUDGET_USD", "1")]));
    assert_eq!(
        chats.calls(),
        40 * 3 * 3,
        "a base call, a repeat and the other order, of three votes"
    );
    let json: serde_json::Value =
        serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON");
    let metric = |candidate: usize, name: &str| {
        json["candidates"][candidate]["questions"][0]["metrics"][name]["value"]
            .as_f64()
            .unwrap_or_else(|| panic!("no {name} of {candidate}"))
    };
    // What the base calls cost by their own lines, which name their tokens.
    let of_lines = |name: &str, price: (f64, f64)| {
        let lines = project.read(&format!("suites/answers/s/{name}.jsonl"));
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let base: Vec<f64> = lines
            .filter(|line| line["probe"]["repeat"] == 0 && line["probe"]["order"][0] == 0)
            .map(|line| {
                let tokens = |name: &str| line[name].as_f64().unwrap_or_default();
                (price.0 * tokens("input_tokens") + price.1 * tokens("output_tokens")) / 1e6
            })
            .collect();
        assert_eq!(base.len(), 40, "{name}");
        base.iter().sum::<f64>() * 1000.0 / 40.0
    };
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
    for (at, (name, price)) in [
        ("jev", (0.042, 0.0)),
        ("mean", (0.042, 0.0)),
        ("votes", (1.0, 4.0)),
    ]
    .into_iter()
    .enumerate()
    {
        near(metric(at, "cost_per_1000"), of_lines(name, price));
        near(
            metric(at, "cost_per_correct") * metric(at, "accuracy") * 1000.0,
            metric(at, "cost_per_1000"),
        );
    }
}

fn a_deadline_that_is_none_is_told() {
    let project = Project::with_suite(9, 9, "  accuracy: '>= 50%'");
    project
        .run_with(&[], &[("DECBENCH_DEADLINE", "20")])
        .assert_code(2)
        .assert_says("DECBENCH_DEADLINE is `20`; write a time with its unit such as 20min");
}
