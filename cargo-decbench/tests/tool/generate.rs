//! `generate`: drafts of a chat model become references, each once, within what somebody agreed to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::project::{Project, Said};

/// A model behind Chat Completions on this machine: its replies in turn, the last one again and again.
struct Model {
    address: String,
    asked: Arc<Mutex<Vec<Json>>>,
}

impl Model {
    fn new(replies: Vec<(u16, Json)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        // It ends with the process of the test.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(stream, &replies, &seen);
            }
        });
        Self { address, asked }
    }

    /// A model that says this.
    fn saying(texts: &[&str]) -> Self {
        Self::new(texts.iter().map(|text| (200, reply(text))).collect())
    }

    fn asked(&self) -> Vec<Json> {
        self.asked.lock().expect("what was asked").clone()
    }
}

fn reply(text: &str) -> Json {
    json!({
        "model": "drafter-1",
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 500 },
    })
}

fn serve(stream: TcpStream, replies: &[(u16, Json)], seen: &Mutex<Vec<Json>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let lower = line.to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        let mut seen = seen.lock().expect("what was asked");
        let (status, reply) = &replies[seen.len().min(replies.len() - 1)];
        seen.push(serde_json::from_slice(&body).expect("JSON"));
        let text = reply.to_string();
        let answer = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
            text.len()
        );
        if reader.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn drafts(cases: &[(&str, &str)]) -> String {
    let cases: Vec<Json> = cases
        .iter()
        .map(|(state, answer)| json!({ "state": state, "answer": answer }))
        .collect();
    json!({ "cases": cases }).to_string()
}

const CASES: &str = "tests/suites/call-routing.cases.jsonl";

fn generate(project: &Project, model: &Model, more: &[&str]) -> Said {
    let base = format!("--base-url={}", model.address);
    let arguments = [
        "generate",
        "call-routing",
        "--model=drafter-1",
        "--auth=none",
        &base,
    ];
    project.run(&[&arguments[..], more].concat())
}

#[test]
fn drafts_are_references_and_each_is_new() {
    let project = Project::with_suite();
    let before = project.read(CASES);
    let model = Model::saying(&[
        &drafts(&[
            ("Two bills came for April.", "billing"),
            // There already but for its punctuation.
            ("i would like to buy a router from you", "sales"),
            ("What is a fax?", "history"),
        ]),
        &drafts(&[
            ("TWO BILLS came for April", "billing"),
            ("Nothing works since the storm.", "support"),
            ("One too many.", "sales"),
        ]),
    ]);
    let said = generate(&project, &model, &["--count=2", "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let done: Json = serde_json::from_str(&said.stdout).expect("JSON");
    let counted = ["written", "calls", "known", "unusable"].map(|part| done[part].as_u64());
    assert_eq!(counted, [Some(2), Some(2), Some(2), Some(1)], "{done}");
    let after = project.read(CASES);
    let added = after
        .strip_prefix(&before)
        .expect("what was there is as it was");
    assert_eq!(
        added,
        "{\"id\":\"g-0001\",\"state\":\"Two bills came for April.\",\"reference\":\"billing\",\"origin\":\"generated\",\"split\":\"dev\"}\n\
         {\"id\":\"g-0002\",\"state\":\"Nothing works since the storm.\",\"reference\":\"support\",\"origin\":\"generated\",\"split\":\"dev\"}\n"
    );
    assert_eq!(project.run(&["check", "--strict"]).code, Some(0));
    // Who reads them can approve them.
    let approved = project.run(&[
        "approve",
        "call-routing",
        "--case=g-0001",
        "--by=Ada",
        "--yes",
    ]);
    assert!(approved.stderr.contains("1 of 1"), "{approved:?}");
}

#[test]
fn cases_of_the_lock_box_are_never_shown() {
    let project = Project::with_suite();
    project.write(
        CASES,
        "{\"state\":\"Open words\",\"gold\":\"sales\"}\n{\"state\":\"Secret words\",\"gold\":\"billing\",\"split\":\"lockbox\"}\n",
    );
    let model = Model::saying(&[&drafts(&[("Something else", "support")])]);
    let said = generate(
        &project,
        &model,
        &["--count=1", "--examples=9", "--yes", "--about=storms"],
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    let sent = model.asked()[0].to_string();
    assert!(
        sent.contains("Open words") && sent.contains("storms"),
        "{sent}"
    );
    assert!(!sent.contains("Secret words"), "{sent}");
}

#[test]
fn drafts_lie_outside_a_lock_box_that_takes_all_cases() {
    let project = Project::with_suite();
    let path = "tests/suites/call-routing.yaml";
    let suite = project.read(path).replace(
        "cases: call-routing.cases.jsonl",
        "cases: { file: call-routing.cases.jsonl, split: lockbox }",
    );
    assert!(suite.contains("split: lockbox"), "{suite}");
    project.write(path, &suite);
    let model = Model::saying(&[&drafts(&[("Something else", "support")])]);
    let said = generate(&project, &model, &["--count=1", "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let approved = project.run(&["approve", "call-routing", "--by=Ada", "--yes"]);
    assert!(approved.stderr.contains("1 of 1"), "{approved:?}");
}

#[test]
fn nothing_is_asked_before_somebody_agrees() {
    let project = Project::with_suite();
    let before = project.read(CASES);
    let model = Model::saying(&[&drafts(&[("Something else", "support")])]);
    let unknown = generate(&project, &model, &[]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(
        unknown
            .stderr
            .contains("nobody knows what `drafter-1` costs"),
        "{unknown:?}"
    );
    let unkept = generate(&project, &model, &["--budget=1"]);
    assert!(unkept.stderr.contains("the model's price"), "{unkept:?}");
    project.write(
        "decbench.toml",
        "[prices.drafter-1]\ninput_per_million = 1.0\noutput_per_million = 2.0\n",
    );
    let asked = generate(&project, &model, &[]);
    assert_eq!(asked.code, Some(2), "{asked:?}");
    assert!(asked.stderr.contains("--budget"), "{asked:?}");
    // Not even one call fits.
    let poor = generate(&project, &model, &["--budget=0.0001"]);
    assert_eq!(poor.code, Some(2), "{poor:?}");
    assert!(poor.stderr.contains("the budget is spent"), "{poor:?}");
    assert!(model.asked().is_empty());
    assert_eq!(project.read(CASES), before);
}

#[test]
fn the_budget_ends_the_drafting_and_keeps_what_was_drafted() {
    let project = Project::with_suite();
    project.write(
        "decbench.toml",
        "[prices.drafter-1]\ninput_per_million = 1.0\noutput_per_million = 2.0\n",
    );
    let replies: Vec<String> = (0..5)
        .map(|n| drafts(&[(&format!("Storm number {n}"), "support")]))
        .collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    let model = Model::saying(&replies);
    // A call takes at most about $0.01 and here $0.002: the second fits, the third does not.
    let said = generate(&project, &model, &["--count=5", "--budget=0.0125"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("the budget is spent"), "{said:?}");
    let calls = model.asked().len();
    assert!((1..4).contains(&calls), "{calls} calls");
    assert_eq!(project.read(CASES).matches("generated").count(), calls);
}

#[test]
fn consent_to_the_estimate_bounds_the_spending_and_no_draft_is_lost() {
    let project = Project::with_suite();
    // A reply is reckoned with 4,096 tokens at the most, and has 500,000 here: one call takes more than was agreed to.
    project.write(
        "decbench.toml",
        "[prices.drafter-1]\ninput_per_million = 1.0\noutput_per_million = 2.0\n",
    );
    let long = |text: &str| {
        let mut reply = reply(&drafts(&[(text, "support")]));
        reply["usage"]["completion_tokens"] = json!(500_000);
        (200, reply)
    };
    let model = Model::new(vec![long("Storm one"), long("Storm two")]);
    let said = generate(&project, &model, &["--count=20", "--yes"]);
    assert_eq!((said.code, model.asked().len()), (Some(1), 1), "{said:?}");
    assert!(said.stderr.contains("the budget is spent"), "{said:?}");
    // What a reply brought is in the file before the next one is asked for: a refusal takes nothing away.
    let project = Project::with_suite();
    let model = Model::new(vec![
        (200, reply(&drafts(&[("Storm one", "support")]))),
        (401, json!({ "error": { "message": "bad key" } })),
    ]);
    let said = generate(&project, &model, &["--count=2", "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(project.read(CASES).contains("Storm one"), "{said:?}");
}

#[test]
fn what_stands_in_the_way_is_said() {
    let project = Project::with_suite();
    let before = project.read(CASES);
    // A moment's trouble is waited out.
    let busy = json!({ "error": { "message": "busy" } });
    let model = Model::new(vec![
        (503, busy.clone()),
        (200, reply(&drafts(&[("Something else", "support")]))),
    ]);
    let said = generate(&project, &model, &["--count=1", "--yes"]);
    assert_eq!((said.code, model.asked().len()), (Some(0), 2), "{said:?}");
    project.write(CASES, &before);
    let refusing = Model::new(vec![(401, json!({ "error": { "message": "bad key" } }))]);
    let said = generate(&project, &refusing, &["--yes"]);
    assert_eq!(
        (said.code, refusing.asked().len()),
        (Some(2), 1),
        "{said:?}"
    );
    let chatty = Model::saying(&["Sure! Here are some cases."]);
    let said = generate(&project, &chatty, &["--yes"]);
    assert_eq!((said.code, chatty.asked().len()), (Some(1), 3), "{said:?}");
    assert!(said.stderr.contains("no list of cases"), "{said:?}");
    // The usual service wants a key, and it is not sent elsewhere.
    let keyless = project.run(&[
        "generate",
        "call-routing",
        "--model=x",
        "--base-url=https://example.com",
        "--yes",
    ]);
    assert_eq!(keyless.code, Some(2), "{keyless:?}");
    assert_eq!(
        project
            .run(&["generate", "nobody", "--model=x", "--yes"])
            .code,
        Some(2)
    );
    assert_eq!(project.read(CASES), before);
}
