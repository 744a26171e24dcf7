//! A conversation with a model that may call tools, which give back what is recorded for them.

use serde_json::{Value, json};

use super::open::open_question;
use crate::decision::{
    AgentState, Asked, Decided, Failure, FailureKind, Measured, Output, Request, State, ToolCall,
};
use crate::provider::contract::{Attempt, Demand, Reply, Retry};
use crate::provider::http::Http;

/// How a service spells a conversation.
pub(super) trait Speech: Send + Sync {
    /// What is said first.
    fn opening(&self, asked: &Asked<'_>, output: Output, state: &State) -> Vec<Value>;

    /// The document that has the model go on from these messages.
    fn document(
        &self,
        asked: &Asked<'_>,
        output: Output,
        messages: &[Value],
        agent: Option<&AgentState>,
    ) -> Value;

    /// Reads one reply: what was said in the end, or the whole message where it calls tools, with its calls. All of the
    /// message goes back to the service: some sign theirs.
    ///
    /// # Errors
    ///
    /// Where the reply says nothing of use.
    fn step(
        &self,
        reply: &Value,
        measured: &mut Measured,
        output: Output,
    ) -> Result<Decided, Failure>;

    /// What the tools that a message calls give back, as the next messages.
    fn results(&self, message: &Value, agent: Option<&AgentState>) -> Vec<Value>;
}

/// The requests that may follow the first where a case has tools.
pub(super) fn further_requests(state: &State, max_steps: u64) -> Demand {
    let steps = match state {
        State::Agent(_) => u32::try_from(max_steps).unwrap_or(u32::MAX),
        _ => 1,
    };
    Demand {
        further_requests: steps.saturating_sub(1),
        ..Demand::default()
    }
}

/// Asks, gives tools' recorded results back as often as they are called, and takes what is said in the end.
pub(super) async fn converse(
    http: &Http,
    speech: &impl Speech,
    max_steps: u64,
    request: Request<'_>,
) -> Result<Reply, Attempt> {
    let Some((asked, output)) = open_question(request.questions) else {
        return Err(Attempt {
            failure: Failure::new(
                FailureKind::InvalidAnswer,
                "a conversation is about one open question",
            ),
            retry: Retry::Never,
            measured: Measured::default(),
        });
    };
    let agent = match request.state {
        State::Agent(agent) => Some(agent.as_ref()),
        _ => None,
    };
    let mut messages = speech.opening(asked, output, request.state);
    let mut calls: Vec<ToolCall> = Vec::new();
    let mut took = Measured::default();
    for _ in 0..max_steps {
        let document = speech.document(asked, output, &messages, agent);
        let read =
            |reply: &Value, measured: &mut Measured| vec![speech.step(reply, measured, output)];
        let reply = http.exchange(&document, &request, read).await;
        let mut reply = reply.map_err(|attempt| Attempt {
            measured: one_after_another(&took, &attempt.measured),
            ..attempt
        })?;
        took = one_after_another(&took, &reply.measured);
        let said = match reply.answers.first_mut() {
            Some(Ok(decided)) => decided.written.as_mut(),
            _ => None,
        };
        match said {
            Some(said) if !said.tool_calls.is_empty() => {
                messages.push(said.output.clone());
                messages.extend(speech.results(&said.output, agent));
                calls.append(&mut said.tool_calls);
            }
            said => {
                if let Some(said) = said {
                    said.tool_calls = calls;
                }
                return Ok(Reply {
                    answers: reply.answers,
                    measured: took,
                });
            }
        }
    }
    Ok(Reply {
        answers: vec![Err(Failure::new(
            FailureKind::InvalidAnswer,
            format!("no answer after {max_steps} steps (max_steps)"),
        ))],
        measured: took,
    })
}

/// What a tool gives back, as text.
pub(super) fn result_of(agent: Option<&AgentState>, call: &ToolCall) -> String {
    match agent.and_then(|agent| agent.result_of(call)) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => json!({"error": "nothing is recorded for this call"}).to_string(),
    }
}

/// The declared tools, and behind them those of the case that are not among them by their names.
pub(super) fn offered(
    declared: &[Value],
    name_of: fn(&Value) -> Option<&str>,
    agent: &AgentState,
    bare: impl Fn(&str) -> Value,
) -> Value {
    let known = |name: &str| declared.iter().filter_map(name_of).any(|own| own == name);
    let others = agent.tool_names().into_iter();
    let others = others.filter(|name| !known(name)).map(bare);
    declared.iter().cloned().chain(others).collect()
}

/// What calls made one after another took: times and tokens add up as far as they are known.
fn one_after_another(before: &Measured, then: &Measured) -> Measured {
    fn sum<T: std::ops::Add<Output = T>>(one: Option<T>, other: Option<T>) -> Option<T> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        }
    }
    Measured {
        model: then.model.clone().or_else(|| before.model.clone()),
        latency_ms: sum(before.latency_ms, then.latency_ms),
        connect_ms: sum(before.connect_ms, then.connect_ms),
        cold: match (before.cold, then.cold) {
            (Some(before), Some(then)) => Some(before || then),
            (one, other) => one.or(other),
        },
        input_tokens: sum(before.input_tokens, then.input_tokens),
        output_tokens: sum(before.output_tokens, then.output_tokens),
        ..Measured::default()
    }
}
