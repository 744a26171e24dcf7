//! Budgets, prices and keys.

use decbench_core::collect::{CollectError, MissReason, Mode};
use decbench_core::provider::ConnectError;
use serde_json::json;

use crate::bench::Bench;
use crate::support::system_one::{Act, KEY, Server};

#[test]
fn a_budget_stops_the_run_and_everything_paid_for_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 40);
    // Some 50 input tokens a call: at $1,000 for a million of them a call costs some 5 cents.
    bench.set("price", json!({"input_per_million": 1000}));
    bench.set("concurrency", json!(3));
    bench.budget_usd = Some(1.0);
    let stopped = bench.fill();
    let asked = server.calls();
    assert!((1..40).contains(&asked), "{asked} calls");
    assert_eq!(stopped.answers.len(), asked);
    assert_eq!(bench.recordings().len(), asked, "everything is kept");
    assert!(stopped.spent_usd <= 1.0, "{}", stopped.spent_usd);
    assert_eq!(stopped.misses.len(), 40 - asked);
    assert!(
        stopped.misses.iter().all(|miss| matches!(&miss.reason,
            MissReason::NotAsked(reason) if reason.contains("budget of $1 is"))),
        "{:?}",
        stopped.misses[0]
    );
    let again = bench.fill();
    assert_eq!(
        (again.calls_made, server.calls()),
        (0, asked),
        "a retry asks nothing"
    );
    assert_eq!(again.answers, stopped.answers);
    assert_eq!(again.misses, stopped.misses);
    bench.run = "run-2".to_owned();
    let next = bench.fill();
    assert!(next.calls_made > 0, "the next run has a budget of its own");
}

#[test]
fn live_stops_at_the_budget_too_and_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 30);
    bench.set("price", json!({"input_per_million": 1000}));
    bench.budget_usd = Some(0.7);
    let stopped = bench.live();
    assert!((1..30).contains(&stopped.answers.len()));
    assert_eq!(bench.live().answers, stopped.answers);
    bench.run = "run-2".to_owned();
    let anew = bench.live();
    assert_eq!(anew.calls_made as usize, anew.answers.len());
    assert!(
        bench.told.lock().expect("no panic").is_empty(),
        "nothing was cut off"
    );
}

#[test]
fn no_call_is_made_without_a_budget_a_price_or_a_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 2);
    bench.budget_usd = None;
    for mode in [Mode::Fill, Mode::Live] {
        let error = bench.collect(mode).expect_err("no budget");
        assert!(
            matches!(&error, CollectError::NoBudget { estimate } if estimate.calls() == 2),
            "{error:?}"
        );
    }
    bench.budget_usd = Some(1.0);
    for key in [None, Some(" ".to_owned()), Some("two words".to_owned())] {
        bench.key = key;
        for mode in [Mode::Fill, Mode::Live] {
            let error = bench.collect(mode).expect_err("no usable key");
            assert!(
                matches!(&error, CollectError::Connect(ConnectError::Key { variable, .. })
                    if variable == "TYPESAFE_API_KEY"),
                "{error:?}"
            );
            assert!(!format!("{error} {error:?}").contains("two words"));
        }
    }
    assert_eq!(server.calls(), 0);
}

#[test]
fn an_estimate_is_told_with_its_basis_and_agreeing_to_it_lets_the_run_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 40);
    bench.set("price", json!({"input_per_million": 1000}));
    bench.budget_usd = None;
    let error = bench.collect(Mode::Fill).expect_err("nobody has agreed");
    let CollectError::NoBudget { estimate } = &error else {
        panic!("{error:?}");
    };
    let text = error.to_string();
    assert!(
        text.contains("40 calls are to be made for about $"),
        "{text}"
    );
    assert!(text.contains("rule of thumb: 4 bytes to a token"), "{text}");
    assert!(text.contains(" at its own price"), "{text}");
    let line = format!("DECBENCH_CONFIRM_USD={}", estimate.to_confirm());
    assert!(text.contains(&line), "{text}");
    assert_eq!(server.calls(), 0);
    bench.confirm_usd = Some(estimate.to_confirm().parse().expect("an amount"));
    let filled = bench.fill();
    assert_eq!((filled.answers.len(), filled.misses.len()), (40, 0));
    assert!(filled.spent_usd <= estimate.usd() * 1.2);
    // What was recorded tells what the next cases take.
    bench.confirm_usd = None;
    bench.run = "run-2".to_owned();
    bench.questions[0].version = Some(2);
    let error = bench.collect(Mode::Fill).expect_err("nobody has agreed");
    let CollectError::NoBudget { estimate } = &error else {
        panic!("{error:?}");
    };
    let known = estimate.usd();
    let text = error.to_string();
    assert!(
        text.contains("by the usage of 40 recorded answers"),
        "{text}"
    );
    assert!((known - filled.spent_usd).abs() < 1e-9, "{known} {text}");
    bench.confirm_usd = Some(known / 2.0);
    let error = bench.collect(Mode::Fill).expect_err("that was for less");
    assert!(
        matches!(error, CollectError::BeyondConfirmed { .. }),
        "{error:?}"
    );
    assert_eq!(server.calls(), 40);
}

#[test]
fn a_run_stops_at_1_2_times_what_was_agreed_to_and_keeps_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    // Answers take ten times the tokens that anybody could expect.
    let server =
        Server::behaving(|_| Act::Changed(|answer| answer["usage"]["input_tokens"] = json!(1000)));
    let mut bench = Bench::new(folder.path(), &server, 40);
    bench.set("price", json!({"input_per_million": 1000}));
    bench.set("concurrency", json!(2));
    bench.budget_usd = None;
    bench.confirm_usd = Some(5.0);
    let stopped = bench.fill();
    let asked = stopped.answers.len();
    // A call costs a dollar; at most the one that tells so goes beyond the six that may be spent.
    assert!((5..=7).contains(&asked), "{asked} answers");
    assert_eq!(bench.recordings().len(), asked);
    assert!(
        stopped.misses[0]
            .to_string()
            .contains("budget of $6 is used up"),
        "{}",
        stopped.misses[0]
    );
}

#[test]
fn a_model_without_a_price_is_asked_only_where_it_is_allowed_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 3);
    bench.unpriced = Some(false);
    let error = bench.collect(Mode::Fill).expect_err("no price");
    let text = error.to_string();
    assert!(text.contains("[prices.\"jev-1.13.0\"]"), "{text}");
    assert!(text.contains("allow_unpriced = [\"jev-1.13.0\"]"), "{text}");
    assert_eq!(server.calls(), 0);
    bench.unpriced = Some(true);
    let filled = bench.fill();
    assert_eq!((filled.calls_made, filled.spent_usd), (3, 0.0));
    assert!(
        filled
            .answers
            .iter()
            .all(|answer| answer.measured.cost_usd.is_none()),
        "what it cost is unknown, not nothing"
    );
}

#[test]
fn a_refused_key_ends_it_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 50);
    bench.set("concurrency", json!(2));
    bench.key = Some("apikey_wrong".to_owned());
    let refused = bench.fill();
    assert!(server.calls() <= 3, "{} calls", server.calls());
    assert!(refused.misses.len() >= 47);
    assert!(
        refused.misses[0].to_string().contains("auth"),
        "{}",
        refused.misses[0]
    );
    assert!(bench.recordings().is_empty());
    let calls = server.calls();
    bench.fill();
    assert_eq!(server.calls(), calls, "a retry of the run asks nothing");
}

#[test]
fn replies_are_kept_as_they_came_only_on_request_and_without_the_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| {
        if seen.arrival == 1 {
            let text = format!("busy, {}; {}", seen.headers["authorization"], seen.state());
            Act::Reply(503, vec![("retry-after", "0".to_owned())], text)
        } else {
            Act::Answer
        }
    });
    let mut bench = Bench::new(folder.path(), &server, 2);
    bench.fill();
    let raw = |bench: &Bench| {
        let files = bench.files();
        let mut raw = files
            .into_iter()
            .filter(|(path, _)| path.ends_with("routing/jev.raw.jsonl"));
        raw.next().map(|(_, text)| text)
    };
    assert_eq!(raw(&bench), None);
    bench.set("keep_raw", json!(true));
    bench.questions[0].version = Some(2);
    bench.cases[0].state = Some(decbench_core::decision::State::Text(
        "a new state".to_owned(),
    ));
    bench.run = "run-2".to_owned();
    bench.fill();
    let text = raw(&bench).expect("a file");
    assert!(!text.contains(&KEY[9..]), "{text}");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let refused: Vec<_> = lines.iter().filter(|line| line["status"] == 503).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["body"], "busy, Bearer [secret]; a new state");
    assert_eq!(
        (&refused[0]["call"], &refused[0]["attempt"]),
        (&json!("case `c-0`"), &json!(1))
    );
    let answered = lines.iter().filter(|line| line["status"] == 200).count();
    assert_eq!(answered, 2);
    let everywhere = bench.files();
    let shown = everywhere
        .iter()
        .filter(|(path, text)| !path.ends_with("jev.raw.jsonl") && text.contains("a new state"));
    assert_eq!(shown.count(), 0, "what was sent stands nowhere else");
}

#[test]
fn a_redirect_to_another_host_is_not_followed_and_gets_no_key() {
    let elsewhere = Server::answering();
    let other = elsewhere.url().replace("127.0.0.1", "localhost");
    for status in [301, 302, 303, 307, 308] {
        let folder = tempfile::tempdir().expect("a folder");
        let other = other.clone();
        let server = Server::behaving(move |_| {
            Act::Reply(
                status,
                vec![("location", format!("{other}/v1/systemone"))],
                String::new(),
            )
        });
        let bench = Bench::new(folder.path(), &server, 1);
        let collected = bench.fill();
        let failure = collected.answers[0]
            .outcome
            .as_ref()
            .expect_err("no answer");
        assert!(
            failure.message.contains("redirects are not followed"),
            "{failure}"
        );
        assert_eq!((server.calls(), elsewhere.calls()), (1, 0), "{status}");
    }
}

#[test]
fn the_key_is_in_no_file_and_no_text() {
    const CANARY: &str = "apikey_canary_9b1deb4d";
    let folder = tempfile::tempdir().expect("a folder");
    // The server sends the key back in every way it can.
    let server = Server::behaving(|seen| {
        let key = seen.headers["authorization"].clone();
        let number: usize = seen
            .state()
            .split_whitespace()
            .nth(1)
            .and_then(|number| number.parse().ok())
            .expect("a number");
        match number % 5 {
            0 => Act::Reply(
                422,
                vec![],
                json!({"detail": [{"msg": key, "type": key, "loc": [key]}]}).to_string(),
            ),
            1 => Act::Reply(200, vec![], format!("not JSON but {key}")),
            2 => Act::Reply(
                200,
                vec![],
                json!({"answers": {"decision": {"type": "choice", "choice": key}}}).to_string(),
            ),
            3 => Act::Reply(
                302,
                vec![("location", format!("http://localhost/?key={key}"))],
                key,
            ),
            _ => Act::Reply(200, vec![], json!({"answers": {key: 1}}).to_string()),
        }
    });
    let mut bench = Bench::new(folder.path(), &server, 10);
    bench.key = Some(CANARY.to_owned());
    bench.set("retries", json!(0));
    let collected = bench.fill();
    assert_eq!(collected.answers.len(), 10);
    let told = bench.told.lock().expect("no panic").join("\n");
    let shown = format!("{collected:?} {told}");
    let part = &CANARY[9..];
    assert!(!shown.contains(part), "{shown}");
    for (path, text) in bench.files() {
        assert!(!text.contains(part), "{}: {text}", path.display());
    }
}
