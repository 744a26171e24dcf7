//! The vendors' own clients as referees: asked the same, they send the same and read the same as we do.
//!
//! That is how we know that the local servers, and so all tests on them, are not our own invention. The clients are
//! Python packages (`typesafe-sdk`, `openai`), listed in `tests/referees/requirements.txt`. Python is `DECBENCH_REFEREES`, else `python3`; where
//! it or a client is missing the test says so and passes, and with `DECBENCH_REQUIRE_TOOLS=1`, as in CI, it fails.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use decbench_core::decision::{Question, QuestionKind, State};
use serde_json::{Map, Value, json};

use super::conformance::three_questions;
use super::table::{SERVICES, Spoken};
use crate::support::server::{Act, KEY, Seen};

/// Headers that may differ, and why.
const MAY_DIFFER: &[(&str, &str)] = &[
    ("host", "each request goes to the same server"),
    ("content-length", "blanks between JSON tokens are free"),
    ("accept-encoding", "we ask for no compression"),
    (
        "connection",
        "how long a connection is kept is the client's own matter",
    ),
    ("user-agent", "each says who it is"),
    ("x-typesafe-", "the client's own statistics"),
    ("x-stainless-", "the client's own statistics"),
];

#[test]
fn typesafes_own_client_sends_and_reads_the_same() {
    compare(
        "system-one",
        "typesafe_sdk",
        "typesafe.py",
        &three_questions(),
    );
}

#[test]
fn openais_own_client_sends_and_reads_the_same() {
    let mut questions = three_questions();
    // The dialect has no place for what outcomes mean; how we word that is nobody else's to know.
    for option in &mut questions[0].options {
        option.description = None;
    }
    compare("openai-decisions", "openai", "openai_client.py", &questions);
}

fn compare(provider: &str, module: &str, script: &str, questions: &[Question]) {
    let Some(python) = python_with(module) else {
        return;
    };
    let service = SERVICES.iter().find(|service| service.provider == provider);
    let service = service.expect("a row");
    let states = [
        State::Text("Box came crushed, and this is the second time.".to_owned()),
        State::Json(
            json!({"subject": "Parcel", "orders": 14, "vip": true, "note": null, "née": 1.5}),
        ),
    ];
    for state in states {
        one_state(service, &python, script, questions, &state);
    }
}

fn one_state(service: &Spoken, python: &str, script: &str, questions: &[Question], state: &State) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = service.server(|_| Act::Answer);
    let mut bench = service.bench(folder.path(), &server, 1);
    bench.questions = questions.to_vec();
    bench.cases[0].state = Some(state.clone());
    bench.ask(&[(0, 0)]);
    let collected = bench.fill();
    let asked = json!({
        "url": server.url(), "key": KEY, "model": service.model, "state": plain(state),
        "questions": questions.iter().map(described).collect::<Vec<_>>(),
    });
    let read: Value =
        serde_json::from_str(&run(python, script, &asked)).expect("JSON of the client");
    let seen = server.seen();
    let [ours, theirs] = &seen[..] else {
        panic!("{} requests", seen.len());
    };
    assert_eq!((&ours.method, &ours.path), (&theirs.method, &theirs.path));
    assert_eq!(canonical(&ours.body), canonical(&theirs.body), "{script}");
    assert_eq!(headers(ours), headers(theirs), "{script}");

    let ours: BTreeMap<&str, Value> = collected
        .answers
        .iter()
        .map(|answer| {
            assert_eq!(answer.measured.model.as_deref(), read["model"].as_str());
            assert_eq!(answer.measured.input_tokens, read["input_tokens"].as_u64());
            let decided = answer.outcome.as_ref().expect("an answer");
            let pairs = decided.probabilities.iter().flatten();
            // A client gives P(yes) alone.
            let kept = pairs.filter(|(key, _)| answer.question != "damaged" || key == "yes");
            let shares: Map<String, Value> = kept.map(|(key, p)| (key.clone(), json!(p))).collect();
            let answered = json!({"label": decided.label, "probabilities": shares});
            (answer.question.as_str(), answered)
        })
        .collect();
    assert_eq!(json!(ours), read["answers"], "{script}");
}

fn plain(state: &State) -> Value {
    match state {
        State::Text(text) => json!(text),
        State::Json(value) => value.clone(),
        other => json!(other.as_text()),
    }
}

fn described(question: &Question) -> Value {
    let options = question.options.iter();
    let options: Vec<Value> = options
        .map(|option| json!([option.key, option.description]))
        .collect();
    let kind = match question.kind {
        QuestionKind::YesNo => "yes_no",
        QuestionKind::Score => "score",
        _ => "choice",
    };
    json!({"name": question.name, "kind": kind, "instructions": question.instructions, "options": options})
}

/// The document with the fields that the dialects define sorted; what the user wrote (states, names, options) keeps its
/// order, which must be the same.
fn canonical(body: &Value) -> String {
    const DEFINED: &[&str] = &[
        "model",
        "input",
        "state",
        "questions",
        "type",
        "name",
        "instructions",
        "criteria",
        "choices",
        "levels",
        "value",
        "label",
        "description",
        "role",
        "content",
        "data",
        "text",
    ];
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(sorted).collect(),
            Value::Object(fields) => {
                let mut fields: Vec<(&String, Value)> = fields
                    .iter()
                    .map(|(name, value)| (name, sorted(value)))
                    .collect();
                if fields
                    .iter()
                    .all(|(name, _)| DEFINED.contains(&name.as_str()))
                {
                    fields.sort_by_key(|(name, _)| *name);
                }
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name.clone(), value))
                        .collect(),
                )
            }
            other => other.clone(),
        }
    }
    sorted(body).to_string()
}

fn headers(seen: &Seen) -> BTreeMap<&str, &str> {
    let differs = |name: &str| {
        MAY_DIFFER
            .iter()
            .any(|(known, _)| name == *known || (known.ends_with('-') && name.starts_with(known)))
    };
    let headers = seen.headers.iter();
    headers
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .filter(|(name, _)| !differs(name))
        .collect()
}

/// A Python that has the module; says why there is none.
fn python_with(module: &str) -> Option<String> {
    let python = std::env::var("DECBENCH_REFEREES").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if found {
        return Some(python);
    }
    let reason =
        format!("skipped: {python} has no module `{module}` (tests/referees/requirements.txt)");
    let required = std::env::var_os("DECBENCH_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(!required, "{reason}");
    let _ = writeln!(std::io::stderr(), "{reason}");
    None
}

fn run(python: &str, script: &str, asked: &Value) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/referees/");
    let mut child = Command::new(python)
        .arg(format!("{path}{script}"))
        // No proxy stands between two ends on one machine.
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(asked.to_string().as_bytes())
        .expect("a reader");
    drop(input);
    let output = child.wait_with_output().expect("its end");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
