//! What every dialect's answers go through: labels and numbers to a decision, or to a failure that keeps their text.
//!
//! Probabilities are kept as they came. What makes a distribution unusable (an option without a number, a value outside
//! 0..1, a sum far from 1) is for whoever scores it to judge, by the suite's own tolerance; beside a label it costs
//! nothing but the distribution. Only where nothing else says what was answered is such a reply invalid here.

use serde_json::{Map, Value};

use crate::decision::{
    Asked, Decided, Failure, FailureKind, Measured, Output, ToolCall, Written, complement,
};

/// The longest label or document that is kept of an invalid answer.
const LONGEST_KEPT: usize = 300;

/// The name on the wire of a suite's only, unnamed question, for dialects that want one.
const UNNAMED: &str = "decision";

/// The name of a question on the wire; it only labels the answer.
pub(super) fn wire_name<'a>(asked: &Asked<'a>) -> &'a str {
    if asked.question.name.is_empty() {
        UNNAMED
    } else {
        &asked.question.name
    }
}

/// The answers of a map by the questions' names on the wire, each read by `one`, in the order asked.
pub(super) fn by_name(
    reply: &Value,
    asked: &[Asked<'_>],
    one: impl Fn(&Value, &Asked<'_>) -> Result<Decided, Failure>,
) -> Vec<Result<Decided, Failure>> {
    let answers = reply.get("answers").and_then(Value::as_object);
    let read = |asked: &Asked<'_>| {
        let Some(answers) = answers else {
            return Err(invalid("the reply has no map `answers`", reply));
        };
        match answers.get(wire_name(asked)) {
            Some(answer) => one(answer, asked),
            None => Err(invalid(
                "the question was not answered; answers",
                &names(answers),
            )),
        }
    };
    asked.iter().map(read).collect()
}

/// The label of a choice, with the distribution as it came.
pub(super) fn choice(
    label: Option<&str>,
    probabilities: Option<Vec<(String, f64)>>,
    asked: &Asked<'_>,
    answer: &Value,
) -> Result<Decided, Failure> {
    let Some(label) = label else {
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
        probabilities,
        ..Decided::default()
    })
}

/// P(yes); which label that is at exactly one half is the suite's to say.
pub(super) fn yes_no(yes: Option<&Value>, answer: &Value) -> Result<Decided, Failure> {
    let yes = yes.map_or(f64::NAN, number);
    if !(0.0..=1.0).contains(&yes) {
        return Err(invalid("P(yes) is no number from 0 to 1", answer));
    }
    Ok(Decided {
        label: None,
        probabilities: Some(vec![
            ("yes".to_owned(), yes),
            ("no".to_owned(), complement(yes)),
        ]),
        ..Decided::default()
    })
}

/// The levels' probabilities in the order shown, put back to the suite's numbers. A score names no level: without a
/// usable distribution there is no answer. `expected` is the mean level that the answer states, if it does.
pub(super) fn levels(
    shown: Option<Vec<f64>>,
    expected: Option<f64>,
    asked: &Asked<'_>,
    answer: &Value,
) -> Result<Decided, Failure> {
    let Some(shown) = shown.filter(|shown| shown.len() == asked.order.len()) else {
        return Err(invalid("the levels' probabilities are missing", answer));
    };
    if !shown.iter().all(|p| (0.0..=1.0).contains(p)) || shown.iter().all(|p| *p == 0.0) {
        return Err(invalid("the levels' probabilities cannot be used", answer));
    }
    if let Some(expected) = expected {
        check_expected(expected, &shown, answer)?;
    }
    let mut by_level: Vec<(u16, f64)> = asked.order.iter().copied().zip(shown).collect();
    by_level.sort_by_key(|(level, _)| *level);
    let options = &asked.question.options;
    let probabilities = by_level
        .into_iter()
        .filter_map(|(level, p)| Some((options.get(usize::from(level))?.key.clone(), p)));
    Ok(Decided {
        label: None,
        probabilities: Some(probabilities.collect()),
        ..Decided::default()
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

/// A distribution that is a map from label to number; an empty list where it is something else.
pub(super) fn pairs_of_map(distribution: Option<&Value>) -> Option<Vec<(String, f64)>> {
    let distribution = distribution.filter(|value| !value.is_null())?;
    let entries = distribution.as_object().into_iter().flatten();
    Some(
        entries
            .map(|(key, value)| (key.clone(), number(value)))
            .collect(),
    )
}

/// The numbers of a map `"0"`, `"1"`, … that has exactly so many entries.
pub(super) fn levels_of_map(distribution: Option<&Value>, levels: usize) -> Option<Vec<f64>> {
    let map = distribution?
        .as_object()
        .filter(|map| map.len() == levels)?;
    (0..levels)
        .map(|level| map.get(&level.to_string()).map(number))
        .collect()
}

/// An answer in the candidate's own words to an open question; an empty one, or one that is no JSON where JSON is asked
/// for, is none.
pub(crate) fn written(
    answer: &Value,
    tool_calls: Option<&Value>,
    output: Output,
) -> Result<Decided, Failure> {
    let mut written = Written::of_value(answer, output).map_err(|what| invalid(&what, answer))?;
    if let Some(calls) = tool_calls.filter(|calls| !calls.is_null()) {
        written.tool_calls = ToolCall::list(calls).ok_or_else(|| {
            invalid(
                "`tool_calls` is no list of maps with a name and arguments",
                calls,
            )
        })?;
    }
    Ok(Decided::written(written))
}

/// A number; `NaN` for what is none.
pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn names(answers: &Map<String, Value>) -> Value {
    answers
        .keys()
        .map(|name| Value::from(name.as_str()))
        .collect()
}

/// A question that the service will not judge.
pub(super) fn refused(what: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Refused, what)
}

/// That an answer is of the type `expected`; a refusal of the one question is the model's own answer.
pub(super) fn check_type(answer: &Value, expected: &str) -> Result<(), Failure> {
    match answer.get("type").and_then(Value::as_str) {
        Some("refusal") => Err(refused("the service refused this question")),
        Some(kind) if kind == expected => Ok(()),
        _ => Err(invalid(
            &format!("the question is a {expected} and the answer is not"),
            answer,
        )),
    }
}

/// The names under `usage` of tokens sent and received that most dialects use.
pub(super) const TOKENS: [&str; 2] = ["input_tokens", "output_tokens"];

/// Adds what a reply says about the call: its `model`, and under `usage` the tokens sent and received by these names.
pub(super) fn read_usage(reply: &Value, [sent, received]: [&str; 2], measured: &mut Measured) {
    let usage = |name: &str| reply.get("usage")?.get(name)?.as_u64();
    measured.model = reply
        .get("model")
        .and_then(Value::as_str)
        .map(str::to_owned);
    measured.input_tokens = usage(sent);
    measured.output_tokens = usage(received);
}

/// An invalid answer that keeps its text, until the provider compares it with what it sent.
pub(super) fn invalid(what: &str, kept: &Value) -> Failure {
    let text = match kept {
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    let cut = text
        .char_indices()
        .nth(LONGEST_KEPT)
        .map_or(text.len(), |(cut, _)| cut);
    let mark = if cut < text.len() { "…" } else { "" };
    let words = format!("{}{mark}", &text[..cut]);
    Failure::quoting(FailureKind::InvalidAnswer, what, &words)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{AnswerOption, Question, QuestionKind};

    fn question(kind: QuestionKind, keys: &[&str]) -> Question {
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: String::new(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        }
    }

    #[test]
    fn levels_shown_in_another_order_are_put_back() {
        let severity = question(QuestionKind::Score, &["0", "1", "2"]);
        let asked = Asked {
            question: &severity,
            order: &[2, 0, 1],
        };
        let shown = Some(vec![0.8, 0.1, 0.1]);
        let decided = levels(shown, Some(0.3), &asked, &Value::Null).expect("an answer");
        let pairs = [("0", 0.1), ("1", 0.1), ("2", 0.8)].map(|(key, p)| (key.to_owned(), p));
        assert_eq!(decided.probabilities.as_deref(), Some(&pairs[..]));
    }

    #[test]
    fn rounding_to_two_decimals_is_no_contradiction() {
        let severity = question(QuestionKind::Score, &["0", "1", "2", "3"]);
        let asked = Asked {
            question: &severity,
            order: &[0, 1, 2, 3],
        };
        let with = |score: f64| {
            let shown = Some(vec![0.33, 0.33, 0.33, 0.0]);
            levels(shown, Some(score), &asked, &Value::Null)
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
        let asked = Asked {
            question: &queue,
            order: &[0],
        };
        let label = "é".repeat(1000);
        let failure = choice(Some(&label), None, &asked, &json!({})).expect_err("no option");
        assert!(
            failure
                .message
                .starts_with("the label is none of the options: `éé")
        );
        assert!(failure.message.ends_with('…'));
        assert!(failure.message.chars().count() < 400);
    }
}
