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
