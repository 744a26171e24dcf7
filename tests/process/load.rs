//! A load trial: calls on a schedule, whether earlier ones were answered or not.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Test;
use crate::project::{Project, Said, case_lines};
use crate::support::system_one::{Act, KEY, Server};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_load_that_is_kept_up_with_passes_and_is_offered_once_a_run",
        a_load_that_is_kept_up_with_passes_and_is_offered_once_a_run,
    ),
    (
        "under_load_waiting_in_a_queue_counts_as_latency",
        under_load_waiting_in_a_queue_counts_as_latency,
    ),
    (
        "a_load_of_too_few_calls_cannot_tell",
        a_load_of_too_few_calls_cannot_tell,
    ),
    (
        "a_load_is_offered_in_live_mode_only_and_within_the_budget",
        a_load_is_offered_in_live_mode_only_and_within_the_budget,
    ),
    (
        "under_load_calls_that_fail_are_counted_and_not_tried_again",
        under_load_calls_that_fail_are_counted_and_not_tried_again,
    ),
];

/// A service that does one call at a time, each in this time, and lets the others wait.
fn one_at_a_time(each: Duration) -> Server {
    let free = Mutex::new(Instant::now());
    Server::behaving(move |_| {
        let now = Instant::now();
        let mut free = free.lock().expect("no panic in it");
        *free = (*free).max(now) + each;
        Act::After(*free - now, Box::new(Act::Answer))
    })
}

fn project(server: &Server, load: &str) -> Project {
    let project = Project::new();
    let url = server.url();
    project.write(
        "suites/s.yaml",
        format!(
            "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: The second }}
cases: s.cases.jsonl
candidates:
  jev: {{ provider: system-one, model: jev-1.13.0, base_url: '{url}', price: {{ input_per_million: 0.042 }} }}
  rules: {{ provider: rust, function: parrot }}
assert:
  accuracy: '>= 10%'
load: {load}
scorecard: off
"
        ),
    );
    project.write("suites/s.cases.jsonl", case_lines(8, 8));
    project
}

fn live(project: &Project, trials: &[&str], budget: &str) -> Said {
    let variables = [
        ("DECBENCH_MODE", "live"),
        ("DECBENCH_BUDGET_USD", budget),
        ("TYPESAFE_API_KEY", KEY),
        ("NEXTEST_RUN_ID", "one-run"),
    ];
    project.run_with(trials, &variables)
}

/// The first rate of the only candidate in the scorecard.
fn rate(project: &Project) -> Value {
    let card: Value =
        serde_json::from_str(&project.read("out/s/scorecard.json")).expect("a scorecard");
    assert_eq!(card["load"][0]["trial"], "s::load");
    let candidates = card["load"][0]["candidates"].as_array();
    assert_eq!(
        candidates.expect("candidates").len(),
        1,
        "functions are not called"
    );
    card["load"][0]["candidates"][0]["rates"][0].clone()
}

fn a_load_that_is_kept_up_with_passes_and_is_offered_once_a_run() {
    let server = one_at_a_time(Duration::from_millis(3));
    let load = "{ base: 20/s, rates: [3x], calls: 150, assert: { latency.p95: '<= 1s', timeout_rate: '<= 5%' } }";
    let project = project(&server, load);
    let said = live(&project, &["s::load"], "1");
    said.assert_code(0)
        .assert_says("pass: everything that must hold does, over 150 calls")
        .assert_says("jev at 3x: 150 of 150 calls made, 150 answered; 60.0 a second offered")
        .assert_says("unreliable from fewer than 1000 calls");
    assert_eq!(said.outcome("s::load"), "ok");
    assert_eq!(server.calls(), 150);
    assert_eq!(server.calls_by_state().len(), 8, "cases take turns");
    assert!(
        server
            .calls_by_state()
            .values()
            .all(|calls| (18..=19).contains(calls))
    );
    assert!(
        !project.path().join("suites/answers").exists(),
        "no answer of a load is recorded"
    );
    // Another process of the run reads what was measured, and asks for its own answers alone.
    live(&project, &[], "1").assert_code(0);
    assert_eq!(server.calls(), 158);
    let rate = rate(&project);
    assert_eq!(rate["calls"], 150);
    assert_eq!(rate["requirements"][0]["outcome"], "pass");
}

fn under_load_waiting_in_a_queue_counts_as_latency() {
    // Twenty a second can be done and forty are offered: the last calls wait for two seconds.
    let server = one_at_a_time(Duration::from_millis(50));
    let load = "{ base: 40/s, rates: [1x], calls: 80, assert: { latency.p95: '<= 150ms' } }";
    let project = project(&server, load);
    let said = live(&project, &[], "1");
    said.assert_code(101).assert_says(
        "fail: jev at 1x: latency.p95 <= 150ms: the whole interval lies on the bad side",
    );
    assert_eq!(said.outcome("s::load"), "FAILED");
    let rate = rate(&project);
    let p95 = rate["measured"]["latency.p95"]["value"].as_f64();
    assert!(p95.expect("a latency") > 1_000.0, "{rate}");
    // A caller that waited for each answer before its next call would have had one at a time, 50 ms each.
    assert!(
        rate["most_in_flight"].as_u64().expect("a count") > 20,
        "{rate}"
    );
    assert!(rate["achieved"].as_f64().expect("a rate") < 21.0, "{rate}");
    assert_eq!(rate["offered"].as_f64(), Some(40.0));
}

fn a_load_of_too_few_calls_cannot_tell() {
    let server = one_at_a_time(Duration::from_millis(2));
    let load =
        "{ base: 50/s, rates: [1x, 2x], calls: 20, assert: { latency.p95: '<= 2s' }, at: 2x }";
    let project = project(&server, load);
    let said = live(&project, &["s::load"], "1");
    said.assert_code(0).assert_says(
        "inconclusive: jev at 2x: latency.p95 <= 2s: the interval straddles the bound; no upper limit: 20 calls, of 72 needed",
    );
    assert_eq!(said.outcome("s::load"), "ignored");
    assert_eq!(server.calls(), 40);
}

fn a_load_is_offered_in_live_mode_only_and_within_the_budget() {
    let server = Server::answering();
    let project = project(&server, "{ base: 50/s, rates: [1x], calls: 10 }");
    let fill = [
        ("DECBENCH_MODE", "fill"),
        ("DECBENCH_BUDGET_USD", "1"),
        ("TYPESAFE_API_KEY", KEY),
    ];
    for variables in [fill.as_slice(), &[]] {
        let said = project.run_with(&[], variables);
        said.assert_code(0).assert_says("live mode only");
        assert_eq!(said.outcome("s::load"), "ignored");
        assert_eq!(server.calls(), 8);
    }
    let said = project.run(&["--exact", "s::plan"]);
    said.assert_says("jev 8 (8 base), and 10 of the load in live mode")
        .assert_says("rules 8 (8 base)\n");
    let said = live(&project, &["s::load"], "0.00001");
    said.assert_code(101)
        .assert_says("0 of 10 calls were made")
        .assert_says("more than is left of the run's budget of $0.00001");
    assert_eq!(server.calls(), 8);
    let said = project.run_with(
        &["s::load"],
        &[("DECBENCH_MODE", "live"), ("TYPESAFE_API_KEY", KEY)],
    );
    said.assert_code(101)
        .assert_says("jev under load: 10 calls")
        .assert_says("DECBENCH_CONFIRM_USD=0.01");
    assert_eq!(server.calls(), 8);
}

fn under_load_calls_that_fail_are_counted_and_not_tried_again() {
    let server = Server::behaving(|seen| {
        if seen.arrival % 2 == 0 {
            Act::Reply(429, vec![("retry-after", "1".to_owned())], "{}".to_owned())
        } else {
            Act::Answer
        }
    });
    let load = "{ base: 100/s, rates: [1x], calls: 80, assert: { error_rate: '<= 10%' } }";
    let project = project(&server, load);
    let said = live(&project, &["s::load"], "1");
    said.assert_code(101)
        .assert_says("error_rate 50.0%")
        .assert_says("failed: 40 rate_limited");
    assert_eq!(server.calls(), 80, "one attempt each");
}
