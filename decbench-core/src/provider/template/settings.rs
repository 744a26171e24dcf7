//! What a candidate of any other service can be told.

use std::time::Duration;

use super::body::Body;
use super::pointers::Pointers;
use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Auth, Target, Usual, read_settings};

pub(super) const NAME: &str = "http";

const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "https://models.example/classify",
    path: "",
    key_env: "MY_KEY",
    auth: Auth::Bearer,
    timeout: Duration::from_secs(30),
    model: "",
};

const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "url",
        "https://models.example/classify",
        "The whole address, in place of `base_url` and `path`.",
    ),
    SettingKey::new("method", "post", "How it is called: post, put or patch."),
    SettingKey::new(
        "body",
        "{text: \"{{state}}\", labels: \"{{options}}\"}",
        "What is sent, with placeholders: state, instructions, options, descriptions, question, name, type, model.",
    ),
    SettingKey::new(
        "reply",
        "{label: /label, probabilities: /scores}",
        "Where in the reply things stand, by JSON pointers: label, probabilities, labels, p_yes, confidence, format_mass, finish, model, usage, input_tokens, output_tokens.",
    ),
    SettingKey::new(
        "model",
        "mine-3",
        "The model, where the service has several.",
    ),
];

/// The row of the table.
pub(crate) const HTTP: ProviderKind = ProviderKind {
    name: NAME,
    about: "Any other service, by a template of its requests and pointers into its replies.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: Some(&USUAL),
        describe,
        connect,
    }),
};

/// How a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Post,
    Put,
    Patch,
}

impl Way {
    const ALL: [(&'static str, Self); 3] = [
        ("post", Self::Post),
        ("put", Self::Put),
        ("patch", Self::Patch),
    ];

    fn read(reader: &mut Reader<'_>) -> Self {
        let Some(name) = reader.text("method") else {
            return Self::Post;
        };
        let lower = name.to_lowercase();
        let known = Self::ALL.iter().find(|(known, _)| *known == lower);
        if known.is_none() {
            reader.wrong(
                "method",
                format!("`{name}` is no method that sends a body"),
                "method: post (or put, patch)",
            );
        }
        known.map_or(Self::Post, |(_, way)| *way)
    }
}

/// The candidate's own settings, checked.
pub(super) struct Own {
    pub(super) way: Way,
    pub(super) body: Body,
    pub(super) pointers: Pointers,
}

/// Reads the settings; the address may stand whole in `url`.
fn read(settings: &Settings) -> Result<(Target, Own), Vec<SettingError>> {
    let mut spelled = settings.clone();
    let whole = spelled.shift_remove("url");
    let mut found = Vec::new();
    match &whole {
        Some(url) => {
            spelled.insert("base_url".to_owned(), url.clone());
            spelled.insert("path".to_owned(), "".into());
            for key in ["base_url", "path"] {
                if settings.contains_key(key) {
                    found.push(SettingError {
                        key: Some(key.to_owned()),
                        message: format!("`url` is the whole address, so `{key}` says it twice"),
                        help: Some(format!("remove `{key}`")),
                    });
                }
            }
        }
        None if !settings.contains_key("base_url") => found.push(SettingError {
            key: None,
            message: "a candidate of `http` needs `url`".to_owned(),
            help: Some("url: https://models.example/classify".to_owned()),
        }),
        None => {}
    }
    // A key is sent where one is named, and nowhere else.
    if !settings.contains_key("key_env") && !settings.contains_key("auth") {
        spelled.insert("auth".to_owned(), "none".into());
    }
    let read = read_settings(&spelled, &USUAL, SETTINGS, |reader| Own {
        way: Way::read(reader),
        body: Body::read(reader, settings.contains_key("model")),
        pointers: Pointers::read(reader),
    });
    match read {
        Ok(read) if found.is_empty() => Ok(read),
        Ok(_) => Err(found),
        Err(mut mistakes) => {
            for mistake in &mut mistakes {
                if whole.is_some() && mistake.key.as_deref() == Some("base_url") {
                    mistake.key = Some("url".to_owned());
                    mistake.message = mistake.message.replace("`base_url`", "`url`");
                }
            }
            mistakes.extend(found);
            Err(mistakes)
        }
    }
}

fn identity(target: &Target, own: &Own) -> Identity {
    let mut parameters = vec![
        ("body".to_owned(), own.body.written().clone()),
        ("reply".to_owned(), own.pointers.written()),
    ];
    if own.way != Way::Post {
        let names = Way::ALL.iter();
        let name = names
            .filter(|(_, way)| *way == own.way)
            .map(|(name, _)| *name);
        parameters.extend(name.map(|name| ("method".to_owned(), name.into())));
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
        probabilities: Some(own.pointers.probabilities()),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use super::service::Template;
    use crate::provider::http::Http;
    use crate::provider::service::ConnectError;

    let (target, own) = read(settings).map_err(ConnectError::Settings)?;
    let identity = identity(&target, &own);
    let http = Http::for_target(&target, outside)?;
    Ok(Box::new(Template::new(http, identity, target.model, own)))
}

#[cfg(not(feature = "http"))]
fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn described(json: &Value) -> Result<Description, Vec<SettingError>> {
        describe(json.as_object().expect("a map"))
    }

    #[test]
    fn an_address_a_body_and_a_reply_are_enough() {
        let described = described(&json!({"url": "https://h.example/classify",
            "body": {"text": "{{state}}"}, "reply": {"label": "/label"}}))
        .expect("usable settings");
        assert_eq!(described.host, "h.example");
        assert_eq!(described.identity.model, None);
        assert_eq!(described.probabilities, Some(false));
    }

    #[test]
    fn every_mistake_is_told_where_it_stands() {
        let errors = described(&json!({"url": "ftp://h", "path": "/x", "method": "get",
            "body": {"text": "{{stat}}"}, "reply": {"label": "label"}, "headers": {"Authorization": "canary"}}))
        .expect_err("mistakes");
        let mut keys: Vec<&str> = errors
            .iter()
            .filter_map(|error| error.key.as_deref())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys, ["body", "headers", "method", "path", "reply", "url"]);
        assert!(!format!("{errors:?}").contains("canary"));
    }

    #[test]
    fn another_body_or_pointer_is_another_candidate() {
        let with = |body: &str, label: &str| {
            let settings =
                json!({"url": "https://h.example", "body": body, "reply": {"label": label}});
            described(&settings)
                .expect("usable settings")
                .identity
                .digest()
        };
        assert_ne!(with("{{state}}", "/a"), with("{{state}}!", "/a"));
        assert_ne!(with("{{state}}", "/a"), with("{{state}}", "/b"));
    }
}
