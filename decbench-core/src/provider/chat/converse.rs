//! `chat`: a model of Chat Completions that answers open questions in its own words, with tools where a case has them.

use serde_json::Value;

use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};
use super::tools::{MAX_STEPS, Tools};

const NAME: &str = "chat";
const USUAL: Usual = usual(NAME);
const SETTINGS: &[SettingKey] = &[
    MODEL,
    SettingKey::new(
        "tools",
        "[{type: function, function: {name: find_order}}]",
        "The tools that are offered in cases that record what tools give back; by default their names alone.",
    ),
    MAX_STEPS,
    TEMPERATURE,
    MAX_TOKENS,
    MAX_TOKENS_FIELD,
    PARAMETERS,
];
const LONGEST: u64 = 1024;

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
    tools: Tools,
}

fn read(settings: &Settings) -> Result<(Target, Own), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| Own {
        tools: Tools::read(
            reader,
            tool_name,
            "`function.name`",
            "tools: [{type: function, function: {name: find_order, parameters: {type: object}}}]",
        ),
        chat: Chat::read(reader, LONGEST),
    })
}

fn tool_name(tool: &Value) -> Option<&str> {
    tool.get("function")?.get("name")?.as_str()
}

fn identity(target: &Target, own: &Own) -> Identity {
    let mut parameters = own.chat.identity();
    parameters.extend(own.tools.identity());
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
    use super::super::conversation::{Speech, converse, further_requests, offered, result_of};
    use super::super::open::system_text;
    use super::{Own, tool_name};
    use crate::decision::{
        AgentState, Asked, Decided, Failure, Measured, Output, Request, State, ToolCall, Written,
    };
    use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply};
    use crate::provider::http::Http;
    use crate::provider::reading::written;

    /// About how many bytes the frame of a conversation adds.
    const BYTES: u64 = 200;

    pub(super) struct Conversation {
        pub(super) http: Http,
        pub(super) identity: Identity,
        pub(super) model: String,
        pub(super) own: Own,
    }

    impl Provider for Conversation {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn demand(&self, state: &State, _questions: usize) -> Demand {
            Demand {
                further_bytes: BYTES,
                output_tokens: self.own.chat.max_tokens,
                ..further_requests(state, self.own.tools.max_steps)
            }
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(converse(
                &self.http,
                self,
                self.own.tools.max_steps,
                request,
            ))
        }
    }

    impl Speech for Conversation {
        fn opening(&self, asked: &Asked<'_>, output: Output, state: &State) -> Vec<Value> {
            vec![
                json!({"role": "system", "content": system_text(asked, output)}),
                json!({"role": "user", "content": state.as_text()}),
            ]
        }

        fn document(
            &self,
            _asked: &Asked<'_>,
            _output: Output,
            messages: &[Value],
            agent: Option<&AgentState>,
        ) -> Value {
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert("messages".to_owned(), messages.into());
            if let Some(agent) = agent {
                let bare = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}});
                let tools = offered(&self.own.tools.declared, tool_name, agent, bare);
                document.insert("tools".to_owned(), tools);
            }
            self.own.chat.complete(&mut document);
            Value::Object(document)
        }

        fn step(
            &self,
            reply: &Value,
            measured: &mut Measured,
            output: Output,
        ) -> Result<Decided, Failure> {
            let said = completion::read(reply, measured)?;
            if said.cut_off {
                return Err(completion::cut_off(said.text));
            }
            let message = &reply["choices"][0]["message"];
            let calls = calls_of(message);
            if calls.is_empty() {
                return written(&Value::from(said.text), None, output);
            }
            let mut message = message.clone();
            if let Some(message) = message.as_object_mut() {
                message
                    .entry("role")
                    .or_insert_with(|| Value::from("assistant"));
            }
            Ok(Decided::written(Written {
                output: message,
                tool_calls: calls.into_iter().map(|(_, call)| call).collect(),
            }))
        }

        fn results(&self, message: &Value, agent: Option<&AgentState>) -> Vec<Value> {
            let give = |(id, call): (&Value, ToolCall)| json!({"role": "tool", "tool_call_id": id, "content": result_of(agent, &call)});
            calls_of(message).into_iter().map(give).collect()
        }
    }

    /// The calls in a message, each with its identifier.
    fn calls_of<'m>(message: &'m Value) -> Vec<(&'m Value, ToolCall)> {
        let wanted = message["tool_calls"].as_array().into_iter().flatten();
        let read = |call: &'m Value| {
            let function = &call["function"];
            let given = function["arguments"].as_str().unwrap_or("null");
            let made = ToolCall {
                name: function["name"].as_str().unwrap_or_default().to_owned(),
                // Arguments that are no JSON are kept as the text they are.
                arguments: serde_json::from_str(given).unwrap_or_else(|_| Value::from(given)),
            };
            (&call["id"], made)
        };
        wanted.map(read).collect()
    }
}
