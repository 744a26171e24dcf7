//! A chat model that writes text of its own: not an answer to a question, but drafts for people to read.

use serde_json::{Map, Value, json};

use super::completion;
use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};
use crate::decision::Measured;
use crate::provider::contract::{Attempt, Retry, Settings};
use crate::provider::http::Http;
use crate::provider::quotation;
use crate::provider::service::{ConnectError, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Target, Usual, read_settings};

const USUAL: Usual = usual("chat");
const LONGEST: u64 = 4096;

/// The settings of a [`Writer`], beside those of every call.
pub const WRITER_SETTINGS: &[SettingKey] =
    &[MODEL, TEMPERATURE, MAX_TOKENS, MAX_TOKENS_FIELD, PARAMETERS];

/// A model behind Chat Completions, ready to write.
pub struct Writer {
    http: Http,
    model: String,
    chat: Chat,
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// The text, without blanks around it.
    pub text: String,
    /// Whether it was cut off at the longest allowed.
    pub cut_off: bool,
    /// What the call took, as far as the service says it.
    pub measured: Measured,
}

impl Writer {
    /// Takes the settings of a chat model and the key that they name.
    ///
    /// # Errors
    ///
    /// Every setting that cannot be used, or a key that is not there.
    pub fn connect(settings: &Settings, outside: &Outside<'_>) -> Result<Self, ConnectError> {
        let (target, chat) = read_settings(settings, &USUAL, WRITER_SETTINGS, |reader| {
            Chat::read(reader, LONGEST)
        })
        .map_err(ConnectError::Settings)?;
        Self::at(&target, chat, outside)
    }

    fn at(target: &Target, chat: Chat, outside: &Outside<'_>) -> Result<Self, ConnectError> {
        Ok(Self {
            http: Http::for_target(target, outside)?,
            model: target.model.clone(),
            chat,
        })
    }

    /// The longest text in tokens, for what it costs at the most.
    pub fn most_tokens(&self) -> u64 {
        self.chat.max_tokens
    }

    /// Makes one attempt at having a text written that keeps to a JSON Schema.
    ///
    /// # Errors
    ///
    /// What stood in the way, and whether another attempt could help.
    pub async fn write(
        &self,
        task: &str,
        material: &str,
        schema: Value,
    ) -> Result<Written, Attempt> {
        let mut document = Map::new();
        document.insert("model".to_owned(), self.model.as_str().into());
        document.insert(
            "messages".to_owned(),
            json!([{"role": "system", "content": task}, {"role": "user", "content": material}]),
        );
        document.insert(
            "response_format".to_owned(),
            json!({"type": "json_schema", "json_schema": {
                "name": "drafts", "strict": true, "schema": schema,
            }}),
        );
        self.chat.complete(&mut document);
        let body = Value::Object(document).to_string().into_bytes();
        let received = self.http.post(&body).await?;
        let mut measured = received.measured();
        match completion::read(&received.body, &mut measured) {
            Ok(said) => Ok(Written {
                text: said.text.to_owned(),
                cut_off: said.cut_off,
                measured,
            }),
            Err(mut failure) => {
                quotation::keep_document_out_of(&mut failure, &body);
                Err(Attempt {
                    failure,
                    retry: Retry::Never,
                    measured,
                })
            }
        }
    }
}
