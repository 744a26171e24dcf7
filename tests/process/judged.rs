//! Open answers: checked, judged, compared, and made by agents.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Test;
use crate::project::{Project, Said};

pub(crate) const TESTS: &[Test] = &[
    (
        "checks_of_open_answers_pass_fail_or_cannot_tell",
        checks_of_open_answers_pass_fail_or_cannot_tell,
    ),
    (
        "every_check_is_a_metric_and_a_gate_on_passing",
        every_check_is_a_metric_and_a_gate_on_passing,
    ),
    (
        "mistakes_of_open_suites_are_told_at_once",
        mistakes_of_open_suites_are_told_at_once,
    ),
    (
        "functions_judge_by_a_rubric_and_in_both_orders",
        functions_judge_by_a_rubric_and_in_both_orders,
    ),
    (
        "qualities_are_compared_pair_by_pair",
        qualities_are_compared_pair_by_pair,
    ),
    (
        "judges_that_disagree_are_flagged",
        judges_that_disagree_are_flagged,
    ),
    (
        "a_failed_judge_is_a_missing_quality_and_a_failed_candidate_a_zero",
        a_failed_judge_is_a_missing_quality_and_a_failed_candidate_a_zero,
    ),
    (
        "a_chat_judge_stands_in_for_one_that_fails_or_abstains",
        a_chat_judge_stands_in_for_one_that_fails_or_abstains,
    ),
    (
        "a_verdict_stands_on_judged_quality",
        a_verdict_stands_on_judged_quality,
    ),
    (
        "an_agent_is_asked_with_recorded_tools",
        an_agent_is_asked_with_recorded_tools,
    ),
    (
        "what_production_answered_is_the_first_answer_of_todays_candidate",
        what_production_answered_is_the_first_answer_of_todays_candidate,
    ),
];

/// Cases `c-0000`, …, each with a state and what else `with` gives it.
fn cases(count: usize, with: impl Fn(usize) -> (String, String)) -> String {
    (0..count).fold(String::new(), |mut lines, at| {
        let (state, rest) = with(at);
        let state = Value::from(state);
        let _ = writeln!(lines, r#"{{"id":"c-{at:04}","state":{state}{rest}}}"#);
        lines
    })
}

fn suite(candidates: &str, rest: &str) -> String {
    format!(
        "output: text
task: Write a short reply to the customer.
cases: s.cases.jsonl
candidates:
{candidates}
{rest}
scorecard: off
"
    )
}

fn project(suite: &str, cases: &str) -> Project {
    let project = Project::new();
    project.write("suites/s.yaml", suite);
    project.write("suites/s.cases.jsonl", cases);
    project
}

fn card(project: &Project) -> Value {
    serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON")
}

/// A candidate's value of a metric in the scorecard.
fn value(card: &Value, candidate: &str, metric: &str) -> f64 {
    let candidates = card["candidates"].as_array().expect("candidates");
    let of = candidates
        .iter()
        .find(|one| one["name"] == candidate)
        .expect("the candidate");
    of["questions"][0]["metrics"][metric]["value"]
        .as_f64()
        .unwrap_or_else(|| panic!("{metric} of {candidate} in {of:#}"))
}

fn ends(said: &Said, trial: &str, outcome: &str) {
    let found = said.outcome(trial);
    assert_eq!(found, outcome, "{trial}\n{}\n{}", said.stdout, said.stderr);
}

/// Replies of which so many speak of a refund.
fn replies(good: usize, count: usize) -> Project {
    let rules = "  echo: { provider: rust, function: open_echo }";
    let checks = "checks: { must_include: refund }
assert: { must_include: '>= 80%' }";
    let text = cases(count, |at| {
        let words = if at < good {
            "Your Refund"
        } else {
            "Your order"
        };
        (format!("{words} is on its way, {at}."), String::new())
    });
    project(&suite(rules, checks), &text)
}

fn checks_of_open_answers_pass_fail_or_cannot_tell() {
    let passing = replies(100, 100).run(&[]);
    passing.assert_code(0);
    ends(&passing, "s::echo::must_include", "ok");
    let failing = replies(60, 100).run(&[]);
    failing.assert_code(101);
    ends(&failing, "s::echo::must_include", "FAILED");
    failing
        .assert_says("observed  60.0%")
        .assert_says("must_include: `refund` is not in the answer")
        .assert_says("answered `Your order is on its way, 60.`");
    let open = replies(82, 100).run(&[]);
    ends(&open, "s::echo::must_include", "ignored");
}

fn every_check_is_a_metric_and_a_gate_on_passing() {
    let text = "output: json
task: Read the invoice.
checks:
  exact_match: true
  json_schema: { type: object, required: [total], properties: { total: { type: number } } }
  must_not_include: unsure
  number_within: { at: /total, tolerance: 0.5 }
cases: s.cases.jsonl
candidates:
  echo: { provider: rust, function: open_echo }
assert:
  pass_rate: { at_most: 100%, reading: point }
  quality: { at_most: 100%, reading: point }
scorecard: off
";
    // Of four cases: all right; another total within half a unit; a document that breaks the schema; no JSON.
    let said = ["{\"total\":3}", "{\"total\":3.4}", "{\"sum\":3}", "unsure"];
    let lines = cases(4, |at| {
        (said[at].to_owned(), r#","gold":{"total":3}"#.to_owned())
    });
    let project = project(text, &lines);
    project.run(&[]).assert_code(0);
    let card = card(&project);
    let value = |metric| value(&card, "echo", metric);
    for (metric, expected) in [
        ("exact_match", 0.25),
        ("json_schema", 0.5),
        ("number_within", 0.5),
        ("must_not_include", 0.75),
        ("pass_rate", 0.25),
        // (4/4 + 3/4 + 1/4 + 0) / 4: an answer that is no JSON is none.
        ("quality", 0.5),
        ("error_rate", 0.25),
    ] {
        assert!(
            (value(metric) - expected).abs() < 1e-12,
            "{metric} {}",
            value(metric)
        );
    }
}

fn mistakes_of_open_suites_are_told_at_once() {
    let text = "output: text
question: { type: yes_no, instructions: Paid? }
checks: { must_inlcude: a, json_schema: { patern: x }, number_within: { at: total } }
cases: [{ state: x, labels: { ann: yes } }]
candidates:
  words: { provider: rust, function: open_echo, family: jev }
judge: { rubric: [Polite.], pairwise: today }
assert: { accuracy: '>= 90%' }
";
    let project = Project::new();
    project.write("suites/s.yaml", text);
    let said = project.run(&[]);
    said.assert_code(101);
    for part in [
        "`output` stands in place of a closed question",
        "neither `task` nor `prompt`",
        "did you mean `must_include`?",
        "`patern` in the schema is no word that is understood",
        "`total` is no JSON pointer",
        "does not say how far off",
        "`labels` says nothing here",
        "no candidate is what production uses now",
        "every judge is of its own family `jev`",
        "`accuracy` reads answers among options",
    ] {
        said.assert_says(part);
    }
    project.write(
        "suites/s.yaml",
        "question: { type: yes_no, instructions: Paid? }\ncases: [{ state: x, gold: yes, expect: { must_include: a } }]\ncandidates: { a: { provider: rust, function: open_echo } }\nchecks: { exact_match: true }\nassert: { quality: '>= 90%' }\n",
    );
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("`checks` belongs to a suite of open answers")
        .assert_says("`expect` says nothing here")
        .assert_says("`quality` reads open answers");
}

const JURY: &str = "judge:
  rubric: { polite: It is polite., short: It is short. }
  pairwise: today
  jury:
    kind: { provider: rust, function: open_judge }
    strict: { provider: rust, function: open_judge_strict }
";

fn functions_judge_by_a_rubric_and_in_both_orders() {
    let rules = "  old: { provider: rust, function: open_echo, today: true }
  new: { provider: rust, function: open_polite }";
    let rest = format!("{JURY}assert: {{ quality: '>= 80%', pairwise_win_rate: '>= 80%' }}");
    let project = project(
        &suite(rules, &rest),
        &cases(40, |at| (format!("Order {at} is late."), String::new())),
    );
    let said = project.run(&[]);
    said.assert_code(101);
    ends(&said, "s::new::quality", "ok");
    ends(&said, "s::new::pairwise_win_rate", "ok");
    ends(&said, "s::old::quality", "FAILED");
    let card = card(&project);
    // Both judges find the new answers polite and short, and better in both orders.
    assert_eq!(value(&card, "new", "rubric"), 1.0);
    assert_eq!(value(&card, "new", "quality"), 1.0);
    assert_eq!(value(&card, "new", "judge_agreement"), 1.0);
    // The old ones are short and not polite; an answer is as good as itself.
    assert_eq!(value(&card, "old", "rubric"), 0.5);
    assert_eq!(value(&card, "old", "pairwise_win_rate"), 0.5);
    assert!((value(&card, "old", "quality") - (0.6 * 0.5 + 0.4 * 0.5)).abs() < 1e-12);
}

fn qualities_are_compared_pair_by_pair() {
    let compared = |today: &str, other: &str, count: usize| {
        let candidates = format!(
            "  old: {{ provider: rust, function: {today}, today: true }}\n  new: {{ provider: rust, function: {other} }}"
        );
        let rest = "judge:
  rubric: { polite: It is polite., short: It is short. }
  jury: { kind: { provider: rust, function: open_judge } }
compare:
  - { against: today, metric: quality, margin: 20% }
  - { against: today, metric: quality }
assert: { quality: { at_least: 0%, reading: point } }";
        let lines = cases(count, |at| (format!("Order {at} is late."), String::new()));
        project(&suite(&candidates, rest), &lines).run(&[])
    };
    // Every polite answer is the better one, by half.
    let said = compared("open_echo", "open_polite", 40);
    ends(&said, "s::new::not_worse[quality]", "ok");
    ends(&said, "s::new::better[quality]", "ok");
    let said = compared("open_polite", "open_echo", 40);
    ends(&said, "s::new::not_worse[quality]", "FAILED");
    ends(&said, "s::new::better[quality]", "FAILED");
    // Equal answers are not worse, and better only by nobody's evidence.
    let said = compared("open_echo", "open_echo", 40);
    ends(&said, "s::new::not_worse[quality]", "ok");
    ends(&said, "s::new::better[quality]", "ignored");
    // Three cases tell nothing.
    let said = compared("open_echo", "open_polite", 3);
    ends(&said, "s::new::better[quality]", "ignored");
}

fn judges_that_disagree_are_flagged() {
    let rules = "  old: { provider: rust, function: open_echo }";
    let rest = "judge:
  rubric: { polite: It is polite., short: It is short. }
  jury:
    kind: { provider: rust, function: open_judge }
    always: { provider: rust, function: open_judge_always }
assert: { judge_agreement: { at_least: 70%, reading: point } }";
    let project = project(
        &suite(rules, rest),
        &cases(30, |at| (format!("Order {at} is late."), String::new())),
    );
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("judges agree on 30 of 60 pairs of votes, less than 70%");
    ends(&said, "s::old::judge_agreement", "FAILED");
    // The mean of the votes: of (0 + 1) / 2 and (1 + 1) / 2.
    assert_eq!(value(&card(&project), "old", "rubric"), 0.75);
}

fn a_failed_judge_is_a_missing_quality_and_a_failed_candidate_a_zero() {
    let rules = "  echo: { provider: rust, function: open_fragile }";
    let rest = "judge:
  rubric: It is polite.
  jury: { one: { provider: rust, function: open_judge_fragile } }
assert: { quality: { at_least: 0%, reading: point } }";
    let with = |broken: usize, failing: usize| {
        let lines = cases(100, |at| {
            let words = match at {
                at if at < broken => "unjudgeable",
                at if at < broken + failing => "error",
                _ => "please",
            };
            (format!("{words} {at}"), String::new())
        });
        let project = project(&suite(rules, rest), &lines);
        (project.run(&[]), project)
    };
    // One judgement in a hundred may be missing; it is left out, and no zero.
    let (said, judged) = with(1, 0);
    said.assert_code(0);
    assert_eq!(value(&card(&judged), "echo", "quality"), 1.0);
    // Beyond two in a hundred nothing is said of quality.
    let (said, _) = with(5, 0);
    said.assert_code(101);
    ends(&said, "s::echo::quality", "FAILED");
    said.assert_says("could not run")
        .assert_says("more than 2.0%")
        .assert_says("quality is missing: a judge failed (refused) (5 answers)");
    // An answer that did not come has quality 0.
    let (said, judged) = with(0, 10);
    said.assert_code(0);
    assert!((value(&card(&judged), "echo", "quality") - 0.9).abs() < 1e-12);
}

fn a_chat_judge_stands_in_for_one_that_fails_or_abstains() {
    let rules = "  echo: { provider: rust, function: open_echo }";
    let judge = |chat: &str| {
        format!(
            "judge:
  rubric: It is polite.
  jury: {{ one: {{ provider: rust, function: open_judge_fragile }} }}
{chat}assert: {{ quality: {{ at_least: 100%, reading: point }} }}"
        )
    };
    let lines = cases(30, |at| {
        let words = match at % 3 {
            0 => "unjudgeable",
            1 => "undecided",
            _ => "please",
        };
        (format!("{words} {at}"), String::new())
    });
    let without = project(&suite(rules, &judge("")), &lines).run(&[]);
    ends(&without, "s::echo::quality", "FAILED");
    without.assert_says("could not run");
    let chat = "  chat: { provider: rust, function: open_judge_always }\n";
    let project = project(&suite(rules, &judge(chat)), &lines);
    let said = project.run(&[]);
    said.assert_code(0);
    ends(&said, "s::echo::quality", "ok");
    let card = card(&project);
    let notes = card["candidates"][0]["notes"].to_string();
    assert!(
        notes.contains("`chat` stood in") && notes.contains("20 times"),
        "{notes}"
    );
    // A task that no decision model reads goes to the chat judge alone.
    let long = suite(rules, &judge(chat)).replace("short reply", &"very ".repeat(1700));
    project.write("suites/s.yaml", long.as_str());
    project.run(&[]).assert_code(0);
    project.write("suites/s.yaml", long.replace(chat, ""));
    project
        .run(&[])
        .assert_code(101)
        .assert_says("over 8,000 characters");
}

fn a_verdict_stands_on_judged_quality() {
    let rules = "  old: { provider: rust, function: open_echo, today: true }
  new: { provider: rust, function: open_polite }";
    let gold = |_| {
        (
            String::from("The order is late."),
            r#","rubric":"It is polite.""#.to_owned(),
        )
    };
    let of = |expect: &str, count: usize| {
        let rest = format!("{JURY}verdict: {expect}");
        let lines = cases(count, |at| {
            let (state, rest) = gold(at);
            (format!("{state} {at}"), rest)
        });
        let project = project(&suite(rules, &rest), &lines);
        let said = project.run(&[]);
        let told = project.read("out/s/scorecard.md");
        assert!(
            told.contains("0.6 of the rubric and 0.4 of the comparison"),
            "{told}"
        );
        said
    };
    let switch = of("switch", 60);
    switch.assert_code(0);
    ends(&switch, "s::verdict", "ok");
    let keep = of("keep", 60);
    ends(&keep, "s::verdict", "FAILED");
    let few = of("switch", 20);
    ends(&few, "s::verdict", "ignored");
}

fn an_agent_is_asked_with_recorded_tools() {
    let of = |good: usize| {
        let answers = (0..50).fold(String::new(), |mut lines, at| {
            let calls = if at < good {
                r#"[{"name":"find_order","arguments":{"id":7}}]"#
            } else {
                r#"[{"name":"find_order"},{"name":"refund"}]"#
            };
            let _ = writeln!(
                lines,
                r#"{{"case":"c-{at:04}","output":"It was sent.","tool_calls":{calls}}}"#
            );
            lines
        });
        let rules = "  agent: { provider: recorded, file: agent.jsonl }";
        let rest = "checks: { required_tools: find_order, forbidden_tools: refund }
assert: { agent_task_success: '>= 80%' }";
        let lines = cases(50, |at| {
            let tools = r#","tools":[{"name":"find_order","arguments":{"id":7},"result":{"state":"sent"}}],"expect":{"must_include":"sent"}"#;
            (format!("Where is order 7? {at}"), tools.to_owned())
        });
        let project = project(&suite(rules, rest), &lines);
        project.write("suites/agent.jsonl", answers);
        (project.run(&[]), project)
    };
    let (said, _) = of(50);
    said.assert_code(0);
    let (said, project) = of(30);
    ends(&said, "s::agent::agent_task_success", "FAILED");
    said.assert_says("forbidden_tools: the tool `refund` was called");
    let card = card(&project);
    for metric in ["agent_task_success", "pass_rate", "quality"] {
        assert!(
            (value(&card, "agent", metric) - 0.6).abs() < 1e-12,
            "{metric}"
        );
    }
    let (said, _) = of(44);
    ends(&said, "s::agent::agent_task_success", "ignored");
}

fn what_production_answered_is_the_first_answer_of_todays_candidate() {
    let rules = "  old: { provider: rust, function: open_echo, recorded: true, today: true, price: { input_per_million: 0, output_per_million: 0 } }
  new: { provider: rust, function: open_polite }";
    let rest = "checks: { must_include: please }
assert: { must_include: { at_least: 0%, reading: point } }";
    let lines = cases(30, |at| {
        (
            format!("Order {at} is late."),
            r#","production_answer":"Wait, please.""#.to_owned(),
        )
    });
    let project = project(&suite(rules, rest), &lines);
    // Nothing is recorded and nothing may be asked: production has answered.
    let said = project.run(&[]);
    said.assert_code(0);
    let card = card(&project);
    assert_eq!(value(&card, "old", "must_include"), 1.0);
    assert_eq!(value(&card, "new", "must_include"), 1.0);
    let notes = card["candidates"][0]["notes"].to_string();
    assert!(
        notes.contains("30 first answers are those that production gave"),
        "{notes}"
    );
    // It is never what others are compared with.
    project.write(
        "suites/s.yaml",
        suite(
            rules,
            "checks: { exact_match: true }\nassert: { exact_match: { at_least: 0%, reading: point } }",
        ),
    );
    project
        .run(&[])
        .assert_code(101)
        .assert_says("no answer is checked by `exact_match`");
}
