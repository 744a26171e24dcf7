//! A Chat Completions reply: what was said, how it ended, and what it took.

use serde_json::Value;

use crate::decision::{Failure, FailureKind, Measured};
use crate::provider::reading::{invalid, read_usage};

/// What a model said.
pub(super) struct Said<'r> {
    /// The text, without blanks around it; empty where there is none.
    pub(super) text: &'r str,
    /// Whether it was cut off at the longest allowed.
    pub(super) cut_off: bool,
    /// The tokens with their alternatives, where the service gives them.
    pub(super) tokens: Option<&'r Vec<Value>>,
}

/// Reads a reply; what it says about the call goes into `measured`.
pub(super) fn read<'r>(reply: &'r Value, measured: &mut Measured) -> Result<Said<'r>, Failure> {
    read_usage(reply, ["prompt_tokens", "completion_tokens"], measured);
    let choice = reply.get("choices").and_then(|choices| choices.get(0));
    let Some(choice) = choice else {
        return Err(invalid("the reply has no choices", reply));
    };
    let finish = choice.get("finish_reason").and_then(Value::as_str);
    let message = choice.get("message").unwrap_or(&Value::Null);
    let refusal = message.get("refusal").and_then(Value::as_str);
    // Words of a refusal tend to repeat what was sent, so they are not kept.
    if refusal.is_some_and(|refusal| !refusal.is_empty()) || finish == Some("content_filter") {
        return Err(refused());
    }
    Ok(Said {
        text: message
            .get("content")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim(),
        cut_off: finish == Some("length"),
        tokens: choice
            .get("logprobs")
            .and_then(|logprobs| logprobs.get("content"))
            .and_then(Value::as_array),
    })
}

pub(super) fn refused() -> Failure {
    Failure::new(FailureKind::Refused, "the model declined to answer")
}

/// A reply that was cut off before it said an answer.
pub(super) fn cut_off(text: &str) -> Failure {
    Failure {
        truncated: true,
        ..invalid(
            "the reply was cut off before it was an answer; raise `max_tokens`",
            &Value::from(text),
        )
    }
}

/// The position among `labels` that a reply names: by its label, or by the option's own key, with the full stop or the
/// quotes that models like to add.
pub(super) fn named(text: &str, labels: &[String], keys: &[&str]) -> Option<usize> {
    let bare = text.trim_matches(|letter: char| {
        letter.is_whitespace() || matches!(letter, '.' | ')' | '(' | '"' | '\'' | '*' | '`')
    });
    let key = |name: &str| keys.iter().position(|known| *known == name);
    labels
        .iter()
        .position(|label| label == bare)
        .or_else(|| key(text))
        .or_else(|| key(bare))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_of(reply: &Value) -> Result<(String, bool), Failure> {
        let mut measured = Measured::default();
        read(reply, &mut measured).map(|said| (said.text.to_owned(), said.cut_off))
    }

    #[test]
    fn text_end_and_refusals_are_told_apart() {
        let with = |message: Value, finish: &str| json!({"choices": [{"message": message, "finish_reason": finish}]});
        let said = read_of(&with(json!({"content": " 2\n", "refusal": null}), "stop"));
        assert_eq!(said, Ok(("2".to_owned(), false)));
        let cut = read_of(&with(json!({"content": null}), "length"));
        assert_eq!(cut, Ok((String::new(), true)));
        for refused in [
            with(json!({"content": null, "refusal": "I won't"}), "stop"),
            with(json!({"content": ""}), "content_filter"),
        ] {
            let failure = read_of(&refused).expect_err("a refusal");
            assert_eq!(failure.kind, FailureKind::Refused);
        }
        let failure = read_of(&json!({"choices": []})).expect_err("nothing");
        assert_eq!(failure.kind, FailureKind::InvalidAnswer);
    }

    #[test]
    fn a_label_is_recognised_in_its_usual_dress_and_nothing_else_is() {
        let labels = ["1", "2"].map(str::to_owned);
        let keys = ["billing", "it's broken."];
        for (text, position) in [
            ("1", Some(0)),
            ("**2.**", Some(1)),
            ("billing", Some(0)),
            ("it's broken.", Some(1)),
            ("1 or 2", None),
            ("11", None),
            ("", None),
        ] {
            assert_eq!(named(text, &labels, &keys), position, "{text}");
        }
    }
}
