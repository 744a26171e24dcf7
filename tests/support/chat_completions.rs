//! Chat Completions as their contract says, answered by a model that knows numbered options and schemas.

use serde_json::{Map, Value, json};

use super::server::{Contract, KEY, Seen, as_text, shares};

/// `OpenAI`'s own service, and those that speak like it.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| material(&body["messages"]),
};

/// How much of the probability falls on the options.
pub(crate) const MASS: f64 = 0.98;

/// The text between `Material:` and the first blank line, of the last message.
pub(crate) fn material(messages: &Value) -> String {
    let text = messages
        .as_array()
        .and_then(|messages| messages.last())
        .map_or_else(String::new, |message| as_text(&message["content"]));
    let text = text.strip_prefix("Material:\n").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or_default().to_owned()
}

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let error = |status: u16, message: &str, kind: &str, param: Option<&str>| {
        let error = json!({"message": message, "type": kind, "param": param, "code": null});
        Some((status, json!({"error": error})))
    };
    if !seen.has_header("authorization", &format!("Bearer {KEY}")) {
        return error(401, "bad key", "invalid_request_error", None);
    }
    if seen.method != "POST" || !seen.path.ends_with("/chat/completions") {
        return error(404, "no such route", "invalid_request_error", None);
    }
    let wrong = mistakes(&seen.body).into_iter().next()?;
    error(400, "bad value", "invalid_request_error", Some(wrong))
}

/// Every field of a request that we use.
const KNOWN: [&str; 10] = [
    "model",
    "messages",
    "logprobs",
    "top_logprobs",
    "max_completion_tokens",
    "max_tokens",
    "temperature",
    "seed",
    "reasoning_effort",
    "response_format",
];

/// The fields that the contract does not allow.
fn mistakes(body: &Value) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    if !body["model"].is_string() {
        wrong.push("model");
    }
    let message_fits = |message: &Value| {
        let role = message["role"].as_str().unwrap_or_default();
        ["system", "developer", "user", "assistant"].contains(&role)
            && message["content"].is_string()
    };
    let messages = body["messages"].as_array();
    if !messages.is_some_and(|all| !all.is_empty() && all.iter().all(message_fits)) {
        wrong.push("messages");
    }
    let top = &body["top_logprobs"];
    let listed = body["logprobs"] == true && top.as_u64().is_some_and(|top| top <= 20);
    if !(top.is_null() || listed) {
        wrong.push("top_logprobs");
    }
    for name in ["max_completion_tokens", "max_tokens"] {
        let limit = &body[name];
        if !limit.is_null() && limit.as_u64().is_none_or(|limit| limit == 0) {
            wrong.push("max_completion_tokens");
        }
    }
    let format = &body["response_format"];
    if !format.is_null() {
        let described = &format["json_schema"];
        let named = described["name"].as_str().is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let strict = described["strict"] == true && is_strict(&described["schema"]);
        if !(format["type"] == "json_schema" && named && strict) {
            wrong.push("response_format");
        }
    }
    let unknown = |(name, _): (&String, &Value)| !KNOWN.contains(&name.as_str());
    if body.as_object().into_iter().flatten().any(unknown) {
        wrong.push("unknown");
    }
    wrong
}

/// Whether every object of a schema names all its fields as required and allows no others.
pub(crate) fn is_strict(schema: &Value) -> bool {
    let Some(properties) = schema["properties"].as_object() else {
        return schema["type"] != "object";
    };
    let names: Vec<&String> = properties.keys().collect();
    schema["additionalProperties"] == false
        && schema["required"] == json!(names)
        && properties.values().all(is_strict)
}

/// The labels of numbered options.
fn labels(text: &str) -> Vec<String> {
    let options = text.split_once("Options:\n").map_or("", |(_, rest)| rest);
    options
        .lines()
        .map_while(|line| Some(line.split_once(". ")?.0.to_owned()))
        .collect()
}

/// An answer by a strict schema of ours: the first of the allowed ones, with what the state's shares say.
pub(crate) fn by_schema(schema: &Value, state: &Value) -> Value {
    let share = shares(state);
    let one = |schema: &Value| {
        let allowed = &schema["properties"]["answer"]["enum"];
        let mut answer = Map::new();
        answer.insert("answer".to_owned(), allowed[0].clone());
        if !schema["properties"]["confidence"].is_null() {
            answer.insert("confidence".to_owned(), json!(share(0)));
        }
        if let Some(each) = schema["properties"]["probabilities"]["properties"].as_object() {
            let each = each.keys().enumerate();
            let pairs: Map<String, Value> = each
                .map(|(at, name)| (name.clone(), json!(share(at))))
                .collect();
            answer.insert("probabilities".to_owned(), pairs.into());
        }
        Value::Object(answer)
    };
    schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.clone(), one(schema)))
        .collect::<Map<_, _>>()
        .into()
}

/// The model's answer to a request that keeps to the contract.
pub(crate) fn answer_to(body: &Value) -> Value {
    let state = json!(material(&body["messages"]));
    let text = body["messages"]
        .as_array()
        .and_then(|messages| messages.last())
        .map_or_else(String::new, |message| as_text(&message["content"]));
    let schema = &body["response_format"]["json_schema"]["schema"];
    let labels = labels(&text);
    let (content, finish) = if schema.is_null() {
        (labels.first().cloned().unwrap_or_default(), "length")
    } else {
        (by_schema(schema, &state).to_string(), "stop")
    };
    let share = shares(&state);
    let logprobs = (body["logprobs"] == true).then(|| {
        let mut listed: Vec<Value> = labels
            .iter()
            .enumerate()
            .filter(|(at, _)| share(*at) > 0.0)
            .map(|(at, label)| token(label, MASS * share(at)))
            .collect();
        listed.push(token("The", 1.0 - MASS));
        let mut first = listed[0].clone();
        first["top_logprobs"] = json!(listed);
        json!({"content": [first], "refusal": null})
    });
    json!({
        "id": "chatcmpl-1",
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "logprobs": logprobs,
            "message": {"role": "assistant", "content": content, "refusal": null}}],
        "usage": {"prompt_tokens": text.len() / 4, "completion_tokens": 1, "total_tokens": text.len() / 4 + 1},
    })
}

fn token(text: &str, p: f64) -> Value {
    json!({"token": text, "logprob": p.ln(), "bytes": null})
}
