//! Switch, keep, or test more, as a person and a build see it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Test;
use crate::project::{Project, Said, suite_of};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_verdict_that_is_expected_passes_and_is_written_down",
        a_verdict_that_is_expected_passes_and_is_written_down,
    ),
    (
        "a_verdict_that_changed_is_red_with_its_evidence",
        a_verdict_that_changed_is_red_with_its_evidence,
    ),
    (
        "a_verdict_that_cannot_tell_is_ignored_and_red_when_strict",
        a_verdict_that_cannot_tell_is_ignored_and_red_when_strict,
    ),
    (
        "missing_answers_are_no_verdict",
        missing_answers_are_no_verdict,
    ),
    (
        "a_verdict_alone_says_what_it_says_among_all",
        a_verdict_alone_says_what_it_says_among_all,
    ),
    (
        "the_snapshot_begins_with_the_verdict",
        the_snapshot_begins_with_the_verdict,
    ),
    (
        "a_gate_keeps_a_better_candidate_out",
        a_gate_keeps_a_better_candidate_out,
    ),
    (
        "a_lock_box_keeps_tuning_data_from_deciding",
        a_lock_box_keeps_tuning_data_from_deciding,
    ),
    (
        "a_claim_holds_fails_or_stays_open",
        a_claim_holds_fails_or_stays_open,
    ),
    (
        "capability_is_asserted_as_any_metric",
        capability_is_asserted_as_any_metric,
    ),
    ("a_cheaper_equal_is_named", a_cheaper_equal_is_named),
    (
        "a_margin_that_takes_more_cases_is_said_in_the_plan",
        a_margin_that_takes_more_cases_is_said_in_the_plan,
    ),
    (
        "before_launch_somebody_is_used",
        before_launch_somebody_is_used,
    ),
];

/// A project of recorded candidates: each is named with how many of its answers are wrong, from which case on, and
/// what one costs in US dollars. The first is today's where `today` says so.
fn project(
    cases: usize,
    today: bool,
    candidates: &[(&str, usize, usize, f64)],
    tail: &str,
) -> Project {
    let project = Project::new();
    let mut lines = String::new();
    for at in 0..cases {
        let _ = writeln!(lines, r#"{{"id":"c-{at:04}","state":"s {at}","gold":"a"}}"#);
    }
    project.write("suites/s.cases.jsonl", lines);
    let mut listed = String::new();
    for (position, (name, from, wrong, cost)) in candidates.iter().enumerate() {
        let mut answers = String::new();
        for at in 0..cases {
            let label = if (*from..from + wrong).contains(&at) {
                "b"
            } else {
                "a"
            };
            let _ = writeln!(
                answers,
                r#"{{"case":"c-{at:04}","label":"{label}","cost_usd":{cost},"latency_ms":100}}"#
            );
        }
        project.write(&format!("suites/{name}.jsonl"), answers);
        let mark = if today && position == 0 {
            ", today: true"
        } else {
            ""
        };
        let _ = writeln!(
            listed,
            "  {name}: {{ provider: recorded, file: {name}.jsonl{mark} }}"
        );
    }
    project.write("suites/s.yaml", suite_of(&listed, tail));
    project
}

fn verdict_of(project: &Project) -> Value {
    let card: Value = serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON");
    card["verdict"].clone()
}

fn ends(said: &Said, outcome: &str) {
    assert_eq!(
        said.outcome("s::verdict"),
        outcome,
        "{}\n{}",
        said.stdout,
        said.stderr
    );
}

const CLEAR: &[(&str, usize, usize, f64)] = &[("old", 0, 40, 0.01), ("new", 0, 10, 0.002)];

fn a_verdict_that_is_expected_passes_and_is_written_down() {
    let project = project(100, true, CLEAR, "verdict: switch");
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("Switch to `new`: its quality is higher than that of `old` on 100 cases");
    ends(&said, "ok");
    let verdict = verdict_of(&project);
    assert_eq!(verdict["outcome"], "switch");
    assert_eq!(verdict["named"], "new");
    assert_eq!(verdict["cases"], 100);
    assert_eq!(verdict["gold"], 100);
    assert_eq!(verdict["more_cases"], 0);
    let new = &verdict["candidates"][1];
    assert_eq!(new["quality"], 0.9);
    assert_eq!(new["discordant"]["better"], 30);
    assert_eq!(new["discordant"]["worse"], 0);
    assert_eq!(new["p_share"], 0.0);
    assert!((new["cost_per_success"]["value"].as_f64().unwrap() - 0.2 / 90.0).abs() < 1e-12);
    assert!(new["cost_per_success"]["interval"][0].as_f64().unwrap() < 0.2 / 90.0);
    assert!(
        verdict["measured_on"]
            .as_str()
            .unwrap()
            .contains("100 independent units")
    );
    assert!(
        verdict["does_not_claim"]
            .as_str()
            .unwrap()
            .contains("cases unlike these")
    );
}

fn a_verdict_that_changed_is_red_with_its_evidence() {
    let project = project(100, true, CLEAR, "verdict: keep");
    let said = project.run(&[]);
    said.assert_code(101);
    ends(&said, "FAILED");
    for part in [
        "expected  keep",
        "observed  switch",
        "better on 30, worse on 0",
        "selection effect",
        r#"rerun     cargo test -p my-app --test decisions -- --exact "s::verdict""#,
    ] {
        said.assert_says(part);
    }
}

fn a_verdict_that_cannot_tell_is_ignored_and_red_when_strict() {
    let close = [("old", 0, 20, 0.01), ("new", 2, 18, 0.01)];
    let project = project(100, true, &close, "verdict: keep");
    let said = project.run(&[]);
    said.assert_code(0).assert_says("about 200 more cases");
    ends(&said, "ignored");
    assert!(
        said.stderr.contains("s::verdict: inconclusive"),
        "{}",
        said.stderr
    );
    project.write("decbench.toml", "[profile.ci]\nstrict = true\n");
    let strict = project.run_with(&[], &[("DECBENCH_PROFILE", "ci")]);
    strict.assert_code(101);
    ends(&strict, "FAILED");
}

fn missing_answers_are_no_verdict() {
    let project = project(100, true, CLEAR, "verdict: any");
    let text = project.read("suites/new.jsonl");
    let kept: Vec<&str> = text.lines().skip(3).collect();
    project.write("suites/new.jsonl", kept.join("\n") + "\n");
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("`new`: 3 answers are missing");
    ends(&said, "FAILED");
}

fn a_verdict_alone_says_what_it_says_among_all() {
    let tail = "assert: { accuracy: '>= 10%' }\nverdict: keep\ngates: { error_rate: '<= 1%' }";
    let project = project(100, true, CLEAR, tail);
    let words = |said: &Said| {
        let from = said.stdout.find("verdict\n").expect("the verdict");
        let to = said.stdout[from..].find("rerun").expect("its end");
        said.stdout[from..from + to].to_owned()
    };
    let all = project.run(&[]);
    let alone = project.run(&["--exact", "s::verdict"]);
    assert_eq!(words(&all), words(&alone));
}

fn the_snapshot_begins_with_the_verdict() {
    let project = project(100, true, CLEAR, "verdict: switch");
    let text = project
        .read("suites/s.yaml")
        .replace("scorecard: off", "scorecard: print");
    project.write("suites/s.yaml", text);
    let said = project.run(&[]);
    said.assert_code(0);
    let verdict = said
        .stderr
        .find("verdict\n  Switch to `new`")
        .expect("a verdict");
    let rows = said.stderr.find("\nold (today)").expect("rows");
    assert!(verdict < rows, "{}", said.stderr);
}

fn a_gate_keeps_a_better_candidate_out() {
    let dear = [("old", 0, 40, 0.001), ("new", 0, 10, 0.01)];
    let tail = "verdict: keep\ngates: { cost_per_1000: '<= $5.00' }";
    let project = project(100, true, &dear, tail);
    let said = project.run(&[]);
    said.assert_code(0);
    ends(&said, "ok");
    let verdict = verdict_of(&project);
    assert_eq!(
        verdict["candidates"][1]["gates"][0],
        "cost_per_1000 <= $5.00"
    );
    assert!(verdict["candidates"][1]["utility"].is_null());
    // Today's own failure makes it soft.
    let text = project.read("suites/s.yaml").replace("$5.00", "$0.50");
    project.write("suites/s.yaml", text);
    let soft = project.run(&[]);
    soft.assert_code(101)
        .assert_says("told, not held against it");
    assert_eq!(verdict_of(&project)["outcome"], "switch");
}

fn a_lock_box_keeps_tuning_data_from_deciding() {
    let project = project(
        200,
        true,
        &[("old", 0, 90, 0.01), ("new", 0, 20, 0.01)],
        "verdict: any",
    );
    let text = project.read("suites/s.yaml").replace(
        "cases: s.cases.jsonl",
        "cases: { file: s.cases.jsonl, lockbox: 50% }",
    );
    project.write("suites/s.yaml", text);
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("On tuning data, no decision");
    let verdict = verdict_of(&project);
    assert_eq!(verdict["outcome"], "shortlist");
    assert_eq!(verdict["shortlist"][0], "new");
    assert_eq!(verdict["on_tuning_data"], true);
    let text = project
        .read("suites/s.yaml")
        .replace("verdict: any", "verdict: decision");
    project.write("suites/s.yaml", text);
    project.run(&[]).assert_code(101);
}

fn a_cheaper_equal_is_named() {
    let alike = [("old", 0, 4, 0.01), ("new", 4, 4, 0.001)];
    let tail = "verdict: { expect: switch_cheaper, margin: 5% }";
    let project = project(400, true, &alike, tail);
    let said = project.run(&[]);
    said.assert_code(0).assert_says("and it is cheaper");
    ends(&said, "ok");
    let text = project
        .read("suites/s.yaml")
        .replace("expect: switch_cheaper", "expect: keep");
    project.write("suites/s.yaml", text);
    ends(&project.run(&[]), "FAILED");
}

fn a_margin_that_takes_more_cases_is_said_in_the_plan() {
    let alike = [("old", 0, 4, 0.01), ("new", 4, 4, 0.001)];
    let tail = "compare: { against: today, margin: 1% }\nverdict: { expect: any, margin: 2% }";
    let few = project(100, true, &alike, tail);
    let said = few.run(&["--exact", "s::plan"]);
    said.assert_code(0)
        .assert_says("not_worse[accuracy] within 1.0% (new)")
        .assert_says("100 independent units cannot show it even if no answer differs; it takes 381")
        .assert_says("verdict: switch_cheaper within 2.0% (new)")
        .assert_says("it takes 189");
    // It is told among all trials too, and such a claim stays open whatever is answered.
    let all = few.run(&[]);
    all.assert_says("not_worse[accuracy] within 1.0% (new): inconclusive by construction");
    assert_eq!(all.outcome("s::new::not_worse[accuracy]"), "ignored");
    let enough = project(400, true, &alike, tail);
    enough
        .run(&["--exact", "s::plan"])
        .assert_says("400 independent units; it takes 381 where no answer differs");
}

fn before_launch_somebody_is_used() {
    let two = [("one", 0, 8, 0.01), ("two", 0, 8, 0.002)];
    let said = project(100, false, &two, "verdict: decision").run(&[]);
    said.assert_code(0)
        .assert_says("Use `two`: its quality is shown to reach 80%");
    let bad = [("one", 0, 50, 0.01), ("two", 0, 60, 0.002)];
    let said = project(100, false, &bad, "verdict: decision").run(&[]);
    said.assert_code(101)
        .assert_says("Nothing is worth testing yet");
}

fn a_claim_holds_fails_or_stays_open() {
    let three = [
        ("old", 0, 20, 0.01),
        ("good", 0, 2, 0.01),
        ("bad", 0, 80, 0.01),
        ("like", 4, 20, 0.01),
    ];
    let tail = "compare: [{ against: today, metric: accuracy, margin: 5% }, { against: today }]";
    let project = project(200, true, &three, tail);
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("bad not worse than old by more than 5.0%: -30.0%")
        .assert_says("worse by more than the margin");
    for (trial, outcome) in [
        ("s::good::not_worse[accuracy]", "ok"),
        ("s::good::better[accuracy]", "ok"),
        ("s::bad::not_worse[accuracy]", "FAILED"),
        ("s::bad::better[accuracy]", "FAILED"),
        ("s::like::better[accuracy]", "ignored"),
    ] {
        assert_eq!(said.outcome(trial), outcome, "{trial}\n{}", said.stdout);
    }
    let card: Value = serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON");
    assert_eq!(card["comparisons"].as_array().expect("a list").len(), 6);
}

/// Four options, 90% right at a confidence of 0.9: intelligence 86.7, calibration 100.
fn capability_is_asserted_as_any_metric() {
    let tail = "assert: { capability: '>= 70', intelligence: '>= 99', calibration: '>= 97' }";
    let project = project(400, true, &[("old", 0, 0, 0.01)], tail);
    let text = project.read("suites/s.yaml").replace(
        "b: { description: The second, escape: true }",
        "b: B, c: C, d: { description: None of these, escape: true }",
    );
    project.write("suites/s.yaml", text);
    let (mut cases, mut answers) = (String::new(), String::new());
    for at in 0..400 {
        let top = if at % 10 == 0 { "b" } else { "a" };
        let tier = if at < 200 { "easy" } else { "hard" };
        let _ = writeln!(
            cases,
            r#"{{"id":"c-{at}","state":"s {at}","gold":"a","tier":"{tier}"}}"#
        );
        let shares = ["a", "b", "c", "d"].map(|key| {
            let share = if key == top { 0.9 } else { 0.1 / 3.0 };
            format!(r#""{key}":{share}"#)
        });
        let shares = shares.join(",");
        let _ = writeln!(
            answers,
            r#"{{"case":"c-{at}","probabilities":{{{shares}}}}}"#
        );
    }
    project.write("suites/s.cases.jsonl", cases);
    project.write("suites/old.jsonl", answers);
    let said = project.run(&[]);
    said.assert_code(101);
    assert_eq!(said.outcome("s::old::capability"), "ok", "{}", said.stdout);
    assert_eq!(said.outcome("s::old::intelligence"), "FAILED");
    assert_eq!(said.outcome("s::old::calibration"), "ignored");
    said.assert_says("rules: jevbench-v1.6")
        .assert_says("easy 86.67");
}
