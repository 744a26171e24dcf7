//! What a case expects of an open answer.

use std::path::Path;

use super::super::read::{Field, Fields, Reader};
use super::super::tree::{Node, Style, Value};
use super::checks::{checks, texts};
use crate::decision::{AgentState, Expected, Output, State, ToolCall, ToolResult, Written};

/// The keys of a case that only open suites know.
const OPEN_KEYS: [&str; 4] = ["expect", "rubric", "tools", "production_tool_calls"];
/// The keys of a case that they do not know.
const CLOSED_KEYS: [&str; 4] = ["labels", "stereotype", "question", "questions"];

/// Reports the keys of a case that belong to the other kind of suite.
pub(in super::super) fn foreign(reader: &mut Reader, fields: &Fields<'_>, open: bool) {
    let names = if open { CLOSED_KEYS } else { OPEN_KEYS };
    for name in names {
        if let Some(field) = fields.get(name) {
            let suite = if open {
                "the suite's answers are open"
            } else {
                "the suite has no `output`"
            };
            reader
                .error(
                    "foreign-key",
                    field.key_span,
                    format!("`{name}` says nothing here: {suite}"),
                )
                .help("remove it");
        }
    }
}

/// Reads what a case expects, and what production answered.
pub(in super::super) fn expected(
    reader: &mut Reader,
    fields: &Fields<'_>,
    output: Output,
    folder: Option<&Path>,
) -> Expected {
    let answer = |reader: &mut Reader, name: &str| {
        let field = fields.get(name).filter(|field| !field.value.is_null())?;
        answer(reader, &field, output)
    };
    let gold = answer(reader, "gold");
    let reference = answer(reader, "reference");
    let production = answer(reader, "production_answer");
    let tool_calls = fields
        .get("production_tool_calls")
        .and_then(|field| tool_calls(reader, &field));
    let of = |name: &str| fields.get(name).filter(|field| !field.value.is_null());
    Expected {
        gold,
        reference,
        production: production.map(|output| Written {
            output,
            tool_calls: tool_calls.unwrap_or_default(),
        }),
        checks: match of("expect") {
            Some(field) => checks(reader, &field, folder),
            None => Vec::new(),
        },
        rubric: match of("rubric") {
            Some(field) => texts(reader, &field),
            None => Vec::new(),
        },
    }
}

fn answer(reader: &mut Reader, field: &Field<'_>, output: Output) -> Option<serde_json::Value> {
    let name = field.key.name;
    if output == Output::Text {
        return reader
            .words(field)
            .map(|text| serde_json::Value::from(text.trim()));
    }
    let document = document(reader, name, field.value)?;
    // A cell of a table holds its JSON as text.
    let in_cell =
        matches!(&field.value.value, Value::Scalar(scalar) if scalar.style == Style::Cell);
    if in_cell && let Ok(written) = Written::of_value(&document, output) {
        return Some(written.output);
    }
    Some(document)
}

fn document(reader: &mut Reader, name: &str, node: &Node) -> Option<serde_json::Value> {
    match node.to_json() {
        Ok(document) => Some(document),
        Err((span, problem)) => {
            reader.error(
                "bad-json",
                span,
                format!("`{name}` cannot be read as JSON: {problem}"),
            );
            None
        }
    }
}

fn tool_calls(reader: &mut Reader, field: &Field<'_>) -> Option<Vec<ToolCall>> {
    let name = field.key.name;
    let found = ToolCall::list(&document(reader, name, field.value)?);
    if found.is_none() {
        reader
            .unexpected(name, field.value, "a list of calls")
            .help("write `[{ name: find_order, arguments: { id: 7 } }]`");
    }
    found
}

/// The state with what the case's tools give back, where it has tools.
pub(in super::super) fn with_tools(
    reader: &mut Reader,
    fields: &Fields<'_>,
    state: Option<State>,
) -> Option<State> {
    let Some(field) = fields.get("tools").filter(|field| !field.value.is_null()) else {
        return state;
    };
    let document = document(reader, "tools", field.value)?;
    let one = |tool: &serde_json::Value| {
        Some(ToolResult {
            name: tool.get("name")?.as_str()?.to_owned(),
            arguments: tool.get("arguments").cloned(),
            result: tool.get("result")?.clone(),
        })
    };
    let tools: Option<Vec<ToolResult>> = document
        .as_array()
        .filter(|tools| !tools.is_empty())
        .and_then(|tools| tools.iter().map(one).collect());
    let Some(tools) = tools else {
        reader
            .unexpected("tools", field.value, "a list of what tools give back")
            .help("write `[{ name: find_order, arguments: { id: 7 }, result: { state: sent } }]`");
        return state;
    };
    Some(State::Agent(Box::new(AgentState {
        input: state?,
        tools,
    })))
}
