//! Where a service is called and how: what all of them can be told alike.

use std::time::Duration;

use serde_json::Value;

use super::contract::{Identity, SettingError, Settings};
use super::endpoint::Endpoint;
use super::setting::{Reader, SettingKey, unknown_keys};

/// What a service uses where a candidate does not say otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usual {
    /// The provider's name in suites.
    pub provider: &'static str,
    /// The address without the route.
    pub base_url: &'static str,
    /// The route; empty where the address is whole already.
    pub path: &'static str,
    /// The variable that holds the key.
    pub key_env: &'static str,
    /// How the key is sent.
    pub auth: Auth,
    /// The longest that one attempt may take.
    pub timeout: Duration,
    /// A model, for messages; empty where none need be named.
    pub model: &'static str,
}

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Auth {
    /// `authorization: Bearer …`.
    Bearer,
    /// The key alone in a header of this name.
    Header(&'static str),
    /// Not at all.
    None,
}

impl Auth {
    /// Every way, by its name in suites.
    pub const ALL: [(&'static str, Self); 5] = [
        ("bearer", Self::Bearer),
        ("x-api-key", Self::Header("x-api-key")),
        ("api-key", Self::Header("api-key")),
        ("x-goog-api-key", Self::Header("x-goog-api-key")),
        ("none", Self::None),
    ];
}

/// Settings of every service on the network, beside its own.
pub const CALL_SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "base_url",
        "https://gateway.example/v1",
        "Where the service is, without the route.",
    ),
    SettingKey::new(
        "path",
        "/v1/decisions",
        "The route, with {model} for the model; \"\" for none.",
    ),
    SettingKey::new("key_env", "MY_KEY", "The variable that holds the key."),
    SettingKey::new(
        "auth",
        "bearer",
        "How the key is sent: bearer, x-api-key, api-key, x-goog-api-key, or none.",
    ),
    SettingKey::new("timeout", "10s", "The longest that one attempt may take."),
    SettingKey::new(
        "headers",
        "{X-Region: eu}",
        "Further headers, none of them secret.",
    ),
    SettingKey::new(
        "allow_http",
        "false",
        "Lets the key go unencrypted to a host other than this machine.",
    ),
];

/// Checked settings of a call.
#[derive(Debug, Clone)]
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "some settings only matter to a call")
)]
pub(crate) struct Target {
    home: Usual,
    pub(crate) model: String,
    pub(crate) endpoint: Endpoint,
    pub(super) key_env: String,
    pub(super) auth: Auth,
    pub(super) timeout: Duration,
    pub(super) headers: Vec<(String, String)>,
}

/// Reads all settings of a service: those of the call, and its own by `own`.
///
/// # Errors
///
/// Every setting that is missing, unknown or cannot be used.
pub(crate) fn read_settings<T>(
    settings: &Settings,
    usual: &Usual,
    known: &[SettingKey],
    own: impl FnOnce(&mut Reader<'_>) -> T,
) -> Result<(Target, T), Vec<SettingError>> {
    read_settings_at(settings, usual, None, known, own)
}

/// The same for a service that may stand elsewhere: `here` is what the one at a known other address uses.
pub(crate) fn read_settings_at<T>(
    settings: &Settings,
    home: &Usual,
    here: Option<&Usual>,
    known: &[SettingKey],
    own: impl FnOnce(&mut Reader<'_>) -> T,
) -> Result<(Target, T), Vec<SettingError>> {
    let mut reader = Reader::new(settings);
    reader.errors = unknown_keys(settings, &[known, CALL_SETTINGS]);
    let own = own(&mut reader);
    let target = Target::read(&mut reader, home, here);
    match target {
        Some(target) if reader.errors.is_empty() => Ok((target, own)),
        _ => Err(reader.errors),
    }
}

impl Target {
    /// Reads the settings of a call; what is wrong with them stays with the reader.
    fn read(reader: &mut Reader<'_>, home: &Usual, here: Option<&Usual>) -> Option<Self> {
        let usual = here.unwrap_or(home);
        let model = reader.text("model").unwrap_or_default().to_owned();
        if reader.value("model").is_none() && !usual.model.is_empty() {
            reader.missing(
                format!("a candidate of `{}` needs `model`", usual.provider),
                format!("model: {}", usual.model),
            );
        }
        let endpoint = read_endpoint(reader, usual, &model);
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
        let auth = read_auth(reader, usual);
        let key_env = reader.text("key_env");
        let at_home = |endpoint: &Endpoint| {
            let home = Endpoint::join(home.base_url, "");
            endpoint.is_loopback() || home.is_ok_and(|home| home.host() == endpoint.host())
        };
        if let Some(endpoint) = &endpoint
            && here.is_none()
            && key_env.is_none()
            && auth != Auth::None
            && !at_home(endpoint)
        {
            reader.wrong(
                "base_url",
                format!(
                    "the key in {} is not sent to another host than {}",
                    home.key_env, home.base_url
                ),
                "name the variable that holds this host's key, as in `key_env: MY_KEY`, or set auth: none",
            );
        }
        Some(Self {
            home: *home,
            model,
            key_env: key_env.unwrap_or(usual.key_env).to_owned(),
            auth,
            timeout: reader.duration("timeout").unwrap_or(usual.timeout),
            headers: read_headers(reader),
            endpoint: endpoint?,
        })
    }

    /// Provider, model, address, headers and the service's own parameters: another service of the same dialect is
    /// another candidate. The service's usual address is left out.
    pub(crate) fn identity(&self, own: impl IntoIterator<Item = (String, Value)>) -> Identity {
        let mut parameters: serde_json::Map<String, Value> = own.into_iter().collect();
        if !self.is_usual_place() {
            let address = self.endpoint.identity();
            parameters.insert("address".to_owned(), Value::from(address));
        }
        for (name, value) in &self.headers {
            parameters.insert(
                format!("header {}", name.to_ascii_lowercase()),
                Value::from(value.as_str()),
            );
        }
        Identity {
            provider: self.home.provider.to_owned(),
            model: Some(self.model.clone()).filter(|model| !model.is_empty()),
            parameters,
        }
    }

    /// Whether the service is called where it usually is, so that its published price holds.
    pub(crate) fn is_usual_place(&self) -> bool {
        Endpoint::join(self.home.base_url, self.home.path)
            .is_ok_and(|usual| usual.identity() == self.endpoint.identity())
    }

    /// Whether the candidate sets this header to this value.
    pub(super) fn has_header(&self, name: &str, value: &str) -> bool {
        self.headers
            .iter()
            .any(|(known, set)| known.eq_ignore_ascii_case(name) && set == value)
    }

    /// Adds a header that the service always wants, unless the candidate sets it itself.
    #[cfg(feature = "http")]
    pub(super) fn add_header(&mut self, name: &str, value: &str) {
        let given = |(known, _): &(String, String)| known.eq_ignore_ascii_case(name);
        if !self.headers.iter().any(given) {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
    }

    /// The key from the variable that the settings name, as it goes into the headers.
    #[cfg(feature = "http")]
    pub(super) fn authorization(
        &self,
        outside: &super::service::Outside<'_>,
    ) -> Result<Option<super::http::Authorization>, super::service::ConnectError> {
        let (header, prefix) = match self.auth {
            Auth::Bearer => ("authorization", "Bearer "),
            Auth::Header(name) => (name, ""),
            Auth::None => return Ok(None),
        };
        let missing = |problem| super::service::ConnectError::Key {
            variable: self.key_env.clone(),
            provider: self.home.provider,
            problem,
        };
        let text = (outside.variable)(&self.key_env)
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| {
                missing(if self.endpoint.is_loopback() {
                    "is not set (a server that wants no key is `auth: none`)"
                } else {
                    "is not set"
                })
            })?;
        let key = super::Secret::new(text);
        if !key.is_sendable() {
            return Err(missing("holds blanks or other than ASCII letters"));
        }
        Ok(Some(super::http::Authorization {
            header,
            prefix,
            key,
        }))
    }
}

fn read_endpoint(reader: &mut Reader<'_>, usual: &Usual, model: &str) -> Option<Endpoint> {
    let base = reader.text("base_url").unwrap_or(usual.base_url);
    let path = match reader.value("path") {
        Some(Value::String(path)) if path.is_empty() => "",
        _ => reader.text("path").unwrap_or(usual.path),
    };
    match Endpoint::join(base, &path.replace("{model}", model)) {
        Ok(endpoint) => Some(endpoint),
        Err(problem) => {
            reader.wrong(
                "base_url",
                format!("`base_url` is no address to call: {problem}"),
                format!("base_url: {}", usual.base_url),
            );
            None
        }
    }
}

fn read_auth(reader: &mut Reader<'_>, usual: &Usual) -> Auth {
    let Some(name) = reader.text("auth") else {
        return usual.auth;
    };
    let known = Auth::ALL.iter().find(|(known, _)| *known == name);
    if known.is_none() {
        let names = Auth::ALL.map(|(name, _)| name).join(", ");
        reader.wrong(
            "auth",
            format!("unknown way `{name}` of sending the key"),
            format!("auth: one of {names}"),
        );
    }
    known.map_or(usual.auth, |(_, auth)| *auth)
}

fn read_headers(reader: &mut Reader<'_>) -> Vec<(String, String)> {
    const HELP: &str = "headers: {X-Region: eu}";
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

    const USUAL: Usual = Usual {
        provider: "some-service",
        base_url: "https://api.example.org",
        path: "/v1/ask",
        key_env: "SOME_KEY",
        auth: Auth::Bearer,
        timeout: Duration::from_secs(10),
        model: "some-1",
    };

    fn read(json: &Value) -> Result<Target, Vec<SettingError>> {
        let settings = json.as_object().expect("a map");
        let known = [SettingKey::new("model", "some-1", "The model.")];
        read_settings(settings, &USUAL, &known, |_| ()).map(|(target, ())| target)
    }

    #[test]
    fn identity_leaves_out_limits_and_the_usual_address() {
        let digest = |json: &Value| {
            let target = read(json).expect("usable settings");
            target.identity([]).digest()
        };
        let plain = digest(&json!({"model": "m"}));
        let slow = json!({
            "model": "m", "timeout": "60s", "key_env": "OTHER", "base_url": "https://api.example.org/"
        });
        assert_eq!(plain, digest(&slow));
        for other in [
            json!({"model": "m", "base_url": "https://other.example.org", "key_env": "OTHER"}),
            json!({"model": "m", "path": ""}),
            json!({"model": "m", "headers": {"X-Region": "eu"}}),
        ] {
            assert_ne!(plain, digest(&other), "{other}");
        }
    }

    #[test]
    fn plain_http_goes_to_this_machine_alone() {
        let with = |base: &str, allow: bool| {
            read(&json!({"model": "m", "base_url": base, "allow_http": allow, "key_env": "K"}))
        };
        assert!(with("http://127.0.0.1:9", false).is_ok());
        assert!(with("http://example.org", false).is_err());
        assert!(with("http://example.org", true).is_ok());
    }

    #[test]
    fn keys_in_settings_are_refused_without_repeating_them() {
        let errors = read(&json!({
            "model": "m", "headers": {"Authorization": "Bearer canary"}, "key": "canary"
        }))
        .expect_err("both are refused");
        assert_eq!(errors.len(), 2);
        assert!(!format!("{errors:?}").contains("canary"));
    }

    #[test]
    fn a_key_goes_to_another_host_only_when_it_is_named() {
        let elsewhere = |further: Value| {
            let mut settings = json!({"model": "m", "base_url": "https://gateway.example.org"});
            let fields = further.as_object().cloned().unwrap_or_default();
            settings.as_object_mut().expect("a map").extend(fields);
            read(&settings)
        };
        let errors = elsewhere(json!({})).expect_err("whose key is it?");
        assert!(errors[0].message.contains("SOME_KEY"), "{errors:?}");
        assert!(elsewhere(json!({"key_env": "GATEWAY_KEY"})).is_ok());
        assert!(elsewhere(json!({"auth": "none"})).is_ok());
    }

    #[test]
    fn a_route_may_name_the_model() {
        let target = read(&json!({"model": "some-1", "path": "/run/{model}"})).expect("usable");
        assert_eq!(target.endpoint.url(), "https://api.example.org/run/some-1");
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let errors = read(&json!({"auth": "basic", "timeout": 3, "base_url": "ftp://x"}))
            .expect_err("four mistakes");
        assert_eq!(errors.len(), 4, "{errors:?}");
    }
}
