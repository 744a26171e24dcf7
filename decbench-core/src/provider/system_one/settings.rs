//! What a candidate of the System One dialect can be told.

use std::time::Duration;

use serde_json::Value;

use super::places::{Place, Twist};
use crate::provider::caps::Caps;
use crate::provider::context;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::service::{Connected, Description, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Auth, Target, Usual, read_settings_at};

/// The provider's name in suites.
pub(crate) const NAME: &str = "system-one";

/// The vendor's own service.
pub(crate) const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "https://api.typesafe.ai",
    path: "/v1/systemone",
    key_env: "TYPESAFE_API_KEY",
    auth: Auth::Bearer,
    timeout: Duration::from_secs(10),
    model: "jev-1.13.0",
};

/// With this header the vendor's own service reads more.
const LONG_CONTEXT: &str = "TypeSafe-Danger-Zone-Long-Context";

pub(crate) const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "model",
        "jev-1.13.0",
        "The model; a full version rather than an alias.",
    ),
    SettingKey::new(
        "envelope",
        "cloudflare",
        "What the reply is wrapped in: none or cloudflare; known by the address where that is published.",
    ),
];

/// Checked settings.
#[cfg_attr(
    not(feature = "http"),
    expect(dead_code, reason = "some settings only matter to a call")
)]
struct Own {
    target: Target,
    place: Option<&'static Place>,
    twist: Twist,
}

fn read(settings: &Settings) -> Result<Own, Vec<SettingError>> {
    let base_url = settings.get("base_url").and_then(Value::as_str);
    let base_url = base_url.unwrap_or(USUAL.base_url);
    let place = Place::at(base_url);
    let here = place.map(|place| place.usual(base_url));
    let (target, envelope) = read_settings_at(
        settings,
        &USUAL,
        here.as_ref(),
        SETTINGS,
        |reader| match reader.text("envelope") {
            None => None,
            Some("none") => Some(Twist::None),
            Some("cloudflare") => Some(Twist::Envelope),
            Some(other) => {
                reader.wrong(
                    "envelope",
                    format!("unknown envelope `{other}`"),
                    "envelope: cloudflare (or none)",
                );
                None
            }
        },
    )?;
    let published = place.map_or(Twist::None, |place| place.twist);
    Ok(Own {
        target,
        place,
        twist: envelope.unwrap_or(published),
    })
}

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let own = read(settings)?;
    Ok(Description {
        host: own.target.endpoint.host(),
        identity: own.target.identity([]),
        price: own.place.and_then(|place| place.price(&own.target.model)),
        caps: own.place.map_or_else(Caps::default, |place| place.caps),
        context: own.place.and_then(|place| {
            let long = own.target.has_header(LONG_CONTEXT, "true");
            let of_long = || context::published(NAME, &format!("{}, long context", place.name));
            long.then(of_long)
                .flatten()
                .or_else(|| context::published(NAME, place.name))
        }),
        probabilities: None,
    })
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let Own { target, twist, .. } = read(settings).map_err(ConnectError::Settings)?;
    let dialect = super::dialect::SystemOne {
        model: target.model.clone(),
        twist,
    };
    let identity = target.identity([]);
    Dialogue::connect(&target, identity, dialect, outside)
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(json: &Value) -> Result<Description, Vec<SettingError>> {
        describe(json.as_object().expect("a map"))
    }

    #[test]
    fn only_published_prices_are_assumed() {
        let price = |json: &Value| {
            let described = described(json).expect("usable settings");
            described.price.map(|price| price.input_per_million)
        };
        assert_eq!(price(&json!({"model": "jev-1.13.0"})), Some(0.042));
        let elsewhere =
            json!({"model": "m", "base_url": "https://gateway.example.org", "key_env": "K"});
        assert_eq!(price(&elsewhere), None);
    }

    #[test]
    fn what_is_read_of_a_request_is_known_where_it_is_published() {
        let context = |json: &Value| {
            let limit = described(json).expect("usable settings").context?;
            Some((limit.request, limit.state_and_question))
        };
        assert_eq!(
            context(&json!({"model": "jev-1.13.0"})),
            Some((65_536, Some(32_768)))
        );
        let long = json!({"model": "jev-1.14.0",
            "headers": {"typesafe-danger-zone-long-context": "true"}});
        assert_eq!(context(&long), Some((262_144, None)));
        let eu = json!({"model": "eu-jeff-1.0.0", "base_url": "https://eu-jev.com"});
        assert_eq!(context(&eu), Some((32_768, None)));
        let elsewhere =
            json!({"model": "m", "base_url": "https://gateway.example.org", "key_env": "K"});
        assert_eq!(context(&elsewhere), None);
    }

    #[test]
    fn an_unknown_envelope_is_told() {
        let errors = described(&json!({"model": "m", "envelope": "letter"})).expect_err("unknown");
        assert_eq!(errors.len(), 1);
    }
}
