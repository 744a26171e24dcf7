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
pub(crate) const NAME: &str = "openai-decisions";

/// The vendor's own service.
pub(crate) const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "https://api.openai.com",
    path: "/v1/decisions",
    key_env: "OPENAI_API_KEY",
    auth: Auth::Bearer,
    timeout: Duration::from_secs(30),
    model: "gpt-6-luna",
};

/// The published price of the vendor's own service, for inputs up to 272,000 tokens that no cache held.
const PRICE: Price = Price {
    input_per_million: 0.10,
    output_per_million: 0.0,
};

pub(crate) const SETTINGS: &[SettingKey] = &[SettingKey::new("model", "gpt-6-luna", "The model.")];

const PLAIN: Plain = Plain {
    usual: &USUAL,
    settings: SETTINGS,
    caps: Caps {
        questions: Some(400),
        options: (2, 255),
        levels: (2, 10),
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
    PLAIN.connect(settings, outside, |model| super::dialect::OpenAiDecisions {
        model,
    })
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}
