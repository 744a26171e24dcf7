//! A request as the dialect spells it.

use serde_json::{Map, Value, json};

use crate::decision::{Asked, QuestionKind, Request};
use crate::provider::reading::wire_name;
use crate::provider::wording::{level_texts, outcomes};

/// The document to send. Maps keep the order in which they are built, so options stand in the order shown.
pub(super) fn document(model: &str, request: &Request<'_>) -> Value {
    let state = request.state.as_json();
    let questions: Map<String, Value> = request
        .questions
        .iter()
        .map(|asked| (wire_name(asked).to_owned(), question(asked)))
        .collect();
    json!({"model": model, "state": state, "questions": questions})
}

fn question(asked: &Asked<'_>) -> Value {
    let mut fields = Map::new();
    let (kind, criteria) = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => ("choice", Some(choice(asked))),
        QuestionKind::YesNo => ("noul", outcomes(asked, "true", "false")),
        QuestionKind::Score => ("score", Some(level_texts(asked))),
    };
    fields.insert("type".to_owned(), Value::from(kind));
    let instructions = asked.question.instructions.as_str();
    if !instructions.is_empty() {
        fields.insert("instructions".to_owned(), Value::from(instructions));
    }
    if let Some(criteria) = criteria {
        fields.insert("criteria".to_owned(), criteria);
    }
    Value::Object(fields)
}

/// Label to description; an option without one has null.
fn choice(asked: &Asked<'_>) -> Value {
    let options = asked.shown().map(|option| {
        let description = option.description.as_deref();
        (
            option.key.clone(),
            description.map_or(Value::Null, Value::from),
        )
    });
    Value::Object(options.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Question, State};

    fn question(name: &str, kind: QuestionKind, options: Vec<AnswerOption>) -> Question {
        Question {
            name: name.to_owned(),
            kind,
            version: Some(3),
            instructions: format!("About {name}?"),
            options,
        }
    }

    #[test]
    fn a_request_is_spelled_as_the_contract_says() {
        let damaged = question(
            "damaged",
            QuestionKind::YesNo,
            vec![
                AnswerOption::new("yes").described("arrived broken"),
                AnswerOption::new("no").described("anything else"),
            ],
        );
        let queue = question(
            "queue",
            QuestionKind::Choice,
            vec![
                AnswerOption::new("10").described("delivery"),
                AnswerOption::new("2"),
            ],
        );
        let severity = question(
            "severity",
            QuestionKind::Score,
            vec![
                AnswerOption::new("0").described("praise"),
                AnswerOption::new("1").described("threat"),
            ],
        );
        let state = State::Json(json!({"z": 1, "a": "Box came crushed"}));
        let asked = [(&damaged, [0, 1]), (&queue, [0, 1]), (&severity, [1, 0])];
        let asked = asked
            .each_ref()
            .map(|(question, order)| Asked { question, order });
        let request = Request {
            case: "never sent",
            state: &state,
            questions: &asked,
        };
        let sent = document("jev-1.13.0", &request);
        assert_eq!(
            sent.to_string(),
            concat!(
                r#"{"model":"jev-1.13.0","state":{"z":1,"a":"Box came crushed"},"questions":{"#,
                r#""damaged":{"type":"noul","instructions":"About damaged?","#,
                r#""criteria":{"true":"arrived broken","false":"anything else"}},"#,
                r#""queue":{"type":"choice","instructions":"About queue?","#,
                r#""criteria":{"10":"delivery","2":null}},"#,
                r#""severity":{"type":"score","instructions":"About severity?","#,
                r#""criteria":["threat","praise"]}}}"#,
            )
        );
    }

    #[test]
    fn what_is_not_said_is_not_sent() {
        let mut urgent = question(
            "",
            QuestionKind::YesNo,
            vec![AnswerOption::new("yes"), AnswerOption::new("no")],
        );
        urgent.instructions = "Urgent?".to_owned();
        let asked = [Asked {
            question: &urgent,
            order: &[0, 1],
        }];
        let request = Request {
            case: "1",
            state: &State::Text("now!".to_owned()),
            questions: &asked,
        };
        assert_eq!(
            document("m", &request).to_string(),
            r#"{"model":"m","state":"now!","questions":{"decision":{"type":"noul","instructions":"Urgent?"}}}"#
        );
    }
}
