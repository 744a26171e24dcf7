//! What the plan of a suite tells before anybody is asked.

use crate::Test;
use crate::project::Project;

pub(crate) const TESTS: &[Test] = &[
    (
        "a_plan_says_what_the_cases_can_tell_and_what_goes_wrong_by_chance",
        a_plan_says_what_the_cases_can_tell_and_what_goes_wrong_by_chance,
    ),
    (
        "what_cannot_be_settled_is_told_with_every_run",
        what_cannot_be_settled_is_told_with_every_run,
    ),
];

/// The largest chance, below a fortieth, that at most so many of `n` hold where each holds with a chance of `p`.
fn wrong_red(n: u32, p: f64) -> f64 {
    let (mut chance, mut sum) = ((1.0 - p).powf(f64::from(n)), 0.0);
    for k in 0..n {
        if sum + chance >= 0.025 {
            break;
        }
        sum += chance;
        chance *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
    }
    sum
}

fn a_plan_says_what_the_cases_can_tell_and_what_goes_wrong_by_chance() {
    let project = Project::with_suite(
        90,
        100,
        "  accuracy: '>= 80%'\n  recall[a]: '>= 70%'\n  macro_f1: '>= 40%'",
    );
    let text = project.read("suites/s.yaml").replace(
        "candidates:\n",
        "candidates:\n  spare: { provider: rust, function: fragile, assert: { error_rate: '<= 90%' } }\n",
    );
    project.write("suites/s.yaml", text);
    let said = project.run(&["--exact", "s::plan"]);
    said.assert_code(0)
        .assert_says("s: 100 cases, 100 with gold, 100 independent units")
        .assert_says("  rules 100 (100 base)")
        .assert_says("accuracy >= 80% (spare, rules)")
        .assert_says("  passes 80.0% of the time at a true value of")
        .assert_says("  wrongly red");
    // Requirements on the same answers hang together, so their chances add up at most; macro F1 is no share.
    let both = wrong_red(100, 0.8) + wrong_red(100, 0.7);
    let line = |name: &str, chance: f64, sum: &str| {
        format!(
            "of `{name}` anything is wrongly red at most {:.1}% of the time: the sum over {sum} on shares",
            100.0 * chance
        )
    };
    said.assert_says(&line("rules", both, "2 requirements"));
    // A ceiling is a floor on the rest.
    let three = both + wrong_red(100, 0.1);
    said.assert_says(&line("spare", three, "3 requirements"));
}

fn what_cannot_be_settled_is_told_with_every_run() {
    let project = Project::with_suite(20, 20, "  accuracy: '>= 95%'");
    // The plan itself asks nobody and reads no answer.
    project.run(&["--exact", "s::plan"]).assert_code(0);
    assert!(!project.path().join("out/runs").exists());
    let said = project.run(&[]);
    said.assert_says(
        "inconclusive by construction: 20 cases cannot prove it whatever is answered; it takes 72",
    );
    assert_eq!(said.outcome("s::plan"), "ok");
    assert_eq!(said.outcome("s::rules::accuracy"), "ignored");
}
