//! `anthropic-messages`: a model of the Messages API, made to answer by a tool or by structured output.
//!
//! The API tells no probabilities, so there are none unless the model is asked to state them.

use std::time::Duration;

use serde_json::Value;

use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Auth, Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, PARAMETERS, TEMPERATURE};
use super::stated::{STATED, Stated};
use super::tools::{MAX_STEPS, Tools};

const NAME: &str = "anthropic-messages";
const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "https://api.anthropic.com",
    path: "/v1/messages",
    key_env: "ANTHROPIC_API_KEY",
    auth: Auth::Header("x-api-key"),
    timeout: Duration::from_secs(30),
    model: "claude-haiku-5-5",
};
const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "model",
        "claude-haiku-5-5",
        "The model; a dated version rather than an alias where there is one.",
    ),
    SettingKey::new(
        "answer_by",
        "tool",
        "How the model is made to answer: a forced tool, or output by a schema.",
    ),
    STATED,
    SettingKey::new(
        "tools",
        "[{name: find_order, input_schema: {type: object}}]",
        "The tools that are offered in cases that record what tools give back; by default their names alone.",
    ),
    MAX_STEPS,
    TEMPERATURE,
    MAX_TOKENS,
    PARAMETERS,
];
const LONGEST: u64 = 1024;

/// The row of the table.
pub(crate) const ANTHROPIC_MESSAGES: ProviderKind = ProviderKind {
    name: NAME,
    about: "Anthropic's Messages API: a forced tool or a schema; probabilities only where the model states them.",
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
    stated: Stated,
    by_schema: bool,
    tools: Tools,
}

fn read(settings: &Settings) -> Result<(Target, Own), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| Own {
        by_schema: read_way(reader),
        stated: Stated::read(reader, Stated::Nothing),
        tools: Tools::read(
            reader,
            tool_name,
            "`name`",
            "tools: [{name: find_order, input_schema: {type: object}}]",
        ),
        chat: Chat {
            max_tokens_field: "max_tokens",
            ..Chat::read(reader, LONGEST)
        },
    })
}

fn read_way(reader: &mut Reader<'_>) -> bool {
    match reader.text("answer_by") {
        None | Some("tool") => false,
        Some("schema") => true,
        Some(other) => {
            reader.wrong(
                "answer_by",
                format!("unknown way `{other}` of answering"),
                "answer_by: tool (or schema)",
            );
            false
        }
    }
}

fn tool_name(tool: &Value) -> Option<&str> {
    tool.get("name")?.as_str()
}

fn identity(target: &Target, own: &Own) -> Identity {
    let mut parameters = own.chat.identity();
    parameters.push(("stated".to_owned(), own.stated.name().into()));
    if own.by_schema {
        parameters.push(("answer_by".to_owned(), "schema".into()));
    }
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
            open: true,
            ..Caps::default()
        },
        context: None,
        probabilities: Some(own.stated == Stated::Probabilities),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Http;
    use crate::provider::service::ConnectError;

    let (mut target, own) = read(settings).map_err(ConnectError::Settings)?;
    let identity = identity(&target, &own);
    target.add_header("anthropic-version", "2023-06-01");
    Ok(Box::new(calls::Messages {
        http: Http::for_target(&target, outside)?,
        identity,
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

    use super::super::conversation::{Speech, converse, further_requests, offered, result_of};
    use super::super::open::{open_question, system_text};
    use super::super::{completion, structured};
    use super::{Own, tool_name};
    use crate::decision::{
        AgentState, Asked, Decided, Failure, Measured, Output, Request, State, ToolCall, Written,
    };
    use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply};
    use crate::provider::http::Http;
    use crate::provider::reading::{invalid, written};

    const TOOL: &str = "answer";

    /// Such a model, ready to be asked.
    pub(super) struct Messages {
        pub(super) http: Http,
        pub(super) identity: Identity,
        pub(super) model: String,
        pub(super) own: Own,
    }

    impl Provider for Messages {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn demand(&self, state: &State, _questions: usize) -> Demand {
            Demand {
                further_bytes: crate::provider::prompt::BYTES,
                output_tokens: self.own.chat.max_tokens,
                ..further_requests(state, self.own.tools.max_steps)
            }
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(async move {
                if open_question(request.questions).is_some() {
                    return converse(&self.http, self, self.own.tools.max_steps, request).await;
                }
                let read = |reply: &Value, measured: &mut Measured| {
                    read_call(reply, measured);
                    match answers(reply) {
                        Ok(answers) => {
                            structured::read(&answers, request.questions, self.own.stated)
                        }
                        Err(failure) => {
                            let each = request.questions.iter();
                            each.map(|_| Err(failure.clone())).collect()
                        }
                    }
                };
                let document = self.decision(&request);
                self.http.exchange(&document, &request, read).await
            })
        }
    }

    impl Messages {
        /// Closed questions, to be answered by the tool or the schema.
        fn decision(&self, request: &Request<'_>) -> Value {
            let schema = structured::schema(request.questions, self.own.stated);
            let mut document = Map::new();
            let mut set = |name: &str, value: Value| document.insert(name.to_owned(), value);
            set("model", self.model.as_str().into());
            set("system", structured::task(self.own.stated).into());
            set(
                "messages",
                json!([{"role": "user", "content": structured::material(request)}]),
            );
            if self.own.by_schema {
                set(
                    "output_config",
                    json!({"format": {"type": "json_schema", "schema": schema}}),
                );
            } else {
                set(
                    "tools",
                    json!([{"name": TOOL, "description": "Takes the answers.", "strict": true, "input_schema": schema}]),
                );
                set(
                    "tool_choice",
                    json!({"type": "tool", "name": TOOL, "disable_parallel_tool_use": true}),
                );
            }
            self.own.chat.complete(&mut document);
            Value::Object(document)
        }
    }

    /// An open question: its text is the system prompt, the material what the user says.
    impl Speech for Messages {
        fn opening(&self, _asked: &Asked<'_>, _output: Output, state: &State) -> Vec<Value> {
            vec![json!({"role": "user", "content": state.as_text()})]
        }

        fn document(
            &self,
            asked: &Asked<'_>,
            output: Output,
            messages: &[Value],
            agent: Option<&AgentState>,
        ) -> Value {
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert("system".to_owned(), system_text(asked, output).into());
            document.insert("messages".to_owned(), messages.into());
            if let Some(agent) = agent {
                let bare = |name: &str| json!({"name": name, "input_schema": {"type": "object"}});
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
            read_call(reply, measured);
            ended(reply)?;
            let message = json!({"role": "assistant", "content": reply["content"]});
            let calls = calls_of(&message);
            if calls.is_empty() {
                let texts = blocks(&message).filter_map(|block| block.get("text")?.as_str());
                return written(&Value::from(texts.collect::<String>()), None, output);
            }
            let tool_calls = calls.into_iter().map(|(_, call)| call).collect();
            Ok(Decided::written(Written {
                output: message,
                tool_calls,
            }))
        }

        fn results(&self, message: &Value, agent: Option<&AgentState>) -> Vec<Value> {
            let give = |(id, call): (&Value, ToolCall)| json!({"type": "tool_result", "tool_use_id": id, "content": result_of(agent, &call)});
            let given: Vec<Value> = calls_of(message).into_iter().map(give).collect();
            vec![json!({"role": "user", "content": given})]
        }
    }

    fn blocks(message: &Value) -> impl Iterator<Item = &Value> {
        message["content"].as_array().into_iter().flatten()
    }

    /// The calls in a message, each with its identifier.
    fn calls_of(message: &Value) -> Vec<(&Value, ToolCall)> {
        blocks(message)
            .filter(|block| block["type"] == "tool_use")
            .map(|block| {
                let made = ToolCall {
                    name: block["name"].as_str().unwrap_or_default().to_owned(),
                    arguments: block["input"].clone(),
                };
                (&block["id"], made)
            })
            .collect()
    }

    /// Whether the model came to an end of its own.
    fn ended(reply: &Value) -> Result<(), Failure> {
        let stop = reply.get("stop_reason").and_then(Value::as_str);
        if stop == Some("refusal") {
            return Err(completion::refused());
        }
        if matches!(stop, Some("max_tokens" | "model_context_window_exceeded")) {
            return Err(completion::cut_off(stop.unwrap_or_default()));
        }
        Ok(())
    }

    /// What the reply says about the call. Tokens read from a cache or written into it are sent like any others.
    fn read_call(reply: &Value, measured: &mut Measured) {
        measured.model = reply
            .get("model")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let usage = reply.get("usage");
        let count = |name: &str| usage?.get(name)?.as_u64();
        measured.input_tokens = count("input_tokens").map(|tokens| {
            tokens
                + count("cache_creation_input_tokens").unwrap_or(0)
                + count("cache_read_input_tokens").unwrap_or(0)
        });
        measured.output_tokens = count("output_tokens");
    }

    /// What the model gave to the tool, or wrote by the schema.
    fn answers(reply: &Value) -> Result<Value, Failure> {
        ended(reply)?;
        let of_type = |kind: &str| blocks(reply).find(|block| block["type"] == kind);
        if let Some(input) = of_type("tool_use").and_then(|block| block.get("input")) {
            return Ok(input.clone());
        }
        let text = of_type("text").and_then(|block| block.get("text")?.as_str());
        let Some(text) = text else {
            return Err(invalid("the reply holds no answer", reply));
        };
        match serde_json::from_str::<Value>(text) {
            Ok(answers) if answers.is_object() => Ok(answers),
            _ => Err(invalid(
                "the answer is no JSON of the schema",
                &Value::from(text),
            )),
        }
    }
}
