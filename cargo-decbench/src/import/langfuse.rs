//! Items of a Langfuse dataset.

use std::path::Path;

use serde_json::Value as Json;

use super::chat;
use super::harvest::{Found, Harvest};
use super::mapping::{at, text};
use super::records;
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    for record in records::read(path, &["data"], harvest)? {
        let (item, place) = (record.value, record.place);
        if at(&item, "datasetId").is_none() {
            harvest.leave_out(place, "it is no item of a dataset: it has no `datasetId`");
            continue;
        }
        // What was withdrawn from the dataset is no case of it.
        if item.get("status").and_then(Json::as_str) == Some("ARCHIVED") {
            continue;
        }
        if let Some(name) = item.get("datasetName").and_then(Json::as_str) {
            harvest.call(name);
        }
        let mapping = harvest.mapping;
        let mut state = mapping.get_or(&item, "state", "input").cloned();
        if let Some(Json::Array(messages)) = &state
            && messages.iter().all(|message| message.get("role").is_some())
        {
            let chat = chat::read(messages);
            harvest.tell(chat.told);
            state = chat.state;
        }
        let expected = mapping.get_or(&item, "gold", "expectedOutput");
        let label = expected.and_then(text).map(Json::from);
        if expected.is_some() && label.is_none() {
            let why = "its expected output is no label; say where in it the label stands with `--map gold=expectedOutput.<field>`";
            harvest.leave_out(place, why);
            continue;
        }
        // What comes from a trace is what production said, whoever pressed the button.
        let traced = at(&item, "sourceTraceId").is_some();
        let (gold, reference) = if traced { (None, label) } else { (label, None) };
        let found = Found {
            id: mapping.get_or(&item, "id", "id").and_then(text),
            state,
            gold,
            reference,
            strata: mapping.strata(&item),
            cluster: mapping
                .get_or(&item, "cluster", "sourceTraceId")
                .and_then(text),
            tier: mapping.get(&item, "tier").and_then(text),
            language: mapping.get(&item, "language").and_then(text),
            origin: if traced { "trace" } else { "file" },
            ..Found::default()
        };
        harvest.case(found, place);
    }
    Ok(())
}
