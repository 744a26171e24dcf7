//! `label`: agreement is told, split cases wait, and what is decided is stamped without touching another line.

use serde_json::Value as Json;

use crate::project::Project;

const CASES: &str = "{\"id\":\"a\",\"state\":\"My invoice is wrong.\",\"labels\":{\"ada\":\"billing\",\"bob\":\"billing\"},\"gold\":\"billing\"}\r
{\"id\":\"b\", \"state\":\"I want to buy.\", \"labels\":{\"ada\":\"sales\",\"bob\":\"support\"}, \"weight\":1.50}\r
\r
{\"id\":\"c\",\"state\":\"It is broken.\",\"labels\":{\"ada\":\"support\",\"bob\":\"support\"}}
{\"id\":\"d\",\"state\":\"A refund.\",\"labels\":{\"ada\":\"billing\",\"bob\":\"sales\"},\"gold\":\"billing\"}";

fn project() -> Project {
    let project = Project::with_suite();
    project.write("tests/suites/call-routing.cases.jsonl", CASES);
    project
}

#[test]
fn agreement_and_split_cases_are_told() {
    let said = project().run(&["label", "call-routing"]);
    assert_eq!(said.code, Some(1), "a split case waits: {said:?}");
    for part in [
        "raters agree at Cohen's kappa",
        "2 cases are split, 1 of them without gold",
        "b: ada sales, bob support",
        "(has gold)",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    let told = project().run(&["label", "call-routing", "--json"]);
    let told: Json = serde_json::from_str(&told.stdout).expect("JSON");
    // They agree on 2 of 4; by their shares of labels chance alone gives 5 of 16.
    let kappa = told["agreement"][0]["value"].as_f64().expect("a number");
    assert!(
        (kappa - (0.5 - 5.0 / 16.0) / (1.0 - 5.0 / 16.0)).abs() < 1e-9,
        "{told}"
    );
}

#[test]
fn what_is_decided_is_gold_with_a_valid_stamp() {
    let project = project();
    let said = project.run(&[
        "label",
        "call-routing",
        "--case",
        "b",
        "--gold",
        "sales",
        "--by",
        "Cy",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let text = project.read("tests/suites/call-routing.cases.jsonl");
    let (then, now): (Vec<&str>, Vec<&str>) =
        (CASES.split('\n').collect(), text.split('\n').collect());
    assert_eq!(
        (now[0], &now[2..]),
        (then[0], &then[2..]),
        "other lines stay"
    );
    assert!(
        now[1].contains("\"weight\":1.5") && now[1].ends_with('\r'),
        "{text}"
    );
    let path = project.path().join("tests/suites/call-routing.yaml");
    let suite = decbench_core::suite::load(&path).expect("a suite").suite;
    let case = suite.cases.iter().find(|case| case.id == "b").expect("it");
    let stamped = case
        .approved
        .as_ref()
        .and_then(|stamp| stamp.digest.clone());
    let digest = decbench_core::decision::approval_digest(case, &suite.questions);
    assert_eq!(stamped, digest.map(|digest| digest.to_string()));
    let again = project.run(&["label", "call-routing"]);
    assert_eq!(again.code, Some(0), "nothing waits: {again:?}");
}

#[test]
fn what_is_no_option_or_no_case_is_wrong_use() {
    let project = project();
    for (words, says) in [
        (["--case", "z", "--gold", "sales"], "no case `z`"),
        (
            ["--case", "b", "--gold", "sell"],
            "none of the options: billing",
        ),
    ] {
        let mut all = vec!["label", "call-routing", "--by", "Cy"];
        all.extend(words);
        let said = project.run(&all);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(says), "`{says}` is not in {said:?}");
    }
    assert_eq!(project.run(&["label", "nobody"]).code, Some(2));
    assert_eq!(project.read("tests/suites/call-routing.cases.jsonl"), CASES);
}

#[test]
fn where_nobody_differs_no_case_is_split() {
    let project = project();
    let agreed = CASES.replace("\"bob\":\"support\"}, ", "\"bob\":\"sales\"}, ");
    let agreed = agreed.replace(
        "\"bob\":\"sales\"},\"gold\"",
        "\"bob\":\"billing\"},\"gold\"",
    );
    project.write("tests/suites/call-routing.cases.jsonl", &agreed);
    let said = project.run(&["label", "call-routing"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("no case is split\n"), "{said:?}");
}
