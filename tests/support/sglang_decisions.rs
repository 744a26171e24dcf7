//! The decisions of `SGLang` over chat models as their contract says.

use serde_json::{Map, Value, json};

use super::server::{Contract, Seen, as_text, shares};

/// The server, started without a key.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| as_text(&body["input"]),
};

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let bad = |why: &str| {
        Some((
            400,
            json!({"message": why, "type": "BadRequestError", "code": 400}),
        ))
    };
    if seen.method != "POST" || seen.path != "/v1/decisions" {
        return Some((404, json!({"detail": "Not Found"})));
    }
    if !seen.body["model"].is_string() || !seen.body["input"].is_string() {
        return bad("model and input are required");
    }
    let Some(questions) = seen.body["questions"]
        .as_array()
        .filter(|all| !all.is_empty())
    else {
        return bad("questions are required");
    };
    let mut ids: Vec<&str> = questions
        .iter()
        .filter_map(|question| question["id"].as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != questions.len() {
        return bad("every question needs an id of its own");
    }
    for question in questions {
        let fits = question["question"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
            && match question["type"].as_str() {
                Some("choice") => question["options"].as_array().is_some_and(|options| {
                    (2..=26).contains(&options.len())
                        && options.iter().all(|option| option["name"].is_string())
                }),
                Some("score") => question["levels"].as_array().is_some_and(|levels| {
                    (2..=26).contains(&levels.len()) && levels.iter().all(Value::is_string)
                }),
                Some("yes_no") => true,
                _ => false,
            };
        if !fits {
            return bad("the question does not fit its type");
        }
    }
    None
}

/// The answer to a request that keeps to the contract; it holds no confidence.
pub(crate) fn answer_to(body: &Value) -> Value {
    let share = shares(&body["input"]);
    let answers: Map<String, Value> = body["questions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|question| (as_text(&question["id"]), answer(question, share)))
        .collect();
    let tokens = body.to_string().len() / 4;
    json!({"model": body["model"], "answers": answers, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})
}

fn answer(question: &Value, share: impl Fn(usize) -> f64) -> Value {
    let over = |names: Vec<String>| -> Map<String, Value> {
        names
            .into_iter()
            .enumerate()
            .map(|(at, name)| (name, json!(share(at))))
            .collect()
    };
    match question["type"].as_str() {
        Some("yes_no") => {
            let probabilities = over(vec!["yes".to_owned(), "no".to_owned()]);
            json!({"type": "yes_no", "choice": "yes", "probabilities": probabilities, "label_mass": 0.97})
        }
        Some("score") => {
            let levels = question["levels"].as_array().map_or(0, Vec::len);
            let probabilities = over((0..levels).map(|level| level.to_string()).collect());
            json!({"type": "score", "score": share(1), "probabilities": probabilities, "label_mass": 0.97})
        }
        _ => {
            let options = question["options"].as_array().cloned().unwrap_or_default();
            let names: Vec<String> = options
                .iter()
                .map(|option| as_text(&option["name"]))
                .collect();
            let first = names.first().cloned();
            json!({"type": "choice", "choice": first, "probabilities": over(names), "label_mass": 0.97})
        }
    }
}
