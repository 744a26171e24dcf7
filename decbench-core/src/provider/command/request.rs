//! A request as a program reads it.

use serde_json::{Map, Value, json};

use crate::decision::{Asked, Request, State};

/// One line, its line feed included. The case's id is not in it: nobody should look answers up by it.
pub(super) fn line(id: u64, request: &Request<'_>) -> String {
    let state = request.state.as_json();
    let questions: Vec<Value> = request.questions.iter().map(question).collect();
    let mut document = json!({"id": id, "state": state, "questions": questions});
    // An agent runs in the program, which gives its tools' recorded results in place of calling them.
    if let State::Agent(agent) = request.state {
        document["tools"] = agent.tools_document();
    }
    let mut line = document.to_string();
    line.push('\n');
    line
}

fn question(asked: &Asked<'_>) -> Value {
    let options: Vec<Value> = asked
        .shown()
        .map(|option| {
            let mut fields = Map::new();
            fields.insert("key".to_owned(), option.key.as_str().into());
            if let Some(description) = option.description.as_deref() {
                fields.insert("description".to_owned(), description.into());
            }
            Value::Object(fields)
        })
        .collect();
    json!({
        "name": asked.question.name,
        "type": asked.question.kind.name(),
        "instructions": asked.question.instructions,
        "options": options,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Question, QuestionKind};

    #[test]
    fn options_are_a_list_in_the_order_shown() {
        let queue = Question {
            name: "queue".to_owned(),
            kind: QuestionKind::Choice,
            version: Some(2),
            instructions: "Which?".to_owned(),
            options: vec![
                AnswerOption::new("2").described("two"),
                AnswerOption::new("10"),
            ],
        };
        let asked = [Asked {
            question: &queue,
            order: &[1, 0],
        }];
        let request = Request {
            case: "never sent",
            state: &State::Text("line\nfeed".to_owned()),
            questions: &asked,
        };
        assert_eq!(
            line(7, &request),
            concat!(
                r#"{"id":7,"state":"line\nfeed","questions":[{"name":"queue","type":"choice","instructions":"Which?","#,
                r#""options":[{"key":"10"},{"key":"2","description":"two"}]}]}"#,
                "\n"
            )
        );
    }
}
