//! A key is in no file and no text, whatever a service sends back.

use decbench_core::provider::{AnsweredBy, PROVIDERS};
use serde_json::json;

use super::table::all;
use crate::support::server::Act;

const CANARY: &str = "apikey_canary_9b1deb4d";

#[test]
fn a_key_that_is_sent_back_in_any_failure_of_any_service_is_kept_nowhere() {
    for service in all() {
        let Some(header) = service.key_header else {
            continue;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(move |seen| {
            let key = seen.headers[header].clone();
            let number = seen
                .state()
                .bytes()
                .filter(u8::is_ascii_digit)
                .fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
            let reply =
                |status, body: serde_json::Value| Act::Reply(status, vec![], body.to_string());
            match number {
                0 => reply(
                    422,
                    json!({"detail": [{"msg": key, "type": key, "loc": [key]}]}),
                ),
                1 => Act::Reply(200, vec![], format!("not JSON but {key}")),
                2 => reply(
                    200,
                    json!({"answers": {"decision": {"type": "choice", "choice": key}}}),
                ),
                3 => Act::Reply(
                    302,
                    vec![("location", format!("http://localhost/?key={key}"))],
                    key,
                ),
                4 => reply(200, json!({"answers": {key: 1}})),
                5 => reply(
                    200,
                    json!({"answers": [{"type": "choice", "name": null, "choice": key}]}),
                ),
                6 => reply(200, json!({"answers": [{"type": key, "name": key}]})),
                7 => reply(200, json!({"prompt_feedback": {"block_reason": key}})),
                8 => reply(
                    401,
                    json!({"error": {"message": key, "type": key, "code": key, "status": key}}),
                ),
                9 => reply(
                    429,
                    json!({"error": key, "errors": [{"code": 3036, "message": key}]}),
                ),
                10 => reply(529, json!({"message": key, "id": key})),
                11 => reply(200, json!({"model": key, "answers": {}, "usage": key})),
                12 => reply(200, json!({"result": {"answers": {"decision": key}}})),
                13 => {
                    let answer = json!({"type": "choice", "name": null, "choice": "sales", "probabilities": {key: 1}});
                    reply(200, json!({"answers": {"decision": answer}}))
                }
                14 => {
                    let probabilities = json!([{"value": key, "probability": 1}]);
                    let answer = json!({"type": "choice", "name": null, "choice": "sales", "probabilities": probabilities});
                    reply(200, json!({"answers": [answer]}))
                }
                15 => reply(
                    200,
                    json!({"choices": [{"message": {"content": key, "refusal": null}}], "model": key}),
                ),
                16 => reply(
                    200,
                    json!({"choices": [{"message": {"content": "x"}, "logprobs": {"content": [{"token": key, "logprob": 0}]}}]}),
                ),
                17 => reply(
                    200,
                    json!({"content": [{"type": "tool_use", "input": {"decision": {"answer": key}}}]}),
                ),
                18 => reply(200, json!({"content": [{"type": "text", "text": key}], "stop_reason": key})),
                19 => reply(200, json!({"result": {"best": key, "scores": {key.clone(): 1}}, "model": key})),
                20 => reply(200, json!({"result": {"best": "sales", "scores": {key.clone(): 1}}, "end": key})),
                _ => reply(500, json!(key)),
            }
        });
        // One suite per failure: a refused key or used up quota ends a run.
        for number in 0..22 {
            let beneath = folder.path().join(number.to_string());
            let mut bench = service.bench(&beneath, &server, number + 1);
            bench.cases.drain(..number);
            bench.ask(&[(0, 0)]);
            bench.key = Some(CANARY.to_owned());
            bench.set("retries", json!(0));
            let collected = bench.fill();
            let told = bench.told.lock().expect("no panic").join("\n");
            let shown = format!("{collected:?} {told}");
            let part = &CANARY[9..];
            assert!(!shown.contains(part), "{}: {shown}", service.provider);
            for (path, text) in bench.files() {
                let shown = format!("{}: {}: {text}", service.provider, path.display());
                assert!(!text.contains(part), "{shown}");
            }
        }
        assert_eq!(
            server.calls(),
            22 * service.requests,
            "{}",
            service.provider
        );
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
