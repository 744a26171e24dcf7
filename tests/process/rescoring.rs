//! What asks again, and what is only scored again.

use std::fmt::Write as _;

use crate::Test;
use crate::project::{Project, Said};

pub(crate) const TESTS: &[Test] = &[
    (
        "new_gold_bounds_gates_and_rules_cause_no_call",
        new_gold_bounds_gates_and_rules_cause_no_call,
    ),
    (
        "what_was_asked_differently_is_missing_and_says_why",
        what_was_asked_differently_is_missing_and_says_why,
    ),
];

const SUITE: &str = "question:
  type: choice
  instructions: Which letter?
  options: { a: The first, b: { description: The second, escape: true } }
cases: s.cases.jsonl
candidates:
  old: { provider: rust, function: parrot, recorded: true, today: true, price: { input_per_million: 0, output_per_million: 0 } }
  new: { provider: rust, function: parrot, recorded: true, price: { input_per_million: 0, output_per_million: 0 } }
assert:
  accuracy: '>= 60%'
verdict: any
gates: { error_rate: '<= 1%' }
scorecard: off
";

fn cases(gold: &str) -> String {
    (0..60).fold(String::new(), |mut text, at| {
        let _ = writeln!(
            text,
            r#"{{"id":"c-{at:04}","state":"a {at}","gold":"{gold}"}}"#
        );
        text
    })
}

/// A project whose answers are all recorded.
fn recorded() -> Project {
    let project = Project::new();
    project.write("suites/s.yaml", SUITE);
    project.write("suites/s.cases.jsonl", cases("a"));
    let said = project.run_with(
        &[],
        &[("DECBENCH_MODE", "fill"), ("DECBENCH_BUDGET_USD", "1")],
    );
    said.assert_code(0);
    project
}

fn recordings(project: &Project) -> [String; 2] {
    ["old", "new"].map(|name| project.read(&format!("suites/answers/s/{name}.jsonl")))
}

/// A run that may ask and has nothing to spend: a single call would stop it.
fn without_a_budget(project: &Project) -> Said {
    project.run_with(&[], &[("DECBENCH_MODE", "fill")])
}

fn new_gold_bounds_gates_and_rules_cause_no_call() {
    let project = recorded();
    let before = recordings(&project);
    let free = |what: &str, from: &str, to: &str, trial: &str, outcome: &str| {
        assert!(SUITE.contains(from), "{from}");
        project.write("suites/s.yaml", SUITE.replace(from, to));
        let said = without_a_budget(&project);
        assert!(
            !said.stdout.contains("nothing was asked"),
            "{what}\n{}",
            said.stdout
        );
        assert_eq!(said.outcome(trial), outcome, "{what}\n{}", said.stdout);
        assert_eq!(recordings(&project), before, "{what}");
    };
    free("the same again", "any", "any", "s::old::accuracy", "ok");
    free("a bound", ">= 60%", "<= 60%", "s::old::accuracy", "FAILED");
    free(
        "a gate",
        "error_rate: '<= 1%'",
        "accuracy: '>= 100%'",
        "s::verdict",
        "ok",
    );
    free(
        "the verdict's rule",
        "verdict: any",
        "verdict: { expect: keep, success: 0.5, min_discordant: 0, utility: { quality: 1, speed: 0, cost: 0 } }",
        "s::verdict",
        "ok",
    );
    free(
        "a comparison",
        "verdict: any",
        "verdict: any\ncompare: { metric: accuracy, margin: 20% }",
        "s::new::not_worse[accuracy]",
        "ok",
    );
    project.write("suites/s.cases.jsonl", cases("b"));
    free("gold", "any", "any", "s::old::accuracy", "FAILED");
}

fn what_was_asked_differently_is_missing_and_says_why() {
    let project = recorded();
    let differs = |from: &str, to: &str, why: &str| {
        assert!(SUITE.contains(from), "{from}");
        project.write("suites/s.yaml", SUITE.replace(from, to));
        let replayed = project.run(&[]);
        replayed.assert_code(101).assert_says(why);
        without_a_budget(&project).assert_says("nothing was asked, as nobody has agreed to it");
    };
    let question =
        "the nearest one differs in the question (type, version, instructions or options)";
    differs("Which letter?", "Which letter is it?", question);
    differs("a: The first", "a: The very first", question);
    differs(
        "{ a: The first, b: { description: The second, escape: true } }",
        "{ b: { description: The second, escape: true }, a: The first }",
        question,
    );
    differs(
        "accuracy: '>= 60%'",
        "order_flip_rate: { at_most: 50%, orders: 2 }",
        "the nearest one differs in the order of the options",
    );
    project.write(
        "suites/s.cases.jsonl",
        cases("a").replace("\"a 7\"", "\"a seven\""),
    );
    differs(
        "any",
        "any",
        "case `c-0007`: no recording; the nearest one differs in the state",
    );
    // Taken back, it is all there again.
    project.write("suites/s.cases.jsonl", cases("a"));
    project.write("suites/s.yaml", SUITE);
    without_a_budget(&project).assert_code(0);
}
