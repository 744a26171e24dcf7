//! Replies as services give them, good and bad, with what is to be made of each.
//!
//! One file per service: a list of `{name, status, headers, body | raw, label | kind, says, again}`. The question is the
//! bench's: an unnamed choice among billing, support and sales.

use serde_json::Value;
use serde_json::json;

use super::table::{SERVICES, Spoken, all};
use crate::support::server::{Act, as_text};

#[test]
fn every_reply_becomes_what_it_means() {
    for service in all() {
        let replies: Vec<Value> = serde_json::from_str(service.replies).expect("a list");
        for reply in &replies {
            check(service, reply);
        }
        for kind in [
            "refused",
            "rate_limited",
            "overloaded",
            "invalid_answer",
            "auth",
        ] {
            let refuses = service.key_header.is_some() || !["refused", "auth"].contains(&kind);
            let there = replies.iter().any(|reply| reply["kind"] == kind);
            assert!(
                there || !refuses,
                "{}: no reply is {kind}",
                service.provider
            );
        }
    }
}

fn check(service: &Spoken, reply: &Value) {
    let what = format!("{}: {}", service.provider, as_text(&reply["name"]));
    let status = reply["status"]
        .as_u64()
        .map_or(200, |status| u16::try_from(status).expect("a status"));
    let text = if reply["raw"].is_null() {
        reply["body"].to_string()
    } else {
        as_text(&reply["raw"])
    };
    let headers: Vec<(&'static str, String)> = reply["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let name = ["retry-after", "retry-after-ms", "x-should-retry"]
                .into_iter()
                .find(|known| known == name);
            (name.expect("a header of waiting"), as_text(value))
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let server = service.server(move |_| Act::Reply(status, headers.clone(), text.clone()));
    let mut bench = service.bench(folder.path(), &server, 1);
    bench.set("retries", json!(1));
    let collected = bench.fill();
    let [answer] = &collected.answers[..] else {
        panic!("{what}: {:?}", collected.misses);
    };
    match &answer.outcome {
        Ok(decided) => {
            assert_eq!(decided.label.as_deref(), reply["label"].as_str(), "{what}");
            let sum: f64 = decided.probabilities.iter().flatten().map(|(_, p)| p).sum();
            let gives = reply["probabilities"].as_bool().unwrap_or(true);
            assert_eq!(decided.probabilities.is_some(), gives, "{what}");
            assert!(!gives || (sum - 1.0).abs() < 0.02, "{what}: {sum}");
        }
        Err(failure) => {
            assert_eq!(
                Some(failure.kind.name()),
                reply["kind"].as_str(),
                "{what}: {failure}"
            );
            let cut_off = reply["truncated"] == true;
            assert_eq!(failure.truncated, cut_off, "{what}: {failure}");
            let says = reply["says"].as_str().unwrap_or_default();
            assert!(
                failure.message.contains(says),
                "{what}: {failure} lacks {says}"
            );
        }
    }
    let expected = if reply["again"] == true { 2 } else { 1 };
    assert_eq!(server.calls(), expected * service.requests, "{what}: calls");
}

#[test]
fn a_reply_that_is_cut_off_is_nobodys_answer() {
    for service in SERVICES {
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(|_| Act::CutOff);
        let mut bench = service.bench(folder.path(), &server, 1);
        bench.set("retries", json!(0));
        let collected = bench.fill();
        let failure = collected.answers[0]
            .outcome
            .as_ref()
            .expect_err("half an answer");
        assert_eq!(
            failure.kind.name(),
            "connect",
            "{}: {failure}",
            service.provider
        );
        assert!(bench.recordings().is_empty(), "{}", service.provider);
    }
}
