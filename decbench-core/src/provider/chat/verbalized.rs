//! `verbalized`: a chat model states its answers and their probabilities as structured output.

use crate::provider::caps::Caps;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};
use super::stated::{STATED, Stated};

const NAME: &str = "verbalized";
const USUAL: Usual = usual(NAME);
const SETTINGS: &[SettingKey] = &[
    MODEL,
    STATED,
    TEMPERATURE,
    MAX_TOKENS,
    MAX_TOKENS_FIELD,
    PARAMETERS,
];
const LONGEST: u64 = 1024;

/// The row of the table.
pub(crate) const VERBALIZED: ProviderKind = ProviderKind {
    name: NAME,
    about: "A chat model that states its answers and how probable each option is, by a JSON Schema.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: Some(&USUAL),
        describe,
        connect,
    }),
};

fn read(settings: &Settings) -> Result<(Target, (Chat, Stated)), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| {
        (
            Chat::read(reader, LONGEST),
            Stated::read(reader, Stated::Probabilities),
        )
    })
}

fn identity(target: &Target, chat: &Chat, stated: Stated) -> crate::provider::Identity {
    let mut own = chat.identity();
    own.push(("stated".to_owned(), stated.name().into()));
    target.identity(own)
}

fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let (target, (chat, stated)) = read(settings)?;
    Ok(Description {
        identity: identity(&target, &chat, stated),
        host: target.endpoint.host(),
        price: None,
        caps: Caps::default(),
        context: None,
        probabilities: Some(stated == Stated::Probabilities),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let (target, (chat, stated)) = read(settings).map_err(ConnectError::Settings)?;
    let identity = identity(&target, &chat, stated);
    let dialect = calls::Verbalized {
        model: target.model.clone(),
        chat,
        stated,
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

    use super::super::settings::Chat;
    use super::super::{completion, structured};
    use super::Stated;
    use crate::decision::{Asked, Decided, Failure, Measured, Request, State};
    use crate::provider::contract::Demand;
    use crate::provider::http::Dialect;
    use crate::provider::reading::invalid;

    /// How such a model is asked and read.
    pub(super) struct Verbalized {
        pub(super) model: String,
        pub(super) chat: Chat,
        pub(super) stated: Stated,
    }

    impl Dialect for Verbalized {
        fn document(&self, request: &Request<'_>) -> Result<Value, Failure> {
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert(
                "messages".to_owned(),
                json!([
                    {"role": "system", "content": structured::task(self.stated)},
                    {"role": "user", "content": structured::material(request)},
                ]),
            );
            document.insert(
                "response_format".to_owned(),
                json!({"type": "json_schema", "json_schema": {
                    "name": "answers",
                    "strict": true,
                    "schema": structured::schema(request.questions, self.stated),
                }}),
            );
            self.chat.complete(&mut document);
            Ok(Value::Object(document))
        }

        fn demand(&self, _state: &State, _questions: usize) -> Demand {
            Demand {
                further_bytes: crate::provider::prompt::BYTES,
                output_tokens: self.chat.max_tokens,
                ..Demand::default()
            }
        }

        fn read(
            &self,
            reply: &Value,
            asked: &[Asked<'_>],
            measured: &mut Measured,
        ) -> Vec<Result<Decided, Failure>> {
            match answers(reply, measured) {
                Ok(answers) => structured::read(&answers, asked, self.stated),
                Err(failure) => asked.iter().map(|_| Err(failure.clone())).collect(),
            }
        }
    }

    /// The document that the model wrote.
    fn answers(reply: &Value, measured: &mut Measured) -> Result<Value, Failure> {
        let said = completion::read(reply, measured)?;
        match serde_json::from_str::<Value>(said.text) {
            Ok(answers) if answers.is_object() => Ok(answers),
            _ if said.cut_off => Err(completion::cut_off(said.text)),
            _ => Err(invalid(
                "the answer is no JSON of the schema",
                &Value::from(said.text),
            )),
        }
    }
}
