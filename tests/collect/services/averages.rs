//! `average_orders`: the same question in several option orders at once.

use std::time::Duration;

use serde_json::json;

use super::conformance::probability;
use super::table::SERVICES;
use crate::support::server::{Act, Seen, shares};

/// The option shown first.
fn first(seen: &Seen) -> String {
    let criteria = seen.body["questions"]["decision"]["criteria"].as_object();
    let first = criteria.and_then(|map| map.keys().next());
    first.expect("an option").clone()
}

#[test]
fn the_mean_favours_no_place_and_every_order_is_paid_and_waited_for() {
    let service = &SERVICES[0];
    let folder = tempfile::tempdir().expect("a folder");
    // The server likes whatever stands first, and is slow about one of the orders.
    let server = service.server(|seen| match first(seen).as_str() {
        "sales" => Act::After(Duration::from_millis(150), Box::new(Act::Answer)),
        _ => Act::Answer,
    });
    let mut bench = service.bench(folder.path(), &server, 1);
    let plain = bench.fill();
    bench.set("average_orders", json!(2));
    let missed = bench.replay();
    assert_eq!(missed.answers, [], "it is another candidate");
    let averaged = bench.fill();
    assert_eq!(server.calls(), 3);
    let mut firsts: Vec<String> = server.seen()[1..].iter().map(first).collect();
    firsts.sort();
    assert_eq!(firsts, ["billing", "sales"]);
    let decided = averaged.answers[0].outcome.as_ref().expect("an answer");
    let share = shares(&json!("caller 0 says something"));
    for (key, wanted) in [
        ("billing", f64::midpoint(share(0), share(2))),
        ("support", share(1)),
        ("sales", f64::midpoint(share(2), share(0))),
    ] {
        assert!((probability(decided, key) - wanted).abs() < 1e-12, "{key}");
    }
    assert_eq!(
        decided.label, None,
        "two tie, and the suite says what that means"
    );
    let (one, two) = (&plain.answers[0].measured, &averaged.answers[0].measured);
    assert_eq!(two.input_tokens, one.input_tokens.map(|tokens| 2 * tokens));
    let cost = |usd: Option<f64>| usd.expect("a cost");
    assert!((cost(two.cost_usd) - 2.0 * cost(one.cost_usd)).abs() < 1e-12);
    assert!(two.latency_ms.is_some_and(|ms| ms >= 150.0));
    assert_eq!(bench.replay().answers, averaged.answers);
}

#[test]
fn an_order_that_is_asked_for_turns_all_the_others_with_it() {
    let service = &SERVICES[0];
    let folder = tempfile::tempdir().expect("a folder");
    let server = service.server(|_| Act::Answer);
    let mut bench = service.bench(folder.path(), &server, 1);
    bench.set("average_orders", json!(3));
    bench.ask(&[(0, 1)]);
    bench.fill();
    let mut firsts: Vec<String> = server.seen().iter().map(first).collect();
    firsts.sort();
    assert_eq!(firsts, ["billing", "sales", "support"]);
}

#[test]
fn one_order_that_fails_fails_the_answer_with_its_kind() {
    let service = &SERVICES[0];
    let folder = tempfile::tempdir().expect("a folder");
    let server = service.server(|seen| match first(seen).as_str() {
        "sales" => Act::Reply(529, vec![("retry-after", "0".to_owned())], String::new()),
        _ => Act::Answer,
    });
    let mut bench = service.bench(folder.path(), &server, 1);
    bench.set("average_orders", json!(2));
    bench.set("retries", json!(0));
    let collected = bench.fill();
    let failure = collected.answers[0]
        .outcome
        .as_ref()
        .expect_err("half of it");
    assert_eq!(failure.kind.name(), "overloaded");
    assert!(collected.spent_usd > 0.0, "the other half is paid");
    assert!(bench.recordings().is_empty());
}

#[test]
fn numbers_of_orders_that_make_no_sense_are_mistakes_of_the_suite() {
    let kind = decbench_core::provider::find_provider("anthropic-messages").expect("there is one");
    let decbench_core::provider::AnsweredBy::Service(service) = kind.answered_by else {
        panic!("it is a service");
    };
    for (settings, told) in [
        (json!({"model": "m", "average_orders": 4}), "from 2 to 3"),
        (json!({"model": "m", "average_orders": 2}), "gives none"),
    ] {
        let errors = service
            .description(settings.as_object().expect("a map"))
            .expect_err("a mistake");
        assert_eq!(errors[0].key.as_deref(), Some("average_orders"));
        assert!(errors[0].message.contains(told), "{}", errors[0]);
    }
    let stated = json!({"model": "m", "average_orders": 2, "stated": "probabilities"});
    assert!(
        service
            .description(stated.as_object().expect("a map"))
            .is_ok()
    );
}
