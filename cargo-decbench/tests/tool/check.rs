//! `check`: all mistakes at once, and what lies about unused.

use serde_json::Value as Json;

use crate::project::Project;

#[test]
fn all_mistakes_of_all_suites_are_shown() {
    let project = Project::with_suite();
    project.write("tests/suites/a.yaml", "sute: a\n");
    project.write("tests/suites/b.yaml", "question: 3\n");
    project.write("decbench.toml", "[profil.x]\n");
    let said = project.run(&["check"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in ["a.yaml:1:1", "b.yaml:1:", "decbench.toml:1:"] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
}

#[test]
fn what_no_suite_uses_is_found() {
    let project = Project::with_suite();
    project.write("tests/suites/answers/gone/jev.jsonl", "");
    project.write("tests/suites/answers/call-routing/gone.jsonl", "");
    project.write(
        "tests/suites/answers/call-routing/bayes.jsonl",
        "no answer\n",
    );
    project.write("tests/suites/snapshots/gone.scorecard.snap", "");
    let said = project.run(&["check", "--json"]);
    assert_eq!(said.code, Some(0), "warnings alone do not fail: {said:?}");
    let found: Json = serde_json::from_str(&said.stdout).expect("JSON");
    let codes: Vec<&str> = found["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|finding| finding["code"].as_str())
        .collect();
    for code in [
        "orphan-recordings",
        "orphan-recording",
        "orphan-snapshot",
        "bad-answer",
    ] {
        assert!(codes.contains(&code), "{code} is not among {codes:?}");
    }
    assert_eq!(project.run(&["check", "--strict"]).code, Some(1));
}

#[test]
fn recordings_of_judges_belong_to_their_suite() {
    let project = Project::with_suite();
    project.write(
        "tests/suites/drafts.yaml",
        "output: text\ntask: Reply.\ncases: [{ state: x }]\ncandidates: { writer: { provider: chat, model: gpt-4.1-mini-2025-04-14 } }\njudge: { rubric: It is kind. }\nassert: { quality: '>= 80%' }\n",
    );
    project.write("tests/suites/answers/drafts.judges/writer+jev.jsonl", "");
    let said = project.run(&["check", "--json"]);
    assert!(!said.stdout.contains("orphan"), "{said:?}");
    project.write("tests/suites/answers/drafts.judges/writer+gone.jsonl", "");
    let said = project.run(&["check", "--json"]);
    assert!(said.stdout.contains("orphan-recording"), "{said:?}");
}

#[test]
fn a_folder_without_suites_is_wrong_use() {
    let said = Project::new().run(&["check"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("cargo decbench init"), "{said:?}");
    let unknown = Project::with_suite().run(&["check", "-p", "nobody"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.stderr.contains("it has shop"), "{unknown:?}");
}

#[test]
fn approvals_of_what_has_changed_since_are_found() {
    let project = Project::with_suite();
    project.write(
        "tests/suites/call-routing.cases.jsonl",
        "{\"id\":\"a\",\"state\":\"My invoice is wrong.\",\"reference\":\"billing\"}\n",
    );
    let words = ["approve", "call-routing", "--yes", "--by", "Ada"];
    assert_eq!(project.run(&words).code, Some(0));
    let sound = project.run(&["check", "--strict"]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    let text = project.read("tests/suites/call-routing.cases.jsonl");
    project.write(
        "tests/suites/call-routing.cases.jsonl",
        &text.replace("My invoice", "His invoice"),
    );
    let stale = project.run(&["check"]);
    assert_eq!(stale.code, Some(0), "a warning: {stale:?}");
    assert!(
        stale
            .stdout
            .contains("warning[stale-approval]: 1 approvals")
            && stale.stdout.contains("label changed: a"),
        "{stale:?}"
    );
    assert_eq!(project.run(&["check", "--strict"]).code, Some(1));
}

#[test]
fn recordings_of_another_wording_are_found() {
    let project = Project::with_suite();
    let suite = project.read("tests/suites/call-routing.yaml");
    let digest = |text: &str| {
        let path = project.write("tests/suites/call-routing.yaml", text);
        let suite = decbench_core::suite::load(&path).expect("a suite").suite;
        decbench_core::decision::question_digest(&suite.questions).to_string()
    };
    let other = digest(&suite.replace("Which team", "What team"));
    let own = digest(&suite);
    let line = |question: &str| {
        format!(
            "{{\"case\":\"1\",\"question\":\"\",\"probe\":{{\"repeat\":0,\"order\":[0,1,2,3],\"context\":\"production\"}},\"request\":{{\"question\":\"{question}\",\"state\":\"{own}\",\"candidate\":\"{own}\"}},\"label\":\"sales\"}}\n"
        )
    };
    project.write("tests/suites/answers/call-routing/rules.jsonl", &line(&own));
    let sound = project.run(&["check", "--strict"]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    project.write(
        "tests/suites/answers/call-routing/rules.jsonl",
        &line(&other),
    );
    let old = project.run(&["check"]);
    assert!(old.stdout.contains("warning[old-wording]"), "{old:?}");
}

/// A suite with these candidates, each written as one line.
fn suite_of(candidates: &str) -> String {
    format!(
        "question: {{ type: choice, instructions: Which?, options: {{ a: One, b: Two, c: {{ description: Neither, escape: true }} }} }}\ncases: [{{ id: x, state: s, gold: a }}]\ncandidates:\n{candidates}assert: {{ accuracy: '>= 50%' }}\n"
    )
}

#[test]
fn candidates_that_no_run_accepts_are_found_where_they_stand() {
    let project = Project::with_suite();
    project.write(
        "tests/suites/first.yaml",
        &suite_of(
            "  unknown: { provider: system_one, model: jev-1.14.0 }\n  slip: { provider: system-one, modl: jev-1.14.0 }\n  slow: { provider: system-one, model: jev-1.14.0, timeout: banana }\n  denied: { provider: system-one, model: jev-9.9.9-preview }\n",
        ),
    );
    project.write(
        "tests/suites/second.yaml",
        &suite_of(
            "  gone: { provider: recorded, file: gone.jsonl }\n  rule: { provider: rust, function: decide, modl: x }\n",
        ),
    );
    project.write("decbench.toml", "[models]\ndeny = ['*-preview']\n");
    let said = project.run(&["check"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "candidate `unknown`: ",
        "did you mean `system-one`?",
        "candidate `slip`: ",
        "did you mean `model`?",
        "candidate `slow`: ",
        "banana",
        "candidate `denied`: `jev-9.9.9-preview` may not be asked",
        "candidate `gone`: ",
        "candidate `rule`: ",
        "first.yaml:4:",
        "first.yaml:5:",
        "first.yaml:6:",
        "first.yaml:7:",
        "second.yaml:4:",
        "second.yaml:5:",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    assert!(
        said.stderr.contains("3 suites: 6 mistakes"),
        "one each: {said:?}"
    );
}

#[test]
fn candidates_that_a_run_accepts_are_none() {
    let project = Project::with_suite();
    project.write(
        "tests/suites/fine.yaml",
        &suite_of(
            "  far: { provider: system-one, model: jev-1.14.0, timeout: 2s }\n  made: { provider: recorded, file: made.jsonl }\n  rule: { provider: rust, function: not_linked_here, recorded: true }\n",
        ),
    );
    project.write(
        "tests/suites/made.jsonl",
        "{\"case\":\"x\",\"label\":\"a\"}\n",
    );
    let said = project.run(&["check", "--strict"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    // What cannot be told without the defaults of a broken configuration is not told.
    project.write("decbench.toml", "[profil.x]\n");
    let said = project.run(&["check"]);
    assert!(said.stderr.contains("2 suites: 1 mistakes"), "{said:?}");
}

#[test]
fn no_suites_at_all_are_not_checked_in_silence() {
    let project = Project::new();
    project.write("tests/suites/readme.txt", "nothing yet");
    let said = project.run(&["check"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    for part in [
        "no suite in tests/suites",
        "cargo decbench init",
        "--suites",
    ] {
        assert!(said.stderr.contains(part), "`{part}` is not in {said:?}");
    }
}

#[test]
fn findings_are_coloured_where_that_is_asked_for() {
    let project = Project::with_suite();
    project.write("tests/suites/a.yaml", "sute: a\n");
    let said = project.run(&["check", "--color", "always"]);
    assert!(said.stdout.contains("\x1b[1;31merror["), "{said:?}");
    let plain = project.run(&["check"]);
    assert!(!plain.stdout.contains('\x1b'), "{plain:?}");
}
