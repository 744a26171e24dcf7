//! Reading and checking what the dialect answers.

use serde_json::Value;

use crate::decision::{Asked, Decided, Failure, QuestionKind};
use crate::provider::reading::{check_type, choice, levels, levels_of_map, pairs_of_map, yes_no};

/// Reads the answer to one question; some gateways refuse questions one by one.
pub(crate) fn read_one(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let expected = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => "choice",
        QuestionKind::YesNo => "noul",
        QuestionKind::Score => "score",
    };
    check_type(answer, expected)?;
    let probabilities = answer.get("probabilities");
    let mut decided = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => choice(
            answer.get("choice").and_then(Value::as_str),
            pairs_of_map(probabilities),
            asked,
            answer,
        ),
        QuestionKind::YesNo => yes_no(answer.get("noul"), answer),
        QuestionKind::Score => levels(
            levels_of_map(probabilities, asked.order.len()),
            answer.get("score").and_then(Value::as_f64),
            asked,
            answer,
        ),
    }?;
    decided.confidence = answer.get("confidence").and_then(Value::as_f64);
    Ok(decided)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question};
    use crate::provider::reading::by_name;

    fn question(kind: QuestionKind, keys: &[&str]) -> Question {
        Question {
            name: "q".to_owned(),
            kind,
            version: None,
            instructions: String::new(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        }
    }

    fn answered(question: &Question, order: &[u16], answer: &Value) -> Result<Decided, Failure> {
        let asked = [Asked { question, order }];
        let body = json!({"answers": {"q": answer, "unasked": {"type": "box"}}, "later": 1});
        by_name(&body, &asked, read_one).remove(0)
    }

    /// The examples of the contract, and what they mean.
    #[test]
    fn published_answers_are_read() {
        let damaged = question(QuestionKind::YesNo, &["yes", "no"]);
        let answer = json!({"type": "noul", "noul": 0.97});
        let decided = answered(&damaged, &[0, 1], &answer).expect("an answer");
        let pairs = [("yes".to_owned(), 0.97), ("no".to_owned(), 0.03)];
        assert_eq!(decided.probabilities.as_deref(), Some(&pairs[..]));
        assert_eq!(
            decided.label, None,
            "what one half means is the suite's to say"
        );

        let queue = question(QuestionKind::Choice, &["logistics", "billing", "other"]);
        let answer = json!({"type": "choice", "choice": "logistics", "confidence": 0.79,
            "probabilities": {"logistics": 0.86, "billing": 0.1, "other": 0.04}});
        let decided = answered(&queue, &[0, 1, 2], &answer).expect("an answer");
        assert_eq!(decided.label.as_deref(), Some("logistics"));
        assert_eq!(decided.confidence, Some(0.79));
        assert_eq!(decided.probabilities.map(|pairs| pairs[2].1), Some(0.04));

        let severity = question(QuestionKind::Score, &["0", "1", "2", "3"]);
        let answer = json!({"type": "score", "score": 1.98, "confidence": 0.68,
            "legend": {"0": "praise"}, "probabilities": {"0": 0.02, "1": 0.13, "2": 0.7, "3": 0.15}});
        let decided = answered(&severity, &[0, 1, 2, 3], &answer).expect("an answer");
        let shares: Vec<f64> = decided
            .probabilities
            .iter()
            .flatten()
            .map(|(_, p)| *p)
            .collect();
        assert_eq!(shares, [0.02, 0.13, 0.7, 0.15]);
    }
}
