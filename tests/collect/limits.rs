//! How many calls at a time, how fast, how long, and in which order.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use decbench_core::collect::Mode;
use serde_json::json;

use crate::bench::{Bench, outcomes};
use crate::support::system_one::{Act, Server};

fn after(milliseconds: u64) -> Act {
    Act::After(Duration::from_millis(milliseconds), Box::new(Act::Answer))
}

#[test]
fn a_run_that_reaches_its_deadline_keeps_what_it_has_and_asks_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| after(60));
    let mut bench = Bench::new(folder.path(), &server, 40);
    bench.set("concurrency", json!(2));
    bench.deadline = Some(Duration::from_millis(400));
    let begun = Instant::now();
    let stopped = bench.fill();
    assert!(begun.elapsed() < Duration::from_secs(3));
    let answered = stopped.answers.len();
    assert!((1..40).contains(&answered), "{answered}");
    assert_eq!(
        server.calls(),
        answered,
        "what was under way has come to its end"
    );
    assert_eq!(bench.recordings().len(), answered);
    let miss = stopped.misses[0].to_string();
    assert!(
        miss.contains("the run's deadline of 0.4 s is over"),
        "{miss}"
    );
    bench.run = "run-2".to_owned();
    bench.deadline = None;
    assert_eq!(bench.fill().calls_made as usize, 40 - answered);
}

#[test]
fn waits_end_at_the_runs_deadline_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| {
        Act::Reply(429, vec![("retry-after", "50".to_owned())], String::new())
    });
    let mut bench = Bench::new(folder.path(), &server, 3);
    bench.deadline = Some(Duration::from_millis(300));
    let begun = Instant::now();
    let stopped = bench.fill();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(stopped.misses.len(), 3);
    let told = bench.told.lock().expect("no panic");
    assert!(
        told.iter().any(|text| text.contains("waits 50 s as asked")),
        "{told:?}"
    );
}

#[test]
fn a_call_has_a_deadline_for_all_its_attempts() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| {
        if seen.state().contains("caller 0 ") {
            after(4000)
        } else {
            Act::Reply(500, vec![], String::new())
        }
    });
    let mut bench = Bench::new(folder.path(), &server, 2);
    bench.set("deadline", json!("200ms"));
    let begun = Instant::now();
    let collected = bench.fill();
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(
        outcomes(&collected.answers),
        [("c-0", "timeout"), ("c-1", "http")]
    );
    let failure = collected.answers[0].outcome.as_ref().expect_err("too late");
    assert!(failure.message.contains("deadline of 200ms"), "{failure}");
    // Half a second of waiting would be beyond the deadline, so there is no second attempt.
    assert_eq!(collected.answers[1].measured.attempts, Some(1));
}

#[test]
fn a_service_that_asks_to_slow_down_is_asked_less_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    // It serves four requests in forty milliseconds and refuses what is beyond that.
    let served = Mutex::new(VecDeque::new());
    let refused = Mutex::new(Vec::new());
    let refused_at = std::sync::Arc::new(refused);
    let noted = std::sync::Arc::clone(&refused_at);
    let server = Server::behaving(move |_| {
        let now = Instant::now();
        let mut served = served.lock().expect("no panic");
        while served
            .front()
            .is_some_and(|begun: &Instant| begun.elapsed() > Duration::from_millis(40))
        {
            served.pop_front();
        }
        let busy = served.len() >= 4;
        noted.lock().expect("no panic").push(busy);
        if busy {
            return Act::Reply(429, vec![], String::new());
        }
        served.push_back(now);
        after(40)
    });
    let mut bench = Bench::new(folder.path(), &server, 150);
    bench.set("concurrency", json!(32));
    bench.set("retries", json!(8));
    let collected = bench.fill();
    assert!(
        collected
            .answers
            .iter()
            .all(|answer| answer.outcome.is_ok()),
        "everything is served in the end"
    );
    let refused = refused_at.lock().expect("no panic");
    let share =
        |part: &[bool]| part.iter().filter(|busy| **busy).count() as f64 / part.len() as f64;
    let (first, rest) = refused.split_at(32);
    assert!(share(first) > 0.8, "the first wave: {}", share(first));
    assert!(share(rest) < 0.4, "the rest: {}", share(rest));
}

#[test]
fn the_latency_clock_starts_behind_the_limiter() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| after(10));
    let mut bench = Bench::new(folder.path(), &server, 8);
    bench.set("rate", json!({"requests": "20/s"}));
    let begun = Instant::now();
    let collected = bench.fill();
    assert!(begun.elapsed() >= Duration::from_millis(350));
    let slow = collected
        .answers
        .iter()
        .filter(|answer| answer.measured.latency_ms.is_none_or(|ms| ms > 45.0))
        .count();
    assert!(
        slow <= 2,
        "{slow} of 8 latencies hold a wait of 50 ms and more"
    );
}

#[test]
fn candidates_of_one_service_are_asked_about_a_case_together_and_share_its_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| after(5));
    let bench = Bench::new(folder.path(), &server, 30);
    let candidate = |model: &str, concurrency: u32| {
        let mut settings = bench.settings.clone();
        settings.insert("model".to_owned(), json!(model));
        settings.insert("concurrency".to_owned(), json!(concurrency));
        settings
    };
    let candidates = [
        ("jev", candidate("jev-1.13.0", 1)),
        ("new", candidate("jev-1.14.0", 5)),
    ];
    let collected = bench.collect_from(&candidates, Mode::Fill);
    for collected in &collected {
        let collected = collected.as_ref().expect("answers");
        assert_eq!((collected.answers.len(), collected.calls_made), (30, 30));
    }
    assert_eq!(
        server.most_in_flight(),
        1,
        "the stricter limit holds for both"
    );
    let seen = server.seen();
    let mut led = [0, 0];
    for pair in seen.chunks(2) {
        assert_eq!(pair[0].state(), pair[1].state());
        assert_ne!(pair[0].body["model"], pair[1].body["model"]);
        led[usize::from(pair[0].body["model"] == "jev-1.13.0")] += 1;
    }
    assert!(
        led.iter().all(|times| *times >= 5),
        "both go first at times: {led:?}"
    );
    let again = bench.collect_from(&candidates, Mode::Fill);
    assert!(
        again
            .iter()
            .all(|again| again.as_ref().is_ok_and(|again| again.calls_made == 0))
    );
}

#[test]
fn a_candidate_that_is_stopped_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|seen| {
        if seen.body["model"] == "broke" {
            Act::Reply(402, vec![], String::new())
        } else {
            Act::Answer
        }
    });
    let bench = Bench::new(folder.path(), &server, 20);
    let mut broke = bench.settings.clone();
    broke.insert("model".to_owned(), json!("broke"));
    for mode in [Mode::Fill, Mode::Live] {
        let candidates = [("jev", bench.settings.clone()), ("broke", broke.clone())];
        let collected = bench.collect_from(&candidates, mode);
        let [jev, broke] = &collected[..] else {
            panic!("two");
        };
        assert_eq!(jev.as_ref().expect("answers").answers.len(), 20);
        let broke = broke.as_ref().expect("failures");
        assert!(broke.answers.len() < 20, "it is not asked in vain");
        assert!(broke.misses[0].to_string().contains("payment"));
    }
}

#[test]
fn progress_is_heard_until_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| after(120));
    let mut bench = Bench::new(folder.path(), &server, 12);
    bench.set("concurrency", json!(2));
    bench.fill();
    {
        let heard = bench.heard.lock().expect("no panic");
        let (last, before) = heard.split_last().expect("some");
        assert!(!before.is_empty());
        assert!(before.iter().all(|progress| !progress.ended));
        assert!(before.is_sorted_by_key(|progress| progress.done));
        assert!(last.ended);
        assert_eq!((last.done, last.planned, last.failed), (12, 12, 0));
        assert_eq!(last.name, "routing::jev");
        assert!(last.spent_usd > 0.0);
    }
    bench.heard.lock().expect("no panic").clear();
    bench.fill();
    bench.replay();
    assert!(
        bench.heard.lock().expect("no panic").is_empty(),
        "nothing remote ran"
    );
}
