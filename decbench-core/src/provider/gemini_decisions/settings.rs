//! What a candidate of this dialect can be told.

use std::time::Duration;

use crate::provider::caps::Caps;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::plain::Plain;
use crate::provider::price::Price;
use crate::provider::service::{Connected, Description, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Auth, Usual};

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

pub(crate) const SETTINGS: &[SettingKey] =
    &[SettingKey::new("model", "gemini-decision-1", "The model.")];

const PLAIN: Plain = Plain {
    usual: &USUAL,
    settings: SETTINGS,
    caps: Caps {
        questions: Some(1000),
        options: (2, 255),
        levels: (2, 255),
        instructions: true,
        both_outcomes: false,
        open: false,
    },
    price: |target| target.is_usual_place().then_some(PRICE),
};

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    PLAIN.describe(settings)
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    PLAIN.connect(settings, outside, |model| super::dialect::GeminiDecisions {
        model,
    })
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}
