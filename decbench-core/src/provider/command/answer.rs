//! An answer as a program writes it.

use std::time::Duration;

use serde_json::Value;

use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, QuestionKind, complement};
use crate::provider::contract::{Attempt, Reply, Retry};
use crate::provider::reading::{invalid, number, pairs_of_map, written};

/// Reads one line to a reply, or to the failure that it tells.
#[expect(
    clippy::result_large_err,
    reason = "an attempt is what every call gives"
)]
pub(super) fn read(line: &Value, id: u64, asked: &[Asked<'_>]) -> Result<Reply, Attempt> {
    let usage = |name: &str| line.get("usage")?.get(name)?.as_u64();
    let measured = Measured {
        model: line.get("model").and_then(Value::as_str).map(str::to_owned),
        input_tokens: usage("input_tokens"),
        output_tokens: usage("output_tokens"),
        ..Measured::default()
    };
    if line
        .get("id")
        .is_some_and(|given| given.as_u64() != Some(id))
    {
        let what = "the answer has the id of another request";
        return Ok(Reply {
            answers: asked.iter().map(|_| Err(invalid(what, line))).collect(),
            measured,
        });
    }
    if let Some(error) = line.get("error") {
        let failure = failure(error);
        return Err(Attempt {
            retry: retry(&failure, error),
            failure,
            measured,
        });
    }
    let entries: Vec<&Value> = match line.get("answers").and_then(Value::as_array) {
        Some(entries) => entries.iter().collect(),
        None => vec![line],
    };
    let answers = asked
        .iter()
        .enumerate()
        .map(|(at, asked)| match entries.get(at) {
            Some(entry) => one(entry, asked),
            None => Err(invalid("the question was not answered", line)),
        });
    Ok(Reply {
        answers: answers.collect(),
        measured,
    })
}

fn one(entry: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    if let Some(error) = entry.get("error") {
        return Err(failure(error));
    }
    if let QuestionKind::Open(output) = asked.question.kind {
        let answer = entry.get("output").unwrap_or(&Value::Null);
        return written(answer, entry.get("tool_calls"), output);
    }
    let yes_no = asked.question.kind == QuestionKind::YesNo;
    let p_yes = entry.get("p_yes").filter(|_| yes_no).map(number);
    let probabilities = match p_yes {
        Some(yes) => Some(vec![
            ("yes".to_owned(), yes),
            ("no".to_owned(), complement(yes)),
        ]),
        None => pairs_of_map(entry.get("probabilities")),
    };
    let label = match entry.get("label") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    };
    let label = match label {
        None => None,
        Some(text) => match asked.question.index_of_label(&text) {
            Some(option) => Some(asked.question.options[option].key.clone()),
            None => {
                return Err(invalid(
                    "the label is none of the options",
                    &Value::from(text),
                ));
            }
        },
    };
    if label.is_none() && probabilities.is_none() {
        return Err(invalid(
            "neither `label` nor `probabilities` stands in the answer",
            entry,
        ));
    }
    let share = |name: &str| {
        entry
            .get(name)
            .and_then(Value::as_f64)
            .filter(|share| (0.0..=1.0).contains(share))
    };
    Ok(Decided {
        label,
        probabilities,
        confidence: entry.get("confidence").and_then(Value::as_f64),
        format_mass: share("format_mass"),
        written: None,
    })
}

/// An error in the words of answer files: a kind, or a map with it.
fn failure(error: &Value) -> Failure {
    let kind = error
        .as_str()
        .or_else(|| error.get("kind").and_then(Value::as_str));
    let Some(kind) = kind.and_then(FailureKind::from_name) else {
        return invalid("the error is of no known kind", error);
    };
    let message = error.get("message").and_then(Value::as_str);
    Failure {
        truncated: error.get("truncated") == Some(&Value::Bool(true)),
        quoted: message.map_or(0, str::len),
        ..Failure::new(kind, message.unwrap_or("the program says no more"))
    }
}

fn retry(failure: &Failure, error: &Value) -> Retry {
    let passes = matches!(
        failure.kind,
        FailureKind::RateLimited
            | FailureKind::Overloaded
            | FailureKind::Connect
            | FailureKind::Timeout
    );
    if !passes {
        return Retry::Never;
    }
    match error.get("retry_after_ms").and_then(Value::as_u64) {
        Some(wait) => Retry::After(Duration::from_millis(wait)),
        None => Retry::Soon,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question};

    #[expect(
        clippy::result_large_err,
        reason = "an attempt is what every call gives"
    )]
    fn answered(kind: QuestionKind, keys: &[&str], line: &Value) -> Result<Reply, Attempt> {
        let question = Question {
            name: String::new(),
            kind,
            version: None,
            instructions: String::new(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        };
        let order: Vec<u16> = (0..keys.len() as u16).collect();
        let asked = [Asked {
            question: &question,
            order: &order,
        }];
        read(line, 1, &asked)
    }

    fn decided(kind: QuestionKind, keys: &[&str], line: &Value) -> Result<Decided, Failure> {
        answered(kind, keys, line)
            .expect("a reply")
            .answers
            .remove(0)
    }

    #[test]
    fn entries_may_be_short_or_whole() {
        let keys = ["a", "b"];
        for line in [
            json!({"label": "b"}),
            json!({"answers": [{"label": "b"}], "id": 1}),
        ] {
            let decided = decided(QuestionKind::Choice, &keys, &line).expect("an answer");
            assert_eq!(decided.label.as_deref(), Some("b"));
        }
        let sure = decided(QuestionKind::YesNo, &["yes", "no"], &json!({"p_yes": 0.94}));
        let pairs = [("yes".to_owned(), 0.94), ("no".to_owned(), 0.06)];
        assert_eq!(sure.expect("an answer").probabilities, Some(pairs.to_vec()));
        let yes = decided(QuestionKind::YesNo, &["yes", "no"], &json!({"label": true}));
        assert_eq!(yes.expect("an answer").label.as_deref(), Some("yes"));
        let level = decided(QuestionKind::Score, &["0", "1"], &json!({"label": 1}));
        assert_eq!(level.expect("an answer").label.as_deref(), Some("1"));
    }

    #[test]
    fn what_is_no_answer_is_told_with_its_text() {
        for (line, text) in [
            (json!({"label": "c"}), "none of the options: `c`"),
            (json!({"answers": []}), "not answered"),
            (json!({"answers": [{}]}), "neither"),
            (json!({"label": "a", "id": 2}), "another request"),
            (json!(7), "neither"),
        ] {
            let failure = decided(QuestionKind::Choice, &["a", "b"], &line).expect_err("none");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
            assert!(failure.message.contains(text), "{failure}");
        }
    }

    #[test]
    fn errors_keep_their_kind_and_say_whether_to_try_again() {
        let attempt = |line: &Value| {
            let attempt = answered(QuestionKind::Choice, &["a"], line).expect_err("an error");
            (attempt.failure.kind, attempt.retry)
        };
        let busy = json!({"error": {"kind": "rate_limited", "retry_after_ms": 250}});
        let wait = Retry::After(Duration::from_millis(250));
        assert_eq!(attempt(&busy), (FailureKind::RateLimited, wait));
        let refused = (FailureKind::Refused, Retry::Never);
        assert_eq!(attempt(&json!({"error": "refused"})), refused);
        let odd = (FailureKind::InvalidAnswer, Retry::Never);
        assert_eq!(attempt(&json!({"error": {"text": "?"}})), odd);
        let cut = json!({"answers": [{"error": {"kind": "invalid_answer", "truncated": true}}]});
        let failure = decided(QuestionKind::Choice, &["a"], &cut).expect_err("cut off");
        assert!(failure.truncated);
    }
}
