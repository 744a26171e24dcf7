//! Structured output: the JSON Schema that answers must keep to, and reading them.
//!
//! Answers are numbers of options rather than their keys, since a schema's names may only hold plain letters; numbers
//! also stand in the order shown whatever a server does to the order of names.

use serde_json::{Map, Value, json};

use super::stated::Stated;
use crate::decision::{Asked, Decided, Failure, Request};
use crate::provider::prompt::{labels_of_numbers, question_text};
use crate::provider::reading::{invalid, number, wire_name};

/// What the model is told to do.
pub(super) fn task(stated: Stated) -> String {
    const TASK: &str = "You take decisions. Read the material and answer every question with the number of the one \
        option that fits best.";
    match stated {
        Stated::Nothing => TASK.to_owned(),
        Stated::Confidence => {
            format!("{TASK} State how likely your answer is to be right, from 0 to 1.")
        }
        Stated::Probabilities => {
            format!(
                "{TASK} State how probable each option is: numbers from 0 to 1 that add up to 1."
            )
        }
    }
}

/// The material and all questions with their numbered options.
pub(super) fn material(request: &Request<'_>) -> String {
    let names = names(request.questions);
    let mut text = format!("Material:\n{}", request.state.as_text());
    for (asked, name) in request.questions.iter().zip(&names) {
        let labels = labels_of_numbers(asked.order.len());
        if request.questions.len() > 1 {
            text.push_str("\n\nQuestion named ");
            text.push_str(name);
        }
        text.push_str("\n\n");
        text.push_str(&question_text(asked, &labels));
    }
    text
}

/// The schema of one answer per question.
pub(super) fn schema(asked: &[Asked<'_>], stated: Stated) -> Value {
    let answers: Map<String, Value> = asked
        .iter()
        .zip(names(asked))
        .map(|(asked, name)| (name, answer_schema(asked, stated)))
        .collect();
    closed(&answers)
}

fn answer_schema(asked: &Asked<'_>, stated: Stated) -> Value {
    let labels = labels_of_numbers(asked.order.len());
    let mut fields = Map::new();
    fields.insert(
        "answer".to_owned(),
        json!({"type": "string", "enum": labels}),
    );
    match stated {
        Stated::Nothing => {}
        Stated::Confidence => {
            fields.insert("confidence".to_owned(), json!({"type": "number"}));
        }
        Stated::Probabilities => {
            let each = labels
                .into_iter()
                .map(|label| (label, json!({"type": "number"})));
            fields.insert("probabilities".to_owned(), closed(&each.collect()));
        }
    }
    closed(&fields)
}

/// An object of exactly these fields.
fn closed(fields: &Map<String, Value>) -> Value {
    let required: Vec<&String> = fields.keys().collect();
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": fields,
    })
}

/// The names of the questions in the schema: their own where all of them are plain, else numbered ones.
fn names(asked: &[Asked<'_>]) -> Vec<String> {
    let plain = |name: &str| {
        name.len() <= 64
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    if asked.iter().all(|asked| plain(wire_name(asked))) {
        asked
            .iter()
            .map(|asked| wire_name(asked).to_owned())
            .collect()
    } else {
        (1..=asked.len())
            .map(|number| format!("q{number}"))
            .collect()
    }
}

/// Reads one answer per question. Stated numbers are kept as they came; beside an answer, wrong ones cost nothing but
/// themselves.
pub(super) fn read(
    answers: &Value,
    asked: &[Asked<'_>],
    stated: Stated,
) -> Vec<Result<Decided, Failure>> {
    let one = |(asked, name): (&Asked<'_>, String)| match answers.get(&name) {
        Some(answer) => read_one(answer, asked, stated),
        None => Err(invalid("the question was not answered", answers)),
    };
    asked.iter().zip(names(asked)).map(one).collect()
}

fn read_one(answer: &Value, asked: &Asked<'_>, stated: Stated) -> Result<Decided, Failure> {
    let options: Vec<&str> = asked.shown().map(|option| option.key.as_str()).collect();
    let shown = match answer.get("answer") {
        Some(Value::String(text)) => text.trim().parse::<usize>().ok(),
        Some(value) => value.as_u64().map(|number| number as usize),
        None => None,
    };
    let label = shown.and_then(|number| options.get(number.checked_sub(1)?));
    let Some(label) = label else {
        return Err(invalid("the answer is no number of an option", answer));
    };
    let mut decided = Decided {
        label: Some((*label).to_owned()),
        ..Decided::default()
    };
    match stated {
        Stated::Nothing => {}
        Stated::Confidence => {
            decided.confidence = answer
                .get("confidence")
                .and_then(Value::as_f64)
                .filter(|confidence| (0.0..=1.0).contains(confidence));
        }
        Stated::Probabilities => {
            let given = answer.get("probabilities").and_then(Value::as_object);
            let shares: Vec<(String, f64)> = (1..)
                .zip(&options)
                .filter_map(|(number, key): (usize, _)| {
                    let given = given?.get(&number.to_string())?;
                    Some(((*key).to_owned(), self::number(given)))
                })
                .collect();
            decided.probabilities = Some(shares);
        }
    }
    Ok(decided)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, FailureKind, Question, QuestionKind, State};

    fn question(name: &str, keys: &[&str]) -> Question {
        Question {
            name: name.to_owned(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: format!("About {name}?"),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        }
    }

    #[test]
    fn the_schema_allows_the_numbers_of_the_options_alone() {
        let queue = question("queue", &["10", "2"]);
        let asked = [Asked {
            question: &queue,
            order: &[0, 1],
        }];
        assert_eq!(
            schema(&asked, Stated::Probabilities).to_string(),
            concat!(
                r#"{"type":"object","required":["queue"],"additionalProperties":false,"properties":{"queue":"#,
                r#"{"type":"object","required":["answer","probabilities"],"additionalProperties":false,"properties":"#,
                r#"{"answer":{"type":"string","enum":["1","2"]},"#,
                r#""probabilities":{"type":"object","required":["1","2"],"additionalProperties":false,"properties":"#,
                r#"{"1":{"type":"number"},"2":{"type":"number"}}}}}}}"#,
            )
        );
    }

    #[test]
    fn numbers_are_put_back_to_options_in_the_order_shown() {
        let queue = question("queue", &["a", "b", "c"]);
        let asked = [Asked {
            question: &queue,
            order: &[2, 0, 1],
        }];
        let reply =
            json!({"queue": {"answer": "1", "probabilities": {"1": 0.7, "2": 0.2, "3": 0.1}}});
        let decided = read(&reply, &asked, Stated::Probabilities)
            .remove(0)
            .expect("an answer");
        assert_eq!(decided.label.as_deref(), Some("c"));
        let shares = [("c", 0.7), ("a", 0.2), ("b", 0.1)].map(|(key, p)| (key.to_owned(), p));
        assert_eq!(decided.probabilities.as_deref(), Some(&shares[..]));
    }

    #[test]
    fn names_that_a_schema_cannot_hold_are_numbered() {
        let (queue, odd) = (
            question("queue", &["a", "b"]),
            question("größe?", &["a", "b"]),
        );
        let asked = [&queue, &odd].map(|question| Asked {
            question,
            order: &[0, 1],
        });
        let reply = json!({"q1": {"answer": "1"}, "q2": {"answer": 2}});
        let answers = read(&reply, &asked, Stated::Nothing);
        let labels: Vec<_> = answers
            .into_iter()
            .map(|answer| answer.expect("an answer").label)
            .collect();
        assert_eq!(labels, [Some("a".to_owned()), Some("b".to_owned())]);
        let request = Request {
            case: "c",
            state: &State::Text("x".to_owned()),
            questions: &asked,
        };
        assert!(material(&request).contains("Question named q2\n\nQuestion: About größe?"));
    }

    #[test]
    fn what_breaks_the_schema_is_no_answer_and_wrong_numbers_cost_themselves() {
        let queue = question("", &["a", "b"]);
        let asked = [Asked {
            question: &queue,
            order: &[0, 1],
        }];
        let one =
            |answer: Value, stated| read(&json!({"decision": answer}), &asked, stated).remove(0);
        for answer in [
            json!({"answer": "3"}),
            json!({"answer": "0"}),
            json!({}),
            json!("1"),
        ] {
            let failure = one(answer, Stated::Nothing).expect_err("no option");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
        }
        let decided = one(json!({"answer": "2", "confidence": 7}), Stated::Confidence);
        assert_eq!(decided.expect("a label").confidence, None);
        let decided = one(json!({"answer": "2"}), Stated::Probabilities).expect("a label");
        assert_eq!(
            decided.probabilities,
            Some(vec![]),
            "asked for and not there"
        );
    }
}
