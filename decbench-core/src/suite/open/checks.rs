//! `checks:` of a suite and `expect:` of a case.

use std::path::Path;

use super::super::file;
use super::super::keys::Section;
use super::super::read::{Field, Fields, Reader};
use super::super::tree::{Node, Value};
use crate::decision::{Check, JsonSchema, NumberWithin};

/// Reads what must hold of an answer; `folder` is the suite's, without which no file is read.
pub(super) fn checks(reader: &mut Reader, field: &Field<'_>, folder: Option<&Path>) -> Vec<Check> {
    let name = field.key.name;
    let Some(fields) = reader.section(Section::Checks, name, field.value) else {
        return Vec::new();
    };
    if fields.iter().next().is_none() {
        reader
            .error("empty-map", field.value.span, format!("`{name}` is empty"))
            .help("write what must hold, as in `must_include: [refund]`");
    }
    let mut found = Vec::new();
    if let Some(field) = fields.get("exact_match")
        && reader.flag(&field) == Some(true)
    {
        found.push(Check::ExactMatch);
    }
    if let Some(field) = fields.get("json_schema") {
        found.extend(schema(reader, &field, folder).map(Check::JsonSchema));
    }
    let mut list = |key: &str, check: fn(Vec<String>) -> Check| {
        let texts = fields.get(key).map(|field| texts(reader, &field));
        found.extend(texts.filter(|texts| !texts.is_empty()).map(check));
    };
    list("must_include", Check::MustInclude);
    list("must_not_include", Check::MustNotInclude);
    list("required_tools", Check::RequiredTools);
    list("forbidden_tools", Check::ForbiddenTools);
    if let Some(field) = fields.get("number_within") {
        found.extend(number(reader, &field).map(Check::NumberWithin));
    }
    found
}

/// One text or a list of texts.
pub(super) fn texts(reader: &mut Reader, field: &Field<'_>) -> Vec<String> {
    let items = match &field.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(field.value),
    };
    if items.is_empty() {
        let name = field.key.name;
        reader.error("empty-list", field.value.span, format!("`{name}` is empty"));
    }
    let mut text = |item: &Node| {
        let text = reader.text_of(field.key.name, item)?;
        if text.trim().is_empty() {
            let name = field.key.name;
            reader.error(
                "empty-text",
                item.span,
                format!("a text of `{name}` is empty"),
            );
            return None;
        }
        Some(text.to_owned())
    };
    items.iter().filter_map(&mut text).collect()
}

fn schema(reader: &mut Reader, field: &Field<'_>, folder: Option<&Path>) -> Option<JsonSchema> {
    if let Some([entry]) = field.value.entries()
        && entry.key == "file"
    {
        let named = Field {
            value: &entry.value,
            ..*field
        };
        let (format, source) = file::read(reader, folder?, &named)?;
        let tree = match file::tree(format, &source) {
            Ok(tree) => tree,
            Err(mistakes) => {
                reader.found.extend(mistakes);
                return None;
            }
        };
        let mut inner = Reader::new(&source);
        let schema = schema_of(&mut inner, &tree.root);
        reader.found.extend(inner.found);
        return schema;
    }
    schema_of(reader, field.value)
}

fn schema_of(reader: &mut Reader, node: &Node) -> Option<JsonSchema> {
    let (span, problem) = match node.to_json() {
        Ok(document) => match JsonSchema::read(&document) {
            Ok(schema) => return Some(schema),
            Err(problem) => (node.span, problem),
        },
        Err((span, problem)) => (span, problem.to_owned()),
    };
    reader
        .error("bad-schema", span, format!("`json_schema`: {problem}"))
        .help("known are type, enum, const, properties, required, additionalProperties, items, limits, anyOf, allOf, oneOf and not");
    None
}

fn number(reader: &mut Reader, field: &Field<'_>) -> Option<NumberWithin> {
    let fields = reader.section(Section::NumberWithin, "number_within", field.value)?;
    let errors_before = reader.found.len();
    let at = pointer(reader, &fields);
    let value = fields.get("value").and_then(|field| reader.number(&field));
    let tolerance = fields.get("tolerance");
    if tolerance.is_none() {
        reader
            .error(
                "missing-key",
                field.value.span,
                "`number_within` does not say how far off the number may be",
            )
            .help("write `tolerance: 0.01`");
    }
    let tolerance = tolerance.and_then(|field| reader.number(&field));
    (reader.found.len() == errors_before).then_some(NumberWithin {
        at,
        value,
        tolerance: tolerance?,
    })
}

/// Where the number stands.
fn pointer(reader: &mut Reader, fields: &Fields<'_>) -> Option<String> {
    let field = fields.get("at")?;
    let text = reader.text(&field)?;
    if !text.starts_with('/') {
        reader
            .error(
                "bad-pointer",
                field.value.span,
                format!("`{text}` is no JSON pointer"),
            )
            .help(format!("write `at: /{text}`"));
    }
    Some(text.to_owned())
}
