//! One row to the answers that stand in it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::fields::{Fields, Place};
use super::rows::{Row, at, json_in};
use crate::collect::line::amount_taken;
use crate::decision::{
    Answer, Context, Decided, Failure, FailureKind, Measured, Probe, Question, QuestionKind,
    complement,
};
use crate::provider::reading::written;

/// What a row speaks about.
pub(super) struct Subject {
    pub(super) case: String,
    /// The question it names, if it names one.
    pub(super) question: Option<String>,
}

/// Which case and question a row speaks about.
pub(super) fn subject(row: &Row, fields: &Fields) -> Result<Subject, String> {
    let case = one(row, fields, "case")
        .and_then(|value| scalar_text(&value))
        .ok_or("it names no case")?;
    let question = one(row, fields, "question").and_then(|value| scalar_text(&value));
    Ok(Subject { case, question })
}

/// The answers of a row to a question: one, or one per repeat. Repeats that the row leaves empty are left out.
pub(super) fn answers(
    row: &Row,
    fields: &Fields,
    case: &str,
    question: &Question,
) -> Result<Vec<Answer>, String> {
    let base = match one(row, fields, "repeat") {
        None => 0,
        Some(value) => scalar_text(&value)
            .and_then(|text| text.parse::<u32>().ok())
            .ok_or("its repeat is no whole number")?,
    };
    let context = match one(row, fields, "context").and_then(|value| scalar_text(&value)) {
        None => Context::Production,
        Some(name) => {
            Context::from_name(&name).ok_or_else(|| format!("unknown context `{name}`"))?
        }
    };
    let order = match one(row, fields, "order") {
        None => Vec::new(),
        Some(value) => order(&value, question)?,
    };
    let mut answers = Vec::new();
    for repeat in 0..fields.repeats() {
        let Some(outcome) = outcome(row, fields, repeat, question)? else {
            continue;
        };
        answers.push(Answer {
            case: case.to_owned(),
            question: question.name.clone(),
            probe: Probe {
                repeat: base + repeat as u32,
                order: order.clone(),
                context,
            },
            request: None,
            outcome,
            measured: measured(row, fields, repeat)?,
        });
    }
    if answers.is_empty() {
        let lacks = if question.kind.is_open() {
            "it holds no `output`"
        } else {
            "it holds neither a label nor probabilities"
        };
        return Err(lacks.to_owned());
    }
    Ok(answers)
}

fn outcome(
    row: &Row,
    fields: &Fields,
    repeat: usize,
    question: &Question,
) -> Result<Option<Result<Decided, Failure>>, String> {
    if let Some(error) = nth(row, fields, "error", repeat) {
        return failure(&error).map(|failure| Some(Err(failure)));
    }
    if let QuestionKind::Open(output) = question.kind {
        let Some(answer) = nth(row, fields, "output", repeat) else {
            return Ok(None);
        };
        let calls = nth(row, fields, "tool_calls", repeat);
        return Ok(Some(written(&answer, calls.as_deref(), output)));
    }
    let label = nth(row, fields, "label", repeat);
    let probabilities = match nth(row, fields, "p_yes", repeat) {
        Some(value) if question.kind == QuestionKind::YesNo => {
            let yes = number(&value).unwrap_or(f64::NAN);
            Some(vec![
                ("yes".to_owned(), yes),
                ("no".to_owned(), complement(yes)),
            ])
        }
        Some(_) => return Err("`p_yes` answers only a yes/no question".to_owned()),
        None => distribution(row, fields, repeat, question),
    };
    if label.is_none() && probabilities.is_none() {
        return Ok(None);
    }
    let label = match label {
        None => None,
        Some(value) => {
            let text = scalar_text(&value).unwrap_or_else(|| value.to_string());
            match index_of(&text, question) {
                Some(index) => Some(question.options[index].key.clone()),
                None => {
                    return Ok(Some(Err(Failure::new(
                        FailureKind::InvalidAnswer,
                        format!("`{text}` is none of the options"),
                    ))));
                }
            }
        }
    };
    Ok(Some(Ok(Decided {
        label,
        probabilities,
        confidence: nth(row, fields, "confidence", repeat).and_then(|value| number(&value)),
        format_mass: nth(row, fields, "format_mass", repeat).and_then(|value| number(&value)),
        written: None,
    })))
}

/// The option a person means; a level may also be written as a number with a fraction of zero, as spreadsheets do.
fn index_of(text: &str, question: &Question) -> Option<usize> {
    let trimmed = text.trim();
    question
        .index_of_label(text)
        .or_else(|| question.index_of_label(trimmed))
        .or_else(|| match question.kind {
            QuestionKind::YesNo => question.index_of_label(&trimmed.to_lowercase()),
            QuestionKind::Score => question.index_of_label(trimmed.strip_suffix(".0")?),
            QuestionKind::Choice | QuestionKind::Open(_) => None,
        })
}

fn distribution(
    row: &Row,
    fields: &Fields,
    repeat: usize,
    question: &Question,
) -> Option<Vec<(String, f64)>> {
    let canonical = |label: &str| {
        index_of(label, question).map_or_else(
            || label.to_owned(),
            |index| question.options[index].key.clone(),
        )
    };
    let pair =
        |(label, value): (&String, &Value)| (canonical(label), number(value).unwrap_or(f64::NAN));
    if let Place::PerLabel(columns) = fields.of("probabilities") {
        let pairs: Vec<_> = columns
            .iter()
            .filter_map(|(label, column)| Some(pair((label, at(&row.fields, column)?.as_ref()))))
            .collect();
        return (repeat == 0 && !pairs.is_empty()).then_some(pairs);
    }
    let Some(value) = nth(row, fields, "probabilities", repeat) else {
        return columns_of_labels(&row.fields, repeat, pair);
    };
    let value = match value.as_ref() {
        Value::String(text) => json_in(text).map_or(value, Cow::Owned),
        _ => value,
    };
    Some(match value.as_ref() {
        Value::Object(map) => map.iter().map(pair).collect(),
        Value::Array(list) if list.len() == question.options.len() => question
            .options
            .iter()
            .zip(list)
            .map(|(option, value)| (option.key.clone(), number(value).unwrap_or(f64::NAN)))
            .collect(),
        // Something stands there and cannot be used; an empty distribution says so to whoever scores it.
        _ => Vec::new(),
    })
}

/// Columns such as `probabilities.billing`, as a flattened table has them.
fn columns_of_labels(
    row: &Map<String, Value>,
    repeat: usize,
    pair: impl Fn((&String, &Value)) -> (String, f64),
) -> Option<Vec<(String, f64)>> {
    let pairs: Vec<_> = row
        .iter()
        .filter_map(|(column, value)| {
            let label = column.strip_prefix("probabilities.")?.to_owned();
            Some(pair((&label, value)))
        })
        .collect();
    (repeat == 0 && !pairs.is_empty()).then_some(pairs)
}

fn order(value: &Value, question: &Question) -> Result<Vec<u16>, String> {
    let value = match value {
        Value::String(text) => json_in(text).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let order: Option<Vec<u16>> = value.as_array().and_then(|items| {
        items
            .iter()
            .map(|item| u16::try_from(item.as_u64()?).ok())
            .collect()
    });
    let order = order.ok_or("its order is no list of positions")?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted
        .iter()
        .map(|position| usize::from(*position))
        .eq(0..question.options.len())
    {
        Ok(order)
    } else {
        Err(format!(
            "its order does not list each of the positions 0 to {} once",
            question.options.len().saturating_sub(1)
        ))
    }
}

fn failure(value: &Value) -> Result<Failure, String> {
    let (kind, message, truncated) = match value {
        Value::String(text) => match json_in(text) {
            Some(inner) => return failure(&inner),
            None => (text.as_str(), "", false),
        },
        Value::Object(map) => (
            map.get("kind").and_then(Value::as_str).unwrap_or_default(),
            map.get("message")
                .and_then(Value::as_str)
                .unwrap_or_default(),
            map.get("truncated") == Some(&Value::Bool(true)),
        ),
        _ => return Err("its error is neither a kind nor a map".to_owned()),
    };
    let known = FailureKind::from_name(kind).ok_or_else(|| {
        let names: Vec<_> = FailureKind::ALL.map(FailureKind::name).to_vec();
        format!(
            "unknown kind of error `{kind}`; known are {}",
            names.join(", ")
        )
    })?;
    Ok(Failure {
        truncated,
        ..Failure::new(known, message)
    })
}

fn measured(row: &Row, fields: &Fields, repeat: usize) -> Result<Measured, String> {
    let number_at = |part| nth(row, fields, part, repeat).and_then(|value| number(&value));
    // Tables write `NaN` where there is nothing.
    let amount_at = |part| match number_at(part).filter(|amount| !amount.is_nan()) {
        Some(amount) => amount_taken(part, amount).map(Some),
        None => Ok(None),
    };
    let whole_at = |part| {
        number_at(part)
            .filter(|number| *number >= 0.0 && number.fract() == 0.0)
            .map(|number| number as u64)
    };
    let text_at = |part| nth(row, fields, part, repeat).and_then(|value| scalar_text(&value));
    Ok(Measured {
        model: text_at("model"),
        latency_ms: amount_at("latency_ms")?,
        connect_ms: amount_at("connect_ms")?,
        cold: text_at("cold").and_then(|text| text.to_lowercase().parse().ok()),
        attempts: whole_at("attempts").and_then(|number| u32::try_from(number).ok()),
        input_tokens: whole_at("input_tokens"),
        output_tokens: whole_at("output_tokens"),
        cost_usd: amount_at("cost_usd")?,
        at: text_at("at"),
    })
}

/// A part that stands once in a row.
fn one<'r>(row: &'r Row, fields: &Fields, part: &str) -> Option<Cow<'r, Value>> {
    nth(row, fields, part, 0)
}

/// A part of one repeat. Who named the columns of an answer once means the first repeat; measurements that stand
/// once hold for every repeat.
fn nth<'r>(row: &'r Row, fields: &Fields, part: &str, repeat: usize) -> Option<Cow<'r, Value>> {
    const OF_THE_ANSWER: [&str; 8] = [
        "label",
        "output",
        "tool_calls",
        "probabilities",
        "p_yes",
        "confidence",
        "format_mass",
        "error",
    ];
    match fields.of(part) {
        Place::One(_) if repeat > 0 && OF_THE_ANSWER.contains(&part) => None,
        Place::One(columns) => columns.iter().find_map(|column| at(&row.fields, column)),
        Place::PerRepeat(columns) => at(&row.fields, columns.get(repeat)?),
        Place::PerLabel(_) => None,
    }
}

/// A number, also where it stands as text.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The text of a label or name, also where it stands as a number or truth value.
fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}
