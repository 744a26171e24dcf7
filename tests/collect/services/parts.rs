//! Answers that take several requests, of which some fail: what arrived is never bought again.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use decbench_core::collect::{Collected, Mode};
use decbench_core::decision::{AnswerOption, Question, QuestionKind};
use serde_json::json;

use super::table::{MODELS, SERVICES, Spoken};
use crate::bench::Bench;
use crate::processes::start_with;
use crate::support::server::{Act, Seen, Server};

fn spoken(provider: &str) -> &'static Spoken {
    let found = MODELS.iter().find(|spoken| spoken.provider == provider);
    found.expect("there is one")
}

fn overloaded() -> Act {
    Act::Reply(529, vec![("retry-after", "0".to_owned())], String::new())
}

/// A server of votes at which the third request about a case fails.
fn third_fails(seen: &Seen) -> Act {
    if seen.arrival == 3 {
        overloaded()
    } else {
        Act::Answer
    }
}

fn kept_parts(bench: &Bench) -> usize {
    let path = bench.folder.join("out/parts/routing/jev.jsonl");
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

fn dollars(collected: &Collected) -> f64 {
    let costs = collected.answers[0].measured.cost_usd;
    costs.expect("a cost")
}

#[test]
fn a_further_attempt_sends_the_failed_vote_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, failing) = (
        spoken("vote-share").server(|_| Act::Answer),
        spoken("vote-share").server(third_fails),
    );
    let elsewhere = tempfile::tempdir().expect("a folder");
    let plain = spoken("vote-share")
        .bench(elsewhere.path(), &whole, 1)
        .fill();
    let bench = spoken("vote-share").bench(folder.path(), &failing, 1);
    let retried = bench.fill();
    assert_eq!((failing.calls(), retried.calls_made), (6, 6));
    let (one, two) = (&plain.answers[0], &retried.answers[0]);
    assert_eq!(two.outcome, one.outcome, "five votes are counted");
    assert_eq!(two.measured.input_tokens, one.measured.input_tokens);
    assert_eq!(two.measured.attempts, Some(2));
    assert!((dollars(&retried) - dollars(&plain)).abs() < 1e-12);
    assert!((retried.spent_usd - plain.spent_usd).abs() < 1e-12);
    assert_eq!(kept_parts(&bench), 0, "nothing waits");
}

#[test]
fn votes_wait_for_the_next_fill() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = spoken("vote-share").server(third_fails);
    let mut bench = spoken("vote-share").bench(folder.path(), &server, 1);
    bench.set("retries", json!(0));
    let failed = bench.fill();
    assert!(failed.answers[0].outcome.is_err());
    assert!(bench.recordings().is_empty());
    assert_eq!((server.calls(), kept_parts(&bench)), (5, 4));
    assert_eq!(bench.fill().calls_made, 0, "a retry asks nothing");

    bench.run = "run-2".to_owned();
    let filled = bench.fill();
    assert_eq!((server.calls(), filled.calls_made), (6, 1));
    let answer = &filled.answers[0];
    let decided = answer.outcome.as_ref().expect("an answer");
    assert_eq!(decided.format_mass, Some(1.0));
    // The answer tells what all its votes cost, and the run what it paid itself.
    assert!((dollars(&filled) - 5.0 * filled.spent_usd).abs() < 1e-12);
    assert!((failed.spent_usd - 4.0 * filled.spent_usd).abs() < 1e-12);
    assert_eq!(bench.recordings().len(), 1);
    assert_eq!(kept_parts(&bench), 0);

    bench.run = "run-3".to_owned();
    assert_eq!(bench.fill().calls_made, 0);
    std::fs::remove_file(bench.recordings_path()).expect("a file");
    assert_eq!(
        bench.fill().calls_made,
        5,
        "who throws an answer away gets a new one"
    );
}

#[test]
fn votes_of_one_repeat_are_no_votes_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = spoken("vote-share").server(|seen| match seen.arrival {
        3 | 8 => overloaded(),
        _ => Act::Answer,
    });
    let mut bench = spoken("vote-share").bench(folder.path(), &server, 1);
    bench.set("retries", json!(0));
    bench.set("concurrency", json!(1));
    bench.ask(&[(0, 0), (1, 0)]);
    bench.fill();
    assert_eq!((server.calls(), kept_parts(&bench)), (10, 8));
    bench.run = "run-2".to_owned();
    let filled = bench.fill();
    assert_eq!(filled.calls_made, 2, "one for each");
    assert!(filled.answers.iter().all(|answer| answer.outcome.is_ok()));
}

#[test]
fn an_order_and_a_question_wait_too() {
    let folder = tempfile::tempdir().expect("a folder");
    // The order in which `sales` stands first fails once.
    let server = SERVICES[0].server(|seen| {
        let criteria = seen.body["questions"]["decision"]["criteria"].as_object();
        let first = criteria.and_then(|map| map.keys().next());
        if seen.arrival == 1 && first.is_some_and(|key| key == "sales") {
            overloaded()
        } else {
            Act::Answer
        }
    });
    let mut bench = SERVICES[0].bench(folder.path(), &server, 1);
    bench.set("average_orders", json!(3));
    bench.set("retries", json!(0));
    assert!(bench.fill().answers[0].outcome.is_err());
    bench.run = "run-2".to_owned();
    assert_eq!(bench.fill().calls_made, 1);
    assert_eq!(server.calls(), 4);

    let folder = tempfile::tempdir().expect("a folder");
    let server = spoken("chat-logprobs").server(|seen| {
        if seen.arrival == 1 && seen.text.contains("Is it urgent?") {
            overloaded()
        } else {
            Act::Answer
        }
    });
    let mut bench = spoken("chat-logprobs").bench(folder.path(), &server, 2);
    bench.questions[0].name = "team".to_owned();
    bench.questions.push(Question {
        name: "urgent".to_owned(),
        kind: QuestionKind::YesNo,
        version: None,
        instructions: "Is it urgent?".to_owned(),
        options: ["yes", "no"].map(AnswerOption::new).to_vec(),
    });
    bench.set("retries", json!(0));
    bench.ask(&[(0, 0)]);
    assert!(bench.fill().answers.iter().all(|one| one.outcome.is_err()));
    bench.run = "run-2".to_owned();
    let filled = bench.fill();
    assert_eq!((filled.calls_made, server.calls()), (2, 6));
    assert!(filled.answers.iter().all(|one| one.outcome.is_ok()));
}

#[test]
fn a_part_that_does_not_read_is_asked_again_and_the_others_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = spoken("vote-share").server(third_fails);
    let mut bench = spoken("vote-share").bench(folder.path(), &server, 1);
    bench.set("retries", json!(0));
    bench.fill();
    let path = bench.folder.join("out/parts/routing/jev.jsonl");
    let text = std::fs::read_to_string(&path).expect("a file");
    let torn = &text[..text.len() - 30];
    std::fs::write(&path, torn).expect("a file");
    bench.run = "run-2".to_owned();
    assert_eq!(bench.fill().calls_made, 2);
    assert_eq!(bench.recordings().len(), 1);
}

#[test]
fn parts_that_arrived_before_a_kill_are_not_asked_again() {
    for mode in [Mode::Fill, Mode::Live] {
        let folder = tempfile::tempdir().expect("a folder");
        // One of two orders is answered at once, the other after a while.
        let server = SERVICES[0].server(|seen| {
            let criteria = seen.body["questions"]["decision"]["criteria"].as_object();
            let first = criteria.and_then(|map| map.keys().next());
            match first.map(String::as_str) {
                Some("sales") => Act::After(Duration::from_millis(400), Box::new(Act::Answer)),
                _ => Act::Answer,
            }
        });
        let orders = json!({"average_orders": 2});
        let mut child = start_with(mode, folder.path(), &server, "run-1", 12, &orders);
        let deadline = Instant::now() + Duration::from_secs(60);
        while server.calls() < 16 {
            assert!(Instant::now() < deadline, "the calls never came");
            std::thread::sleep(Duration::from_millis(5));
        }
        // Long enough for the quick replies to arrive, and not for the slow ones.
        std::thread::sleep(Duration::from_millis(150));
        child.kill().expect("a child that runs");
        child.wait().expect("a child that ended");
        let mut bench = SERVICES[0].bench(folder.path(), &server, 12);
        bench.set("average_orders", json!(2));
        bench.run = "run-2".to_owned();
        let collected = bench.collect(mode).expect("answers");
        assert!(collected.answers.iter().all(|one| one.outcome.is_ok()));
        let mut asked: HashMap<(String, bool), usize> = HashMap::new();
        for seen in server.seen() {
            let slow = seen.text.find("sales") < seen.text.find("billing");
            *asked.entry((seen.state(), slow)).or_default() += 1;
        }
        assert_eq!(asked.len(), 24);
        let twice = |slow: bool| {
            let more = asked.iter().filter(|((_, one), _)| *one == slow);
            more.filter(|(_, count)| **count > 1).count()
        };
        assert_eq!(twice(false), 0, "they had arrived");
        assert_eq!(twice(true), 4, "as many as were under way");
    }
}

#[test]
fn every_vote_counts_against_the_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    let server: Server = spoken("vote-share").server(|_| Act::Answer);
    let mut bench = spoken("vote-share").bench(folder.path(), &server, 5);
    bench.set("rate", json!({"requests": "50/s"}));
    let begun = Instant::now();
    let filled = bench.fill();
    assert_eq!((filled.calls_made, server.calls()), (25, 25));
    // The fifth answer's votes go out when the twenty before them have had their time.
    assert!(begun.elapsed() >= Duration::from_millis(400));
}
