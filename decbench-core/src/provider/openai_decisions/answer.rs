//! Reading and checking what the dialect answers.

use serde_json::Value;

use crate::decision::{Asked, Decided, Failure, QuestionKind};
use crate::provider::reading::{check_type, choice, invalid, levels, number, yes_no};

/// One entry per asked question: answers come in the order of the questions, and repeat their names.
pub(super) fn read(reply: &Value, asked: &[Asked<'_>]) -> Vec<Result<Decided, Failure>> {
    let answers = reply.get("answers").and_then(Value::as_array);
    let read = |(position, asked): (usize, &Asked<'_>)| {
        let Some(answers) = answers else {
            return Err(invalid("the reply has no list `answers`", reply));
        };
        match answers.get(position) {
            Some(answer) => one(answer, asked),
            None => Err(invalid(
                "there are fewer answers than questions",
                &Value::from(answers.clone()),
            )),
        }
    };
    asked.iter().enumerate().map(read).collect()
}

fn one(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let name = answer.get("name").and_then(Value::as_str);
    if name.unwrap_or_default() != asked.question.name {
        return Err(invalid("the answer is to another question", answer));
    }
    let expected = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => "choice",
        QuestionKind::YesNo => "predicate",
        QuestionKind::Score => "score",
    };
    check_type(answer, expected)?;
    let mut decided = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => choice(
            answer.get("choice").and_then(Value::as_str),
            pairs(answer.get("probabilities")),
            asked,
            answer,
        ),
        QuestionKind::YesNo => yes_no(answer.get("probability"), answer),
        QuestionKind::Score => levels(
            by_level(answer.get("probabilities"), asked.order.len()),
            answer.get("score").and_then(Value::as_f64),
            asked,
            answer,
        ),
    }?;
    decided.confidence = answer.get("confidence").and_then(Value::as_f64);
    Ok(decided)
}

/// A distribution that is a list of values with their probabilities; an empty list where it is something else.
fn pairs(distribution: Option<&Value>) -> Option<Vec<(String, f64)>> {
    let distribution = distribution.filter(|value| !value.is_null())?;
    let entries = distribution.as_array().into_iter().flatten();
    let pair = |entry: &Value| {
        let key = entry.get("value")?.as_str()?.to_owned();
        Some((key, entry.get("probability").map_or(f64::NAN, number)))
    };
    let pairs: Option<Vec<_>> = entries.map(pair).collect();
    Some(pairs.unwrap_or_default())
}

/// The levels' probabilities in the order of their numbers, each number there once.
fn by_level(distribution: Option<&Value>, levels: usize) -> Option<Vec<f64>> {
    let entries = distribution?
        .as_array()
        .filter(|entries| entries.len() == levels)?;
    (0..levels as u64)
        .map(|level| {
            let entry = entries
                .iter()
                .find(|entry| entry.get("value").and_then(Value::as_u64) == Some(level))?;
            Some(entry.get("probability").map_or(f64::NAN, number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, FailureKind, Measured, Question};
    use crate::provider::reading::{TOKENS, read_usage};

    fn question(name: &str, kind: QuestionKind, keys: &[&str]) -> Question {
        Question {
            name: name.to_owned(),
            kind,
            version: None,
            instructions: "?".to_owned(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        }
    }

    /// The example of the contract, and what it means.
    #[test]
    fn published_answers_are_read_and_a_refusal_is_of_one_question() {
        let damaged = question("damaged", QuestionKind::YesNo, &["yes", "no"]);
        let queue = question("queue", QuestionKind::Choice, &["logistics", "billing"]);
        let severity = question("severity", QuestionKind::Score, &["0", "1", "2"]);
        let order = [0, 1, 2];
        let asked = [&damaged, &queue, &severity].map(|question| Asked {
            question,
            order: &order[..question.options.len()],
        });
        let reply = json!({
            "model": "gpt-6-luna",
            "answers": [
                {"type": "predicate", "name": "damaged", "probability": 0.96},
                {"type": "choice", "name": "queue", "choice": "logistics", "confidence": 0.8, "probabilities": [
                    {"value": "logistics", "probability": 0.9}, {"value": "billing", "probability": 0.1}]},
                {"type": "refusal", "name": "severity"},
            ],
            "usage": {"input_tokens": 171, "output_tokens": 0, "total_tokens": 171},
        });
        let mut measured = Measured::default();
        read_usage(&reply, TOKENS, &mut measured);
        assert_eq!(measured.model.as_deref(), Some("gpt-6-luna"));
        assert_eq!(measured.input_tokens, Some(171));
        let answers = read(&reply, &asked);
        let yes = answers[0]
            .as_ref()
            .expect("an answer")
            .probabilities
            .clone();
        assert_eq!(
            yes,
            Some(vec![("yes".to_owned(), 0.96), ("no".to_owned(), 0.04)])
        );
        let queue = answers[1].as_ref().expect("an answer");
        assert_eq!(queue.label.as_deref(), Some("logistics"));
        assert_eq!(queue.confidence, Some(0.8));
        assert_eq!(
            queue.probabilities.as_ref().map(|pairs| pairs[1].1),
            Some(0.1)
        );
        let refusal = answers[2].as_ref().expect_err("a refusal");
        assert_eq!(refusal.kind, FailureKind::Refused);
    }

    #[test]
    fn levels_are_known_by_their_numbers() {
        let severity = question("", QuestionKind::Score, &["0", "1"]);
        let asked = [Asked {
            question: &severity,
            order: &[0, 1],
        }];
        let with = |probabilities: Value| {
            let answer = json!({"type": "score", "name": null, "score": 0.2, "probabilities": probabilities});
            read(&json!({"answers": [answer]}), &asked).remove(0)
        };
        let decided = with(json!([
            {"label": "1", "value": 1, "probability": 0.2}, {"label": "0", "value": 0, "probability": 0.8}
        ]));
        let pairs = decided.expect("an answer").probabilities.expect("levels");
        assert_eq!(pairs, [("0".to_owned(), 0.8), ("1".to_owned(), 0.2)]);
        for wrong in [
            json!([{"value": 0, "probability": 1.0}]),
            json!([{"value": 0, "probability": 0.5}, {"value": 0, "probability": 0.5}]),
            json!({"0": 0.8, "1": 0.2}),
            Value::Null,
        ] {
            assert!(with(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_to_another_question_or_of_another_type_is_none() {
        let queue = question("queue", QuestionKind::Choice, &["a", "b"]);
        let asked = [Asked {
            question: &queue,
            order: &[0, 1],
        }];
        for (answers, words) in [
            (
                json!([{"type": "choice", "name": "other", "choice": "a"}]),
                "another question",
            ),
            (
                json!([{"type": "predicate", "name": "queue", "probability": 0.5}]),
                "is a choice",
            ),
            (
                json!([{"type": "choice", "name": "queue", "choice": true}]),
                "names no option",
            ),
            (
                json!([{"type": "choice", "name": "queue", "choice": "c"}]),
                "none of the options",
            ),
            (json!([]), "fewer answers"),
            (json!({"queue": {}}), "no list"),
        ] {
            let failure = read(&json!({"answers": answers}), &asked).remove(0);
            let failure = failure.expect_err("no answer");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
            assert!(failure.message.contains(words), "{failure}");
        }
    }
}
