//! Services that speak System One elsewhere.

use decbench_core::provider::{AnsweredBy, PLACES, Settings, find_provider};
use serde_json::{Value, json};

use crate::bench::{Bench, outcomes};
use crate::support::server::{Act, KEY, Server};
use crate::support::system_one::answer_to;

fn envelope(answer: &mut Value) {
    let result = answer.take();
    *answer = json!({"result": result, "success": true, "errors": [], "messages": []});
}

#[test]
fn an_envelope_is_opened_and_the_route_names_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| Act::Changed(envelope));
    let mut bench = Bench::new(folder.path(), &server, 1);
    bench.set("model", json!("clef"));
    bench.set("envelope", json!("cloudflare"));
    bench.set("path", json!("/ai/run/@cf/cloudflare/{model}"));
    let collected = bench.fill();
    assert_eq!(outcomes(&collected.answers), [("c-0", "billing")]);
    let measured = &collected.answers[0].measured;
    assert_eq!(measured.model.as_deref(), Some("clef"));
    assert!(measured.input_tokens.is_some());
    let seen = server.seen().remove(0);
    assert_eq!(seen.path, "/ai/run/@cf/cloudflare/clef");
    assert_eq!(seen.body["model"], "clef", "it must agree with the route");
}

#[test]
fn an_empty_envelope_is_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| {
        let body =
            json!({"result": null, "success": false, "errors": [{"code": 7000, "message": "no"}]});
        Act::Reply(200, vec![], body.to_string())
    });
    let mut bench = Bench::new(folder.path(), &server, 1);
    bench.set("envelope", json!("cloudflare"));
    let collected = bench.fill();
    assert_eq!(outcomes(&collected.answers), [("c-0", "invalid_answer")]);
}

#[test]
fn further_fields_of_a_gateway_disturb_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    // OpenRouter names itself and the cost, and dates the model; vLLM adds diagnostics and a confidence to yes/no.
    let server = Server::behaving(|seen| {
        let mut answer = answer_to(&seen.body);
        answer["id"] = json!("gen-1");
        answer["provider"] = json!("TypeSafe");
        answer["model"] = json!("typesafe/jev-1.13-20260917");
        answer["usage"]["cost"] = json!(0.000_002);
        answer["object"] = json!("structured_decision");
        answer["answers"]["decision"]["diagnostics"] =
            json!({"label_mass": 0.97, "argmax_is_label": true});
        Act::Reply(200, vec![], answer.to_string())
    });
    let mut bench = Bench::new(folder.path(), &server, 1);
    bench.set("model", json!("typesafe/jev-1.13"));
    let collected = bench.fill();
    assert_eq!(outcomes(&collected.answers), [("c-0", "billing")]);
    let served = collected.answers[0].measured.model.as_deref();
    assert_eq!(served, Some("typesafe/jev-1.13-20260917"));
    assert!(server.seen()[0].has_header("authorization", &format!("Bearer {KEY}")));
}

/// Addresses as the contract lists them, with the one that is called for model `m`.
#[test]
fn every_published_address_is_called_at_its_route() {
    let AnsweredBy::Service(service) = find_provider("system-one").expect("a row").answered_by
    else {
        panic!("it is a service");
    };
    let called = |base_url: &str| {
        let settings = json!({"model": "m", "base_url": base_url});
        let settings: Settings = settings.as_object().expect("a map").clone();
        let described = (service.describe)(&settings).expect("usable settings");
        described.identity.parameters["address"]
            .as_str()
            .expect("an address")
            .to_owned()
    };
    let mut known = 1;
    for (base_url, address) in [
        (
            "https://openrouter.ai/api",
            "openrouter.ai/api/v1/systemone",
        ),
        (
            "https://ai-gateway.vercel.sh/typesafe",
            "ai-gateway.vercel.sh/typesafe/v1/systemone",
        ),
        (
            "https://inference.do-ai.run",
            "inference.do-ai.run/v1/systemone",
        ),
        (
            "https://api.cloudflare.com/client/v4/accounts/a1",
            "api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/m",
        ),
        (
            "https://api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/m",
            "api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/m",
        ),
        (
            "https://api.perplexity.ai",
            "api.perplexity.ai/v1/decisions",
        ),
        ("https://api.subq.ai", "api.subq.ai/v1/systemone"),
        (
            "https://api.scaledown.xyz",
            "api.scaledown.xyz/v1/scaledown",
        ),
        (
            "https://api.fireworks.ai/inference",
            "api.fireworks.ai/inference/v1/systemone",
        ),
        (
            "https://r.services.ai.azure.com/providers/microsoft",
            "r.services.ai.azure.com/providers/microsoft/v1/systemone",
        ),
        (
            "https://h.example.org/serving-endpoints/jev/invocations",
            "h.example.org/serving-endpoints/jev/invocations",
        ),
        ("https://api.parallel.ai", "api.parallel.ai/v1/decisions"),
        ("https://console.nace.ai", "console.nace.ai/v1/systemone"),
        ("https://eu-jev.com", "eu-jev.com/v1/systemone"),
        (
            "https://api.empiriolabs.ai",
            "api.empiriolabs.ai/v1/decisions",
        ),
        ("https://gateway.ngrok.ai", "gateway.ngrok.ai/v1/systemone"),
        ("http://localhost:11434", "localhost/v1/systemone"),
        ("http://127.0.0.1:11434", "127.0.0.1/v1/systemone"),
    ] {
        assert_eq!(called(base_url), address);
        known += 1;
    }
    assert_eq!(
        known,
        PLACES.len() + 1,
        "one address of Cloudflare in two forms, and every other place once"
    );
}
