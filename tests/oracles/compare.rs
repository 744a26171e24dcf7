//! What a statistic answered, and how it is held against the expected value.

use std::fmt;

use decbench_core::stats::{Interval, Undefined};
use serde_json::Value;

use crate::case::number;

/// One answered value. Anything undefined is `Nothing`, which only null matches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Got {
    Nothing,
    Flag(bool),
    Count(i128),
    Number(f64),
    Text(String),
    List(Vec<Got>),
    Fields(Vec<(String, Got)>),
}

/// The answers of one case by key.
#[derive(Debug, Default)]
pub(crate) struct Answer(pub(crate) Vec<(String, Got)>);

impl Answer {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: impl Into<Got>) -> Self {
        self.0.push((key.to_owned(), value.into()));
        self
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    pub(crate) abs: f64,
    pub(crate) rel: f64,
}

impl Tolerance {
    fn allows(self, expected: f64, got: f64) -> bool {
        if expected.is_infinite() || got.is_infinite() {
            return expected == got;
        }
        // False for NaN on either side, as it must be.
        (got - expected).abs() <= self.abs + self.rel * expected.abs()
    }
}

/// Adds one line per disagreement to `problems`.
pub(crate) fn compare(
    place: &str,
    expected: &Value,
    got: &Got,
    tolerance: Tolerance,
    problems: &mut Vec<String>,
) {
    let agrees = match (expected, got) {
        (Value::Null, Got::Nothing) => true,
        (Value::Bool(expected), Got::Flag(got)) => expected == got,
        (Value::Number(expected), Got::Count(got)) => match expected.as_i64() {
            Some(expected) => i128::from(expected) == *got,
            None => expected.as_f64() == Some(*got as f64),
        },
        (Value::String(expected), Got::Text(got)) => expected == got,
        (Value::Number(_) | Value::String(_), Got::Number(got)) => {
            number(expected).is_some_and(|expected| tolerance.allows(expected, *got))
        }
        (Value::Array(expected), Got::List(got)) if expected.len() == got.len() => {
            for (i, (expected, got)) in expected.iter().zip(got).enumerate() {
                compare(&format!("{place}[{i}]"), expected, got, tolerance, problems);
            }
            true
        }
        (Value::Object(expected), Got::Fields(got)) => {
            for (key, expected) in expected {
                let place = format!("{place}.{key}");
                match got.iter().find(|(name, _)| name == key) {
                    Some((_, got)) => compare(&place, expected, got, tolerance, problems),
                    None => problems.push(format!("{place}: nothing compares this key")),
                }
            }
            true
        }
        _ => false,
    };
    if !agrees {
        problems.push(format!("{place}: expected {expected}, got {got}"));
    }
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Count(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value:?}"),
            Self::Text(value) => write!(f, "{value:?}"),
            Self::List(values) => {
                write!(f, "[{} values:", values.len())?;
                for value in values.iter().take(8) {
                    write!(f, " {value}")?;
                }
                f.write_str("]")
            }
            Self::Fields(fields) => write!(f, "{{{} fields}}", fields.len()),
        }
    }
}

impl From<f64> for Got {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<bool> for Got {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<u64> for Got {
    fn from(value: u64) -> Self {
        Self::Count(value.into())
    }
}

impl From<i64> for Got {
    fn from(value: i64) -> Self {
        Self::Count(value.into())
    }
}

impl From<usize> for Got {
    fn from(value: usize) -> Self {
        Self::Count(value as i128)
    }
}

impl From<&str> for Got {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<Interval> for Got {
    fn from(value: Interval) -> Self {
        Self::List(vec![value.low.into(), value.high.into()])
    }
}

impl From<Answer> for Got {
    fn from(value: Answer) -> Self {
        Self::Fields(value.0)
    }
}

impl<T: Into<Got>> From<Vec<T>> for Got {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Got>> From<Option<T>> for Got {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl<T: Into<Got>> From<Result<T, Undefined>> for Got {
    fn from(value: Result<T, Undefined>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(expected: &Value, got: impl Into<Got>) -> Vec<String> {
        let mut problems = Vec::new();
        let tolerance = Tolerance {
            abs: 1e-9,
            rel: 1e-6,
        };
        compare("x", expected, &got.into(), tolerance, &mut problems);
        problems
    }

    #[test]
    fn undefined_is_neither_zero_nor_nan() {
        assert!(problems(&json!(null), None::<f64>).is_empty());
        assert_eq!(problems(&json!(null), 0.0).len(), 1);
        assert_eq!(problems(&json!(null), f64::NAN).len(), 1);
        assert_eq!(problems(&json!(0.0), None::<f64>).len(), 1);
        assert_eq!(problems(&json!(1.0), f64::NAN).len(), 1);
    }

    #[test]
    fn tolerance_is_absolute_plus_relative() {
        assert!(problems(&json!(100.0), 100.000_1).is_empty());
        assert_eq!(problems(&json!(100.0), 100.000_2).len(), 1);
        assert!(problems(&json!(0.0), 1e-9).is_empty());
        assert_eq!(problems(&json!(0.0), 2e-9).len(), 1);
        assert!(problems(&json!("inf"), f64::INFINITY).is_empty());
        assert_eq!(problems(&json!("inf"), 1e300).len(), 1);
        assert_eq!(problems(&json!(1e300), f64::INFINITY).len(), 1);
    }

    #[test]
    fn counts_flags_and_names_are_exact() {
        assert!(problems(&json!(385), 385_u64).is_empty());
        assert!(problems(&json!(385.0), 385_u64).is_empty());
        assert_eq!(problems(&json!(385), 384_u64).len(), 1);
        assert_eq!(problems(&json!(true), false).len(), 1);
        assert_eq!(problems(&json!("keep"), "switch").len(), 1);
    }

    #[test]
    fn lists_and_fields_are_compared_one_by_one() {
        assert_eq!(problems(&json!([1.0, 2.0]), vec![1.0]).len(), 1);
        let found = problems(&json!([1.0, 2.0, 3.0]), vec![1.0, 5.0, 6.0]);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("x[1]"));
        let found = problems(&json!({"a": 1.0, "b": 2.0}), Answer::new().with("a", 1.0));
        assert_eq!(found, ["x.b: nothing compares this key"]);
    }
}
