//! Checks without a judge: whether an answer is what was asked for.

use serde_json::Value;

use crate::decision::{Check, CheckKind, Expected, NumberWithin, Written, same};

/// How far two numbers that are equal in their decimals may lie apart as doubles.
const ROUNDING: f64 = 1e-9;

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Which check.
    pub kind: CheckKind,
    /// What is wrong, in words; `None` where it holds.
    pub wrong: Option<String>,
}

/// What a check says of an answer; `None` where it compares with gold and the case has none.
pub fn check(check: &Check, written: &Written, expected: Option<&Expected>) -> Option<Checked> {
    let gold = expected.and_then(|expected| expected.gold.as_ref());
    if check.reads_gold() && gold.is_none() {
        return None;
    }
    let wrong = match check {
        Check::ExactMatch => exact(written, gold?),
        Check::JsonSchema(schema) => match as_document(written) {
            Ok(document) => schema.violation(&document),
            Err(wrong) => Some(wrong),
        },
        Check::MustInclude(texts) => {
            let missing = first(texts, |text| !includes(written, text));
            missing.map(|text| format!("`{text}` is not in the answer"))
        }
        Check::MustNotInclude(texts) => {
            let present = first(texts, |text| includes(written, text));
            present.map(|text| format!("`{text}` is in the answer"))
        }
        Check::RequiredTools(names) => {
            let missing = first(names, |name| !called(written, name));
            missing.map(|name| format!("the tool `{name}` was not called"))
        }
        Check::ForbiddenTools(names) => {
            let used = first(names, |name| called(written, name));
            used.map(|name| format!("the tool `{name}` was called"))
        }
        Check::NumberWithin(number) => number_within(number, written, gold),
    };
    Some(Checked {
        kind: check.kind(),
        wrong,
    })
}

fn first(texts: &[String], is_at_fault: impl Fn(&str) -> bool) -> Option<&String> {
    texts.iter().find(|text| is_at_fault(text))
}

fn includes(written: &Written, text: &str) -> bool {
    written.text().to_lowercase().contains(&text.to_lowercase())
}

fn called(written: &Written, name: &str) -> bool {
    written.tool_calls.iter().any(|call| call.name == name)
}

fn exact(written: &Written, gold: &Value) -> Option<String> {
    let holds = match (&written.output, gold) {
        (Value::String(one), Value::String(other)) => one.trim() == other.trim(),
        (one, other) => same(one, other),
    };
    (!holds).then(|| "the answer is not the expected one".to_owned())
}

/// The answer as JSON, also where it is a text that holds some.
fn as_document(written: &Written) -> Result<Value, String> {
    match &written.output {
        Value::String(text) => {
            serde_json::from_str(text).map_err(|error| format!("the answer is no JSON: {error}"))
        }
        document => Ok(document.clone()),
    }
}

fn number_within(number: &NumberWithin, written: &Written, gold: Option<&Value>) -> Option<String> {
    let at = number.at.as_deref();
    let wanted = number.value.or_else(|| number_at(at, gold?));
    let Some(wanted) = wanted else {
        return Some("the gold holds no such number".to_owned());
    };
    let Some(found) = number_at(at, &written.output) else {
        return Some(match at {
            Some(at) => format!("no number stands at {at}"),
            None => "the answer holds no number".to_owned(),
        });
    };
    let off = (found - wanted).abs();
    let allowed = number.tolerance + ROUNDING * wanted.abs().max(1.0);
    // Both are numbers of JSON, so that neither is NaN.
    (off > allowed).then(|| format!("{found} is not within {} of {wanted}", number.tolerance))
}

/// The number at a pointer of a document, or the first of a text.
fn number_at(at: Option<&str>, output: &Value) -> Option<f64> {
    let parsed;
    let place = match (at, output) {
        (Some(at), Value::String(text)) => {
            parsed = serde_json::from_str::<Value>(text).ok()?;
            parsed.pointer(at)?
        }
        (Some(at), document) => document.pointer(at)?,
        (None, document) => document,
    };
    match place {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => first_number(text),
        _ => None,
    }
}

/// The first number of a text: digits with an optional sign before them or before their currency, thousands in groups of
/// three after commas, and decimals after a point. A hyphen behind a letter, as in `order-7`, is no sign.
fn first_number(text: &str) -> Option<f64> {
    let begin = text.find(|letter: char| letter.is_ascii_digit())?;
    let mut digits = String::new();
    let before = text[..begin].trim_end_matches(['$', '€', '£', '¥']);
    let unsigned = before.strip_suffix(['-', '−']);
    if unsigned.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)) {
        digits.push('-');
    }
    let rest = &text.as_bytes()[begin..];
    let is_digit = |at: usize| rest.get(at).is_some_and(u8::is_ascii_digit);
    let group = |at: usize| (1..=3).all(|next| is_digit(at + next)) && !is_digit(at + 4);
    let mut in_decimals = false;
    for (at, letter) in rest.iter().enumerate() {
        match *letter {
            digit if digit.is_ascii_digit() => digits.push(char::from(digit)),
            b',' if !in_decimals && group(at) => {}
            b'.' if !in_decimals && is_digit(at + 1) => {
                in_decimals = true;
                digits.push('.');
            }
            _ => break,
        }
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::decision::{JsonSchema, ToolCall};

    /// What a check says: that it holds, that it does not, or nothing.
    fn says(check: &Check, written: &Written, gold: Option<Value>) -> &'static str {
        let expected = Expected {
            gold,
            ..Expected::default()
        };
        match super::check(check, written, Some(&expected)) {
            None => "nothing",
            Some(Checked { wrong: None, .. }) => "holds",
            Some(_) => "fails",
        }
    }

    #[test]
    fn every_check_holds_of_one_answer_and_fails_of_another() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let tools = |name: &str| Written {
            tool_calls: vec![ToolCall {
                name: name.to_owned(),
                arguments: Value::Null,
            }],
            ..Written::new("done")
        };
        let schema = JsonSchema::read(&json!({"required": ["total"]})).expect("a schema");
        let number = |at: Option<&str>, tolerance| {
            Check::NumberWithin(NumberWithin {
                at: at.map(str::to_owned),
                value: Some(12.5),
                tolerance,
            })
        };
        for (check, right, bad) in [
            (
                Check::JsonSchema(schema),
                Written::new("{\"total\": 1}"),
                Written::new("total"),
            ),
            (
                Check::MustInclude(texts(&["Refund", "14 days"])),
                Written::new("Your REFUND comes within 14 days."),
                Written::new("Your refund comes."),
            ),
            (
                Check::MustNotInclude(texts(&["guarantee"])),
                Written::new("We try."),
                Written::new("We Guarantee it."),
            ),
            (
                Check::RequiredTools(texts(&["find_order"])),
                tools("find_order"),
                tools("refund"),
            ),
            (
                Check::ForbiddenTools(texts(&["refund"])),
                tools("find_order"),
                tools("refund"),
            ),
            (
                number(Some("/total"), 0.01),
                Written::new(json!({"total": 12.51})),
                Written::new(json!({"total": 12.52})),
            ),
            (
                number(None, 0.0),
                Written::new("It is $12.50 in all, of 3."),
                Written::new("It is nothing."),
            ),
        ] {
            assert_eq!(says(&check, &right, None), "holds", "{check:?}");
            assert_eq!(says(&check, &bad, None), "fails", "{check:?}");
        }
    }

    #[test]
    fn what_is_compared_with_gold_says_nothing_without() {
        let document = Written::new(json!({"a": 1.0, "b": [2]}));
        let number = Check::NumberWithin(NumberWithin {
            at: None,
            value: None,
            tolerance: 1.0,
        });
        for (check, written, gold, expected) in [
            (&Check::ExactMatch, Written::new("a"), None, "nothing"),
            (
                &Check::ExactMatch,
                Written::new(" a\n"),
                Some(json!("a")),
                "holds",
            ),
            (
                &Check::ExactMatch,
                Written::new("A"),
                Some(json!("a")),
                "fails",
            ),
            (
                &Check::ExactMatch,
                document,
                Some(json!({"b": [2], "a": 1})),
                "holds",
            ),
            (&number, Written::new("41"), None, "nothing"),
            (
                &number,
                Written::new("41"),
                Some(json!("about 42")),
                "holds",
            ),
            (&number, Written::new("44"), Some(json!(42)), "fails"),
        ] {
            assert_eq!(says(check, &written, gold), expected, "{written:?}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("1,250.50 dollars", Some(1250.5)),
            ("in 2026, 7 came", Some(2026.0)),
            ("-3 degrees", Some(-3.0)),
            ("It is -$12.50.", Some(-12.5)),
            ("order-7 is late", Some(7.0)),
            ("1,25", Some(1.0)),
            ("Done.", None),
            ("on the 3.", Some(3.0)),
        ] {
            assert_eq!(first_number(text), number, "{text}");
        }
    }
}
