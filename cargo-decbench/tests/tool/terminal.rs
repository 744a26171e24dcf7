//! What asks questions, in a terminal of its own.

use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use serde_json::Value as Json;

use std::time::Duration;

use crate::project::{Project, command};
use crate::service::{Service, cases as numbers};

/// How long an answer may take, in milliseconds; this is about what is said, not how fast.
const PATIENCE: u64 = 60_000;

fn at_terminal(project: &Project, arguments: &[&str]) -> PtySession {
    let command = command(project.path(), arguments);
    spawn_command(command, Some(PATIENCE)).expect("a terminal")
}

/// Waits for what is said, and gives what came before it.
fn hear(session: &mut PtySession, text: &str) -> String {
    session
        .exp_string(text)
        .unwrap_or_else(|error| panic!("`{text}` is not said: {error}"))
}

fn answer(session: &mut PtySession, prompt: &str, line: &str) -> String {
    let before = hear(session, prompt);
    session.send_line(line).expect("a line");
    before
}

/// What was said to the end, and the exit code.
fn end(mut session: PtySession) -> (String, Option<i32>) {
    let rest = session.exp_eof().expect("an end");
    let code = match session.process().wait().expect("a status") {
        WaitStatus::Exited(_, code) => Some(code),
        _ => None,
    };
    (rest, code)
}

fn cases(project: &Project) -> Vec<Json> {
    let text = project.read("tests/suites/call-routing.cases.jsonl");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect()
}

fn with_cases(cases: &str) -> Project {
    let project = Project::with_suite();
    project.write("tests/suites/call-routing.cases.jsonl", cases);
    project
}

const REFERENCES: &str = r#"{"id":"a","state":"My invoice is wrong.","reference":"billing"}
{"id":"b","state":"I want to buy.","reference":"support"}
{"id":"c","state":"It is broken.","reference":"support"}
"#;
const RIGHT: &str = "Right? [y]es, [n]o, [q]uit: ";

#[test]
fn references_are_approved_one_by_one() {
    let project = with_cases(REFERENCES);
    let mut session = at_terminal(&project, &["approve", "call-routing", "--by", "Ada"]);
    let shown = answer(&mut session, RIGHT, "perhaps");
    for part in ["1 of 3  a", "My invoice is wrong.", " billing"] {
        assert!(shown.contains(part), "{shown}");
    }
    answer(&mut session, RIGHT, "y");
    let next = answer(&mut session, RIGHT, "n");
    assert!(next.contains("2 of 3  b"), "asked again, then on: {next}");
    // Written as soon as it is approved, whatever becomes of the rest.
    let gold = |case: &Json| case["gold"].clone();
    assert_eq!(gold(&cases(&project)[0]), "billing");
    answer(&mut session, RIGHT, "q");
    let (rest, code) = end(session);
    assert!(rest.contains("1 of 3 cases as Ada"), "{rest}");
    assert_eq!(code, Some(0));
    let golds: Vec<Json> = cases(&project).iter().map(gold).collect();
    assert_eq!(golds, [Json::from("billing"), Json::Null, Json::Null]);
}

#[test]
fn what_was_approved_before_an_interrupt_stays() {
    let project = with_cases(REFERENCES);
    let mut session = at_terminal(&project, &["approve", "call-routing", "--by", "Ada"]);
    answer(&mut session, RIGHT, "y");
    hear(&mut session, RIGHT);
    session.send_control('c').expect("a signal");
    session.exp_eof().expect("an end");
    let status = session.process().wait().expect("a status");
    assert!(matches!(status, WaitStatus::Signaled(..)), "{status:?}");
    let cases = cases(&project);
    assert_eq!(cases.len(), 3);
    assert_eq!(cases[0]["approved"]["by"], "Ada");
    assert_eq!(cases[1]["reference"], "support");
}

const LABELS: &str = r#"{"id":"a","state":"I want to buy.","labels":{"ada":"sales","bob":"support"}}
{"id":"b","state":"It is broken.","labels":{"ada":"support","bob":"support"}}
{"id":"c","state":"A refund.","labels":{"ada":"billing","bob":"sales"}}
"#;
const WHICH: &str = "What is right? Number or key, [s]kip, [q]uit: ";

#[test]
fn split_cases_are_decided_one_by_one() {
    let project = with_cases(LABELS);
    let mut session = at_terminal(&project, &["label", "call-routing", "--by", "Cleo"]);
    let shown = answer(&mut session, WHICH, "0");
    for part in ["1 of 2  a", "I want to buy.", "ada sales, bob support"] {
        assert!(shown.contains(part), "{shown}");
    }
    answer(&mut session, WHICH, "sales");
    let next = answer(&mut session, WHICH, "s");
    assert!(next.contains("2 of 2  c"), "{next}");
    let (rest, code) = end(session);
    assert!(rest.contains("1 of 2 cases as Cleo"), "{rest}");
    assert_eq!(code, Some(1), "one still waits");
    let mut session = at_terminal(&project, &["label", "call-routing", "--by", "Cleo"]);
    answer(&mut session, WHICH, "1");
    assert_eq!(end(session).1, Some(0));
    let cases = cases(&project);
    assert_eq!(cases[0]["gold"], "sales");
    assert_eq!(cases[2]["gold"], "billing");
    assert_eq!(cases[2]["approved"]["by"], "Cleo");
    assert!(cases[1].get("gold").is_none(), "raters agree on it");
}

#[test]
fn a_suite_is_started_by_answering_questions() {
    let project = Project::new();
    let mut session = at_terminal(&project, &["init"]);
    let shown = answer(&mut session, "Number [1]: ", "7");
    assert!(shown.contains("What does the decision do?"), "{shown}");
    answer(&mut session, "Number [1]: ", "3");
    answer(&mut session, "Name of the suite [", "refunds");
    let (_, code) = end(session);
    assert_eq!(code, Some(0));
    assert!(
        project
            .read("tests/suites/refunds.yaml")
            .contains("suite: refunds")
    );
    assert_eq!(project.run(&["check"]).code, Some(0));
}

#[test]
fn an_end_of_input_is_told() {
    let project = Project::new();
    let mut session = at_terminal(&project, &["init"]);
    hear(&mut session, "Number [1]: ");
    session.send_control('d').expect("an end of input");
    let (rest, code) = end(session);
    assert!(
        rest.contains("ended before the question was answered"),
        "{rest}"
    );
    assert_eq!(code, Some(2));
    assert!(!project.path().join("tests").exists());
}

/// A project whose candidate is a service, and as many cases.
fn recordable(service: &Service, count: usize) -> Project {
    let project = Project::new();
    let suite = service.suite("  accuracy: '>= 50%'\n");
    project.write("tests/suites/even.yaml", &suite);
    project.write("tests/suites/even.cases.jsonl", &numbers(count));
    project
}

#[test]
fn calls_are_agreed_to_before_they_are_made() {
    let service = Service::start(Duration::ZERO);
    let project = recordable(&service, 10);
    let mut session = at_terminal(&project, &["record"]);
    let shown = answer(&mut session, "[y]es, [n]o: ", "n");
    assert!(shown.contains("Make 10 calls"), "{shown}");
    let (rest, code) = end(session);
    assert!(rest.contains("nobody agreed to it"), "{rest}");
    assert_eq!((code, service.asked()), (Some(2), 0));
    let mut session = at_terminal(&project, &["record"]);
    answer(&mut session, "[y]es, [n]o: ", "y");
    let (rest, code) = end(session);
    assert!(rest.contains("10/10"), "a bar to its end: {rest}");
    assert_eq!((code, service.asked()), (Some(0), 10));
}

#[test]
fn an_interrupted_recording_goes_on_where_it_was() {
    let service = Service::start(Duration::from_millis(100));
    let project = recordable(&service, 40);
    let mut session = at_terminal(&project, &["record", "--yes"]);
    // The bar moves while answers come in.
    session.exp_regex("[1-9]/40").expect("a bar");
    session.send_control('c').expect("a signal");
    session.exp_eof().expect("an end");
    let asked = service.asked();
    assert!(asked < 40, "{asked}");
    assert_eq!(project.run(&["record", "--yes"]).code, Some(0));
    // What was on its way when it was interrupted may be asked again: two at a time.
    assert!(service.asked() <= 42, "{}", service.asked());
    let text = project.read("tests/suites/answers/even/far.jsonl");
    assert_eq!(text.lines().count(), 40);
}
