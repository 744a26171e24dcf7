//! What a candidate of this dialect can be told.

use std::time::Duration;

use crate::provider::caps::Caps;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::price::Price;
use crate::provider::service::{Connected, Description, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Auth, Target, Usual, read_settings};

/// The provider's name in suites.
pub(crate) const NAME: &str = "gemini-decisions";

/// The vendor's own service.
pub(crate) const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "https://generativelanguage.googleapis.com",
    path: "/v1beta/decisions",
    key_env: "GEMINI_API_KEY",
    auth: Auth::Header("x-goog-api-key"),
    timeout: Duration::from_secs(30),
    model: "gemini-decision-1",
};

/// The published price of the vendor's own service.
const PRICE: Price = Price {
    input_per_million: 0.10,
    output_per_million: 0.0,
};

const CAPS: Caps = Caps {
    questions: Some(1000),
    options: (2, 255),
    levels: (2, 255),
    instructions: true,
    both_outcomes: false,
};

pub(crate) const SETTINGS: &[SettingKey] =
    &[SettingKey::new("model", "gemini-decision-1", "The model.")];

fn read(settings: &Settings) -> Result<Target, Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |_| ()).map(|(target, ())| target)
}

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let target = read(settings)?;
    Ok(Description {
        host: target.endpoint.host(),
        identity: target.identity([]),
        price: target.is_usual_place().then_some(PRICE),
        caps: CAPS,
        probabilities: Some(true),
    })
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use super::dialect::GeminiDecisions;
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let target = read(settings).map_err(ConnectError::Settings)?;
    let dialect = GeminiDecisions {
        model: target.model.clone(),
    };
    let identity = target.identity([]);
    Ok(Box::new(Dialogue::new(
        &target, identity, dialect, outside,
    )?))
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}
