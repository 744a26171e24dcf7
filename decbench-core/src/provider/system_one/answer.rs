//! Reading and checking what the dialect answers.
//!
//! Probabilities are kept as they came. What makes a distribution unusable (an option without a number, a value outside
//! 0..1, a sum far from 1) is for whoever scores it to judge, by the suite's own tolerance; beside a label it costs
//! nothing but the distribution. Only where nothing else says what was answered is such a reply invalid here.

use serde_json::{Map, Value};

use super::request::wire_name;
use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, QuestionKind, complement};

/// The longest label or document that is kept of an invalid answer.
const LONGEST_KEPT: usize = 300;

/// One entry per asked question, in its order.
pub(super) fn read(body: &Value, asked: &[Asked<'_>]) -> Vec<Result<Decided, Failure>> {
    let answers = body.get("answers").and_then(Value::as_object);
    asked
        .iter()
        .map(|asked| {
            let Some(answers) = answers else {
                return Err(invalid("the reply has no map `answers`", body));
            };
            match answers.get(wire_name(asked)) {
                Some(answer) => one(answer, asked),
                None => Err(invalid(
                    "the question was not answered; answers",
                    &names(answers),
                )),
            }
        })
        .collect()
}

/// Adds what the reply says about the call.
pub(super) fn read_usage(body: &Value, measured: &mut Measured) {
    let usage = |name: &str| body.get("usage")?.get(name)?.as_u64();
    measured.model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    measured.input_tokens = usage("input_tokens");
    measured.output_tokens = usage("output_tokens");
}

fn one(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let expected = match asked.question.kind {
        QuestionKind::Choice => "choice",
        QuestionKind::YesNo => "noul",
        QuestionKind::Score => "score",
    };
    if answer.get("type").and_then(Value::as_str) != Some(expected) {
        return Err(invalid(
            &format!("the question is a {expected} and the answer is not"),
            answer,
        ));
    }
    let mut decided = match asked.question.kind {
        QuestionKind::Choice => choice(answer, asked),
        QuestionKind::YesNo => yes_no(answer),
        QuestionKind::Score => score(answer, asked),
    }?;
    decided.confidence = answer.get("confidence").and_then(Value::as_f64);
    Ok(decided)
}

fn choice(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let Some(label) = answer.get("choice").and_then(Value::as_str) else {
        return Err(invalid("the answer names no option", answer));
    };
    if asked.question.index_of(label).is_none() {
        return Err(invalid(
            "the label is none of the options",
            &Value::from(label),
        ));
    }
    Ok(Decided {
        label: Some(label.to_owned()),
        probabilities: answer
            .get("probabilities")
            .filter(|value| !value.is_null())
            .map(|value| {
                value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(key, value)| (key.clone(), number(value)))
                    .collect()
            }),
        confidence: None,
    })
}

fn yes_no(answer: &Value) -> Result<Decided, Failure> {
    let yes = answer.get("noul").map_or(f64::NAN, number);
    if !(0.0..=1.0).contains(&yes) {
        return Err(invalid("P(yes) is no number from 0 to 1", answer));
    }
    Ok(Decided {
        label: None,
        probabilities: Some(vec![
            ("yes".to_owned(), yes),
            ("no".to_owned(), complement(yes)),
        ]),
        confidence: None,
    })
}

/// A score names no level: without a usable distribution there is no answer. Levels count as shown on the wire and are
/// put back to the suite's numbers here.
fn score(answer: &Value, asked: &Asked<'_>) -> Result<Decided, Failure> {
    let levels = asked.order.len();
    let shown: Option<Vec<f64>> = answer
        .get("probabilities")
        .and_then(Value::as_object)
        .filter(|map| map.len() == levels)
        .and_then(|map| {
            (0..levels)
                .map(|level| map.get(&level.to_string()).map(number))
                .collect()
        });
    let Some(shown) = shown else {
        return Err(invalid("the levels' probabilities are missing", answer));
    };
    if !shown.iter().all(|p| (0.0..=1.0).contains(p)) || shown.iter().all(|p| *p == 0.0) {
        return Err(invalid("the levels' probabilities cannot be used", answer));
    }
    if let Some(expected) = answer.get("score").and_then(Value::as_f64) {
        check_expected(expected, &shown, answer)?;
    }
    let mut probabilities: Vec<(u16, f64)> = asked.order.iter().copied().zip(shown).collect();
    probabilities.sort_by_key(|(level, _)| *level);
    Ok(Decided {
        label: None,
        probabilities: Some(
            probabilities
                .into_iter()
                .filter_map(|(level, p)| {
                    let option = asked.question.options.get(usize::from(level))?;
                    Some((option.key.clone(), p))
                })
                .collect(),
        ),
        confidence: None,
    })
}

/// The expected level must be that of the distribution, up to the rounding of both to two decimals. A distribution
/// that does not add up to 1 says nothing about it.
fn check_expected(expected: f64, shown: &[f64], answer: &Value) -> Result<(), Failure> {
    let levels = shown.len() as f64;
    let sum: f64 = shown.iter().sum();
    let mean: f64 = shown
        .iter()
        .zip(0_u32..)
        .map(|(p, level)| p * f64::from(level))
        .sum();
    let rounding = 0.005 * levels * (levels - 1.0) / 2.0 + 0.005 + 1e-9;
    if (sum - 1.0).abs() <= (0.005 * levels + 0.001).max(0.02) && (expected - mean).abs() > rounding
    {
        return Err(invalid(
            "the score contradicts its own probabilities",
            answer,
        ));
    }
    Ok(())
}

/// A number; `NaN` for what is none.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn names(answers: &Map<String, Value>) -> Value {
    answers
        .keys()
        .map(|name| Value::from(name.as_str()))
        .collect()
}

/// An invalid answer that keeps its text.
fn invalid(what: &str, kept: &Value) -> Failure {
    let text = match kept {
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    let cut = text
        .char_indices()
        .nth(LONGEST_KEPT)
        .map_or(text.len(), |(cut, _)| cut);
    let mark = if cut < text.len() { "…" } else { "" };
    Failure::new(
        FailureKind::InvalidAnswer,
        format!("{what}: {}{mark}", &text[..cut]),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question};

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
        read(&body, &asked).remove(0)
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

    #[test]
    fn levels_shown_in_another_order_are_put_back() {
        let severity = question(QuestionKind::Score, &["0", "1", "2"]);
        let answer = json!({"type": "score", "score": 0.3,
            "probabilities": {"0": 0.8, "1": 0.1, "2": 0.1}});
        let decided = answered(&severity, &[2, 0, 1], &answer).expect("an answer");
        let pairs = [("0", 0.1), ("1", 0.1), ("2", 0.8)].map(|(key, p)| (key.to_owned(), p));
        assert_eq!(decided.probabilities.as_deref(), Some(&pairs[..]));
    }

    #[test]
    fn rounding_to_two_decimals_is_no_contradiction() {
        let severity = question(QuestionKind::Score, &["0", "1", "2", "3"]);
        let with = |score: f64| {
            let answer = json!({"type": "score", "score": score,
                "probabilities": {"0": 0.33, "1": 0.33, "2": 0.33, "3": 0.0}});
            answered(&severity, &[0, 1, 2, 3], &answer)
        };
        assert!(with(1.0).is_ok());
        assert!(with(1.02).is_ok());
        let contradiction = with(1.5).expect_err("beyond any rounding");
        assert!(
            contradiction.message.contains("contradicts"),
            "{contradiction}"
        );
    }

    #[test]
    fn long_answers_are_kept_up_to_a_point() {
        let queue = question(QuestionKind::Choice, &["a"]);
        let label = "é".repeat(1000);
        let answer = json!({"type": "choice", "choice": label});
        let failure = answered(&queue, &[0], &answer).expect_err("no option");
        assert!(
            failure
                .message
                .starts_with("the label is none of the options: `éé")
        );
        assert!(failure.message.ends_with('…'));
        assert!(failure.message.chars().count() < 400);
    }
}
