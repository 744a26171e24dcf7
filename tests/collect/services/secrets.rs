//! A key is in no file and no text, whatever a service sends back.

use decbench_core::provider::{AnsweredBy, PROVIDERS};
use serde_json::json;

use super::table::{Spoken, all};
use crate::support::server::{Act, Server};

const CANARY: &str = "apikey_canary_9b1deb4d";

/// How many replies [`echo`] knows.
const ECHOES: usize = 22;

/// The number of a case by its digits.
fn number_in(text: &str) -> u64 {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
}

/// A reply that sends `word` back wherever a service may put words of its own.
fn echo(number: u64, word: &str, model: &str) -> Act {
    let reply = |status, body: serde_json::Value| Act::Reply(status, vec![], body.to_string());
    match number {
        0 => reply(
            422,
            json!({"detail": [{"msg": word, "type": word, "loc": [word]}]}),
        ),
        1 => Act::Reply(200, vec![], format!("not JSON but {word}")),
        2 => reply(
            200,
            json!({"answers": {"decision": {"type": "choice", "choice": word}}}),
        ),
        3 => Act::Reply(
            302,
            vec![(
                "location",
                "http://localhost/?word=".to_owned() + &word.replace(' ', "+"),
            )],
            word.to_owned(),
        ),
        4 => reply(200, json!({"answers": {word: 1}})),
        5 => reply(
            200,
            json!({"answers": [{"type": "choice", "name": null, "choice": word}]}),
        ),
        6 => reply(200, json!({"answers": [{"type": word, "name": word}]})),
        7 => reply(200, json!({"prompt_feedback": {"block_reason": word}})),
        8 => reply(
            401,
            json!({"error": {"message": word, "type": word, "code": word, "status": word}}),
        ),
        9 => reply(
            429,
            json!({"error": word, "errors": [{"code": 3036, "message": word}]}),
        ),
        10 => reply(529, json!({"message": word, "id": word})),
        11 => reply(200, json!({"model": model, "answers": {}, "usage": word})),
        12 => reply(200, json!({"result": {"answers": {"decision": word}}})),
        13 => {
            let answer = json!({"type": "choice", "name": null, "choice": "sales", "probabilities": {word: 1}});
            reply(200, json!({"answers": {"decision": answer}}))
        }
        14 => {
            let probabilities = json!([{"value": word, "probability": 1}]);
            let answer = json!({"type": "choice", "name": null, "choice": "sales", "probabilities": probabilities});
            reply(200, json!({"answers": [answer]}))
        }
        15 => reply(
            200,
            json!({"choices": [{"message": {"content": word, "refusal": null}}], "model": model}),
        ),
        16 => reply(
            200,
            json!({"choices": [{"message": {"content": "x"}, "logprobs": {"content": [{"token": word, "logprob": 0}]}}]}),
        ),
        17 => reply(
            200,
            json!({"content": [{"type": "tool_use", "input": {"decision": {"answer": word}}}]}),
        ),
        18 => reply(
            200,
            json!({"content": [{"type": "text", "text": word}], "stop_reason": word}),
        ),
        19 => reply(
            200,
            json!({"result": {"best": word, "scores": {word: 1}}, "model": model}),
        ),
        20 => reply(
            200,
            json!({"result": {"best": "sales", "scores": {word: 1}}, "end": word}),
        ),
        _ => reply(500, json!(word)),
    }
}

/// Asks the service for every reply of [`echo`], and looks for `part` in all that is told and written.
fn nothing_shows(service: &Spoken, server: &Server, part: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    // One suite per failure: a refused key or used up quota ends a run.
    for number in 0..ECHOES {
        let beneath = folder.path().join(number.to_string());
        let mut bench = service.bench(&beneath, server, number + 1);
        bench.cases.drain(..number);
        bench.ask(&[(0, 0)]);
        bench.key = Some(CANARY.to_owned());
        bench.set("retries", json!(0));
        let collected = bench.fill();
        let told = bench.told.lock().expect("no panic").join("\n");
        let shown = format!("{collected:?} {told}");
        assert!(!shown.contains(part), "{}: {shown}", service.provider);
        for (path, text) in bench.files() {
            let shown = format!("{}: {}: {text}", service.provider, path.display());
            assert!(!text.contains(part), "{shown}");
        }
    }
    assert_eq!(
        server.calls(),
        ECHOES * service.requests,
        "{}",
        service.provider
    );
}

#[test]
fn a_key_that_is_sent_back_in_any_failure_of_any_service_is_kept_nowhere() {
    for service in all() {
        let Some(header) = service.key_header else {
            continue;
        };
        let server = service.server(move |seen| {
            let key = &seen.headers[header];
            echo(number_in(&seen.state()), key, key)
        });
        nothing_shows(service, &server, &CANARY[9..]);
    }
}

#[test]
fn a_case_that_is_sent_back_in_any_answer_of_any_service_is_kept_nowhere() {
    for service in all() {
        let server = service.server(|seen| {
            let number = number_in(&seen.state());
            echo(number, &format!("caller {number} says something"), "m-1")
        });
        nothing_shows(service, &server, "says something");
    }
}

/// Services that only write are asked no closed question; suites with `output` ask them a local server's.
const WRITERS: [&str; 1] = ["chat"];

#[test]
fn every_service_on_the_network_has_a_row_in_the_table() {
    for kind in PROVIDERS {
        if let AnsweredBy::Service(service) = kind.answered_by
            && service.usual.is_some()
        {
            let known = WRITERS.contains(&kind.name) || all().any(|row| row.provider == kind.name);
            assert!(known, "`{}` is tested against no local server", kind.name);
        }
    }
}
