//! Reading and checking what the dialect answers.

use serde_json::Value;

use crate::decision::{Asked, Decided, Failure, FailureKind, Measured};
use crate::provider::reading::by_name;
use crate::provider::system_one::read_one;
use crate::provider::version::as_requested;

/// Adds what the reply says about the call.
pub(super) fn read_usage(reply: &Value, requested: &str, measured: &mut Measured) {
    let usage = |name: &str| reply.get("usage")?.get(name)?.as_u64();
    measured.model = Some(as_requested(requested));
    measured.input_tokens = usage("total_input_tokens");
    measured.output_tokens = usage("total_output_tokens");
}

/// One entry per asked question. Answers are shaped as those of System One; a blocked input has none.
pub(super) fn read(reply: &Value, asked: &[Asked<'_>]) -> Vec<Result<Decided, Failure>> {
    let blocked = reply
        .get("prompt_feedback")
        .and_then(|feedback| feedback.get("block_reason"))
        .filter(|reason| !reason.is_null());
    match blocked {
        Some(reason) => {
            let reason = reason.as_str().unwrap_or("no known reason");
            let what = "the service refused the input";
            let refusal = Failure::quoting(FailureKind::Refused, what, reason);
            asked.iter().map(|_| Err(refusal.clone())).collect()
        }
        None => by_name(reply, asked, read_one),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question, QuestionKind};

    #[test]
    fn published_answers_are_read_and_a_blocked_input_is_refused() {
        let damaged = Question {
            name: "damaged".to_owned(),
            kind: QuestionKind::YesNo,
            version: None,
            instructions: "?".to_owned(),
            options: ["yes", "no"].map(AnswerOption::new).to_vec(),
        };
        let asked = [Asked {
            question: &damaged,
            order: &[0, 1],
        }];
        let reply = json!({
            "answers": {"damaged": {"type": "noul", "noul": 0.95, "confidence": 0.95}},
            "usage": {"total_input_tokens": 41, "total_output_tokens": 0, "total_tokens": 41},
        });
        let mut measured = Measured::default();
        read_usage(&reply, "gemini-decision-1", &mut measured);
        assert_eq!(
            measured.model.as_deref(),
            Some("gemini-decision-1 (as requested)")
        );
        assert_eq!(measured.input_tokens, Some(41));
        let decided = read(&reply, &asked).remove(0).expect("an answer");
        assert_eq!(decided.probabilities.map(|pairs| pairs[0].1), Some(0.95));
        assert_eq!(decided.confidence, Some(0.95));

        let blocked =
            json!({"prompt_feedback": {"block_reason": "safety", "block_reason_message": "…"}});
        let refusal = read(&blocked, &asked).remove(0).expect_err("a refusal");
        assert_eq!(refusal.kind, FailureKind::Refused);
        assert!(refusal.message.contains("safety"), "{refusal}");
    }
}
