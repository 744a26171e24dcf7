//! The Messages API as its contract says.

use serde_json::{Value, json};

use super::chat_completions::{by_schema, is_strict, material};
use super::server::{Contract, KEY, Seen};

/// The vendor's own service.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| material(&body["messages"]),
};

/// Every field of a request that we use.
const KNOWN: [&str; 8] = [
    "model",
    "max_tokens",
    "system",
    "messages",
    "tools",
    "tool_choice",
    "output_config",
    "thinking",
];

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let error = |status: u16, kind: &str, message: &str| {
        let error = json!({"type": kind, "message": message});
        Some((
            status,
            json!({"type": "error", "error": error, "request_id": "req_1"}),
        ))
    };
    if !seen.has_header("x-api-key", KEY) {
        return error(401, "authentication_error", "bad key");
    }
    if !seen.has_header("anthropic-version", "2023-06-01") {
        return error(400, "invalid_request_error", "anthropic-version: missing");
    }
    if seen.method != "POST" || !seen.path.ends_with("/v1/messages") {
        return error(404, "not_found_error", "no such route");
    }
    let body = &seen.body;
    let fits = body["model"].is_string()
        && body["max_tokens"].as_u64().is_some_and(|tokens| tokens > 0)
        && body["messages"].as_array().is_some_and(|messages| {
            let user =
                |message: &Value| message["role"] == "user" && message["content"].is_string();
            !messages.is_empty() && messages.iter().all(user)
        });
    let unknown = |(name, _): (&String, &Value)| !KNOWN.contains(&name.as_str());
    if !fits || body.as_object().into_iter().flatten().any(unknown) {
        return error(400, "invalid_request_error", "bad request");
    }
    let schema = schema(body);
    let plain = |name: &String| {
        name.len() <= 64
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
    };
    let names = schema["properties"].as_object();
    if !is_strict(schema) || !names.is_some_and(|names| names.keys().all(plain)) {
        return error(400, "invalid_request_error", "bad schema");
    }
    let tool = &body["tools"][0]["name"];
    if !tool.is_null() && body["tool_choice"]["name"] != *tool {
        return error(400, "invalid_request_error", "tool_choice: no such tool");
    }
    None
}

fn schema(body: &Value) -> &Value {
    match &body["tools"][0]["input_schema"] {
        Value::Null => &body["output_config"]["format"]["schema"],
        schema => schema,
    }
}

/// The model's answer to a request that keeps to the contract.
pub(crate) fn answer_to(body: &Value) -> Value {
    let answers = by_schema(schema(body), &json!(material(&body["messages"])));
    let (content, stop) = if body["tools"].is_null() {
        (
            json!([{"type": "text", "text": answers.to_string()}]),
            "end_turn",
        )
    } else {
        (
            json!([{"type": "tool_use", "id": "t1", "name": "answer", "input": answers}]),
            "tool_use",
        )
    };
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
        "content": content, "stop_reason": stop, "stop_sequence": null,
        "usage": {"input_tokens": body.to_string().len() / 4, "output_tokens": 20,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 3},
    })
}
