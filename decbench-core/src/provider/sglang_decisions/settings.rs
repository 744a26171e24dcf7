//! What a candidate of this dialect can be told.

use std::time::Duration;

use crate::provider::caps::Caps;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::price::Price;
use crate::provider::service::{Connected, Description, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Auth, Target, Usual, read_settings};

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

const CAPS: Caps = Caps {
    questions: None,
    options: (2, 26),
    levels: (2, 26),
    instructions: true,
    both_outcomes: false,
};

pub(crate) const SETTINGS: &[SettingKey] = &[SettingKey::new(
    "model",
    "Qwen/Qwen3-8B",
    "The model that the server was started with.",
)];

fn read(settings: &Settings) -> Result<Target, Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |_| ()).map(|(target, ())| target)
}

/// Reads the settings without a key or a network.
pub(crate) fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let target = read(settings)?;
    Ok(Description {
        host: target.endpoint.host(),
        identity: target.identity([]),
        price: target.endpoint.is_loopback().then_some(OWN_MACHINE),
        caps: CAPS,
        probabilities: Some(true),
    })
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use super::dialect::SglangDecisions;
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let target = read(settings).map_err(ConnectError::Settings)?;
    let dialect = SglangDecisions {
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
