//! Judges and writers that are services: asked once, recorded, replayed.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Mutex;

use serde_json::{Map, Value, json};

use crate::Test;
use crate::project::Project;
use crate::support::server::{Act, KEY, Seen, Server};
use crate::support::{anthropic_messages, chat_completions};

pub(crate) const TESTS: &[Test] = &[
    (
        "judgements_are_recorded_and_replayed_without_a_call",
        judgements_are_recorded_and_replayed_without_a_call,
    ),
    (
        "a_service_that_fails_is_stood_in_for_and_replays_alike",
        a_service_that_fails_is_stood_in_for_and_replays_alike,
    ),
    (
        "a_chat_model_calls_tools_that_give_what_is_recorded",
        a_chat_model_calls_tools_that_give_what_is_recorded,
    ),
    (
        "the_messages_api_calls_tools_that_give_what_is_recorded",
        the_messages_api_calls_tools_that_give_what_is_recorded,
    ),
    (
        "a_conversation_goes_on_where_it_broke_off",
        a_conversation_goes_on_where_it_broke_off,
    ),
    (
        "a_model_that_only_the_configuration_names_has_its_family",
        a_model_that_only_the_configuration_names_has_its_family,
    ),
    (
        "messages_answer_open_questions_in_words",
        messages_answer_open_questions_in_words,
    ),
];

const FILL: [(&str, &str); 5] = [
    ("DECBENCH_MODE", "fill"),
    ("DECBENCH_BUDGET_USD", "1"),
    ("TYPESAFE_API_KEY", KEY),
    ("OPENAI_API_KEY", KEY),
    ("ANTHROPIC_API_KEY", KEY),
];

fn settings(provider: &str, server: &Server) -> String {
    format!(
        "[provider.{provider}]\nbase_url = '{}'\nretries = 0\nprice = {{ input_per_million = 0.042, output_per_million = 0.1 }}\n",
        server.url()
    )
}

fn cases(count: usize, with: impl Fn(usize) -> (String, &'static str)) -> String {
    (0..count).fold(String::new(), |mut lines, at| {
        let (state, rest) = with(at);
        let state = Value::from(state);
        let _ = writeln!(lines, r#"{{"id":"c-{at:04}","state":{state}{rest}}}"#);
        lines
    })
}

/// A reply of Chat Completions with this message.
fn message(seen: &Seen, message: &Value, finish: &str) -> Act {
    let reply = json!({
        "id": "chatcmpl-1",
        "model": seen.body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 20, "total_tokens": 60},
    });
    Act::Reply(200, Vec::new(), reply.to_string())
}

/// A chat model that thanks, and says what it was asked.
fn writer() -> Server {
    Server::speaking(chat_completions::CONTRACT, |seen| {
        let last = seen.body["messages"][1]["content"].as_str();
        let text = format!("{} Thank you.", last.unwrap_or_default());
        message(seen, &json!({"role": "assistant", "content": text}), "stop")
    })
}

/// A judge that says yes with this probability by the answer, and prefers nobody.
fn judge(yes: fn(&str) -> f64) -> Server {
    Server::behaving(move |seen| {
        let answer = seen.body["state"]["answer"].as_str().unwrap_or_default();
        let p = yes(answer);
        if p.is_nan() {
            return Act::Reply(503, Vec::new(), "{}".to_owned());
        }
        let questions = seen.body["questions"].as_object();
        let answers: Map<String, Value> = questions
            .into_iter()
            .flatten()
            .map(|(name, _)| (name.clone(), json!({"type": "noul", "noul": p})))
            .collect();
        let reply = json!({"model": seen.body["model"], "answers": answers,
            "usage": {"input_tokens": 50, "output_tokens": 3}});
        Act::Reply(200, Vec::new(), reply.to_string())
    })
}

fn named((name, calls): (&str, u64)) -> (String, u64) {
    (name.to_owned(), calls)
}

/// How many calls the plan foresees, by who is called.
fn to_be_made(project: &Project) -> Vec<(String, u64)> {
    let said = project.ask(&["--decbench=plan"]);
    let plan = said
        .stdout
        .lines()
        .find(|line| line.contains("\"event\":\"plan\""));
    let plan: Value = serde_json::from_str(plan.expect("a plan")).expect("JSON");
    let parts = plan["estimate"]["candidates"].as_array().expect("parts");
    let calls = |part: &Value| part["calls"].as_u64().expect("a number");
    let name = |part: &Value| part["candidate"].as_str().expect("a name").to_owned();
    parts.iter().map(|part| (name(part), calls(part))).collect()
}

fn judgements_are_recorded_and_replayed_without_a_call() {
    let (chat, jev) = (writer(), judge(|_| 0.9));
    let project = Project::new();
    project.write(
        "decbench.toml",
        settings("chat", &chat) + &settings("system-one", &jev),
    );
    let suite = |bound: &str| {
        format!(
            "output: text
prompt: You write for a shop.
task: Reply to the customer.
cases: s.cases.jsonl
candidates:
  writer: {{ provider: chat, model: gpt-local-1, temperature: 0.5 }}
judge: {{ rubric: [It thanks the customer., It is short.] }}
assert:
  quality: {{ at_least: {bound}, reading: point }}
  pass_every_time: {{ at_least: {bound}, reading: point, repeats: 3 }}
scorecard: off
"
        )
    };
    project.write("suites/s.yaml", suite("90%"));
    let lines = cases(20, |at| (format!("Order {at} came."), ""));
    project.write("suites/s.cases.jsonl", lines);
    // Nothing is known before anybody is asked, and that is red.
    let empty = project.run(&[]);
    empty.assert_code(101).assert_says("are missing");
    // What judges will be asked is a part of what is to be agreed to.
    assert_eq!(
        to_be_made(&project),
        [("writer", 60), ("writer+jev", 60)].map(named)
    );
    let said = project.run_with(&[], &FILL);
    said.assert_code(0);
    // Three repeats of twenty cases, each judged once by both criteria.
    assert_eq!((chat.calls(), jev.calls()), (60, 60));
    let asked = &chat.seen()[0].body["messages"];
    assert_eq!(
        asked[0]["content"],
        "You write for a shop.\n\nReply to the customer."
    );
    for seen in jev.seen() {
        assert_eq!(
            seen.body["model"], "jev-1.14.0",
            "the judge where none is named"
        );
        let state = &seen.body["state"];
        let answer = state["answer"].as_str().expect("an answer");
        assert!(answer.ends_with("Thank you."), "{answer}");
        assert_eq!(
            state["task"],
            "You write for a shop.\n\nReply to the customer."
        );
        assert_eq!(seen.body["questions"].as_object().map(Map::len), Some(2));
    }
    let answers = project.read("suites/answers/s/writer.jsonl");
    assert!(
        answers.contains(r#""output":"Order 3 came. Thank you.""#),
        "{answers}"
    );
    let judged = project.read("suites/answers/s.judges/writer+jev.jsonl");
    assert_eq!(judged.lines().count(), 120, "a line for each criterion");
    assert_eq!(
        to_be_made(&project),
        [("writer", 0), ("writer+jev", 0)].map(named)
    );
    let kept: String = judged.split_inclusive('\n').take(80).collect();
    project.write("suites/answers/s.judges/writer+jev.jsonl", kept);
    assert_eq!(
        to_be_made(&project),
        [("writer", 0), ("writer+jev", 20)].map(named)
    );
    project.write("suites/answers/s.judges/writer+jev.jsonl", &judged);
    assert!(
        judged.contains(r#"{"case":"c-0003 repeat 2","question":"r1""#),
        "{judged}"
    );
    // Everything replays where nothing can be asked, and other thresholds ask nobody.
    for (bound, code) in [("90%", 0), ("95%", 101), ("50%", 0)] {
        project.write("suites/s.yaml", suite(bound));
        project.run(&[]).assert_code(code);
        let said = project.run_with(&[], &[("DECBENCH_MODE", "fill")]);
        assert_eq!(
            said.outcome("s::writer::quality"),
            if code == 0 { "ok" } else { "FAILED" }
        );
    }
    assert_eq!((chat.calls(), jev.calls()), (60, 60));
    // Another criterion is asked anew, and of the judge alone.
    project.write(
        "suites/s.yaml",
        suite("90%").replace("It is short.", "It is kind."),
    );
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("20 of 20 answers are missing")
        .assert_says("not judged: c-0000 repeat 0");
    project.run_with(&[], &FILL).assert_code(0);
    assert_eq!((chat.calls(), jev.calls()), (60, 120));
}

fn a_service_that_fails_is_stood_in_for_and_replays_alike() {
    let jev = judge(|answer| {
        if answer.contains("hard") {
            f64::NAN
        } else if answer.contains("half") {
            0.5
        } else {
            0.9
        }
    });
    let chat = Server::speaking(chat_completions::CONTRACT, |_| Act::Answer);
    let project = Project::new();
    project.write(
        "decbench.toml",
        settings("verbalized", &chat) + &settings("system-one", &jev),
    );
    let suite = |chat: &str| {
        format!(
            "output: text
task: Reply.
cases: s.cases.jsonl
candidates: {{ echo: {{ provider: rust, function: open_echo }} }}
judge:
  rubric: It is kind.
{chat}assert: {{ quality: {{ at_least: 50%, reading: point }} }}
scorecard: off
"
        )
    };
    let alone = suite("");
    let with_chat = suite("  chat: { provider: verbalized, model: gpt-local-1 }\n");
    let lines = cases(12, |at| {
        let words = ["hard", "half", "plain"][at % 3];
        (format!("{words} {at}"), "")
    });
    project.write("suites/s.cases.jsonl", lines);
    project.write("suites/s.yaml", &alone);
    let said = project.run_with(&[], &FILL);
    // Four judgements failed and four abstained: nothing is said of quality, and it is no zero.
    said.assert_code(101)
        .assert_says("could not run")
        .assert_says("8 of 12 calls (66.7%) were not answered")
        .assert_says("a judge abstained (4 answers)");
    let asked = jev.calls();
    project.write("suites/s.yaml", &with_chat);
    let said = project.run_with(&[], &FILL);
    said.assert_code(0);
    assert_eq!(chat.calls(), 8, "only what the judge left open");
    assert_eq!(jev.calls(), asked + 4, "what reached nobody is asked again");
    let known = project.read("suites/answers/s.judges/echo+chat.jsonl");
    assert_eq!(known.lines().count(), 8);
    drop((jev, chat));
    let replayed = project.run(&[]);
    replayed.assert_code(0);
    let quality = |text: &str| {
        let card: Value = serde_json::from_str(text).expect("JSON");
        card["candidates"][0]["questions"][0]["metrics"]["quality"]["value"].clone()
    };
    assert!(quality(&project.read("out/s/scorecard.json")).as_f64() > Some(0.5));
}

/// A model that looks an order up, and tells what it found once `before` lets it.
fn clerk(before: impl Fn(&Seen) -> Option<Act> + Send + Sync + 'static) -> Server {
    Server::speaking(chat_completions::CONTRACT, move |seen| {
        let messages = seen.body["messages"].as_array().expect("messages");
        let last = &messages[messages.len() - 1];
        if last["role"] == "tool" {
            let text = format!("It was {}.", last["content"].as_str().unwrap_or_default());
            let said = json!({"role": "assistant", "content": text});
            return before(seen).unwrap_or_else(|| message(seen, &said, "stop"));
        }
        let number = last["content"]
            .as_str()
            .and_then(|text| text.rsplit(' ').next());
        let arguments = format!(r#"{{"id":{}}}"#, number.unwrap_or_default());
        let calls = json!([{"id": "t1", "type": "function",
            "function": {"name": "find_order", "arguments": arguments}}]);
        let called = json!({"role": "assistant", "content": null, "tool_calls": calls});
        message(seen, &called, "tool_calls")
    })
}

/// Ten cases, of which even orders are known to the tool by their very number; the others get what it says of any.
fn orders(project: &Project, provider: &str, server: &Server) -> String {
    project.write("decbench.toml", settings(provider, server));
    project.write(
        "suites/s.yaml",
        format!(
            "output: text
task: Help the customer.
checks: {{ required_tools: find_order }}
cases: s.cases.jsonl
candidates: {{ agent: {{ provider: {provider}, model: local-model-1 }} }}
assert: {{ agent_task_success: {{ at_least: 100%, reading: point }} }}
scorecard: off
"
        ),
    );
    let lines = (0..10).fold(String::new(), |mut lines, at| {
        let _ = writeln!(
            lines,
            r#"{{"id":"c-{at}","state":"Where is order {at}","tools":[{{"name":"find_order","arguments":{{"id":{}}},"result":"sent"}},{{"name":"find_order","result":"unknown"}}],"expect":{{"must_include":"{}"}}}}"#,
            at / 2 * 2,
            if at % 2 == 0 { "sent" } else { "unknown" },
        );
        lines
    });
    project.write("suites/s.cases.jsonl", &lines);
    lines
}

fn a_chat_model_calls_tools_that_give_what_is_recorded() {
    let chat = clerk(|_| None);
    let project = Project::new();
    let lines = orders(&project, "chat", &chat);
    project.run_with(&[], &FILL).assert_code(0);
    assert_eq!(chat.calls(), 20, "each case takes two steps");
    let first = &chat.seen()[0].body;
    assert_eq!(first["tools"][0]["function"]["name"], "find_order");
    let answers = project.read("suites/answers/s/agent.jsonl");
    let line: Value = serde_json::from_str(answers.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        line["tool_calls"],
        json!([{"name": "find_order", "arguments": {"id": 0}}])
    );
    assert_eq!(line["input_tokens"], 80, "both steps are paid for");
    project.run(&[]).assert_code(0);
    // What a tool gives back is part of what was asked.
    project.write(
        "suites/s.cases.jsonl",
        lines.replace("\"sent\"}", "\"lost\"}"),
    );
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("10 of 10 answers are missing");
    assert_eq!(chat.calls(), 20);
}

fn a_model_that_only_the_configuration_names_has_its_family() {
    let project = Project::new();
    project.write(
        "suites/s.yaml",
        "output: text
task: Help the customer.
judge: { rubric: [Polite.], jury: { own: { provider: verbalized } } }
cases: [{ id: a, state: Hello }]
candidates: { agent: { provider: chat } }
assert: { quality: '>= 10%' }
scorecard: off
",
    );
    let config = |model: &str| {
        format!(
            "[provider.chat]\nmodel = 'eu/{model}'\n[provider.verbalized]\nmodel = 'gpt-local-1'\n"
        )
    };
    project.write("decbench.toml", config("gpt-local-mini"));
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("nobody may judge `agent`: every judge is of its own family `gpt`")
        .assert_says("suites/s.yaml:5");
    project.write("decbench.toml", config("claude-local-1"));
    let said = project.run(&[]);
    assert!(!said.stdout.contains("nobody may judge"), "{}", said.stdout);
}

fn the_messages_api_calls_tools_that_give_what_is_recorded() {
    let server = Server::speaking(anthropic_messages::CONTRACT, |seen| {
        let messages = seen.body["messages"].as_array().expect("messages");
        let asked = messages[0]["content"].as_str().unwrap_or_default();
        let (content, stop) = if let [_, called, given] = messages.as_slice() {
            // What was said goes back as it was, and the result names the call.
            let (call, given) = (&called["content"][1], &given["content"][0]);
            assert_eq!(
                (&called["role"], &call["id"]),
                (&json!("assistant"), &json!("toolu_1"))
            );
            assert_eq!(
                (&given["type"], &given["tool_use_id"]),
                (&json!("tool_result"), &call["id"])
            );
            let text = format!("It was {}.", given["content"].as_str().unwrap_or_default());
            (json!([{"type": "text", "text": text}]), "end_turn")
        } else {
            let id: u64 = asked
                .rsplit(' ')
                .next()
                .and_then(|id| id.parse().ok())
                .unwrap_or_default();
            let call = json!({"type": "tool_use", "id": "toolu_1", "name": "find_order", "input": {"id": id}});
            (
                json!([{"type": "text", "text": "I look."}, call]),
                "tool_use",
            )
        };
        let reply = json!({"id": "msg_1", "type": "message", "role": "assistant",
            "model": seen.body["model"], "content": content, "stop_reason": stop,
            "usage": {"input_tokens": 40, "output_tokens": 9}});
        Act::Reply(200, Vec::new(), reply.to_string())
    });
    let project = Project::new();
    orders(&project, "anthropic-messages", &server);
    project.run_with(&[], &FILL).assert_code(0);
    assert_eq!(server.calls(), 20, "each case takes two steps");
    let first = &server.seen()[0].body;
    assert_eq!(first["tools"][0]["name"], "find_order");
    let answers = project.read("suites/answers/s/agent.jsonl");
    let line: Value = serde_json::from_str(answers.lines().next().expect("a line")).expect("JSON");
    let calls = json!([{"name": "find_order", "arguments": {"id": 0}}]);
    assert_eq!(line["tool_calls"], calls);
    assert_eq!(line["input_tokens"], 80, "both steps are paid for");
}

/// What the model said before a step failed is neither asked nor paid for again, in a further attempt or a further run.
fn a_conversation_goes_on_where_it_broke_off() {
    let broken: Mutex<HashSet<String>> = Mutex::default();
    let chat = clerk(move |seen| {
        let asked = seen.body["messages"][1]["content"].as_str()?.to_owned();
        let known = asked.ends_with(['0', '2', '4', '6', '8']);
        let first = !known && broken.lock().expect("no panic").insert(asked);
        first.then(|| Act::Reply(503, Vec::new(), "{}".to_owned()))
    });
    for (retries, requests) in [(0, [20, 5]), (1, [25, 0])] {
        let project = Project::new();
        orders(&project, "chat", &chat);
        let limits =
            settings("chat", &chat).replace("retries = 0", &format!("retries = {retries}"));
        // The server remembers whom it has failed.
        if retries == 1 {
            let lines = project.read("suites/s.cases.jsonl");
            project.write("suites/s.cases.jsonl", lines.replace("Where", "And where"));
        }
        project.write("decbench.toml", limits);
        let before = chat.calls();
        let code = if retries == 0 { 101 } else { 0 };
        project.run_with(&[], &FILL).assert_code(code);
        assert_eq!(chat.calls() - before, requests[0], "{retries} retries");
        project.run_with(&[], &FILL).assert_code(0);
        assert_eq!(chat.calls() - before, requests[0] + requests[1]);
        let answers = project.read("suites/answers/s/agent.jsonl");
        for line in answers.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(line["tool_calls"].as_array().map(Vec::len), Some(1));
            assert_eq!(line["input_tokens"], 80, "both steps are paid for, once");
        }
        assert_eq!(answers.lines().count(), 10);
    }
}

fn messages_answer_open_questions_in_words() {
    let server = Server::speaking(anthropic_messages::CONTRACT, |seen| {
        let total = seen.body["messages"][0]["content"]
            .as_str()
            .map_or(0, str::len);
        let text = match total {
            0..40 => json!({"letters": total}).to_string(),
            _ => "I would rather not.".to_owned(),
        };
        let reply = json!({"id": "msg_1", "type": "message", "role": "assistant",
            "model": seen.body["model"], "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 20, "output_tokens": 9}});
        Act::Reply(200, Vec::new(), reply.to_string())
    });
    let project = Project::new();
    project.write("decbench.toml", settings("anthropic-messages", &server));
    project.write(
        "suites/s.yaml",
        "output: json
task: Count the letters.
checks: { number_within: { at: /letters, tolerance: 0 } }
cases: s.cases.jsonl
candidates: { writer: { provider: anthropic-messages, model: claude-local-1 } }
assert: { number_within: { at_least: 80%, reading: point }, error_rate: { at_most: 20%, reading: point } }
scorecard: off
",
    );
    project.write(
        "suites/s.cases.jsonl",
        "{\"state\":\"abc\",\"gold\":{\"letters\":3}}\n{\"state\":\"abcd\",\"gold\":{\"letters\":4}}\n{\"state\":\"a\",\"gold\":{\"letters\":1}}\n{\"state\":\"ab\",\"gold\":{\"letters\":2}}\n{\"state\":\"This is a text of more than forty letters.\",\"gold\":{\"letters\":42}}\n",
    );
    let said = project.run_with(&[], &FILL);
    said.assert_code(0);
    assert_eq!(said.outcome("s::writer::number_within"), "ok");
    let body = &server.seen()[0].body;
    assert!(
        body["tools"].is_null() && body["output_config"].is_null(),
        "{body}"
    );
    let system = body["system"].as_str().expect("a system prompt");
    assert!(system.starts_with("Count the letters."), "{system}");
    // What is no JSON is no answer, and kept as one that failed.
    let answers = project.read("suites/answers/s/writer.jsonl");
    assert!(
        answers.contains("invalid_answer") && answers.contains("I would rather not."),
        "{answers}"
    );
}
