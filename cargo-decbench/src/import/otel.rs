//! OpenTelemetry spans of calls of a chat model, by the semantic conventions for generative AI.

use std::path::Path;

use decbench_core::decision::Measured;
use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::chat;
use super::harvest::{Found, Harvest, Place, label, no_answer};
use super::mapping::{at, text};
use super::records;
use crate::ending::Unusable;

/// A span, whoever wrote it.
struct Span {
    id: Option<String>,
    trace: Option<String>,
    /// Attributes by name.
    attributes: Json,
    begin: Option<Timestamp>,
    end: Option<Timestamp>,
}

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    let mut spans = 0;
    for record in records::read(path, &[], harvest)? {
        let found = spans_of(&record.value);
        spans += found.len();
        for span in found {
            let chat = attribute(&span, "gen_ai.operation.name").is_some_and(|name| name == "chat");
            // Everything else that a service traces is none of ours.
            if chat && let Err(why) = take(&span, record.place.clone(), harvest) {
                harvest.leave_out(record.place.clone(), why);
            }
        }
    }
    if spans == 0 {
        return Err(Unusable::file(
            path,
            "it has no spans, neither in OTLP JSON nor as the console exporter writes them",
        ));
    }
    Ok(())
}

/// The spans of an OTLP message, or the one that the console exporter wrote.
fn spans_of(value: &Json) -> Vec<Span> {
    let list = |value: &Json, name: &str| {
        let items = value.get(name).and_then(Json::as_array);
        items.cloned().unwrap_or_default()
    };
    if value.get("context").is_some() && value.get("attributes").is_some() {
        return vec![from_console(value)];
    }
    list(value, "resourceSpans")
        .iter()
        .flat_map(|resource| list(resource, "scopeSpans"))
        .flat_map(|scope| list(&scope, "spans"))
        .map(|span| from_otlp(&span))
        .collect()
}

fn from_console(span: &Json) -> Span {
    let time = |name: &str| span.get(name)?.as_str()?.parse().ok();
    Span {
        id: at(span, "context.span_id").and_then(text),
        trace: at(span, "context.trace_id").and_then(text),
        attributes: span["attributes"].clone(),
        begin: time("start_time"),
        end: time("end_time"),
    }
}

fn from_otlp(span: &Json) -> Span {
    let attributes: Map<String, Json> = span
        .get("attributes")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(|attribute| {
            let name = attribute.get("key")?.as_str()?.to_owned();
            Some((name, plain(attribute.get("value")?)?))
        })
        .collect();
    let time = |name: &str| {
        let nanoseconds = span.get(name).and_then(text)?.parse().ok()?;
        Timestamp::from_nanosecond(nanoseconds).ok()
    };
    Span {
        id: span.get("spanId").and_then(text),
        trace: span.get("traceId").and_then(text),
        attributes: Json::Object(attributes),
        begin: time("startTimeUnixNano"),
        end: time("endTimeUnixNano"),
    }
}

/// A value without the name of its type; whole numbers come as text.
fn plain(value: &Json) -> Option<Json> {
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "intValue" => Json::from(text(value)?.parse::<i64>().ok()?),
        "arrayValue" => value
            .get("values")
            .and_then(Json::as_array)?
            .iter()
            .filter_map(plain)
            .collect(),
        _ => value.clone(),
    })
}

/// An attribute; names have dots in them.
fn attribute<'s>(span: &'s Span, name: &str) -> Option<&'s Json> {
    span.attributes.get(name).filter(|value| !value.is_null())
}

/// Messages, which stand as JSON in a text.
fn messages(span: &Span, name: &str) -> Option<Vec<Json>> {
    serde_json::from_str(attribute(span, name)?.as_str()?).ok()
}

fn take(span: &Span, place: Place, harvest: &mut Harvest<'_>) -> Result<(), String> {
    let input = messages(span, "gen_ai.input.messages").ok_or(
        "it has no `gen_ai.input.messages`; what was said is only in spans where the instrumentation captures content",
    )?;
    let chat = chat::read(&input);
    harvest.tell(chat.told);
    let mapping = harvest.mapping;
    let said = messages(span, "gen_ai.output.messages")
        .and_then(|messages| chat::said(messages.first()?))
        .and_then(|said| text(&Json::from(said)));
    let mapped = |part: &str| mapping.get(&span.attributes, part);
    let found = Found {
        id: mapped("id").and_then(text).or_else(|| span.id.clone()),
        state: if mapping.has("state") {
            mapped("state").cloned()
        } else {
            chat.state
        },
        production_answer: said.clone(),
        strata: mapping.strata(&span.attributes),
        // Calls about one and the same thing are one piece of evidence.
        cluster: mapped("cluster")
            .and_then(text)
            .or_else(|| span.trace.clone()),
        tier: mapped("tier").and_then(text),
        language: mapped("language").and_then(text),
        at: span.begin.map(|begin| begin.to_string()),
        origin: "trace",
        ..Found::default()
    };
    let Some(case) = harvest.case(found, place) else {
        return Ok(());
    };
    let model = ["gen_ai.response.model", "gen_ai.request.model"]
        .into_iter()
        .find_map(|name| attribute(span, name).and_then(text));
    let said = said.map(label).ok_or_else(|| {
        let error = attribute(span, "error.type").and_then(text);
        no_answer(error.unwrap_or_else(|| "the span has no output".to_owned()))
    });
    let tokens = |name: &str| attribute(span, name).and_then(Json::as_u64);
    let measured = Measured {
        latency_ms: span
            .begin
            .zip(span.end)
            .map(|(begin, end)| end.duration_since(begin).as_secs_f64() * 1000.0),
        input_tokens: tokens("gen_ai.usage.input_tokens"),
        output_tokens: tokens("gen_ai.usage.output_tokens"),
        at: span.begin.map(|begin| begin.to_string()),
        model: model.clone(),
        ..Measured::default()
    };
    let candidate = harvest.candidate(model.as_deref());
    harvest.answer(&candidate, &case, "", None, said, measured);
    Ok(())
}
