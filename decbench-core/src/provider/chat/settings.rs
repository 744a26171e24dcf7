//! What a candidate that is a language model can be told.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Auth, Usual};

pub(super) const MODEL: SettingKey = SettingKey::new(
    "model",
    "gpt-4.1-mini-2025-04-14",
    "The model; a dated version rather than an alias.",
);
pub(super) const TEMPERATURE: SettingKey = SettingKey::new(
    "temperature",
    "0.7",
    "The sampling temperature; the service's own where it is not given.",
);
pub(super) const MAX_TOKENS: SettingKey = SettingKey::new(
    "max_tokens",
    "1024",
    "The longest reply in tokens, hidden reasoning included; a longer one is cut off and no answer.",
);
pub(super) const MAX_TOKENS_FIELD: SettingKey = SettingKey::new(
    "max_tokens_field",
    "max_completion_tokens",
    "What the service calls the longest reply; max_tokens on older ones.",
);
pub(super) const PARAMETERS: SettingKey = SettingKey::new(
    "parameters",
    "{reasoning_effort: none, seed: 7}",
    "Further fields of every request, sent as they are.",
);

/// The version of the words in which questions are put, raised whenever they change.
pub(super) const PROMPT_VERSION: u32 = 1;

/// Where Chat Completions are by default.
pub(super) const fn usual(provider: &'static str) -> Usual {
    Usual {
        provider,
        base_url: "https://api.openai.com",
        path: "/v1/chat/completions",
        key_env: "OPENAI_API_KEY",
        auth: Auth::Bearer,
        timeout: Duration::from_secs(30),
        model: "gpt-4.1-mini-2025-04-14",
    }
}

/// Fields of a request that are not the question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chat {
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: u64,
    pub(super) max_tokens_field: &'static str,
    pub(super) parameters: Map<String, Value>,
}

/// Fields that the request sets itself.
const OURS: &[&str] = &[
    "model",
    "messages",
    "system",
    "stream",
    "n",
    "logprobs",
    "top_logprobs",
    "response_format",
    "output_config",
    "tools",
    "tool_choice",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
];

impl Chat {
    /// Reads the settings; a reply may be as long as `max_tokens` where they do not say.
    pub(super) fn read(reader: &mut Reader<'_>, max_tokens: u64) -> Self {
        const FIELDS: [&str; 2] = ["max_completion_tokens", "max_tokens"];
        let mut field = FIELDS[0];
        if let Some(name) = reader.text("max_tokens_field") {
            match FIELDS.into_iter().find(|known| *known == name) {
                Some(known) => field = known,
                None => reader.wrong(
                    "max_tokens_field",
                    format!("unknown field `{name}` for the longest reply"),
                    "max_tokens_field: max_tokens (or max_completion_tokens)",
                ),
            }
        }
        Self {
            temperature: reader.amount("temperature"),
            max_tokens: reader
                .whole("max_tokens", 1, 1_000_000)
                .unwrap_or(max_tokens),
            max_tokens_field: field,
            parameters: read_parameters(reader),
        }
    }

    /// Puts the fields into a request.
    #[cfg(feature = "http")]
    pub(super) fn complete(&self, document: &mut Map<String, Value>) {
        document.insert(self.max_tokens_field.to_owned(), self.max_tokens.into());
        if let Some(temperature) = self.temperature {
            document.insert("temperature".to_owned(), temperature.into());
        }
        for (name, value) in &self.parameters {
            document.insert(name.clone(), value.clone());
        }
    }

    /// What of them may change an answer, as parameters of a candidate's identity. The words of the prompt do too.
    pub(super) fn identity(&self) -> Vec<(String, Value)> {
        let mut own: Vec<(String, Value)> = vec![
            ("prompt".to_owned(), PROMPT_VERSION.into()),
            ("max_tokens".to_owned(), self.max_tokens.into()),
        ];
        if let Some(temperature) = self.temperature {
            own.push(("temperature".to_owned(), temperature.into()));
        }
        for (name, value) in &self.parameters {
            own.push((format!("parameter {name}"), value.clone()));
        }
        own
    }
}

fn read_parameters(reader: &mut Reader<'_>) -> Map<String, Value> {
    const HELP: &str = "parameters: {reasoning_effort: none}";
    let Some(value) = reader.value("parameters") else {
        return Map::new();
    };
    let Some(map) = value.as_object() else {
        reader.wrong("parameters", "`parameters` wants a map", HELP);
        return Map::new();
    };
    for name in map.keys() {
        if OURS.contains(&name.as_str()) {
            reader.wrong(
                "parameters",
                format!("`parameters` cannot set `{name}`, which is part of the question"),
                HELP,
            );
        }
    }
    map.clone()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: &Value) -> (Chat, usize) {
        let settings = json.as_object().expect("a map");
        let mut reader = Reader::new(settings);
        let chat = Chat::read(&mut reader, 16);
        (chat, reader.errors.len())
    }

    #[test]
    fn what_changes_an_answer_is_part_of_the_identity() {
        let plain = read(&json!({})).0.identity();
        for other in [
            json!({"temperature": 0.5}),
            json!({"max_tokens": 17}),
            json!({"parameters": {"seed": 1}}),
        ] {
            assert_ne!(plain, read(&other).0.identity(), "{other}");
        }
        assert_eq!(
            plain,
            read(&json!({"max_tokens_field": "max_tokens"}))
                .0
                .identity()
        );
    }

    #[test]
    fn parameters_cannot_replace_the_question() {
        let mistakes = read(&json!({"parameters": {"messages": [], "seed": 1, "stream": true}})).1;
        assert_eq!(mistakes, 2);
        assert_eq!(read(&json!({"max_tokens_field": "limit"})).1, 1);
    }
}
