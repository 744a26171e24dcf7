//! A request as the dialect spells it.

use serde_json::{Map, Value, json};

use crate::decision::{Asked, QuestionKind, Request};
use crate::provider::reading::wire_name;
use crate::provider::wording::{level_texts, with_meanings};

/// The document to send. Maps keep the order in which they are built.
pub(super) fn document(model: &str, request: &Request<'_>) -> Value {
    let questions: Vec<Value> = request.questions.iter().map(question).collect();
    json!({"model": model, "input": request.state.as_text(), "questions": questions})
}

fn question(asked: &Asked<'_>) -> Value {
    let kind = asked.question.kind;
    let mut fields = Map::new();
    fields.insert("id".to_owned(), Value::from(wire_name(asked)));
    fields.insert("type".to_owned(), Value::from(kind.name()));
    let text = match kind {
        QuestionKind::YesNo => with_meanings(asked),
        _ => asked.question.instructions.clone(),
    };
    fields.insert("question".to_owned(), Value::from(text));
    match kind {
        QuestionKind::Choice => {
            let options = asked.shown().map(|option| match &option.description {
                Some(description) => json!({"name": option.key, "description": description}),
                None => json!({"name": option.key}),
            });
            fields.insert("options".to_owned(), options.collect());
        }
        QuestionKind::Score => {
            fields.insert("levels".to_owned(), level_texts(asked));
        }
        QuestionKind::YesNo | QuestionKind::Open(_) => {}
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Question, State};
    use crate::provider::testing::one_of_each;

    #[test]
    fn a_request_is_spelled_as_the_contract_says() {
        let [damaged, queue, severity] = one_of_each("");
        let asked: [(&Question, &[u16]); 3] = [
            (&damaged, &[0, 1]),
            (&queue, &[0, 2, 1]),
            (&severity, &[0, 1]),
        ];
        let asked = asked.map(|(question, order)| Asked { question, order });
        let request = Request {
            case: "never sent",
            state: &State::Text("Box came crushed".to_owned()),
            questions: &asked,
        };
        assert_eq!(
            document("m", &request).to_string(),
            concat!(
                r#"{"model":"m","input":"Box came crushed","questions":["#,
                r#"{"id":"decision","type":"yes_no","question":"About ?\n\nYes: arrived broken"},"#,
                r#"{"id":"queue","type":"choice","question":"About queue?","#,
                r#""options":[{"name":"10","description":"delivery"},{"name":"1"},{"name":"2"}]},"#,
                r#"{"id":"severity","type":"score","question":"About severity?","levels":["praise","threat"]}]}"#,
            )
        );
    }
}
