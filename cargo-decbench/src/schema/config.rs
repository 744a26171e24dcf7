//! `decbench.toml`, from its table of keys.

use decbench_core::config::{CONFIG_KEYS, ConfigTable};
use decbench_core::provider::{COLLECTOR_SETTINGS, PROVIDERS};
use serde_json::{Map, Value as Json, json};

pub(super) fn schema() -> Json {
    let providers: Map<String, Json> = PROVIDERS
        .iter()
        .map(|kind| {
            let settings: Map<String, Json> = kind
                .settings
                .iter()
                .chain(COLLECTOR_SETTINGS)
                .map(|key| {
                    let description = format!("{} As in `{}`.", key.about, key.form);
                    (key.name.to_owned(), json!({ "description": description }))
                })
                .collect();
            let table =
                json!({ "type": "object", "description": kind.about, "properties": settings });
            (kind.name.to_owned(), table)
        })
        .collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "decbench.toml",
        "type": "object",
        "properties": {
            "profile": { "type": "object", "additionalProperties": table(ConfigTable::Profile) },
            "provider": { "type": "object", "properties": providers, "additionalProperties": false },
            "context": { "type": "object", "additionalProperties": table(ConfigTable::Context) },
            "prices": { "type": "object", "additionalProperties": table(ConfigTable::Prices) },
            "redact": table(ConfigTable::Redact),
            "models": table(ConfigTable::Models),
        },
        "additionalProperties": false,
    })
}

fn table(table: ConfigTable) -> Json {
    let properties: Map<String, Json> = CONFIG_KEYS
        .iter()
        .filter(|key| key.table == table)
        .map(|key| {
            let description = format!("{} {}. Default: {}.", key.doc, key.kind, key.default);
            (key.name.to_owned(), json!({ "description": description }))
        })
        .collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}
