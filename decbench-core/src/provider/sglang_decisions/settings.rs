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
pub(crate) const NAME: &str = "sglang-decisions";

/// A server on this machine, started without a key.
pub(crate) const USUAL: Usual = Usual {
    provider: NAME,
    base_url: "http://127.0.0.1:30000",
    path: "/v1/decisions",
    key_env: "SGLANG_API_KEY",
    auth: Auth::None,
    timeout: Duration::from_secs(60),
    model: "Qwen/Qwen3-8B",
};

/// A server on this machine sends no bill.
const OWN_MACHINE: Price = Price {
    input_per_million: 0.0,
    output_per_million: 0.0,
};

pub(crate) const SETTINGS: &[SettingKey] = &[SettingKey::new(
    "model",
    "Qwen/Qwen3-8B",
    "The model that the server was started with.",
)];

const PLAIN: Plain = Plain {
    usual: &USUAL,
    settings: SETTINGS,
    caps: Caps {
        questions: None,
        options: (2, 26),
        levels: (2, 26),
        instructions: true,
        both_outcomes: false,
        open: false,
    },
    price: |target| target.endpoint.is_loopback().then_some(OWN_MACHINE),
};

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    PLAIN.describe(settings)
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    PLAIN.connect(settings, outside, |model| super::dialect::SglangDecisions {
        model,
    })
}

/// Takes the key and gets ready to call.
#[cfg(not(feature = "http"))]
pub(crate) fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}
