//! What a candidate of the System One dialect can be told.

use std::time::Duration;

use crate::provider::contract::{SettingError, Settings};
use crate::provider::price::Price;
use crate::provider::service::{Connected, Description, Outside};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Auth, Target, Usual, read_settings};

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

/// The published price of the vendor's own service.
const PRICE: Price = Price {
    input_per_million: 0.042,
    output_per_million: 0.0,
};

pub(crate) const SETTINGS: &[SettingKey] = &[SettingKey::new(
    "model",
    "jev-1.13.0",
    "The model; a full version rather than an alias.",
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
        price: Some(PRICE),
        most_options: None,
        probabilities: None,
    })
}

/// Takes the key and gets ready to call.
#[cfg(feature = "http")]
pub(crate) fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Dialogue;
    use crate::provider::service::ConnectError;

    let target = read(settings).map_err(ConnectError::Settings)?;
    let dialect = super::service::SystemOne {
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
