//! `approve`: a reference becomes gold with a stamp, and nothing else of the file changes.

use crate::project::Project;

const CASES: &str = "{\"id\":\"a\",\"state\":\"My invoice is wrong.\",\"reference\":\"billing\",\"tier\":\"hard\"}\r
\r
{\"id\":\"b\", \"state\":\"I want to buy.\", \"gold\":\"sales\"}\r
{\"state\":\"It is broken.\",\"reference\":\"support\"}";

fn project() -> Project {
    let project = Project::with_suite();
    project.write("tests/suites/call-routing.cases.jsonl", CASES);
    project
}

#[test]
fn what_is_approved_is_gold_with_a_valid_stamp() {
    let project = project();
    let said = project.run(&["approve", "call-routing", "--yes", "--by", "Ada"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("2 of 2 cases as Ada"), "{said:?}");
    let text = project.read("tests/suites/call-routing.cases.jsonl");
    let lines: Vec<&str> = text.split('\n').collect();
    assert!(lines[0].starts_with("{\"id\":\"a\",\"state\":\"My invoice is wrong.\",\"gold\":\"billing\",\"tier\":\"hard\",\"approved\":{\"by\":\"Ada\",\"at\":\"20"), "{text}");
    assert_eq!(
        lines[1..3].join("\n"),
        CASES.split('\n').collect::<Vec<_>>()[1..3].join("\n")
    );
    let path = project.path().join("tests/suites/call-routing.yaml");
    let suite = decbench_core::suite::load(&path).expect("a suite").suite;
    for case in suite.cases.iter().filter(|case| case.approved.is_some()) {
        let stamped = case
            .approved
            .as_ref()
            .and_then(|approved| approved.digest.clone());
        let now = decbench_core::decision::approval_digest(case, &suite.questions);
        assert_eq!(stamped, now.map(|digest| digest.to_string()), "{}", case.id);
    }
    let again = project.run(&["approve", "call-routing", "--yes", "--by", "Ada"]);
    assert!(again.stderr.contains("nothing"), "{again:?}");
    assert_eq!(project.read("tests/suites/call-routing.cases.jsonl"), text);
}

#[test]
fn filters_keep_the_others_waiting() {
    let project = project();
    project.run(&[
        "approve",
        "call-routing",
        "--yes",
        "--by",
        "Ada",
        "--with",
        "INVOICE",
    ]);
    let text = project.read("tests/suites/call-routing.cases.jsonl");
    assert_eq!(text.matches("approved").count(), 1, "{text}");
    assert!(text.contains("\"reference\":\"support\""), "{text}");
}

#[test]
fn nothing_is_approved_unread() {
    let project = project();
    let said = project.run(&["approve", "call-routing", "--by", "Ada"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("2 cases wait"), "{said:?}");
    assert_eq!(project.read("tests/suites/call-routing.cases.jsonl"), CASES);
    let unknown = project.run(&[
        "approve",
        "call-routing",
        "--yes",
        "--by",
        "Ada",
        "--case",
        "z",
    ]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert_eq!(project.run(&["approve", "nobody"]).code, Some(2));
}

#[test]
fn what_is_no_name_approves_nothing() {
    let project = project();
    for name in ["", " ", "Ada\nBob", "\u{1b}[31mAda"] {
        for words in [
            &["approve", "call-routing", "--yes"][..],
            &["label", "call-routing", "--case", "a", "--gold", "sales"],
        ] {
            let said = project.run(&[words, &["--by", name]].concat());
            assert_eq!(said.code, Some(2), "{name:?}: {said:?}");
            assert!(said.stderr.contains("--by"), "{said:?}");
        }
    }
    assert_eq!(project.read("tests/suites/call-routing.cases.jsonl"), CASES);
}
