//! TOML values with positions.

use std::sync::Arc;

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};

/// A key and its value, where they stand.
pub(super) struct Item<'a> {
    pub(super) key: &'a str,
    pub(super) key_span: Span,
    pub(super) value: &'a DeValue<'a>,
    pub(super) span: Span,
}

/// The entries of a table in the order written.
pub(super) fn items<'a>(table: &'a DeTable<'a>) -> Vec<Item<'a>> {
    let mut items: Vec<Item<'a>> = table
        .iter()
        .map(|(key, value)| Item {
            key: key.get_ref(),
            key_span: span(key),
            value: value.get_ref(),
            span: span(value),
        })
        .collect();
    items.sort_by_key(|item| item.key_span.start);
    items
}

fn span<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end)
}

impl<'a> Item<'a> {
    /// The entries of the table that stands here.
    pub(super) fn table(&self) -> Option<Vec<Item<'a>>> {
        match self.value {
            DeValue::Table(table) => Some(items(table)),
            _ => None,
        }
    }

    /// The number that stands here.
    pub(super) fn number(&self) -> Option<f64> {
        match self.value {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        }
    }

    /// What stands here, in a word or two.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            DeValue::String(_) => "text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }
}

/// A value as JSON; dates are text.
pub(super) fn json(value: &DeValue<'_>) -> Result<Json, &'static str> {
    Ok(match value {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Boolean(flag) => Json::from(*flag),
        DeValue::Datetime(at) => Json::from(at.to_string()),
        DeValue::Integer(integer) => {
            let digits = integer.as_str();
            let radix = integer.radix();
            match i64::from_str_radix(digits, radix) {
                Ok(value) => Json::from(value),
                Err(_) => u64::from_str_radix(digits, radix)
                    .map(Json::from)
                    .map_err(|_| "the number is too large")?,
            }
        }
        DeValue::Float(float) => float
            .as_str()
            .parse::<f64>()
            .ok()
            .and_then(serde_json::Number::from_f64)
            .map(Json::Number)
            .ok_or("the number is not finite")?,
        DeValue::Array(list) => {
            let values: Result<Vec<Json>, _> =
                list.iter().map(|value| json(value.get_ref())).collect();
            Json::from(values?)
        }
        DeValue::Table(table) => {
            let mut map = serde_json::Map::new();
            for item in items(table) {
                map.insert(item.key.to_owned(), json(item.value)?);
            }
            Json::Object(map)
        }
    })
}

/// Collects the mistakes of one file.
pub(super) struct Mistakes<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) found: Diagnostics,
}

impl Mistakes<'_> {
    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.found.push(Diagnostic::error(
            code,
            Arc::clone(self.source),
            span,
            message,
        ))
    }
}
