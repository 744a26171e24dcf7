//! Events of `PostHog` about calls of a model.

use std::path::Path;

use decbench_core::decision::Measured;
use serde_json::Value as Json;

use super::chat;
use super::harvest::{Found, Harvest, Place, label, no_answer};
use super::mapping::text;
use super::records;
use crate::ending::Unusable;

/// The event that a call gives.
const GENERATION: &str = "$ai_generation";

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    for record in records::read(path, &["batch", "results"], harvest)? {
        let Some(event) = record.value.get("event").and_then(Json::as_str) else {
            harvest.leave_out(record.place, "it is no event: it has no `event`");
            continue;
        };
        // Everything else that people do is none of ours.
        if event == GENERATION
            && let Err(why) = take(&record.value, record.place.clone(), harvest)
        {
            harvest.leave_out(record.place, why);
        }
    }
    Ok(())
}

fn take(event: &Json, place: Place, harvest: &mut Harvest<'_>) -> Result<(), String> {
    let properties = event.get("properties").ok_or("it has no `properties`")?;
    let property = |name: &str| properties.get(name).filter(|value| !value.is_null());
    let chat = match property("$ai_input") {
        Some(Json::Array(messages)) => chat::read(messages),
        _ => return Err("it has no messages in `$ai_input`, as in privacy mode".to_owned()),
    };
    harvest.tell(chat.told);
    let said = property("$ai_output_choices")
        .and_then(|choices| chat::said(choices.get(0)?))
        .and_then(|said| text(&Json::from(said)));
    let mapping = harvest.mapping;
    let at = event.get("timestamp").and_then(text);
    // Who it was about, `distinct_id`, is left behind.
    let found = Found {
        id: mapping.get_or(event, "id", "uuid").and_then(text),
        state: if mapping.has("state") {
            mapping.get(event, "state").cloned()
        } else {
            chat.state
        },
        production_answer: said.clone(),
        strata: mapping.strata(event),
        // Calls about one and the same thing are one piece of evidence.
        cluster: mapping
            .get(event, "cluster")
            .or_else(|| property("$ai_trace_id"))
            .and_then(text),
        tier: mapping.get(event, "tier").and_then(text),
        language: mapping.get(event, "language").and_then(text),
        at: at.clone(),
        origin: "trace",
        ..Found::default()
    };
    let Some(case) = harvest.case(found, place) else {
        return Ok(());
    };
    let model = property("$ai_model").and_then(text);
    let measured = Measured {
        latency_ms: property("$ai_latency")
            .and_then(Json::as_f64)
            .map(|seconds| seconds * 1000.0),
        input_tokens: property("$ai_input_tokens").and_then(Json::as_u64),
        output_tokens: property("$ai_output_tokens").and_then(Json::as_u64),
        model: model.clone(),
        at,
        ..Measured::default()
    };
    let said = said
        .map(label)
        .ok_or_else(|| no_answer("the event has no output"));
    let candidate = harvest.candidate(model.as_deref());
    harvest.answer(&candidate, &case, "", None, said, measured);
    Ok(())
}
