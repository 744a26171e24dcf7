//! Reading a reply by its pointers.

use serde_json::Value;

use super::pointers::Pointers;
use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, QuestionKind, complement};
use crate::provider::reading::{invalid, number, written};

/// Ends of replies that were cut off, and of those that were refused, as services call them.
const CUT_OFF: [&str; 3] = ["length", "max_tokens", "model_context_window_exceeded"];
const REFUSED: [&str; 4] = ["refusal", "content_filter", "safety", "prohibited_content"];

/// Reads the answer to one question; what the reply says about the call goes into `measured`.
pub(super) fn read(
    reply: &Value,
    pointers: &Pointers,
    asked: &Asked<'_>,
    measured: &mut Measured,
) -> Result<Decided, Failure> {
    let at = |part: &str| pointers.of(part, reply);
    measured.model = at("model").and_then(Value::as_str).map(str::to_owned);
    measured.input_tokens = tokens(
        at("input_tokens"),
        at("usage"),
        ["input_tokens", "prompt_tokens"],
    );
    measured.output_tokens = tokens(
        at("output_tokens"),
        at("usage"),
        ["output_tokens", "completion_tokens"],
    );
    if let Some(finish) = at("finish").and_then(Value::as_str) {
        let finish = finish.to_lowercase();
        if CUT_OFF.contains(&finish.as_str()) {
            return Err(Failure::truncated("the reply was cut off"));
        }
        if REFUSED.contains(&finish.as_str()) {
            return Err(Failure::new(
                FailureKind::Refused,
                "the model declined to answer",
            ));
        }
    }
    if let QuestionKind::Open(output) = asked.question.kind {
        let answer = at("output").or_else(|| at("label"));
        return written(answer.unwrap_or(&Value::Null), at("tool_calls"), output);
    }
    let label = match at("label") {
        Some(value) => Some(label(value, asked)?),
        None => None,
    };
    let p_yes = at("p_yes").filter(|_| asked.question.kind == QuestionKind::YesNo);
    let probabilities = match p_yes.map(number) {
        Some(yes) => Some(vec![
            ("yes".to_owned(), yes),
            ("no".to_owned(), complement(yes)),
        ]),
        None => at("probabilities").map(|given| distribution(given, at("labels"), asked)),
    };
    if label.is_none() && probabilities.is_none() {
        return Err(invalid("nothing stands where the answer should be", reply));
    }
    let share = |part: &str| {
        at(part)
            .and_then(Value::as_f64)
            .filter(|share| (0.0..=1.0).contains(share))
    };
    Ok(Decided {
        label,
        probabilities,
        confidence: at("confidence").and_then(Value::as_f64),
        format_mass: share("format_mass"),
        written: None,
    })
}

fn tokens(own: Option<&Value>, usage: Option<&Value>, names: [&str; 2]) -> Option<u64> {
    own.and_then(Value::as_u64).or_else(|| {
        let usage = usage?;
        names.iter().find_map(|name| usage.get(name)?.as_u64())
    })
}

/// The option that a label means: its key, true and false for yes and no, a level's number or text.
fn label(value: &Value, asked: &Asked<'_>) -> Result<String, Failure> {
    let text = text(value);
    option(&text, asked).ok_or_else(|| {
        invalid(
            "the label is none of the options",
            &Value::from(text.as_str()),
        )
    })
}

fn option(text: &str, asked: &Asked<'_>) -> Option<String> {
    let question = asked.question;
    let index = question
        .index_of_label(text)
        .or_else(|| question.index_of_label(text.trim()))?;
    Some(question.options[index].key.clone())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A distribution in any of the forms that services use; an empty one where it has none of them.
fn distribution(given: &Value, labels: Option<&Value>, asked: &Asked<'_>) -> Vec<(String, f64)> {
    let key = |label: &str| option(label, asked).unwrap_or_else(|| label.to_owned());
    match given {
        Value::Object(map) => map
            .iter()
            .map(|(label, p)| (key(label), number(p)))
            .collect(),
        Value::Array(items) if items.iter().all(Value::is_object) => items
            .iter()
            .filter_map(|item| {
                let named = ["label", "value", "key", "name", "option"];
                let label = named.iter().find_map(|name| item.get(*name))?;
                let p = ["probability", "score", "p"]
                    .iter()
                    .find_map(|name| item.get(*name))?;
                Some((key(&text(label)), number(p)))
            })
            .collect(),
        Value::Array(items) => {
            let names: Vec<String> = match labels.and_then(Value::as_array) {
                Some(labels) => labels.iter().map(|label| key(&text(label))).collect(),
                None => asked.shown().map(|option| option.key.clone()).collect(),
            };
            if names.len() != items.len() {
                return Vec::new();
            }
            names.into_iter().zip(items.iter().map(number)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question};
    use crate::provider::setting::Reader;

    fn read_with(
        kind: QuestionKind,
        keys: &[&str],
        pointers: &Value,
        reply: &Value,
    ) -> (Result<Decided, Failure>, Measured) {
        let settings = json!({ "reply": pointers });
        let mut reader = Reader::new(settings.as_object().expect("a map"));
        let pointers = Pointers::read(&mut reader);
        assert_eq!(reader.errors, []);
        let question = Question {
            name: String::new(),
            kind,
            version: None,
            instructions: String::new(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        };
        let order: Vec<u16> = (0..keys.len() as u16).rev().collect();
        let asked = Asked {
            question: &question,
            order: &order,
        };
        let mut measured = Measured::default();
        (read(reply, &pointers, &asked, &mut measured), measured)
    }

    #[test]
    fn every_form_of_a_distribution_is_read() {
        let pointers = json!({"probabilities": "/p", "labels": "/l"});
        let wanted: Vec<(String, f64)> = vec![("b".to_owned(), 0.7), ("a".to_owned(), 0.3)];
        for reply in [
            json!({"p": {"b": 0.7, "a": 0.3}}),
            json!({"p": [0.7, 0.3]}),
            json!({"p": [0.7, 0.3], "l": ["b", "a"]}),
            json!({"p": [{"label": "b", "score": 0.7}, {"label": "a", "score": 0.3}]}),
        ] {
            let decided = read_with(QuestionKind::Choice, &["a", "b"], &pointers, &reply).0;
            assert_eq!(
                decided.expect("an answer").probabilities.as_ref(),
                Some(&wanted)
            );
        }
        let odd = json!({"p": [0.7], "l": ["b", "a"]});
        let decided = read_with(QuestionKind::Choice, &["a", "b"], &pointers, &odd).0;
        assert_eq!(decided.expect("an answer").probabilities, Some(vec![]));
    }

    #[test]
    fn labels_and_usage_are_read_as_people_mean_them() {
        let pointers =
            json!({"label": "/out", "usage": "/usage", "model": "/m", "confidence": "/c"});
        let reply = json!({"out": true, "m": "x-1", "c": 0.8,
            "usage": {"prompt_tokens": 12, "completion_tokens": 1}});
        let (decided, measured) = read_with(QuestionKind::YesNo, &["yes", "no"], &pointers, &reply);
        let decided = decided.expect("an answer");
        assert_eq!(decided.label.as_deref(), Some("yes"));
        assert_eq!(
            (decided.probabilities, decided.confidence),
            (None, Some(0.8))
        );
        assert_eq!(measured.model.as_deref(), Some("x-1"));
        assert_eq!(
            (measured.input_tokens, measured.output_tokens),
            (Some(12), Some(1))
        );
    }

    #[test]
    fn ends_and_missing_answers_are_failures() {
        let pointers = json!({"label": "/out", "finish": "/end"});
        let kind = |reply: Value| {
            let failure = read_with(QuestionKind::Choice, &["a"], &pointers, &reply).0;
            let failure = failure.expect_err("no answer");
            (failure.kind, failure.truncated)
        };
        let invalid = FailureKind::InvalidAnswer;
        assert_eq!(
            kind(json!({"out": "a", "end": "MAX_TOKENS"})),
            (invalid, true)
        );
        assert_eq!(
            kind(json!({"end": "SAFETY"})),
            (FailureKind::Refused, false)
        );
        assert_eq!(kind(json!({"out": "z"})), (invalid, false));
        assert_eq!(kind(json!({"else": 1})), (invalid, false));
    }
}
