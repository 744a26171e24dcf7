//! The System One dialect as its contract says.

use serde_json::{Map, Value, json};

pub(crate) use super::server::{Act, KEY, Seen, Server};
use super::server::{Contract, as_text, shares};

/// The vendor's own service.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| as_text(&body["state"]),
};

impl Server {
    /// A server of this dialect that always answers.
    pub(crate) fn answering() -> Self {
        Self::behaving(|_| Act::Answer)
    }

    /// A server of this dialect that does with each request what the function says.
    pub(crate) fn behaving(behave: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::speaking(CONTRACT, behave)
    }
}

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    let (status, detail) = contract_error(seen)?;
    Some((status, json!({"detail": detail})))
}

/// What the contract does not allow, as the service tells it.
fn contract_error(seen: &Seen) -> Option<(u16, Value)> {
    let expected = format!("Bearer {KEY}");
    match seen.headers.get("authorization") {
        None => return Some((403, json!({"error_type": "missing_key"}))),
        Some(given) if *given != expected => {
            return Some((
                401,
                json!({"error_type": "authentication_error", "message": "bad key"}),
            ));
        }
        Some(_) => {}
    }
    // The edge refuses the names that languages send by default.
    let named = |name: &String| {
        ["decbench/", "typesafe-sdk/"]
            .iter()
            .any(|product| name.starts_with(product))
    };
    if !seen.headers.get("user-agent").is_some_and(named) {
        return Some((403, json!("error 1010")));
    }
    let wrong = |field: &str| {
        let entry = json!({"loc": ["body", field], "msg": "field required", "type": "missing", "input": seen.body});
        Some((422, json!([entry])))
    };
    if !seen.body["model"].is_string() {
        return wrong("model");
    }
    if seen.body["state"].is_null() {
        return wrong("state");
    }
    let Some(questions) = seen.body["questions"]
        .as_object()
        .filter(|map| !map.is_empty())
    else {
        return wrong("questions");
    };
    for (name, question) in questions {
        let criteria = &question["criteria"];
        let fits = match question["type"].as_str() {
            Some("choice") => criteria
                .as_object()
                .is_some_and(|map| (1..=255).contains(&map.len())),
            Some("score") => criteria
                .as_array()
                .is_some_and(|levels| (2..=10).contains(&levels.len())),
            Some("noul") => question["instructions"].is_string() || criteria.is_object(),
            _ => false,
        };
        if !fits {
            return wrong(name);
        }
    }
    None
}

/// The answer to a request that keeps to the contract: the first option, surely for some states and less so for others.
pub(crate) fn answer_to(body: &Value) -> Value {
    let share = shares(&body["state"]);
    let answers: Map<String, Value> = body["questions"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, question)| (name.clone(), answer(question, share)))
        .collect();
    let model = match body["model"].as_str() {
        Some("jev-latest") => json!("jev-1.13.0"),
        _ => body["model"].clone(),
    };
    json!({
        "model": model,
        "answers": answers,
        "usage": {"input_tokens": body.to_string().len() / 4, "output_tokens": 3 * answers.len()},
    })
}

fn answer(question: &Value, share: impl Fn(usize) -> f64) -> Value {
    match question["type"].as_str() {
        Some("noul") => json!({"type": "noul", "noul": share(0)}),
        Some("score") => {
            let levels = question["criteria"].as_array().map_or(0, Vec::len);
            let probabilities: Map<String, Value> = (0..levels)
                .map(|level| (level.to_string(), json!(share(level))))
                .collect();
            let legend: Map<String, Value> = question["criteria"]
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .map(|(level, text)| (level.to_string(), text.clone()))
                .collect();
            json!({"type": "score", "score": share(1), "confidence": 0.5, "legend": legend,
                "probabilities": probabilities})
        }
        _ => {
            let labels = question["criteria"].as_object();
            let probabilities: Map<String, Value> = labels
                .into_iter()
                .flatten()
                .enumerate()
                .map(|(position, (label, _))| (label.clone(), json!(share(position))))
                .collect();
            let first = probabilities.keys().next().cloned();
            json!({"type": "choice", "choice": first, "confidence": 0.5, "probabilities": probabilities})
        }
    }
}
