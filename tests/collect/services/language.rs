//! Models that are asked in words, and services by a template: what they send keeps to the contract, and what they read
//! is what was answered.

use decbench_core::decision::{AnswerOption, State};
use serde_json::{Value, json};

use super::conformance::{decided, probability, three_questions};
use super::table::{MODELS, Spoken};
use crate::support::chat_completions::MASS;
use crate::support::server::{Act, Seen, as_text, shares};

fn model(provider: &str) -> &'static Spoken {
    let found = MODELS.iter().find(|service| service.provider == provider);
    found.expect("a row")
}

/// Requests about one state with three questions.
fn requests(service: &Spoken) -> usize {
    match service.provider {
        "verbalized" | "anthropic-messages" => 1,
        _ => 3 * service.requests,
    }
}

#[test]
fn texts_and_documents_are_asked_about_and_every_question_is_read_back() {
    for service in MODELS {
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(|_| Act::Answer);
        let mut bench = service.bench(folder.path(), &server, 2);
        bench.questions = three_questions();
        bench.cases[1].state = Some(State::Json(json!({"subject": "Parcel", "orders": 14})));
        bench.ask(&[(0, 0)]);
        let collected = bench.fill();
        let provider = service.provider;
        assert_eq!(server.calls(), 2 * requests(service), "{provider}");
        assert_eq!(collected.misses, [], "{provider}");
        for (number, answer) in collected.answers.iter().enumerate() {
            let what = format!("{provider} {}", answer.question);
            let decided = decided(answer, service, &what);
            let keys: [&str; 3] = match answer.question.as_str() {
                "damaged" => ["yes", "no", ""],
                "queue" => ["10", "2", "1"],
                _ => ["0", "1", "2"],
            };
            assert_eq!(decided.label.as_deref(), Some(keys[0]), "{what}");
            let state = bench.cases[number / 3].state.as_ref().expect("a state");
            let share = shares(&json!(state.as_text()));
            let given = keys.map(|key| probability(decided, key));
            let close = |wanted: [f64; 3]| {
                let pairs = given.iter().zip(wanted).zip(keys);
                pairs
                    .filter(|(_, key)| !key.is_empty())
                    .all(|((p, wanted), _)| (p - wanted).abs() < 1e-9)
            };
            match provider {
                "anthropic-messages" => assert_eq!(decided.probabilities, None, "{what}"),
                "vote-share" => assert!(close([1.0, 0.0, 0.0]), "{what}: {given:?}"),
                _ => assert!(close([share(0), share(1), 0.0]), "{what}: {given:?}"),
            }
            let mass = match provider {
                "chat-logprobs" => Some(MASS),
                "vote-share" => Some(1.0),
                _ => None,
            };
            assert_eq!(decided.format_mass.is_some(), mass.is_some(), "{what}");
            let off = decided.format_mass.unwrap_or(0.0) - mass.unwrap_or(0.0);
            assert!(off.abs() < 1e-9, "{what}: {off}");
        }
        let replayed = bench.replay();
        assert_eq!(replayed.answers, collected.answers, "{provider}");
    }
}

#[test]
fn options_are_numbered_in_the_order_shown_whatever_their_keys_look_like() {
    for service in MODELS {
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(|_| Act::Answer);
        let mut bench = service.bench(folder.path(), &server, 1);
        bench.questions[0].options = ["10", "2", "1"].map(AnswerOption::new).to_vec();
        bench.ask(&[(0, 0), (0, 1)]);
        let collected = bench.fill();
        let shown = |order: [&str; 3]| {
            let [a, b, c] = order;
            if service.provider == "http" {
                format!("{{\"{a}\":null,\"{b}\":null,\"{c}\":null}}")
            } else {
                format!("Options:\\n1. {a}\\n2. {b}\\n3. {c}\\n")
                    .trim_end_matches("\\n")
                    .to_owned()
            }
        };
        let seen = server.seen();
        let sent = |order| {
            seen.iter()
                .filter(|seen| seen.text.contains(&shown(order)))
                .count()
        };
        let each = service.requests;
        assert_eq!(seen.len(), 2 * each, "{}", service.provider);
        assert_eq!(sent(["10", "2", "1"]), each, "{}", seen[0].text);
        assert_eq!(sent(["1", "2", "10"]), each, "{}", seen[0].text);
        let labels: Vec<_> = collected
            .answers
            .iter()
            .map(|answer| answer.outcome.as_ref().expect("an answer").label.as_deref())
            .collect();
        assert_eq!(labels, [Some("10"), Some("1")], "{}", service.provider);
    }
}

/// Says one thing in a Chat Completions reply.
fn said(content: &str) -> Act {
    let body = json!({"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": content}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 1}});
    Act::Reply(200, vec![], body.to_string())
}

#[test]
fn every_vote_is_counted_and_paid() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = model("vote-share")
        .server(|seen| said(["1", "1", "2", "1", "neither"][(seen.arrival - 1) % 5]));
    let mut bench = model("vote-share").bench(folder.path(), &server, 1);
    bench.set(
        "price",
        json!({"input_per_million": 1, "output_per_million": 10}),
    );
    let collected = bench.fill();
    let decided = collected.answers[0].outcome.as_ref().expect("an answer");
    assert_eq!(decided.label.as_deref(), Some("billing"));
    assert_eq!(probability(decided, "billing"), 0.75);
    assert_eq!(decided.format_mass, Some(0.8));
    let measured = &collected.answers[0].measured;
    assert_eq!(
        (measured.input_tokens, measured.output_tokens),
        (Some(500), Some(5))
    );
    assert_eq!(measured.cost_usd, Some(0.00055));
}

#[test]
fn votes_of_a_failed_attempt_are_kept_and_the_slowest_vote_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = model("vote-share").server(|seen| match seen.arrival {
        3 => Act::Reply(429, vec![("retry-after-ms", "5".to_owned())], String::new()),
        6 => Act::After(std::time::Duration::from_millis(120), Box::new(said("1"))),
        _ => said("1"),
    });
    let mut bench = model("vote-share").bench(folder.path(), &server, 1);
    bench.set(
        "price",
        json!({"input_per_million": 1, "output_per_million": 0}),
    );
    bench.set("retries", json!(1));
    let collected = bench.fill();
    assert_eq!(
        server.calls(),
        6,
        "five votes, and again the one that failed"
    );
    let answer = &collected.answers[0];
    assert!(answer.outcome.is_ok());
    assert_eq!(answer.measured.attempts, Some(2));
    assert_eq!(
        answer.measured.cost_usd,
        Some(0.0005),
        "five votes were answered"
    );
    assert!(answer.measured.latency_ms.is_some_and(|ms| ms >= 120.0));
    assert!((collected.spent_usd - 0.0005).abs() < 1e-12);
}

#[test]
fn a_vote_at_temperature_0_is_refused_before_anything_is_asked() {
    let kind = decbench_core::provider::find_provider("vote-share").expect("there is one");
    let decbench_core::provider::AnsweredBy::Service(service) = kind.answered_by else {
        panic!("it is a service");
    };
    let settings = json!({"model": "m", "temperature": 0, "samples": 1});
    let errors = service
        .description(settings.as_object().expect("a map"))
        .expect_err("two mistakes");
    let keys: Vec<_> = errors
        .iter()
        .filter_map(|error| error.key.as_deref())
        .collect();
    assert_eq!(keys, ["temperature", "samples"]);
}

#[test]
fn a_service_that_lists_no_tokens_gives_labels_and_no_probabilities() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = model("chat-logprobs").server(|seen| {
        if seen.body["logprobs"].is_null() {
            return said("2");
        }
        let error = json!({"error": {"message": "not supported with this model",
            "type": "invalid_request_error", "param": "logprobs", "code": "unsupported_parameter"}});
        Act::Reply(400, vec![], error.to_string())
    });
    let mut bench = model("chat-logprobs").bench(folder.path(), &server, 3);
    bench.set("concurrency", json!(1));
    let collected = bench.fill();
    assert_eq!(server.calls(), 4, "it is told once");
    for answer in &collected.answers {
        let decided = answer.outcome.as_ref().expect("an answer");
        assert_eq!(decided.label.as_deref(), Some("support"));
        assert_eq!((&decided.probabilities, decided.format_mass), (&None, None));
    }
}

#[test]
fn a_model_states_what_it_is_asked_to_state() {
    for (provider, further, sees) in [
        (
            "anthropic-messages",
            json!({"stated": "probabilities"}),
            "tool_choice",
        ),
        (
            "anthropic-messages",
            json!({"answer_by": "schema", "stated": "confidence"}),
            "output_config",
        ),
        (
            "verbalized",
            json!({"stated": "confidence"}),
            "response_format",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = model(provider).server(|_| Act::Answer);
        let mut bench = model(provider).bench(folder.path(), &server, 1);
        bench
            .settings
            .extend(further.as_object().expect("a map").clone());
        let collected = bench.fill();
        let decided = collected.answers[0].outcome.as_ref().expect("an answer");
        assert!(
            !server.seen()[0].body[sees].is_null(),
            "{provider} {further}"
        );
        let share = shares(&json!("caller 0 says something"));
        let states = further["stated"] == "probabilities";
        assert_eq!(decided.probabilities.is_some(), states, "{further}");
        assert_eq!(
            decided.confidence,
            (!states).then_some(share(0)),
            "{further}"
        );
        if states {
            assert_eq!(probability(decided, "support"), share(1));
        }
    }
}

#[test]
fn settings_of_models_go_out_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = model("verbalized").server(|_| Act::Answer);
    let mut bench = model("verbalized").bench(folder.path(), &server, 1);
    bench.set("temperature", json!(0.5));
    bench.set("max_tokens", json!(77));
    bench.set("max_tokens_field", json!("max_tokens"));
    bench.set("parameters", json!({"reasoning_effort": "none", "seed": 7}));
    bench.fill();
    let body = &server.seen()[0].body;
    let sent =
        ["temperature", "max_tokens", "reasoning_effort", "seed"].map(|name| body[name].clone());
    assert_eq!(sent, [json!(0.5), json!(77), json!("none"), json!(7)]);
    assert_eq!(body["max_completion_tokens"], Value::Null);
}

#[test]
fn a_template_fills_in_texts_and_values_and_keeps_the_key_out_of_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = model("http").server(|seen: &Seen| {
        assert_eq!(seen.method, "PUT");
        assert!(seen.path.ends_with("/classify"));
        let first = as_text(&seen.body["ask"]["options"][0]);
        Act::Reply(
            200,
            vec![],
            json!([{"label": first, "score": 0.9}]).to_string(),
        )
    });
    let mut bench = model("http").bench(folder.path(), &server, 1);
    bench.questions[0].options[0].description = Some("Invoices".to_owned());
    bench.cases[0].state = Some(State::Json(json!({"n": 1})));
    bench.settings.shift_remove("base_url");
    bench.set("url", json!(format!("{}/classify", server.url())));
    bench.set("method", json!("put"));
    bench.set("headers", json!({"X-Team": "support"}));
    bench.set(
        "body",
        json!({"ask": {"options": "{{options}}", "about": "{{state}}", "type": "{{type}}"},
            "prompt": "Of {{state}}: {{question}}", "keep": [1, true]}),
    );
    bench.set(
        "reply",
        json!({"label": "/0/label", "confidence": "/0/score"}),
    );
    let collected = bench.fill();
    let decided = collected.answers[0].outcome.as_ref().expect("an answer");
    assert_eq!(decided.label.as_deref(), Some("billing"));
    assert_eq!(
        (decided.confidence, &decided.probabilities),
        (Some(0.9), &None)
    );
    let seen = &server.seen()[0];
    assert!(seen.has_header("x-team", "support"));
    assert_eq!(
        seen.body,
        json!({
            "ask": {"options": ["billing", "support", "sales"], "about": {"n": 1}, "type": "choice"},
            "prompt": "Of {\"n\":1}: Question: Which team?\n\nOptions:\n1. billing: Invoices\n2. support\n3. sales",
            "keep": [1, true],
        })
    );
}
