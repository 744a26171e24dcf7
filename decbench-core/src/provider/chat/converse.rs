//! `chat`: a model of Chat Completions that answers open questions in its own words, with tools where a case has them.

use serde_json::Value;

use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};

const NAME: &str = "chat";
const USUAL: Usual = usual(NAME);
const SETTINGS: &[SettingKey] = &[
    MODEL,
    SettingKey::new(
        "tools",
        "[{type: function, function: {name: find_order}}]",
        "The tools that are offered in cases that record what tools give back; by default their names alone.",
    ),
    SettingKey::new(
        "max_steps",
        "8",
        "How often the model may be asked on in one case, tools included; without an end by then there is no answer.",
    ),
    TEMPERATURE,
    MAX_TOKENS,
    MAX_TOKENS_FIELD,
    PARAMETERS,
];
const LONGEST: u64 = 1024;
const STEPS: u64 = 8;

/// The row of the table.
pub(crate) const CHAT: ProviderKind = ProviderKind {
    name: NAME,
    about: "A chat model that writes: for suites with `output`, and with tools for agents.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: Some(&USUAL),
        describe,
        connect,
    }),
};

/// What the candidate's own settings say.
struct Own {
    chat: Chat,
    tools: Vec<Value>,
    max_steps: u64,
}

fn read(settings: &Settings) -> Result<(Target, Own), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| Own {
        tools: read_tools(reader),
        max_steps: reader.whole("max_steps", 1, 100).unwrap_or(STEPS),
        chat: Chat::read(reader, LONGEST),
    })
}

fn read_tools(reader: &mut Reader<'_>) -> Vec<Value> {
    let Some(value) = reader.value("tools") else {
        return Vec::new();
    };
    let named = |tool: &Value| tool_name(tool).is_some();
    match value.as_array() {
        Some(tools) if tools.iter().all(named) => tools.clone(),
        _ => {
            reader.wrong(
                "tools",
                "`tools` wants a list of tools, each with `function.name`",
                "tools: [{type: function, function: {name: find_order, parameters: {type: object}}}]",
            );
            Vec::new()
        }
    }
}

fn tool_name(tool: &Value) -> Option<&str> {
    tool.get("function")?.get("name")?.as_str()
}

fn identity(target: &Target, own: &Own) -> Identity {
    let mut parameters = own.chat.identity();
    if !own.tools.is_empty() {
        parameters.push(("tools".to_owned(), own.tools.clone().into()));
    }
    if own.max_steps != STEPS {
        parameters.push(("max_steps".to_owned(), own.max_steps.into()));
    }
    target.identity(parameters)
}

fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let (target, own) = read(settings)?;
    Ok(Description {
        identity: identity(&target, &own),
        host: target.endpoint.host(),
        price: None,
        caps: Caps {
            questions: Some(1),
            options: (0, 0),
            levels: (0, 0),
            open: true,
            ..Caps::default()
        },
        context: None,
        probabilities: Some(false),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Http;
    use crate::provider::service::ConnectError;

    let (target, own) = read(settings).map_err(ConnectError::Settings)?;
    Ok(Box::new(calls::Conversation {
        http: Http::for_target(&target, outside)?,
        identity: identity(&target, &own),
        model: target.model.clone(),
        own,
    }))
}

#[cfg(not(feature = "http"))]
fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(feature = "http")]
mod calls {
    use serde_json::{Map, Value, json};

    use super::super::completion;
    use super::super::open::{open_question, system_text};
    use super::{Own, tool_name};
    use crate::decision::{
        AgentState, Decided, Failure, FailureKind, Measured, Output, Request, State, ToolCall,
        Written,
    };
    use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply, Retry};
    use crate::provider::http::Http;
    use crate::provider::reading::invalid;

    /// About how many bytes the frame of a conversation adds.
    const BYTES: u64 = 200;

    pub(super) struct Conversation {
        pub(super) http: Http,
        pub(super) identity: Identity,
        pub(super) model: String,
        pub(super) own: Own,
    }

    /// What one reply of the model leads to.
    enum Step {
        /// It said something.
        Said,
        /// It called tools; the messages to go on with.
        Called(Vec<Value>),
    }

    impl Provider for Conversation {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn remote(&self) -> bool {
            true
        }

        fn demand(&self, _questions: usize) -> Demand {
            Demand {
                further_bytes: BYTES,
                output_tokens: self.own.chat.max_tokens,
                ..Demand::default()
            }
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(self.converse(request))
        }
    }

    impl Conversation {
        /// Asks, gives tools' recorded results back as often as they are called, and takes what is said in the end.
        async fn converse(&self, request: Request<'_>) -> Result<Reply, Attempt> {
            let Some((asked, output)) = open_question(request.questions) else {
                return Err(Attempt {
                    failure: Failure::new(
                        FailureKind::InvalidAnswer,
                        "`chat` answers one open question",
                    ),
                    retry: Retry::Never,
                    measured: Measured::default(),
                });
            };
            let agent = match request.state {
                State::Agent(agent) => Some(agent.as_ref()),
                _ => None,
            };
            let mut messages = vec![
                json!({"role": "system", "content": system_text(asked, output)}),
                json!({"role": "user", "content": request.state.as_text()}),
            ];
            let mut calls: Vec<ToolCall> = Vec::new();
            let mut took = Measured::default();
            for _ in 0..self.own.max_steps {
                let document = self.document(&messages, agent);
                let mut next = Vec::new();
                let read = |reply: &Value, measured: &mut Measured| {
                    vec![match turn(reply, measured, agent, &mut calls) {
                        Ok((Step::Called(further), _)) => {
                            next = further;
                            Ok(Decided::default())
                        }
                        Ok((Step::Said, text)) => said(&text, &calls, output),
                        Err(failure) => Err(failure),
                    }]
                };
                let reply = self.http.exchange(&document, read).await;
                let reply = reply.map_err(|attempt| Attempt {
                    measured: one_after_another(&took, &attempt.measured),
                    ..attempt
                })?;
                took = one_after_another(&took, &reply.measured);
                if next.is_empty() {
                    return Ok(Reply {
                        answers: reply.answers,
                        measured: took,
                    });
                }
                messages.append(&mut next);
            }
            Ok(Reply {
                answers: vec![Err(Failure::new(
                    FailureKind::InvalidAnswer,
                    format!("no answer after {} steps (max_steps)", self.own.max_steps),
                ))],
                measured: took,
            })
        }

        fn document(&self, messages: &[Value], agent: Option<&AgentState>) -> Value {
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert("messages".to_owned(), messages.into());
            if let Some(agent) = agent {
                document.insert("tools".to_owned(), self.tools(agent));
            }
            self.own.chat.complete(&mut document);
            Value::Object(document)
        }

        /// The declared tools, and those of the case that are not among them by their names.
        fn tools(&self, agent: &AgentState) -> Value {
            let declared = |name: &str| {
                let mut names = self.own.tools.iter().filter_map(tool_name);
                names.any(|known| known == name)
            };
            let others = agent.tool_names().into_iter();
            let others = others.filter(|name| !declared(name)).map(|name| {
                json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}})
            });
            self.own.tools.iter().cloned().chain(others).collect()
        }
    }

    fn said(text: &str, calls: &[ToolCall], output: Output) -> Result<Decided, Failure> {
        let written =
            Written::read(text, output).map_err(|what| invalid(&what, &Value::from(text)))?;
        Ok(Decided::written(Written {
            tool_calls: calls.to_vec(),
            ..written
        }))
    }

    /// Reads one reply; tools that were called go among `calls`, with their recorded results as the next messages.
    fn turn(
        reply: &Value,
        measured: &mut Measured,
        agent: Option<&AgentState>,
        calls: &mut Vec<ToolCall>,
    ) -> Result<(Step, String), Failure> {
        let said = completion::read(reply, measured)?;
        if said.cut_off {
            return Err(completion::cut_off(said.text));
        }
        let message = &reply["choices"][0]["message"];
        let wanted = message["tool_calls"].as_array();
        let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else {
            return Ok((Step::Said, said.text.to_owned()));
        };
        let mut further = vec![json!({
            "role": "assistant",
            "content": message["content"],
            "tool_calls": wanted,
        })];
        for call in wanted {
            let function = &call["function"];
            let given = function["arguments"].as_str().unwrap_or("null");
            let made = ToolCall {
                name: function["name"].as_str().unwrap_or_default().to_owned(),
                // Arguments that are no JSON are kept as the text they are.
                arguments: serde_json::from_str(given).unwrap_or_else(|_| Value::from(given)),
            };
            let result = agent.and_then(|agent| agent.result_of(&made));
            let content = match result {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => json!({"error": "nothing is recorded for this call"}).to_string(),
            };
            further.push(json!({"role": "tool", "tool_call_id": call["id"], "content": content}));
            calls.push(made);
        }
        Ok((Step::Called(further), String::new()))
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

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::decision::ToolResult;

        #[test]
        fn a_tool_that_is_called_gives_its_recorded_result() {
            let agent = AgentState {
                input: State::Text("Where is 7?".to_owned()),
                tools: vec![ToolResult {
                    name: "order".to_owned(),
                    arguments: None,
                    result: json!({"state": "sent"}),
                }],
            };
            let call = |name: &str| {
                json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null,
                "tool_calls": [{"id": "t1", "type": "function", "function": {"name": name, "arguments": "{\"id\":7}"}}]}}]})
            };
            let mut calls = Vec::new();
            let mut told = |name: &str| {
                let turned = turn(
                    &call(name),
                    &mut Measured::default(),
                    Some(&agent),
                    &mut calls,
                );
                match turned.expect("a step").0 {
                    Step::Called(further) => further[1]["content"].as_str().map(str::to_owned),
                    Step::Said => None,
                }
            };
            assert_eq!(told("order").as_deref(), Some(r#"{"state":"sent"}"#));
            assert!(told("refund").is_some_and(|text| text.contains("nothing is recorded")));
            let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
            assert_eq!(names, ["order", "refund"]);
            assert_eq!(calls[0].arguments, json!({"id": 7}));
        }
    }
}
