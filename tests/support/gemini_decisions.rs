//! Google's decisions as their contract says.

use serde_json::{Map, Value, json};

use super::server::{Contract, KEY, Seen, as_text, shares};

/// The vendor's own service.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| as_text(&body["input"]),
};

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let error = |code: u16, message: &str, status: &str| {
        let error = json!({"code": code, "message": message, "status": status, "details": []});
        Some((code, json!({"error": error})))
    };
    if !seen.has_header("x-goog-api-key", KEY) {
        return error(401, "bad key", "UNAUTHENTICATED");
    }
    if seen.method != "POST" || !seen.path.ends_with("/v1beta/decisions") {
        return error(404, "no such route", "NOT_FOUND");
    }
    let input = &seen.body["input"];
    let questions = seen.body["questions"].as_object();
    let fits = seen.body["model"].is_string()
        && (input.is_string() || input["type"] == "text" || input.is_array())
        && questions.is_some_and(|map| !map.is_empty() && map.values().all(question_fits));
    if fits {
        None
    } else {
        error(400, "bad argument", "INVALID_ARGUMENT")
    }
}

fn question_fits(question: &Value) -> bool {
    let plain = |id: &str| !id.is_empty() && id.trim() == id && !id.chars().any(char::is_control);
    let criteria = &question["criteria"];
    question["instructions"]
        .as_str()
        .is_some_and(|text| !text.is_empty())
        && match question["type"].as_str() {
            Some("noul") => criteria.as_object().is_none_or(|map| {
                map.iter().all(|(side, text)| {
                    ["true_description", "false_description"].contains(&side.as_str())
                        && text.is_string()
                })
            }),
            Some("choice") => criteria.as_object().is_some_and(|map| {
                (2..=255).contains(&map.len())
                    && map.iter().all(|(id, text)| plain(id) && text.is_string())
            }),
            Some("score") => criteria.as_array().is_some_and(|levels| {
                (2..=255).contains(&levels.len())
                    && levels
                        .iter()
                        .all(|level| level.as_str().is_some_and(|text| !text.is_empty()))
            }),
            _ => false,
        }
}

/// The answer to a request that keeps to the contract; it names no model.
pub(crate) fn answer_to(body: &Value) -> Value {
    let share = shares(&body["input"]);
    let answers: Map<String, Value> = body["questions"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, question)| (name.clone(), answer(question, share)))
        .collect();
    let tokens = body.to_string().len() / 4;
    json!({"answers": answers,
        "usage": {"total_input_tokens": tokens, "total_output_tokens": 0, "total_tokens": tokens}})
}

fn answer(question: &Value, share: impl Fn(usize) -> f64) -> Value {
    let largest = share(0).max(share(1));
    match (question["type"].as_str(), &question["criteria"]) {
        (Some("noul"), _) => {
            let noul = share(0).clamp(0.01, 0.99);
            json!({"type": "noul", "noul": noul, "confidence": noul.max(1.0 - noul)})
        }
        (Some("score"), Value::Array(levels)) => {
            let probabilities: Map<String, Value> = (0..levels.len())
                .map(|level| (level.to_string(), json!(share(level))))
                .collect();
            let legend: Map<String, Value> = levels
                .iter()
                .enumerate()
                .map(|(level, text)| (level.to_string(), text.clone()))
                .collect();
            json!({"type": "score", "score": share(1), "legend": legend, "probabilities": probabilities,
                "confidence": largest})
        }
        (_, criteria) => {
            let ids = criteria.as_object().into_iter().flatten().map(|(id, _)| id);
            let probabilities: Map<String, Value> = ids
                .enumerate()
                .map(|(at, id)| (id.clone(), json!(share(at))))
                .collect();
            let first = probabilities.keys().next();
            json!({"type": "choice", "choice": first, "probabilities": probabilities, "confidence": largest})
        }
    }
}
