//! The sections of a suite, from the table of keys.

use decbench_core::suite::{Key, Kind, Section};
use serde_json::{Map, Value as Json, json};

use super::free;

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

pub(super) fn suite() -> Json {
    let mut schema = of(Section::Suite);
    schema["$schema"] = DRAFT.into();
    schema["title"] = "A decbench suite".into();
    schema["definitions"] = definitions();
    schema
}

pub(super) fn case() -> Json {
    let mut schema = of(Section::Case);
    schema["$schema"] = DRAFT.into();
    schema["title"] = "A case of a decbench suite".into();
    schema["definitions"] = definitions();
    schema
}

pub(super) fn cases() -> Json {
    json!({
        "$schema": DRAFT,
        "title": "Cases of a decbench suite",
        "type": "array",
        "items": reference(Section::Case),
        "definitions": definitions(),
    })
}

/// A reference to a section's definition.
pub(super) fn reference(section: Section) -> Json {
    json!({ "$ref": format!("#/definitions/{section:?}") })
}

fn definitions() -> Json {
    let mut all: Map<String, Json> = Section::ALL
        .into_iter()
        .map(|section| (format!("{section:?}"), of(section)))
        .collect();
    all.extend(free::definitions());
    Json::Object(all)
}

fn of(section: Section) -> Json {
    let properties: Map<String, Json> = section
        .keys()
        .iter()
        .map(|key| (key.name.to_owned(), property(section, key)))
        .collect();
    json!({
        "type": "object",
        "description": section.name(),
        "properties": properties,
        "additionalProperties": section.is_open(),
    })
}

fn property(section: Section, key: &Key) -> Json {
    let mut schema = value(section, key);
    let description = match key.default {
        Some(default) => format!("{} Default: {default}.", key.doc),
        None => key.doc.to_owned(),
    };
    // Beside a reference other words are passed over in this draft, so the reference goes inside.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    schema["description"] = description.into();
    schema
}

fn value(section: Section, key: &Key) -> Json {
    match key.kind {
        // A suite is read as raw text, so an unquoted number is a text too.
        Kind::Text => json!({ "type": ["string", "number", "boolean"] }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Number(least, most) => {
            let mut schema = json!({ "type": "number" });
            for (name, limit) in [("minimum", least), ("maximum", most)] {
                if limit.is_finite() {
                    schema[name] = limit.into();
                }
            }
            schema
        }
        Kind::Share => free::share(),
        Kind::OneOf(words) => {
            json!({ "enum": words.iter().map(|word| free::word(word)).collect::<Vec<_>>() })
        }
        Kind::Section(section) => reference(section),
        Kind::Free(words) => free::form(section, key.name, words),
        _ => json!({}),
    }
}
