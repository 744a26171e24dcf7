//! Values with several forms, or with keys of the user's own.

use decbench_core::metric::{ArgumentKind, METRICS};
use decbench_core::provider::PROVIDERS;
use decbench_core::suite::Section;
use serde_json::{Map, Value as Json, json};

use super::section::reference;

/// A share: `30%`, or a number from 0 to 1.
pub(super) fn share() -> Json {
    json!({ "anyOf": [
        { "type": "number", "minimum": 0, "maximum": 1 },
        { "type": "string", "pattern": "^ *[0-9.]+ *%? *$" },
    ] })
}

/// A word as YAML reads it: `yes` is a text, `off` too, `true` is not.
pub(super) fn word(word: &str) -> Json {
    match word {
        "true" => true.into(),
        "false" => false.into(),
        word => word.into(),
    }
}

/// Definitions that several keys share.
pub(super) fn definitions() -> Map<String, Json> {
    let mut all = Map::new();
    all.insert("Limit".into(), json!({ "type": ["string", "number"] }));
    all.insert(
        "Bounds".into(),
        json!({ "anyOf": [
            { "$ref": "#/definitions/Limit" },
            reference(Section::Bound),
            { "type": "array", "items": { "anyOf": [{ "$ref": "#/definitions/Limit" }, reference(Section::Bound)] } },
        ] }),
    );
    all.insert("Assertions".into(), assertions());
    all
}

/// `assert:`: every metric by its name; a metric with an argument, and that of a named question, by its form.
fn assertions() -> Json {
    let bounds =
        json!({ "anyOf": [{ "$ref": "#/definitions/Bounds" }, { "enum": ["off", false] }] });
    let mut properties = Map::new();
    properties.insert("gold".into(), reference(Section::GoldFloor));
    for metric in METRICS
        .iter()
        .filter(|metric| metric.argument == ArgumentKind::None)
    {
        let mut bounds = bounds.clone();
        bounds["description"] = metric.summary.into();
        properties.insert(metric.name.to_owned(), bounds);
    }
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": bounds,
    })
}

/// The form of `key` in `section`; `words` describe it to a person.
pub(super) fn form(section: Section, key: &str, words: &str) -> Json {
    match (section, key) {
        (_, "questions") => map_of(&reference(Section::Question)),
        (Section::Suite, "cases") => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": reference(Section::Case) },
            reference(Section::Cases),
        ] }),
        (Section::Suite, "candidates") => map_of(&candidate()),
        (Section::Suite | Section::Question | Section::Candidate, "assert") => {
            json!({ "$ref": "#/definitions/Assertions" })
        }
        (Section::Question | Section::Wording, "options") => json!({ "anyOf": [
            map_of(&json!({ "anyOf": [{ "type": ["string", "number", "boolean", "null"] }, reference(Section::Option)] })),
            { "type": "array" },
        ] }),
        (Section::Question, "gate") => json!({ "anyOf": [
            { "type": "string" },
            reference(Section::Gate),
        ] }),
        (_, "levels") => {
            json!({ "type": "array", "items": { "type": ["string", "number", "boolean"] } })
        }
        (Section::Judge, "jury") => map_of(&reference(Section::Juror)),
        (Section::Bound, "at_least" | "at_most") => json!({ "$ref": "#/definitions/Limit" }),
        _ => json!({ "$comment": words }),
    }
}

fn candidate() -> Json {
    let mut schema = json!({ "allOf": [reference(Section::Candidate)] });
    let names: Vec<&str> = PROVIDERS.iter().map(|kind| kind.name).collect();
    schema["properties"] = json!({ "provider": { "enum": names } });
    schema
}

fn map_of(values: &Json) -> Json {
    json!({ "type": "object", "additionalProperties": values })
}
