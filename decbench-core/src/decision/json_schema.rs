//! The part of JSON Schema that says what a document holds: types, fields, items, limits, alternatives.

use serde_json::{Map, Value};

/// A schema whose every word is understood.
///
/// Known are `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `minItems`,
/// `maxItems`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `minLength`, `maxLength`, `anyOf`,
/// `allOf`, `oneOf` and `not`; `title`, `description`, `$schema`, `default` and `examples` say nothing. Anything else
/// is refused, since a word that is passed over would be a check that never fails.
///
/// ```
/// use decbench_core::decision::JsonSchema;
/// use serde_json::json;
/// let schema = JsonSchema::read(&json!({"type": "object", "required": ["total"],
///     "properties": {"total": {"type": "number", "minimum": 0}}})).unwrap();
/// assert_eq!(schema.violation(&json!({"total": 3})), None);
/// assert_eq!(schema.violation(&json!({"total": -3})).as_deref(), Some("/total is below 0"));
/// assert!(JsonSchema::read(&json!({"patern": "x"})).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct JsonSchema(Value);

/// Words that say nothing about a document.
const NOTES: [&str; 5] = ["title", "description", "$schema", "default", "examples"];
const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

impl JsonSchema {
    /// Reads a schema.
    ///
    /// # Errors
    /// The first word that is unknown or has a value it cannot have, with its place.
    pub fn read(schema: &Value) -> Result<Self, String> {
        understand(schema, "")?;
        Ok(Self(schema.clone()))
    }

    /// The schema as it was written.
    pub fn document(&self) -> &Value {
        &self.0
    }

    /// Where a document breaks the schema, and how; `None` where it keeps it.
    pub fn violation(&self, document: &Value) -> Option<String> {
        broken(&self.0, document, "").err()
    }
}

fn understand(schema: &Value, at: &str) -> Result<(), String> {
    let place = if at.is_empty() { "the schema" } else { at };
    let words = match schema {
        Value::Bool(_) => return Ok(()),
        Value::Object(words) => words,
        _ => return Err(format!("{place} is neither a map nor true or false")),
    };
    for (word, value) in words {
        let here = format!("{at}/{word}");
        let fits = match word.as_str() {
            word if NOTES.contains(&word) => true,
            "type" => match value {
                Value::Array(types) => !types.is_empty() && types.iter().all(is_type),
                one => is_type(one),
            },
            "const" => true,
            "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
            "required" => value
                .as_array()
                .is_some_and(|names| names.iter().all(Value::is_string)),
            "minItems" | "maxItems" | "minLength" | "maxLength" => value.is_u64(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
            "items" | "not" | "additionalProperties" => {
                understand(value, &here)?;
                true
            }
            "anyOf" | "allOf" | "oneOf" => {
                let parts = value.as_array().filter(|parts| !parts.is_empty());
                for (number, part) in parts.into_iter().flatten().enumerate() {
                    understand(part, &format!("{here}/{number}"))?;
                }
                parts.is_some()
            }
            "properties" => {
                for (name, part) in value.as_object().into_iter().flatten() {
                    understand(part, &format!("{here}/{name}"))?;
                }
                value.is_object()
            }
            _ => return Err(format!("`{word}` in {place} is no word that is understood")),
        };
        if !fits {
            return Err(format!("{here} cannot be {value}"));
        }
    }
    Ok(())
}

fn is_type(name: &Value) -> bool {
    name.as_str().is_some_and(|name| TYPES.contains(&name))
}

fn broken(schema: &Value, document: &Value, at: &str) -> Result<(), String> {
    let place = if at.is_empty() { "the answer" } else { at };
    let words = match schema {
        Value::Object(words) => words,
        Value::Bool(false) => return Err(format!("{place} is not allowed")),
        _ => return Ok(()),
    };
    if let Some(wanted) = words.get("type") {
        let fits = match wanted {
            Value::Array(types) => types.iter().any(|wanted| is_of(document, wanted)),
            one => is_of(document, one),
        };
        if !fits {
            return Err(format!("{place} is not of type {}", told(wanted)));
        }
    }
    if let Some(wanted) = words.get("const")
        && !same(wanted, document)
    {
        return Err(format!("{place} is not {wanted}"));
    }
    if let Some(Value::Array(values)) = words.get("enum")
        && !values.iter().any(|value| same(value, document))
    {
        return Err(format!(
            "{place} is none of {}",
            Value::from(values.clone())
        ));
    }
    match document {
        Value::Number(_) => number(words, document, place)?,
        Value::String(text) => length(
            words,
            text.chars().count(),
            ["minLength", "maxLength"],
            place,
        )?,
        Value::Array(items) => {
            length(words, items.len(), ["minItems", "maxItems"], place)?;
            if let Some(each) = words.get("items") {
                for (number, item) in items.iter().enumerate() {
                    broken(each, item, &format!("{at}/{number}"))?;
                }
            }
        }
        Value::Object(fields) => object(words, fields, at, place)?,
        Value::Null | Value::Bool(_) => {}
    }
    alternatives(words, document, at, place)
}

fn told(wanted: &Value) -> String {
    match wanted {
        Value::Array(types) => types.iter().map(told).collect::<Vec<_>>().join(" or "),
        Value::String(name) => name.clone(),
        other => other.to_string(),
    }
}

fn is_of(document: &Value, wanted: &Value) -> bool {
    match wanted.as_str().unwrap_or_default() {
        "object" => document.is_object(),
        "array" => document.is_array(),
        "string" => document.is_string(),
        "number" => document.is_number(),
        "integer" => document
            .as_f64()
            .is_some_and(|number| number.fract() == 0.0),
        "boolean" => document.is_boolean(),
        "null" => document.is_null(),
        _ => false,
    }
}

/// Whether two documents hold the same: numbers by their value, fields in any order.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|theirs| same(value, theirs)))
        }
        (one, other) => one == other,
    }
}

fn number(words: &Map<String, Value>, document: &Value, place: &str) -> Result<(), String> {
    let number = document.as_f64().unwrap_or(f64::NAN);
    let limit = |word: &str| words.get(word).and_then(Value::as_f64);
    let broken = |word: &str, is_broken: fn(&f64, &f64) -> bool| {
        limit(word).filter(|limit| is_broken(&number, limit))
    };
    let found = [
        (broken("minimum", f64::lt), "below"),
        (broken("maximum", f64::gt), "above"),
        (broken("exclusiveMinimum", f64::le), "not above"),
        (broken("exclusiveMaximum", f64::ge), "not below"),
    ];
    for (limit, told) in found {
        if let Some(limit) = limit {
            return Err(format!("{place} is {told} {limit}"));
        }
    }
    Ok(())
}

fn length(
    words: &Map<String, Value>,
    length: usize,
    [least, most]: [&str; 2],
    place: &str,
) -> Result<(), String> {
    let limit = |word: &str| words.get(word).and_then(Value::as_u64);
    if limit(least).is_some_and(|least| (length as u64) < least) {
        return Err(format!("{place} is shorter than `{least}` allows"));
    }
    if limit(most).is_some_and(|most| length as u64 > most) {
        return Err(format!("{place} is longer than `{most}` allows"));
    }
    Ok(())
}

fn object(
    words: &Map<String, Value>,
    fields: &Map<String, Value>,
    at: &str,
    place: &str,
) -> Result<(), String> {
    let required = words.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            return Err(format!("{place} has no `{name}`"));
        }
    }
    let known = words.get("properties").and_then(Value::as_object);
    for (name, value) in fields {
        let here = format!("{at}/{name}");
        match known.and_then(|known| known.get(name)) {
            Some(part) => broken(part, value, &here)?,
            None => {
                if let Some(others) = words.get("additionalProperties") {
                    broken(others, value, &here)?;
                }
            }
        }
    }
    Ok(())
}

fn alternatives(
    words: &Map<String, Value>,
    document: &Value,
    at: &str,
    place: &str,
) -> Result<(), String> {
    let parts = |word: &str| words.get(word).and_then(Value::as_array);
    for part in parts("allOf").into_iter().flatten() {
        broken(part, document, at)?;
    }
    let fitting = |parts: &Vec<Value>| {
        let fitting = parts
            .iter()
            .filter(|part| broken(part, document, at).is_ok());
        fitting.count()
    };
    if parts("anyOf").is_some_and(|parts| fitting(parts) == 0) {
        return Err(format!("{place} fits none of `anyOf`"));
    }
    if parts("oneOf").is_some_and(|parts| fitting(parts) != 1) {
        return Err(format!("{place} does not fit exactly one of `oneOf`"));
    }
    if words
        .get("not")
        .is_some_and(|part| broken(part, document, at).is_ok())
    {
        return Err(format!("{place} fits what `not` forbids"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn violation(schema: &Value, document: &Value) -> Option<String> {
        JsonSchema::read(schema)
            .expect("a schema")
            .violation(document)
    }

    #[test]
    fn every_word_is_kept_by_one_document_and_broken_by_another() {
        for (schema, right, wrong) in [
            (json!({"type": "integer"}), json!(3.0), json!(3.5)),
            (json!({"type": ["string", "null"]}), json!(null), json!(1)),
            (json!({"enum": ["a", 1]}), json!(1.0), json!("b")),
            (
                json!({"const": {"a": [1]}}),
                json!({"a": [1]}),
                json!({"a": [2]}),
            ),
            (json!({"required": ["a"]}), json!({"a": 0}), json!({"b": 0})),
            (
                json!({"properties": {"a": {"type": "string"}}}),
                json!({"b": 1}),
                json!({"a": 1}),
            ),
            (
                json!({"properties": {"a": true}, "additionalProperties": false}),
                json!({"a": 1}),
                json!({"b": 1}),
            ),
            (
                json!({"items": {"type": "number"}}),
                json!([1, 2]),
                json!([1, "2"]),
            ),
            (json!({"minItems": 2}), json!([1, 2]), json!([1])),
            (json!({"maxItems": 1}), json!([1]), json!([1, 2])),
            (json!({"minimum": 2}), json!(2), json!(1.9)),
            (json!({"maximum": 2}), json!(2), json!(2.1)),
            (json!({"exclusiveMinimum": 2}), json!(2.1), json!(2)),
            (json!({"exclusiveMaximum": 2}), json!(1.9), json!(2)),
            (json!({"minLength": 2}), json!("éé"), json!("é")),
            (json!({"maxLength": 1}), json!("é"), json!("ab")),
            (
                json!({"anyOf": [{"const": 1}, {"const": 2}]}),
                json!(2),
                json!(3),
            ),
            (
                json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}),
                json!(2),
                json!(3),
            ),
            (
                json!({"oneOf": [{"minimum": 1}, {"maximum": 2}]}),
                json!(3),
                json!(2),
            ),
            (json!({"not": {"type": "null"}}), json!(1), json!(null)),
        ] {
            assert_eq!(violation(&schema, &right), None, "{schema}");
            assert!(violation(&schema, &wrong).is_some(), "{schema}");
        }
    }

    #[test]
    fn a_word_that_would_be_passed_over_is_refused_with_its_place() {
        for (schema, says) in [
            (json!({"pattern": "x"}), "`pattern` in the schema"),
            (json!({"items": {"$ref": "#/a"}}), "`$ref` in /items"),
            (
                json!({"properties": {"a": {"type": "text"}}}),
                "/properties/a/type",
            ),
            (json!({"enum": []}), "/enum"),
            (json!(7), "neither a map"),
        ] {
            let mistake = JsonSchema::read(&schema).expect_err("not understood");
            assert!(mistake.contains(says), "{mistake}");
        }
    }
}
