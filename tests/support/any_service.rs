//! A service that nobody has heard of: it classifies a text among labels.

use serde_json::{Map, Value, json};

use super::server::{Contract, KEY, Seen, as_text, shares};

/// What it takes and gives.
pub(crate) const CONTRACT: Contract = Contract {
    check: refusal,
    answer: answer_to,
    state: |body| as_text(&body["text"]),
};

/// How a candidate describes it.
pub(crate) const TEMPLATE: &str = r#"{
    "key_env": "MY_KEY",
    "body": {"text": "{{state}}", "task": "{{instructions}}", "labels": "{{descriptions}}", "model": "{{model}}"},
    "reply": {"label": "/result/best", "probabilities": "/result/scores", "finish": "/end", "model": "/model",
        "input_tokens": "/tokens/in", "output_tokens": "/tokens/out"}
}"#;

fn refusal(seen: &Seen) -> Option<(u16, Value)> {
    if !seen.has_header("authorization", &format!("Bearer {KEY}")) {
        return Some((401, json!({"error": "bad key"})));
    }
    let labels = seen.body["labels"].as_object();
    let fits = seen.method == "POST"
        && seen.body["task"].is_string()
        && labels.is_some_and(|labels| !labels.is_empty());
    (!fits).then(|| (422, json!({"detail": "bad request"})))
}

/// Its answer.
pub(crate) fn answer_to(body: &Value) -> Value {
    let share = shares(&json!(as_text(&body["text"])));
    let labels = body["labels"].as_object();
    let names: Vec<&String> = labels.into_iter().flatten().map(|(name, _)| name).collect();
    let scores: Map<String, Value> = names
        .iter()
        .enumerate()
        .map(|(at, name)| ((*name).clone(), json!(share(at))))
        .collect();
    json!({
        "model": body["model"],
        "result": {"best": names.first(), "scores": scores},
        "end": "stop",
        "tokens": {"in": body.to_string().len() / 4, "out": 1},
    })
}
