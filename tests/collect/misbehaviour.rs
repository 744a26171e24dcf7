//! Services that are slow, busy, broken or wrong.

use std::time::{Duration, Instant};

use decbench_core::decision::{Answer, QuestionKind};
use serde_json::{Value, json};

use crate::bench::{Bench, outcomes};
use crate::support::system_one::{Act, Seen, Server};

/// The number in `caller 7 says something`.
fn number(seen: &Seen) -> usize {
    let state = seen.state();
    let number = state.split_whitespace().nth(1);
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

fn status(status: u16, headers: &[(&'static str, &str)]) -> Act {
    let headers = headers
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect();
    Act::Reply(status, headers, String::new())
}

/// The message of a failure.
fn message(answer: &Answer) -> &str {
    answer
        .outcome
        .as_ref()
        .map_or_else(|failure| failure.message.as_str(), |_| "")
}

#[test]
fn what_passes_is_tried_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| match (number(seen), seen.arrival) {
        (0, 1) => status(429, &[("retry-after-ms", "80"), ("retry-after", "30")]),
        // The service's clock is years behind; only the difference counts.
        (1, 1) => status(
            429,
            &[
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("retry-after", "Sun, 06 Nov 1994 08:49:38 GMT"),
            ],
        ),
        (2, 1 | 2) => status(500, &[]),
        (3, 1) => Act::CutOff,
        (4, 1) => status(529, &[("retry-after", "0")]),
        _ => Act::Answer,
    });
    let bench = Bench::new(folder.path(), &server, 6);
    let collected = bench.fill();
    assert!(
        collected
            .answers
            .iter()
            .all(|answer| answer.outcome.is_ok()),
        "{:?}",
        outcomes(&collected.answers)
    );
    let attempts: Vec<_> = collected
        .answers
        .iter()
        .map(|answer| answer.measured.attempts.unwrap_or(0))
        .collect();
    assert_eq!(attempts, [2, 2, 3, 2, 2, 1]);
    assert_eq!(collected.calls_made, 12);
    assert_eq!(bench.recordings().len(), 6);
    assert!(bench.run_store().is_empty());
}

#[test]
fn the_services_wait_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| match seen.arrival {
        1 => status(429, &[("retry-after-ms", "300")]),
        _ => Act::Answer,
    });
    let bench = Bench::new(folder.path(), &server, 1);
    let begun = Instant::now();
    assert!(bench.fill().answers[0].outcome.is_ok());
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_wait_beyond_a_minute_is_not_waited_for_and_nothing_more_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| status(429, &[("retry-after", "120")]));
    let mut bench = Bench::new(folder.path(), &server, 20);
    bench.set("concurrency", json!(1));
    let begun = Instant::now();
    let collected = bench.fill();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(collected.answers.len(), 1);
    assert_eq!(outcomes(&collected.answers)[0].1, "rate_limited");
    assert!(message(&collected.answers[0]).contains("it asks to wait 120 s, until 20"));
    assert_eq!(server.calls(), 1);
    assert_eq!(collected.misses.len(), 19);
    let miss = collected.misses[0].to_string();
    assert!(miss.contains("127.0.0.1"), "{miss}");
    assert!(miss.contains("may be asked again after 20"), "{miss}");
    assert_eq!(
        bench.fill().calls_made,
        0,
        "a retry of the run asks nothing"
    );
}

#[test]
fn wrong_answers_are_the_models_and_are_recorded_with_their_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| {
        match number(seen) {
        0 => Act::Reply(200, vec![], "{\"answers\": {\"decision\": ".to_owned()),
        1 => Act::Changed(|answer| answer["answers"]["decision"]["choice"] = json!("marketing")),
        2 => Act::Reply(
            200,
            vec![],
            r#"{"answers":{"decision":{"type":"choice","choice":"sales","probabilities":{"sales":NaN}}}}"#
                .to_owned(),
        ),
        3 => Act::Changed(|answer| answer["answers"]["decision"]["type"] = json!("noul")),
        4 => Act::Changed(|answer| answer["answers"] = json!({"other": 1})),
        5 => Act::Reply(200, vec![], "<html>hello</html>".to_owned()),
        _ => Act::Answer,
    }
    });
    let bench = Bench::new(folder.path(), &server, 7);
    let collected = bench.fill();
    assert_eq!(server.calls(), 7, "none of these is tried again");
    let invalid = &collected.answers[..6];
    assert!(
        outcomes(invalid)
            .iter()
            .all(|(_, outcome)| *outcome == "invalid_answer"),
        "{:?}",
        outcomes(invalid)
    );
    for (answer, kept) in
        invalid
            .iter()
            .zip(["\"decision\"", "marketing", "NaN", "noul", "other", "hello"])
    {
        assert!(
            message(answer).contains(kept),
            "{} lacks {kept}",
            message(answer)
        );
    }
    assert_eq!(bench.recordings(), collected.answers);
    assert_eq!(bench.fill().calls_made, 0, "they are answers");
    let tokens = invalid[1].measured.input_tokens;
    assert!(tokens.is_some(), "a wrong answer is paid for");
}

#[test]
fn an_unusable_distribution_costs_the_distribution_and_not_the_label() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| match number(seen) {
        0 => Act::Changed(|answer| {
            answer["answers"]["decision"]["probabilities"] =
                json!({"billing": 0.5, "support": 0.1, "sales": 0.1});
        }),
        1 => Act::Changed(|answer| {
            answer["answers"]["decision"]["probabilities"] = json!({"billing": 1.0});
        }),
        2 => Act::Changed(|answer| {
            answer["answers"]["decision"]["probabilities"]["billing"] = json!("much");
        }),
        3 => {
            Act::Changed(|answer| answer["answers"]["decision"]["probabilities"] = json!([1, 0, 0]))
        }
        _ => Act::Changed(|answer| {
            let decision = answer["answers"]["decision"].as_object_mut();
            decision.expect("a map").remove("probabilities");
        }),
    });
    let bench = Bench::new(folder.path(), &server, 5);
    let collected = bench.fill();
    assert!(
        outcomes(&collected.answers)
            .iter()
            .all(|(_, label)| *label == "billing")
    );
    let given: Vec<Option<Vec<(String, f64)>>> = collected
        .answers
        .iter()
        .map(|answer| {
            answer
                .outcome
                .as_ref()
                .expect("a label")
                .probabilities
                .clone()
        })
        .collect();
    let sum = |position: usize| -> f64 { given[position].iter().flatten().map(|(_, p)| p).sum() };
    assert!((sum(0) - 0.7).abs() < 1e-12, "kept as given");
    assert_eq!(given[1].as_ref().map(Vec::len), Some(1));
    assert!(given[2].as_ref().expect("kept")[0].1.is_nan());
    assert_eq!(given[3], Some(vec![]));
    assert_eq!(given[4], None, "none given is not unusable");
    let replayed = bench.replay();
    let again: Vec<_> = replayed
        .answers
        .iter()
        .map(|answer| {
            answer
                .outcome
                .as_ref()
                .expect("a label")
                .probabilities
                .clone()
        })
        .collect();
    assert_eq!(
        format!("{again:?}"),
        format!("{given:?}"),
        "a file keeps all of it"
    );
}

#[test]
fn a_score_or_yes_no_without_a_usable_number_is_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| match number(seen) {
        0 => Act::Changed(|answer| answer["answers"]["decision"]["noul"] = json!(1.3)),
        1 => Act::Changed(|answer| answer["answers"]["decision"]["noul"] = Value::Null),
        _ => Act::Answer,
    });
    let mut bench = Bench::new(folder.path(), &server, 3);
    bench.questions[0].kind = QuestionKind::YesNo;
    bench.questions[0].options.truncate(2);
    bench.questions[0].options[0].key = "yes".to_owned();
    bench.questions[0].options[1].key = "no".to_owned();
    let outcomes_of = |bench: &Bench| -> Vec<String> {
        let collected = bench.fill();
        let outcomes = outcomes(&collected.answers);
        outcomes
            .iter()
            .map(|(_, outcome)| (*outcome).to_owned())
            .collect()
    };
    assert_eq!(
        outcomes_of(&bench),
        ["invalid_answer", "invalid_answer", "-"]
    );
    drop(server);
    let server = Server::behaving(|seen| match number(seen) {
        0 => Act::Changed(|answer| answer["answers"]["decision"]["score"] = json!(2.0)),
        1 => Act::Changed(|answer| {
            answer["answers"]["decision"]["probabilities"]["0"] = json!(-0.1);
        }),
        _ => Act::Answer,
    });
    bench.set("base_url", json!(server.url()));
    bench.questions[0].kind = QuestionKind::Score;
    bench.questions[0].options[0].key = "0".to_owned();
    bench.questions[0].options[1].key = "1".to_owned();
    assert_eq!(
        outcomes_of(&bench),
        ["invalid_answer", "invalid_answer", "-"]
    );
}

#[test]
fn what_reached_nobody_is_kept_with_the_run_and_asked_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| match (number(seen), seen.arrival) {
        (0, 1) => Act::Reply(404, vec![], json!({"error": "no such route"}).to_string()),
        (1, 1) => Act::Reply(
            302,
            vec![("location", "http://example.org/".to_owned())],
            String::new(),
        ),
        (2, 1) => Act::Reply(
            422,
            vec![],
            json!({"detail": [{"msg": "bad: caller 2 says something", "input": "x"}]}).to_string(),
        ),
        (3, 1) => status(501, &[]),
        _ => Act::Answer,
    });
    let mut bench = Bench::new(folder.path(), &server, 5);
    let collected = bench.fill();
    assert!(
        outcomes(&collected.answers[..4])
            .iter()
            .all(|(_, kind)| *kind == "http")
    );
    assert!(message(&collected.answers[0]).contains("no such route"));
    assert!(message(&collected.answers[1]).contains("redirects are not followed"));
    assert!(
        !message(&collected.answers[2]).contains("caller"),
        "{}",
        message(&collected.answers[2])
    );
    assert_eq!(bench.recordings().len(), 1);
    assert_eq!(bench.run_store().len(), 4);
    let retried = bench.fill();
    assert_eq!(retried.calls_made, 0, "a retry gives the same outcome");
    assert_eq!(retried.answers, collected.answers);
    bench.run = "run-2".to_owned();
    let next = bench.fill();
    assert_eq!(next.calls_made, 4);
    assert!(next.answers.iter().all(|answer| answer.outcome.is_ok()));
}

#[test]
fn a_timeout_is_the_models_and_a_refused_connection_is_nobodys() {
    let folder = tempfile::tempdir().expect("a folder");
    let slow = Server::behaving(|_| Act::After(Duration::from_secs(20), Box::new(Act::Answer)));
    let mut bench = Bench::new(folder.path(), &slow, 1);
    bench.set("timeout", json!("200ms"));
    bench.set("retries", json!(0));
    let collected = bench.fill();
    assert_eq!(outcomes(&collected.answers), [("c-0", "timeout")]);
    assert!(
        collected.answers[0]
            .measured
            .latency_ms
            .is_some_and(|ms| ms >= 200.0)
    );
    assert_eq!(bench.recordings().len(), 1);
    // A port that was free a moment ago: nobody listens there.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = nobody.local_addr().expect("an address");
    drop(nobody);
    let other = tempfile::tempdir().expect("a folder");
    let mut bench = Bench::at(other.path(), &format!("http://{address}"), 30);
    bench.set("retries", json!(0));
    let collected = bench.fill();
    assert!(collected.answers.len() < 30, "it is not tried for ever");
    assert!(
        outcomes(&collected.answers)
            .iter()
            .all(|(_, kind)| *kind == "connect")
    );
    assert!(
        collected.misses[0].to_string().contains("not asked"),
        "{}",
        collected.misses[0]
    );
    let text = format!("{collected:?}");
    assert!(
        !text.contains(&address.port().to_string()),
        "no address in messages: {text}"
    );
}

#[test]
fn an_answer_that_never_ends_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| Act::Reply(200, vec![], " ".repeat(9 << 20)));
    let bench = Bench::new(folder.path(), &server, 1);
    let collected = bench.fill();
    assert_eq!(outcomes(&collected.answers), [("c-0", "invalid_answer")]);
    assert!(message(&collected.answers[0]).contains("longer than 8 MiB"));
}
