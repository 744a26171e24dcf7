//! `anthropic-messages`: a model of the Messages API, made to answer by a tool or by structured output.
//!
//! The API tells no probabilities, so there are none unless the model is asked to state them.

use std::time::Duration;

use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Auth, Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, PARAMETERS, TEMPERATURE};
use super::stated::{STATED, Stated};

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
}

fn read(settings: &Settings) -> Result<(Target, Own), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| Own {
        by_schema: read_way(reader),
        stated: Stated::read(reader, Stated::Nothing),
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

fn identity(target: &Target, own: &Own) -> Identity {
    let mut parameters = own.chat.identity();
    parameters.push(("stated".to_owned(), own.stated.name().into()));
    if own.by_schema {
        parameters.push(("answer_by".to_owned(), "schema".into()));
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
            open: true,
            ..Caps::default()
        },
        context: None,
        probabilities: Some(own.stated == Stated::Probabilities),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let (mut target, own) = read(settings).map_err(ConnectError::Settings)?;
    let identity = identity(&target, &own);
    target.add_header("anthropic-version", "2023-06-01");
    let dialect = calls::Messages {
        model: target.model.clone(),
        own,
    };
    Dialogue::connect(&target, identity, dialect, outside)
}

#[cfg(not(feature = "http"))]
fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(feature = "http")]
mod calls {
    use serde_json::{Map, Value, json};

    use super::super::open::{open_question, system_text};
    use super::super::{completion, structured};
    use super::Own;
    use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, Output, Request, State};
    use crate::provider::contract::Demand;
    use crate::provider::http::Dialect;
    use crate::provider::reading::{invalid, written};

    const TOOL: &str = "answer";

    /// How such a model is asked and read.
    pub(super) struct Messages {
        pub(super) model: String,
        pub(super) own: Own,
    }

    impl Dialect for Messages {
        fn document(&self, request: &Request<'_>) -> Result<Value, Failure> {
            if let Some((asked, output)) = open_question(request.questions) {
                return self.conversation(request, asked, output);
            }
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
            Ok(Value::Object(document))
        }

        fn demand(&self, _questions: usize) -> Demand {
            Demand {
                further_bytes: crate::provider::prompt::BYTES,
                output_tokens: self.own.chat.max_tokens,
                ..Demand::default()
            }
        }

        fn read(
            &self,
            reply: &Value,
            asked: &[Asked<'_>],
            measured: &mut Measured,
        ) -> Vec<Result<Decided, Failure>> {
            measured.model = reply
                .get("model")
                .and_then(Value::as_str)
                .map(str::to_owned);
            read_usage(reply.get("usage"), measured);
            if let Some((_, output)) = open_question(asked) {
                return vec![wrote(reply, output)];
            }
            match answers(reply) {
                Ok(answers) => structured::read(&answers, asked, self.own.stated),
                Err(failure) => asked.iter().map(|_| Err(failure.clone())).collect(),
            }
        }
    }

    impl Messages {
        /// An open question: its text is the system prompt, the material what the user says.
        fn conversation(
            &self,
            request: &Request<'_>,
            asked: &Asked<'_>,
            output: Output,
        ) -> Result<Value, Failure> {
            if matches!(request.state, State::Agent(_)) {
                return Err(Failure::new(
                    FailureKind::InvalidAnswer,
                    "the case has tools, and `anthropic-messages` offers none; ask `chat`, `command` or a function",
                ));
            }
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert("system".to_owned(), system_text(asked, output).into());
            let user = request.state.as_text();
            document.insert(
                "messages".to_owned(),
                json!([{"role": "user", "content": user}]),
            );
            self.own.chat.complete(&mut document);
            Ok(Value::Object(document))
        }
    }

    /// What the model wrote, all blocks of text together.
    fn wrote(reply: &Value, output: Output) -> Result<Decided, Failure> {
        ended(reply)?;
        let blocks = reply.get("content").and_then(Value::as_array);
        let texts = blocks.into_iter().flatten();
        let text: String = texts
            .filter_map(|block| block.get("text")?.as_str())
            .collect();
        written(&Value::from(text), None, output)
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

    /// Tokens read from a cache or written into it are sent like any others.
    fn read_usage(usage: Option<&Value>, measured: &mut Measured) {
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
        let blocks = reply.get("content").and_then(Value::as_array);
        let of_type = |kind: &str| {
            blocks
                .into_iter()
                .flatten()
                .find(|block| block.get("type").and_then(Value::as_str) == Some(kind))
        };
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
