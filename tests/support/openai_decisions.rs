//! The Decisions of `OpenAI` as their contract says.

use serde_json::{Value, json};

use super::server::{Contract, KEY, Seen, as_text, shares};

/// The vendor's own service.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| state(&body["input"]),
};

/// The question with this word in its instructions is refused, as the service does with what it will not judge.
pub(crate) const UNWANTED: &str = "unspeakable";

/// The input's parts as text.
fn state(input: &Value) -> String {
    match &input[0]["content"][0] {
        Value::Null => as_text(input),
        part => as_text(part.get("text").or(part.get("data")).unwrap_or(part)),
    }
}

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let error =
        |status: u16, message: &str, kind: &str, param: Option<&str>, code: Option<&str>| {
            let error = json!({"message": message, "type": kind, "param": param, "code": code});
            Some((status, json!({"error": error})))
        };
    if !seen.has_header("authorization", &format!("Bearer {KEY}")) {
        let code = Some("invalid_api_key");
        return error(401, "bad key", "invalid_request_error", None, code);
    }
    if seen.method != "POST" || !seen.path.ends_with("/v1/decisions") {
        return error(404, "no such route", "invalid_request_error", None, None);
    }
    let bad = |param: &str| error(400, "bad value", "invalid_request_error", Some(param), None);
    if !seen.body["model"].is_string() {
        return bad("model");
    }
    if !input_fits(&seen.body["input"]) {
        return bad("input");
    }
    let questions = seen.body["questions"].as_array();
    let Some(questions) = questions.filter(|all| (1..=400).contains(&all.len())) else {
        return bad("questions");
    };
    let mut names: Vec<&str> = questions
        .iter()
        .filter_map(|question| question["name"].as_str())
        .collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) || !questions.iter().all(question_fits) {
        return bad("questions");
    }
    let known = [
        "model",
        "input",
        "questions",
        "prompt_cache_key",
        "prompt_cache_options",
        "safety_identifier",
    ];
    let unknown = |(name, _): (&String, &Value)| !known.contains(&name.as_str());
    if seen.body.as_object().into_iter().flatten().any(unknown) {
        return bad("unknown");
    }
    None
}

fn input_fits(input: &Value) -> bool {
    if input.is_string() {
        return true;
    }
    let part_fits = |part: &Value| match part["type"].as_str() {
        Some("input_text") => part["text"].is_string(),
        Some("input_json") => {
            part["data"].is_object()
                || part["data"]
                    .as_array()
                    .is_some_and(|items| items.iter().all(Value::is_object))
        }
        _ => false,
    };
    input.as_array().is_some_and(|items| {
        !items.is_empty()
            && items.iter().all(|item| {
                item["role"] == "user"
                    && item["content"]
                        .as_array()
                        .is_some_and(|parts| parts.iter().all(part_fits))
            })
    })
}

fn question_fits(question: &Value) -> bool {
    let unique = |values: Vec<String>| {
        let mut sorted = values.clone();
        sorted.sort();
        sorted.dedup();
        sorted.len() == values.len()
    };
    let listed = |list: &str, name: &str| -> Option<Vec<String>> {
        let entries = question[list].as_array()?;
        entries
            .iter()
            .map(|entry| Some(entry[name].as_str()?.to_owned()))
            .collect()
    };
    question["instructions"]
        .as_str()
        .is_some_and(|text| !text.is_empty())
        && match question["type"].as_str() {
            Some("predicate") => {
                question.get("choices").is_none() && question.get("levels").is_none()
            }
            Some("choice") => listed("choices", "value")
                .is_some_and(|values| (2..=255).contains(&values.len()) && unique(values)),
            Some("score") => {
                listed("levels", "label").is_some_and(|labels| (2..=10).contains(&labels.len()))
            }
            _ => false,
        }
}

/// The answer to a request that keeps to the contract.
pub(crate) fn answer_to(body: &Value) -> Value {
    let share = shares(&body["input"]);
    let tokens = body.to_string().len() / 4;
    let answers: Vec<Value> = body["questions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|question| answer(question, share))
        .collect();
    json!({
        "model": body["model"],
        "answers": answers,
        "usage": {"input_tokens": tokens, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 0, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": tokens},
    })
}

fn answer(question: &Value, share: impl Fn(usize) -> f64) -> Value {
    let name = &question["name"];
    if question["instructions"]
        .as_str()
        .is_some_and(|text| text.contains(UNWANTED))
    {
        return json!({"type": "refusal", "name": name});
    }
    let entries = |list: &str| question[list].as_array().cloned().unwrap_or_default();
    match question["type"].as_str() {
        Some("predicate") => json!({"type": "predicate", "name": name, "probability": share(0)}),
        Some("score") => {
            let levels = entries("levels");
            let probabilities: Vec<Value> = levels
                .iter()
                .enumerate()
                .map(|(at, level)| json!({"label": level["label"], "value": at, "probability": share(at)}))
                .collect();
            json!({"type": "score", "name": name, "score": share(1), "confidence": 0.5, "probabilities": probabilities})
        }
        _ => {
            let choices = entries("choices");
            let probabilities: Vec<Value> = choices
                .iter()
                .enumerate()
                .map(|(at, choice)| json!({"value": choice["value"], "probability": share(at)}))
                .collect();
            json!({"type": "choice", "name": name, "choice": choices[0]["value"], "confidence": 0.5,
                "probabilities": probabilities})
        }
    }
}
