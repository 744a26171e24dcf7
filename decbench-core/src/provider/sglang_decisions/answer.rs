//! Reading and checking what the dialect answers.

use serde_json::Value;

use crate::decision::{Asked, Decided, Failure, Measured, QuestionKind};
use crate::provider::reading::{
    by_name, choice, levels, levels_of_map, number, pairs_of_map, yes_no,
};
use crate::provider::version::as_requested;

/// Adds what the reply says about the call.
pub(super) fn read_usage(reply: &Value, requested: &str, measured: &mut Measured) {
    let usage = |name: &str| reply.get("usage")?.get(name)?.as_u64();
    let served = reply.get("model").and_then(Value::as_str);
    measured.model = Some(served.map_or_else(|| as_requested(requested), str::to_owned));
    measured.input_tokens = usage("prompt_tokens");
    measured.output_tokens = usage("total_tokens")
        .zip(measured.input_tokens)
        .map(|(total, sent)| total.saturating_sub(sent));
}

/// One entry per asked question, in the order asked.
pub(super) fn read(reply: &Value, asked: &[Asked<'_>]) -> Vec<Result<Decided, Failure>> {
    by_name(reply, asked, one)
}

/// The dialect states no confidence. Whether an answer repeats the question's type is not published.
fn one(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let probabilities = answer.get("probabilities");
    let decided = match asked.question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => choice(
            answer.get("choice").and_then(Value::as_str),
            pairs_of_map(probabilities),
            asked,
            answer,
        ),
        QuestionKind::YesNo => yes_no(probabilities.and_then(|map| map.get("yes")), answer),
        QuestionKind::Score => levels(
            levels_of_map(probabilities, asked.order.len())
                .or_else(|| levels_by_text(probabilities, asked)),
            answer.get("score").and_then(Value::as_f64),
            asked,
            answer,
        ),
    }?;
    let mass = answer.get("label_mass").and_then(Value::as_f64);
    Ok(Decided {
        format_mass: mass.filter(|mass| (0.0..=1.0).contains(mass)),
        ..decided
    })
}

/// Levels keyed by their texts, where each of them is there.
fn levels_by_text(distribution: Option<&Value>, asked: &Asked<'_>) -> Option<Vec<f64>> {
    let map = distribution?
        .as_object()
        .filter(|map| map.len() == asked.order.len())?;
    asked
        .shown()
        .map(|level| map.get(level.description.as_deref().unwrap_or(&level.key)))
        .map(|p| p.map(number))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question};

    fn read_as(
        kind: QuestionKind,
        options: Vec<AnswerOption>,
        answer: &Value,
    ) -> Result<Decided, Failure> {
        let question = Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "?".to_owned(),
            options,
        };
        let order: Vec<u16> = (0..3).take(question.options.len()).collect();
        let asked = [Asked {
            question: &question,
            order: &order,
        }];
        read(&json!({"answers": {"decision": answer}}), &asked).remove(0)
    }

    #[test]
    fn every_kind_of_answer_is_read_and_no_confidence_is_made_up() {
        let labels = || ["a", "b"].map(AnswerOption::new).to_vec();
        let answer =
            json!({"choice": "a", "probabilities": {"a": 0.9, "b": 0.1}, "label_mass": 0.97});
        let decided = read_as(QuestionKind::Choice, labels(), &answer).expect("an answer");
        assert_eq!(
            (decided.label.as_deref(), decided.confidence),
            (Some("a"), None)
        );
        assert_eq!(decided.format_mass, Some(0.97));

        let sides = ["yes", "no"].map(AnswerOption::new).to_vec();
        let answer = json!({"probabilities": {"yes": 0.25, "no": 0.75}});
        let decided = read_as(QuestionKind::YesNo, sides, &answer).expect("an answer");
        assert_eq!(decided.probabilities.map(|pairs| pairs[0].1), Some(0.25));

        let levels = || {
            vec![
                AnswerOption::new("0").described("calm"),
                AnswerOption::new("1").described("furious"),
            ]
        };
        for keys in [["0", "1"], ["calm", "furious"]] {
            let answer = json!({"score": 0.3, "probabilities": {keys[0]: 0.7, keys[1]: 0.3}});
            let decided = read_as(QuestionKind::Score, levels(), &answer).expect("an answer");
            assert_eq!(decided.probabilities.map(|pairs| pairs[1].1), Some(0.3));
        }
        let answer = json!({"score": 0.3, "probabilities": {"calm": 0.7}});
        assert!(read_as(QuestionKind::Score, levels(), &answer).is_err());
    }

    #[test]
    fn tokens_are_told_apart_and_an_unnamed_model_is_marked() {
        let mut measured = Measured::default();
        let reply = json!({"usage": {"prompt_tokens": 40, "total_tokens": 43}});
        read_usage(&reply, "m", &mut measured);
        assert_eq!(
            (measured.input_tokens, measured.output_tokens),
            (Some(40), Some(3))
        );
        assert_eq!(measured.model.as_deref(), Some("m (as requested)"));
    }
}
