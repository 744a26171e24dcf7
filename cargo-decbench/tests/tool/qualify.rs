//! `qualify`: a gate that is far from its bound stays, one that stands on it flips.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::project::Project;

/// A suite of 40 cases with recorded answers, of which the last `wrong` are wrong in the first run, and `wrong_later` in the
/// second.
fn project(wrong: usize, wrong_later: usize) -> Project {
    let project = Project::new();
    project.write(
        "tests/suites/even.yaml",
        "question: { type: yes_no, instructions: Is it? }
cases: even.cases.jsonl
candidates:
  far: { provider: recorded, file: far.jsonl }
assert:
  accuracy: { at_least: 80%, reading: point }
scorecard: off
",
    );
    let mut cases = String::new();
    let mut answers = String::new();
    for at in 0..40 {
        let _ = writeln!(
            cases,
            "{{\"id\":\"c-{at}\",\"state\":\"s {at}\",\"gold\":\"yes\"}}"
        );
        for (repeat, wrong) in [wrong, wrong_later].into_iter().enumerate() {
            let label = if at + wrong >= 40 { "no" } else { "yes" };
            let _ = writeln!(
                answers,
                "{{\"case\":\"c-{at}\",\"repeat\":{repeat},\"label\":\"{label}\"}}"
            );
        }
    }
    project.write("tests/suites/even.cases.jsonl", &cases);
    project.write("tests/suites/far.jsonl", &answers);
    project
}

fn gate(project: &Project) -> Json {
    let said = project.run(&["qualify", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told: Json = serde_json::from_str(&said.stdout).expect("JSON");
    told["gates"][0].clone()
}

#[test]
fn a_gate_far_from_its_bound_never_flips() {
    let project = project(0, 0);
    let gate = gate(&project);
    assert_eq!(gate["outcome"], "pass");
    assert_eq!(gate["flips"], 0.0, "{gate}");
    let said = project.run(&["qualify", "--at-most", "5%"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn a_gate_on_its_bound_flips_as_often_as_the_binomial_says() {
    // 32 of 40 are right. A draw has fewer than 32 right with a chance of 0.4357 under Binomial(40, 0.8).
    let project = project(8, 12);
    let gate = gate(&project);
    assert_eq!(gate["outcome"], "pass", "{gate}");
    let flips = gate["flips"].as_f64().expect("a share");
    // Four standard errors of 200 draws.
    assert!(
        (flips - 0.4357).abs() < 4.0 * (0.4357_f64 * 0.5643 / 200.0).sqrt(),
        "{gate}"
    );
    let said = project.run(&["qualify", "--at-most", "20%"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stdout
            .contains("even::far::accuracy  accuracy >= 80%: pass"),
        "{said:?}"
    );
}

#[test]
fn gates_that_are_not_there_are_wrong_use() {
    let project = project(0, 0);
    for words in [
        &["qualify", "nowhere"][..],
        &["qualify", "--draws", "3"],
        &["qualify", "--at-most", "200%"],
    ] {
        assert_eq!(project.run(words).code, Some(2), "{words:?}");
    }
}
