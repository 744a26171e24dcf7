//! Answers of today against those at another revision or in another folder, as a pull request meets it.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Test;
use crate::project::{Project, Said, case_lines, suite_of};

pub(crate) const TESTS: &[Test] = &[
    (
        "the_share_of_escape_answers_is_held_against_the_baseline",
        the_share_of_escape_answers_is_held_against_the_baseline,
    ),
    (
        "a_pull_request_shows_its_flips",
        a_pull_request_shows_its_flips,
    ),
    (
        "another_wording_is_compared_with_what_was_in_force",
        another_wording_is_compared_with_what_was_in_force,
    ),
    (
        "a_baseline_that_cannot_be_read_says_what_to_do",
        a_baseline_that_cannot_be_read_says_what_to_do,
    ),
    (
        "a_shallow_clone_is_told_from_a_wrong_name",
        a_shallow_clone_is_told_from_a_wrong_name,
    ),
    (
        "a_folder_of_answers_is_a_baseline_for_functions_too",
        a_folder_of_answers_is_a_baseline_for_functions_too,
    ),
    (
        "what_is_new_has_nothing_to_compare_with",
        what_is_new_has_nothing_to_compare_with,
    ),
    (
        "earlier_answers_are_in_no_snapshot",
        earlier_answers_are_in_no_snapshot,
    ),
];

/// Runs git in the project; hooks and settings of this machine play no part.
fn git(project: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=tests", "-c", "user.email=tests@localhost"])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(project)
        .output()
        .expect("git starts");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn commit(project: &Project, message: &str) {
    git(project.path(), &["add", "-A", "suites"]);
    git(project.path(), &["commit", "-q", "-m", message]);
}

/// Answers to 100 cases with gold `a`, of which those in `wrong` are `b`.
fn answers(wrong: std::ops::Range<usize>, sure: f64, latency: u32) -> String {
    (0..100).fold(String::new(), |mut text, at| {
        let (a, b) = if wrong.contains(&at) {
            (1.0 - sure, sure)
        } else {
            (sure, 1.0 - sure)
        };
        let _ = writeln!(
            text,
            r#"{{"case":"c-{at:04}","probabilities":{{"a":{a:.2},"b":{b:.2}}},"cost_usd":0.00001,"latency_ms":{latency}}}"#
        );
        text
    })
}

/// A repository on `main` with one recorded candidate of which cases 0 to 9 are wrong.
fn repository(tail: &str) -> Project {
    let project = Project::new();
    project.write("suites/s.cases.jsonl", case_lines(100, 100));
    project.write("suites/jev.jsonl", answers(0..10, 0.9, 100));
    project.write(
        "suites/s.yaml",
        suite_of(
            "  jev: { provider: recorded, file: jev.jsonl, today: true }\n",
            tail,
        ),
    );
    git(project.path(), &["init", "-q"]);
    commit(&project, "as production has it");
    project
}

fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}

fn run(project: &Project, baseline: &str) -> Said {
    project.run_with(&[], &[("PATH", &path()), ("DECBENCH_BASELINE", baseline)])
}

fn change_of(project: &Project) -> Value {
    let card: Value = serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON");
    card["comparisons"][0].clone()
}

fn the_share_of_escape_answers_is_held_against_the_baseline() {
    const RECORDING: &str = "s::jev::recording";
    let project = repository("assert: { accuracy: '>= 10%' }");
    let text = project.read("suites/s.yaml").replace(
        "today: true }",
        "today: true, recording: { escape_change: 5% } }",
    );
    project.write("suites/s.yaml", text);
    let same = run(&project, "main");
    assert_eq!(same.outcome(RECORDING), "ok");
    // Two more of a hundred may be chance, and thirty more are not.
    project.write("suites/jev.jsonl", answers(0..12, 0.9, 100));
    assert_eq!(run(&project, "main").outcome(RECORDING), "ignored");
    project.write("suites/jev.jsonl", answers(0..40, 0.9, 100));
    let said = run(&project, "main");
    assert_eq!(said.outcome(RECORDING), "FAILED");
    said.assert_says("escape_rate is 40.0% and was 10.0% at main (")
        .assert_says("at most 5.0% either way is asked for")
        .assert_says("cases     c-0010, c-0011, c-0012, c-0013, c-0014");
    // Without earlier answers nothing is known, and that is not green.
    let none = run(&project, "suites");
    assert_ne!(none.outcome(RECORDING), "ok");
}

const STEADY: &str = "s::jev::steady[accuracy.vs.baseline]";

fn a_pull_request_shows_its_flips() {
    let project = repository("compare: { against: baseline }");
    let same = run(&project, "main");
    same.assert_code(0).assert_says("newly wrong      none");
    // Cases 5 to 12 wrong in place of 0 to 9: five gains, three losses, and slower.
    project.write("suites/jev.jsonl", answers(5..13, 0.8, 160));
    let said = run(&project, "main");
    said.assert_code(0)
        .assert_says("newly right      5: c-0000, c-0001, c-0002, c-0003, c-0004")
        .assert_says("newly wrong      3: c-0010, c-0011, c-0012")
        .assert_says("of 100 cases, McNemar p 0.7266")
        .assert_says("median latency   100 ms → 160 ms, sign test p 0.0000")
        .assert_says("chance of right  82.0% → 75.2%");
    assert_eq!(said.outcome(STEADY), "ok");
    let found = change_of(&project);
    assert_eq!(found["change"]["newly_wrong"][2], "c-0012");
    assert_eq!(found["change"]["newly_right"].as_array().unwrap().len(), 5);
    assert!(found["against"].as_str().unwrap().contains("main ("));
    let page = project.read("out/s/scorecard.md");
    assert!(page.contains("| since the baseline |"), "{page}");
    // Twelve losses and no gain are a loss.
    project.write("suites/jev.jsonl", answers(0..22, 0.9, 100));
    let lost = run(&project, "main");
    lost.assert_code(101)
        .assert_says("it is shown to be worse than it was")
        .assert_says("newly wrong      12: c-0010")
        .assert_says("and 2 more");
    assert_eq!(lost.outcome(STEADY), "FAILED");
    // Once merged, the next pull request starts from there.
    commit(&project, "as it is now");
    assert_eq!(run(&project, "HEAD").outcome(STEADY), "ok");
}

fn another_wording_is_compared_with_what_was_in_force() {
    let project = Project::new();
    let candidate = "  rules: { provider: rust, function: parrot, recorded: true, today: true, price: { input_per_million: 0, output_per_million: 0 } }\n";
    let text = suite_of(candidate, "compare: { against: baseline, margin: 5% }");
    project.write("suites/s.cases.jsonl", case_lines(100, 100));
    project.write("suites/s.yaml", &text);
    project.write("decbench.toml", "[profile.default]\nbaseline = \"main\"\n");
    let fill = |project: &Project| {
        let mode = [("DECBENCH_MODE", "fill"), ("DECBENCH_BUDGET_USD", "1")];
        let mut variables = mode.to_vec();
        let path = path();
        variables.push(("PATH", &path));
        project.run_with(&[], &variables)
    };
    git(project.path(), &["init", "-q"]);
    project.write("suites/notes.txt", "nothing yet");
    commit(&project, "without answers");
    fill(&project);
    // An older wording's answers stay in the file, and were not in force: they say `b`.
    let recorded = project.read("suites/answers/s/rules.jsonl");
    let older = recorded
        .lines()
        .map(|line| {
            line.replace(r#""label":"a""#, r#""label":"b""#)
                .replace("\"question\":\"b3:", "\"question\":\"b3:00")
        })
        .collect::<Vec<_>>();
    assert!(older[0].contains("\"label\":\"b\""), "{}", older[0]);
    project.write(
        "suites/answers/s/rules.jsonl",
        format!("{}\n{recorded}", older.join("\n")),
    );
    commit(&project, "with answers");
    project.write(
        "suites/s.yaml",
        text.replace("Which letter?", "Which letter is it?"),
    );
    let said = fill(&project);
    let trial = "s::rules::not_worse[accuracy.vs.baseline]";
    assert_eq!(said.outcome(trial), "ok", "{}{}", said.stdout, said.stderr);
    said.assert_says("newly wrong      none");
    let found = change_of(&project);
    assert_eq!(found["cases"], 100);
    assert_eq!(found["left_out"], 0);
}

fn a_baseline_that_cannot_be_read_says_what_to_do() {
    let project = repository("compare: { against: baseline }");
    let unnamed = project.run_with(&[], &[("PATH", &path())]);
    unnamed
        .assert_code(101)
        .assert_says("no baseline is named; write `baseline = \"origin/main\"`");
    assert_eq!(unnamed.outcome(STEADY), "FAILED");
    run(&project, "mian")
        .assert_code(101)
        .assert_says("there is no folder and no git revision `mian`; did you mean `main`?");
    run(&project, "--output=x")
        .assert_code(101)
        .assert_says("no git revision `--output=x`");
    project
        .run_with(&[], &[("PATH", "/nowhere"), ("DECBENCH_BASELINE", "main")])
        .assert_code(101)
        .assert_says("git cannot be started");
    let alone = Project::new();
    for file in ["s.yaml", "s.cases.jsonl", "jev.jsonl"] {
        let text = project.read(&format!("suites/{file}"));
        alone.write(&format!("suites/{file}"), text);
    }
    run(&alone, "main")
        .assert_code(101)
        .assert_says("git knows no repository");
    // A suite may name its baseline itself, and the variable goes before it.
    let text = project.read("suites/s.yaml");
    project.write("suites/s.yaml", format!("{text}baseline: main\n"));
    let named = project.run_with(&[], &[("PATH", &path())]);
    assert_eq!(
        named.outcome(STEADY),
        "ok",
        "{}{}",
        named.stdout,
        named.stderr
    );
    assert_eq!(run(&project, "mian").outcome(STEADY), "FAILED");
}

fn a_shallow_clone_is_told_from_a_wrong_name() {
    let project = repository("compare: { against: baseline }");
    git(project.path(), &["branch", "old"]);
    project.write("suites/jev.jsonl", answers(0..8, 0.9, 100));
    commit(&project, "better");
    let clone = Project::new();
    let from = format!("file://{}", project.path().display());
    git(clone.path(), &["clone", "-q", "--depth", "1", &from, "."]);
    run(&clone, "old")
        .assert_code(101)
        .assert_says("this clone, which is shallow; fetch it first");
    assert_eq!(run(&clone, "origin/main").outcome(STEADY), "ok");
}

fn a_folder_of_answers_is_a_baseline_for_functions_too() {
    let project = Project::new();
    project.write("suites/s.cases.jsonl", case_lines(100, 100));
    project.write(
        "suites/s.yaml",
        suite_of(
            "  rules: { provider: rust, function: parrot, today: true }\n",
            "compare: { against: baseline }",
        ),
    );
    // What a run of the main branch kept is laid out like this.
    project.write("before/s/rules.jsonl", answers(0..10, 1.0, 1));
    let trial = "s::rules::steady[accuracy.vs.baseline]";
    let said = run(&project, "before");
    said.assert_says("newly right      10: c-0000");
    assert_eq!(said.outcome(trial), "ok");
    // A checkout has the suite, and no answers of a function.
    let checkout = project.path().join("checkout");
    for file in ["s.yaml", "s.cases.jsonl"] {
        let text = project.read(&format!("suites/{file}"));
        project.write(&format!("checkout/suites/{file}"), text);
    }
    let said = run(&project, &checkout.display().to_string());
    said.assert_code(0)
        .assert_says("answers of `rules` are not recorded");
    assert_eq!(said.outcome(trial), "ignored");
}

fn what_is_new_has_nothing_to_compare_with() {
    let project = repository("compare: { against: baseline }");
    let text = project.read("suites/s.yaml");
    project.write(
        "suites/s.yaml",
        text.replace(
            "candidates:\n",
            "candidates:\n  other: { provider: recorded, file: jev.jsonl }\n",
        ),
    );
    let mut more = case_lines(100, 100);
    more.push_str("{\"id\":\"c-new\",\"state\":\"a new\",\"gold\":\"a\"}\n");
    project.write("suites/s.cases.jsonl", more);
    let mut now = answers(0..10, 0.9, 100);
    now.push_str("{\"case\":\"c-new\",\"label\":\"b\"}\n");
    project.write("suites/jev.jsonl", now);
    project.write("decbench.toml", "[profile.ci]\nstrict = true\n");
    let said = project.run_with(
        &[],
        &[
            ("PATH", &path()),
            ("DECBENCH_BASELINE", "main"),
            ("DECBENCH_PROFILE", "ci"),
        ],
    );
    said.assert_code(0)
        .assert_says("`other` is no candidate of the suite at main (");
    let new = "s::other::steady[accuracy.vs.baseline]";
    assert_eq!((said.outcome(STEADY), said.outcome(new)), ("ok", "ignored"));
    let card: Value = serde_json::from_str(&project.read("out/s/scorecard.json")).unwrap();
    let jev = &card["comparisons"][0];
    assert_eq!((&jev["cases"], &jev["left_out"]), (&100.into(), &1.into()));
}

fn earlier_answers_are_in_no_snapshot() {
    let project = repository("compare: [{ against: baseline }]");
    let text = project.read("suites/s.yaml");
    project.write(
        "suites/s.yaml",
        text.replace("scorecard: off", "scorecard: print"),
    );
    let said = project.run_with(
        &["--exact", "s::scorecard"],
        &[("PATH", &path()), ("DECBENCH_BASELINE", "main")],
    );
    said.assert_code(0).assert_says("100 cases, 100 with gold");
    assert!(!said.stderr.contains("comparisons"), "{}", said.stderr);
}
