//! A request as the dialect spells it.

use serde_json::{Map, Value, json};

use crate::decision::{Asked, QuestionKind, Request, State};
use crate::provider::wording::with_meanings;

/// What a JSON part of the input may hold at most: levels, values, bytes.
const DEEPEST: usize = 32;
const MOST_VALUES: usize = 10_000;
const LONGEST: usize = 256 << 10;

/// The document to send. Maps keep the order in which they are built.
pub(super) fn document(model: &str, request: &Request<'_>) -> Value {
    let questions: Vec<Value> = request.questions.iter().map(question).collect();
    json!({"model": model, "input": input(request.state), "questions": questions})
}

/// A text as it is. An object or a list of objects is a JSON part of a user's message; what does not fit into one goes as
/// text.
fn input(state: &State) -> Value {
    let value = match state {
        State::Text(text) => return Value::from(text.as_str()),
        State::Json(value) => value,
        State::Agent(agent) => return input(&agent.input),
    };
    let is_objects = match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().all(Value::is_object),
        _ => false,
    };
    let text = value.to_string();
    let (depth, values) = size(value);
    if !is_objects || depth > DEEPEST || values > MOST_VALUES || text.len() > LONGEST {
        return Value::from(text);
    }
    json!([{"role": "user", "content": [{"type": "input_json", "data": value}]}])
}

/// How deep a document is and how many values it holds, itself included.
fn size(value: &Value) -> (usize, usize) {
    let of_parts = |parts: &mut dyn Iterator<Item = &Value>| {
        parts.map(size).fold((1, 1), |(depth, values), part| {
            (depth.max(part.0 + 1), values + part.1)
        })
    };
    match value {
        Value::Array(items) => of_parts(&mut items.iter()),
        Value::Object(fields) => of_parts(&mut fields.values()),
        _ => (1, 1),
    }
}

fn question(asked: &Asked<'_>) -> Value {
    let kind = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => "choice",
        QuestionKind::YesNo => "predicate",
        QuestionKind::Score => "score",
    };
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Value::from(kind));
    if !asked.question.name.is_empty() {
        fields.insert("name".to_owned(), Value::from(asked.question.name.as_str()));
    }
    // A predicate has no place for what its outcomes mean.
    let instructions = match asked.question.kind {
        QuestionKind::YesNo => with_meanings(asked),
        _ => asked.question.instructions.clone(),
    };
    fields.insert("instructions".to_owned(), Value::from(instructions));
    match asked.question.kind {
        QuestionKind::Choice => {
            let choices = asked
                .shown()
                .map(|option| entry("value", &option.key, option.description.as_deref()));
            fields.insert("choices".to_owned(), choices.collect());
        }
        QuestionKind::Score => {
            // A level's label is its number as shown, so that equal texts are no clash.
            let levels = asked.shown().enumerate().map(|(number, level)| {
                let text = level.description.as_deref().unwrap_or(&level.key);
                entry("label", &number.to_string(), Some(text))
            });
            fields.insert("levels".to_owned(), levels.collect());
        }
        QuestionKind::YesNo | QuestionKind::Open(_) => {}
    }
    Value::Object(fields)
}

fn entry(name: &str, key: &str, description: Option<&str>) -> Value {
    match description {
        Some(description) => json!({name: key, "description": description}),
        None => json!({name: key}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Question};
    use crate::provider::testing::about;

    #[test]
    fn a_request_is_spelled_as_the_contract_says() {
        let plain = AnswerOption::new;
        let damaged = about(
            "damaged",
            QuestionKind::YesNo,
            vec![
                plain("yes").described("arrived broken"),
                plain("no").described("anything else"),
            ],
        );
        let queue = about(
            "queue",
            QuestionKind::Choice,
            vec![plain("10").described("delivery"), plain("2"), plain("1")],
        );
        let severity = about(
            "severity",
            QuestionKind::Score,
            vec![
                plain("0").described("praise"),
                plain("1").described("threat"),
            ],
        );
        let state = State::Json(json!({"z": 1, "a": "Box came crushed"}));
        let asked: [(&Question, &[u16]); 3] = [
            (&damaged, &[0, 1]),
            (&queue, &[0, 2, 1]),
            (&severity, &[0, 1]),
        ];
        let asked = asked.map(|(question, order)| Asked { question, order });
        let request = Request {
            case: "never sent",
            state: &state,
            questions: &asked,
        };
        assert_eq!(
            document("gpt-6-luna", &request).to_string(),
            concat!(
                r#"{"model":"gpt-6-luna","input":[{"role":"user","content":[{"type":"input_json","#,
                r#""data":{"z":1,"a":"Box came crushed"}}]}],"questions":["#,
                r#"{"type":"predicate","name":"damaged","#,
                r#""instructions":"About damaged?\n\nYes: arrived broken\nNo: anything else"},"#,
                r#"{"type":"choice","name":"queue","instructions":"About queue?","#,
                r#""choices":[{"value":"10","description":"delivery"},{"value":"1"},{"value":"2"}]},"#,
                r#"{"type":"score","name":"severity","instructions":"About severity?","#,
                r#""levels":[{"label":"0","description":"praise"},{"label":"1","description":"threat"}]}]}"#,
            )
        );
    }

    #[test]
    fn what_does_not_fit_into_a_json_part_goes_as_text() {
        let mut deep = json!(1);
        for _ in 0..40 {
            deep = json!({"in": deep});
        }
        for (value, fits) in [
            (json!({"a": 1}), true),
            (json!([{"a": 1}, {"b": 2}]), true),
            (json!([1, 2]), false),
            (json!(7), false),
            (json!({"long": "x".repeat(300_000)}), false),
            (json!({"many": vec![0; 10_001]}), false),
            (deep, false),
        ] {
            let text = value.to_string();
            let sent = input(&State::Json(value));
            if fits {
                assert_eq!(sent[0]["content"][0]["data"].to_string(), text);
            } else {
                assert_eq!(sent, Value::from(text));
            }
        }
    }
}
