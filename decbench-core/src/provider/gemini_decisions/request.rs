//! A request as the dialect spells it.

use serde_json::{Map, Value, json};

use crate::decision::{Asked, QuestionKind, Request};
use crate::provider::reading::wire_name;
use crate::provider::wording::{level_texts, outcomes};

/// The document to send. Maps keep the order in which they are built, so options stand in the order shown.
pub(super) fn document(model: &str, request: &Request<'_>) -> Value {
    let questions: Map<String, Value> = request
        .questions
        .iter()
        .map(|asked| (wire_name(asked).to_owned(), question(asked)))
        .collect();
    // The dialect has text parts and none for JSON.
    json!({"model": model, "input": request.state.as_text(), "questions": questions})
}

fn question(asked: &Asked<'_>) -> Value {
    let (kind, criteria) = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => ("choice", Some(choice(asked))),
        QuestionKind::YesNo => (
            "noul",
            outcomes(asked, "true_description", "false_description"),
        ),
        QuestionKind::Score => ("score", Some(level_texts(asked))),
    };
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Value::from(kind));
    let instructions = asked.question.instructions.as_str();
    fields.insert("instructions".to_owned(), Value::from(instructions));
    if let Some(criteria) = criteria {
        fields.insert("criteria".to_owned(), criteria);
    }
    Value::Object(fields)
}

/// Label to description, which is empty where there is none.
fn choice(asked: &Asked<'_>) -> Value {
    let options = asked.shown().map(|option| {
        let description = option.description.as_deref().unwrap_or_default();
        (option.key.clone(), Value::from(description))
    });
    Value::Object(options.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Question, State};
    use crate::provider::testing::one_of_each;

    #[test]
    fn a_request_is_spelled_as_the_contract_says() {
        let [damaged, queue, severity] = one_of_each("damaged");
        let asked: [(&Question, &[u16]); 3] = [
            (&damaged, &[0, 1]),
            (&queue, &[0, 2, 1]),
            (&severity, &[0, 1]),
        ];
        let asked = asked.map(|(question, order)| Asked { question, order });
        let request = Request {
            case: "never sent",
            state: &State::Json(json!({"z": 1, "a": 2})),
            questions: &asked,
        };
        assert_eq!(
            document("gemini-decision-1", &request).to_string(),
            concat!(
                r#"{"model":"gemini-decision-1","input":"{\"z\":1,\"a\":2}","questions":{"#,
                r#""damaged":{"type":"noul","instructions":"About damaged?","#,
                r#""criteria":{"true_description":"arrived broken"}},"#,
                r#""queue":{"type":"choice","instructions":"About queue?","#,
                r#""criteria":{"10":"delivery","1":"","2":""}},"#,
                r#""severity":{"type":"score","instructions":"About severity?","#,
                r#""criteria":["praise","threat"]}}}"#,
            )
        );
    }
}
