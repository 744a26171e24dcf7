//! The raw text of a suite as an ordered tree in which everything knows where it stands.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::diagnostic::{Source, Span};

/// Deepest nesting that is read.
pub(super) const DEPTH_LIMIT: usize = 100;

/// What is wrong with a map of JSON that has a key twice.
pub(super) const DUPLICATE_KEY: &str = "a duplicate key";

/// A suite's text before any check: from YAML, from JSON, or from the tokens of a macro.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The text that spans point into.
    pub source: Arc<Source>,
    /// The outermost value.
    pub root: Node,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What stands there.
    pub value: Value,
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// One text, number, truth value or nothing.
    Scalar(Scalar),
    /// Values in order.
    List(Vec<Node>),
    /// Keys and values in order; a key may occur twice.
    Map(Vec<Entry>),
}

/// A key, its value and where they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// The text of a scalar, without quotes and escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text.
    pub text: String,
    /// How it was written.
    pub style: Style,
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes: a number, a truth value or nothing when it reads as one, else text.
    Plain,
    /// In quotes or as a block: always text.
    Quoted,
    /// A cell of a table: text that may stand for a number; nothing when it is empty.
    Cell,
}

impl Entry {
    /// A key and its value.
    pub fn new(key: impl Into<String>, key_span: Span, value: Node) -> Self {
        Self {
            key: key.into(),
            key_span,
            value,
        }
    }
}

impl Node {
    /// A list.
    pub fn list(items: Vec<Self>, span: Span) -> Self {
        Self {
            span,
            value: Value::List(items),
        }
    }

    /// A map.
    pub fn map(entries: Vec<Entry>, span: Span) -> Self {
        Self {
            span,
            value: Value::Map(entries),
        }
    }

    /// A scalar.
    pub fn scalar(text: impl Into<String>, style: Style, span: Span) -> Self {
        Self {
            span,
            value: Value::Scalar(Scalar {
                text: text.into(),
                style,
            }),
        }
    }

    /// Whether nothing stands here: `null`, `~`, an empty cell or no value at all.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.is_null())
    }

    /// The scalar's text, unless it is a list, a map or nothing.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) if !scalar.is_null() => Some(&scalar.text),
            _ => None,
        }
    }

    /// The entries of a map.
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The first value of this key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()?
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
    }

    /// What stands here, in a word or two, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Scalar(scalar) if scalar.is_null() => "nothing",
            Value::Scalar(scalar) => match scalar.style {
                Style::Quoted | Style::Cell => "text",
                Style::Plain => match scalar.to_json() {
                    Ok(Json::Bool(_)) => "true or false",
                    Ok(Json::Number(_)) | Err(_) => "a number",
                    Ok(_) => "text",
                },
            },
        }
    }

    /// The value as JSON, plain scalars read by YAML's rules.
    ///
    /// # Errors
    /// Where a number has no counterpart in JSON: its span and what is wrong with it.
    pub fn to_json(&self) -> Result<Json, (Span, &'static str)> {
        match &self.value {
            Value::Scalar(scalar) => scalar.to_json().map_err(|error| (self.span, error)),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Map(entries) => {
                let mut map = serde_json::Map::with_capacity(entries.len());
                for entry in entries {
                    if map
                        .insert(entry.key.clone(), entry.value.to_json()?)
                        .is_some()
                    {
                        return Err((entry.key_span, DUPLICATE_KEY));
                    }
                }
                Ok(Json::Object(map))
            }
        }
    }
}

impl Scalar {
    /// Whether it stands for nothing.
    pub fn is_null(&self) -> bool {
        match self.style {
            Style::Plain => matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            Style::Cell => self.text.is_empty(),
            Style::Quoted => false,
        }
    }

    /// The scalar as JSON. A plain number keeps its text where a number would lose it, as in `007`.
    fn to_json(&self) -> Result<Json, &'static str> {
        if self.is_null() {
            return Ok(Json::Null);
        }
        let text = self.text.as_str();
        if self.style != Style::Plain {
            return Ok(Json::from(text));
        }
        match text {
            "true" | "True" | "TRUE" => return Ok(Json::Bool(true)),
            "false" | "False" | "FALSE" => return Ok(Json::Bool(false)),
            _ => {}
        }
        number(text).unwrap_or_else(|| Ok(Json::from(text)))
    }
}

/// A plain scalar as a number by YAML's core schema; `None` where it is text.
fn number(text: &str) -> Option<Result<Json, &'static str>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let ".inf" | ".Inf" | ".INF" = unsigned {
        return Some(Err("an infinite number"));
    }
    if let ".nan" | ".NaN" | ".NAN" = text {
        return Some(Err("not a number"));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            let known = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
            return known.then(|| {
                u64::from_str_radix(digits, radix)
                    .ok()
                    .filter(|_| unsigned == text)
                    .map(Json::from)
                    .ok_or("a number too large to be kept exactly")
            });
        }
    }
    let (mantissa, exponent) = unsigned
        .split_once(['e', 'E'])
        .map_or((unsigned, None), |(mantissa, exponent)| {
            (mantissa, Some(exponent))
        });
    let (whole, fraction) = mantissa
        .split_once('.')
        .map_or((mantissa, None), |(whole, fraction)| {
            (whole, Some(fraction))
        });
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = digits(whole)
        && fraction.is_none_or(digits)
        && whole.len() + fraction.map_or(0, str::len) > 0
        && exponent.is_none_or(|exponent| {
            let bare = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !bare.is_empty() && digits(bare)
        });
    // A leading zero means a name, such as a postal code, more often than a number.
    if !well_formed || (whole.len() > 1 && whole.starts_with('0')) {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        let bare = text.strip_prefix('+').unwrap_or(text);
        if let Ok(value) = bare.parse::<u64>() {
            return Some(Ok(Json::from(value)));
        }
        return Some(
            bare.parse::<i64>()
                .map(Json::from)
                .map_err(|_| "a number too large to be kept exactly"),
        );
    }
    let value = text
        .parse::<f64>()
        .ok()
        .and_then(serde_json::Number::from_f64);
    Some(value.map(Json::Number).ok_or("a number too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<Json, &'static str> {
        Scalar {
            text: text.into(),
            style: Style::Plain,
        }
        .to_json()
    }

    #[test]
    fn plain_scalars_read_as_yaml_1_2_reads_them() {
        assert_eq!(json("7"), Ok(Json::from(7)));
        assert_eq!(json("-7"), Ok(Json::from(-7)));
        assert_eq!(json("0.5"), Ok(Json::from(0.5)));
        assert_eq!(json(".5"), Ok(Json::from(0.5)));
        assert_eq!(json("1e3"), Ok(Json::from(1000.0)));
        assert_eq!(json("0x1F"), Ok(Json::from(31)));
        assert_eq!(json("true"), Ok(Json::from(true)));
        assert_eq!(json("~"), Ok(Json::Null));
        for text in [
            "no", "yes", "on", "007", "1.2.3", "10s", "1_000", "e5", ".", "-", "0xZ",
        ] {
            assert_eq!(json(text), Ok(Json::from(text)), "{text}");
        }
    }

    #[test]
    fn numbers_json_cannot_hold_are_refused() {
        for text in [
            ".inf",
            "-.inf",
            ".nan",
            "1e999",
            "99999999999999999999",
            "0xfffffffffffffffff",
        ] {
            assert!(json(text).is_err(), "{text}");
        }
        assert_eq!(json("18446744073709551615"), Ok(Json::from(u64::MAX)));
    }
}
