//! What a candidate of the System One dialect can be told.

use std::time::Duration;

use serde_json::Value;

use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::endpoint::Endpoint;
use crate::provider::price::Price;
use crate::provider::service::{ConnectError, Connected, Description, Outside};
use crate::provider::setting::{Reader, SettingKey, unknown_keys};

/// The provider's name in suites.
pub(crate) const NAME: &str = "system-one";

const BASE_URL: &str = "https://api.typesafe.ai";
const PATH: &str = "/v1/systemone";
const KEY_ENV: &str = "TYPESAFE_API_KEY";
const TIMEOUT: Duration = Duration::from_secs(10);

/// The published price of the vendor's own service.
const PRICE: Price = Price {
    input_per_million: 0.042,
    output_per_million: 0.0,
};

pub(crate) const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "model",
        "jev-1.13.0",
        "The model; a full version rather than an alias.",
    ),
    SettingKey::new(
        "base_url",
        BASE_URL,
        "Where the service is, without the route.",
    ),
    SettingKey::new("path", PATH, "The route."),
    SettingKey::new("key_env", KEY_ENV, "The variable that holds the key."),
    SettingKey::new(
        "auth",
        "bearer",
        "How the key is sent: bearer, x-api-key, api-key, or none.",
    ),
    SettingKey::new("timeout", "10s", "The longest that one attempt may take."),
    SettingKey::new(
        "headers",
        "{TypeSafe-Danger-Zone-Long-Context: \"true\"}",
        "Further headers, none of them secret.",
    ),
    SettingKey::new(
        "allow_http",
        "false",
        "Lets the key go unencrypted to a host other than this machine.",
    ),
];

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Auth {
    Bearer,
    Header(&'static str),
    None,
}

/// Checked settings.
#[derive(Debug, Clone)]
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "some settings only matter to a call")
)]
pub(super) struct Target {
    pub(super) model: String,
    pub(super) endpoint: Endpoint,
    pub(super) key_env: String,
    pub(super) auth: Auth,
    pub(super) timeout: Duration,
    pub(super) headers: Vec<(String, String)>,
}

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let target = Target::read(settings)?;
    Ok(Description {
        host: target.endpoint.host(),
        identity: target.identity(),
        price: Some(PRICE),
    })
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    let target = Target::read(settings).map_err(ConnectError::Settings)?;
    let key = target.key(outside)?;
    Ok(Box::new(super::service::SystemOne::new(
        target, key, outside,
    )?))
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(ConnectError::WithoutHttp { provider: NAME })
}

impl Target {
    pub(super) fn read(settings: &Settings) -> Result<Self, Vec<SettingError>> {
        let mut reader = Reader::new(settings);
        reader.errors = unknown_keys(settings, &[SETTINGS]);
        let model = reader.text("model").unwrap_or_default().to_owned();
        if model.is_empty() && reader.value("model").is_none() {
            reader.missing("a system-one candidate needs `model`", "model: jev-1.13.0");
        }
        let base = reader.text("base_url").unwrap_or(BASE_URL);
        let path = reader.text("path").unwrap_or(PATH);
        let endpoint = read_endpoint(&mut reader, base, path);
        let allow_http = reader.truth("allow_http").unwrap_or(false);
        if let Some(endpoint) = &endpoint
            && endpoint.is_plain()
            && !endpoint.is_loopback()
            && !allow_http
        {
            reader.wrong(
                "base_url",
                "`base_url` would send key and cases unencrypted to another machine",
                "begin it with https://, or set allow_http: true",
            );
        }
        let target = Self {
            model,
            key_env: reader.text("key_env").unwrap_or(KEY_ENV).to_owned(),
            auth: read_auth(&mut reader),
            timeout: reader.duration("timeout").unwrap_or(TIMEOUT),
            headers: read_headers(&mut reader),
            endpoint: match endpoint {
                Some(endpoint) => endpoint,
                None => return Err(reader.errors),
            },
        };
        if reader.errors.is_empty() {
            Ok(target)
        } else {
            Err(reader.errors)
        }
    }

    /// Provider, model, address and headers: another service of the same dialect is another candidate.
    pub(super) fn identity(&self) -> Identity {
        let mut parameters = serde_json::Map::new();
        let address = self.endpoint.identity();
        if Endpoint::join(BASE_URL, PATH).is_ok_and(|usual| usual.identity() != address) {
            parameters.insert("address".to_owned(), Value::from(address));
        }
        for (name, value) in &self.headers {
            parameters.insert(
                format!("header {}", name.to_ascii_lowercase()),
                Value::from(value.as_str()),
            );
        }
        Identity {
            provider: NAME.to_owned(),
            model: Some(self.model.clone()),
            parameters,
        }
    }

    /// The key from the variable that the settings name.
    #[cfg(feature = "http")]
    fn key(&self, outside: &Outside<'_>) -> Result<Option<crate::provider::Secret>, ConnectError> {
        if self.auth == Auth::None {
            return Ok(None);
        }
        let missing = |problem| ConnectError::Key {
            variable: self.key_env.clone(),
            provider: NAME,
            problem,
        };
        let text = (outside.variable)(&self.key_env)
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| missing("is not set"))?;
        let key = crate::provider::Secret::new(text);
        if key.is_sendable() {
            Ok(Some(key))
        } else {
            Err(missing("holds blanks or other than ASCII letters"))
        }
    }
}

fn read_endpoint(reader: &mut Reader<'_>, base: &str, path: &str) -> Option<Endpoint> {
    match Endpoint::join(base, path) {
        Ok(endpoint) => Some(endpoint),
        Err(problem) => {
            reader.wrong(
                "base_url",
                format!("`base_url` is no address to call: {problem}"),
                format!("base_url: {BASE_URL}"),
            );
            None
        }
    }
}

fn read_auth(reader: &mut Reader<'_>) -> Auth {
    match reader.text("auth") {
        None | Some("bearer") => Auth::Bearer,
        Some("x-api-key") => Auth::Header("x-api-key"),
        Some("api-key") => Auth::Header("api-key"),
        Some("none") => Auth::None,
        Some(other) => {
            reader.wrong(
                "auth",
                format!("unknown way `{other}` of sending the key"),
                "auth: bearer (or x-api-key, api-key, none)",
            );
            Auth::Bearer
        }
    }
}

fn read_headers(reader: &mut Reader<'_>) -> Vec<(String, String)> {
    const HELP: &str = "headers: {TypeSafe-Danger-Zone-Long-Context: \"true\"}";
    /// Keys would show in files, and the rest is set by us.
    const NOT_OURS: &[&str] = &[
        "authorization",
        "proxy-authorization",
        "x-api-key",
        "api-key",
        "x-goog-api-key",
        "cookie",
        "host",
        "content-type",
        "content-length",
        "user-agent",
    ];
    let Some(value) = reader.value("headers") else {
        return Vec::new();
    };
    let Some(map) = value.as_object() else {
        reader.wrong("headers", "`headers` wants a map", HELP);
        return Vec::new();
    };
    let mut headers = Vec::new();
    for (name, value) in map {
        let sendable = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte == b' ' || byte.is_ascii_graphic())
        };
        let named = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if NOT_OURS.contains(&name.to_ascii_lowercase().as_str()) {
            reader.wrong(
                "headers",
                format!("the header `{name}` is not to be set here; keys come from `key_env`"),
                HELP,
            );
        } else if let (true, false, Some(text)) = (
            named,
            name.is_empty(),
            value.as_str().filter(|text| sendable(text)),
        ) {
            headers.push((name.clone(), text.to_owned()));
        } else {
            reader.wrong(
                "headers",
                format!("the header `{name}` cannot be sent"),
                HELP,
            );
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings(json: &Value) -> Settings {
        json.as_object().expect("a map").clone()
    }

    #[test]
    fn identity_needs_neither_key_nor_network_and_leaves_out_limits() {
        let plain = describe(&settings(&json!({"model": "jev-1.13.0"})));
        let slow = describe(&settings(&json!({
            "model": "jev-1.13.0", "timeout": "60s", "key_env": "OTHER", "base_url": "https://api.typesafe.ai/"
        })));
        let elsewhere = describe(&settings(&json!({
            "model": "jev-1.13.0", "base_url": "https://api.example.org"
        })));
        let digest = |described: &Result<Description, _>| {
            described.as_ref().map(|known| known.identity.digest()).ok()
        };
        assert!(plain.is_ok());
        assert_eq!(digest(&plain), digest(&slow));
        assert_ne!(digest(&plain), digest(&elsewhere));
    }

    #[test]
    fn plain_http_goes_to_this_machine_alone() {
        let with = |base: &str, allow: bool| {
            describe(&settings(&json!({
                "model": "m", "base_url": base, "allow_http": allow
            })))
        };
        assert!(with("http://127.0.0.1:9", false).is_ok());
        assert!(with("http://example.org", false).is_err());
        assert!(with("http://example.org", true).is_ok());
    }

    #[test]
    fn keys_in_settings_are_refused_without_repeating_them() {
        let errors = describe(&settings(&json!({
            "model": "m", "headers": {"Authorization": "Bearer canary"}, "key": "canary"
        })))
        .expect_err("both are refused");
        assert_eq!(errors.len(), 2);
        assert!(!format!("{errors:?}").contains("canary"));
    }
}
