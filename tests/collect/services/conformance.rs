//! What every adapter sends keeps to the contract, and what it reads is what was answered.

use decbench_core::decision::{Answer, AnswerOption, Decided, Question, QuestionKind, State};
use serde_json::json;

use super::table::{SERVICES, Spoken};
use crate::support::server::{Act, shares};

fn question(name: &str, kind: QuestionKind, options: Vec<AnswerOption>) -> Question {
    Question {
        name: name.to_owned(),
        kind,
        version: None,
        instructions: format!("What about {name}?"),
        options,
    }
}

pub(super) fn three_questions() -> Vec<Question> {
    let plain = AnswerOption::new;
    vec![
        question(
            "damaged",
            QuestionKind::YesNo,
            vec![
                plain("yes").described("arrived broken"),
                plain("no").described("anything else"),
            ],
        ),
        question(
            "queue",
            QuestionKind::Choice,
            vec![plain("10").described("delivery"), plain("2"), plain("1")],
        ),
        question(
            "severity",
            QuestionKind::Score,
            vec![
                plain("0").described("praise"),
                plain("1").described("annoyed"),
                plain("2").described("furious"),
            ],
        ),
    ]
}

#[test]
fn several_questions_about_texts_and_documents_are_asked_at_once_and_read_back() {
    for service in SERVICES {
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(|_| Act::Answer);
        let mut bench = service.bench(folder.path(), &server, 4);
        bench.questions = three_questions();
        bench.cases[1].state = Some(State::Json(json!({"subject": "Parcel", "orders": 14})));
        bench.cases[2].state = Some(State::Json(json!([{"turn": 1}, {"turn": 2}])));
        bench.cases[3].state = Some(State::Json(json!(["plain", "words"])));
        bench.ask(&[(0, 0)]);
        let collected = bench.fill();
        assert_eq!(
            server.calls(),
            4,
            "{}: one request per state",
            service.provider
        );
        assert_eq!(collected.misses, [], "{}", service.provider);
        for (number, answer) in collected.answers.iter().enumerate() {
            let what = format!("{} {}", service.provider, answer.question);
            let decided = decided(answer, service, &what);
            let case = number / 3;
            let seen = server.seen();
            let seen = seen
                .iter()
                .find(|seen| seen.text.contains(&sent_part(case)));
            let body = &seen.expect("the case's request").body;
            let evidence = if body["state"].is_null() {
                &body["input"]
            } else {
                &body["state"]
            };
            let share = shares(evidence);
            let p = |key: &str| probability(decided, key);
            match answer.question.as_str() {
                "damaged" => assert_eq!(p("yes"), share(0).clamp(0.01, 0.99), "{what}"),
                "queue" => {
                    assert_eq!(decided.label.as_deref(), Some("10"), "{what}");
                    assert_eq!(
                        [p("10"), p("2"), p("1")],
                        [share(0), share(1), 0.0],
                        "{what}"
                    );
                }
                _ => assert_eq!(
                    [p("0"), p("1"), p("2")],
                    [share(0), share(1), 0.0],
                    "{what}"
                ),
            }
        }
    }
}

/// What stands in the request about this case and in no other.
fn sent_part(case: usize) -> String {
    ["caller 0", "Parcel", "turn", "plain"][case].to_owned()
}

/// What was decided, by the model that the service serves and with its tokens told.
pub(super) fn decided<'a>(answer: &'a Answer, service: &Spoken, what: &str) -> &'a Decided {
    let measured = &answer.measured;
    assert_eq!(measured.model.as_deref(), Some(service.served), "{what}");
    assert!(
        measured.input_tokens.is_some_and(|tokens| tokens > 10),
        "{what}"
    );
    let outcome = answer.outcome.as_ref();
    outcome.unwrap_or_else(|failure| panic!("{what}: {failure}"))
}

pub(super) fn probability(decided: &Decided, key: &str) -> f64 {
    let pairs = decided.probabilities.iter().flatten();
    pairs
        .filter(|(label, _)| label == key)
        .map(|(_, p)| *p)
        .next()
        .unwrap_or(f64::NAN)
}

#[test]
fn options_go_out_in_the_order_shown_whatever_their_keys_look_like() {
    for service in SERVICES {
        let folder = tempfile::tempdir().expect("a folder");
        let server = service.server(|_| Act::Answer);
        let mut bench = service.bench(folder.path(), &server, 1);
        bench.questions[0].options = ["10", "2", "1"].map(AnswerOption::new).to_vec();
        bench.ask(&[(0, 0), (0, 1)]);
        let collected = bench.fill();
        let mut orders: Vec<Vec<&str>> = server
            .seen()
            .iter()
            .map(|seen| {
                let mut keys = ["10", "2", "1"];
                keys.sort_by_key(|key| seen.text.find(&format!("\"{key}\"")));
                keys.to_vec()
            })
            .collect();
        orders.sort();
        assert_eq!(
            orders,
            [["1", "2", "10"], ["10", "2", "1"]],
            "{}",
            service.provider
        );
        let labels: Vec<_> = collected
            .answers
            .iter()
            .map(|answer| {
                let decided = answer.outcome.as_ref().expect("an answer");
                (answer.probe.order.clone(), decided.label.clone())
            })
            .collect();
        let label = |key: &str| Some(key.to_owned());
        assert_eq!(
            labels,
            [(vec![0, 1, 2], label("10")), (vec![2, 1, 0], label("1"))],
            "{}",
            service.provider
        );
    }
}

#[test]
fn a_question_that_is_refused_costs_no_other() {
    let service = SERVICES
        .iter()
        .find(|service| service.provider == "openai-decisions")
        .expect("a row");
    let folder = tempfile::tempdir().expect("a folder");
    let server = service.server(|_| Act::Answer);
    let mut bench = service.bench(folder.path(), &server, 1);
    bench.questions = three_questions();
    bench.questions[1].instructions = "Is it unspeakable?".to_owned();
    bench.ask(&[(0, 0)]);
    let collected = bench.fill();
    let kinds: Vec<Option<&str>> = collected
        .answers
        .iter()
        .map(|answer| {
            answer
                .outcome
                .as_ref()
                .err()
                .map(|failure| failure.kind.name())
        })
        .collect();
    assert_eq!(kinds, [None, Some("refused"), None]);
    assert_eq!(
        bench.recordings().len(),
        3,
        "a refusal is an answer of the model"
    );
}
