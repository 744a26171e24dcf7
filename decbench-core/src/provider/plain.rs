//! Services that are told nothing but their model: all of their settings are those of every call.

use super::caps::Caps;
use super::context;
use super::contract::{SettingError, Settings};
use super::price::Price;
use super::service::Description;
use super::setting::SettingKey;
use super::target::{Target, Usual, read_settings};

/// Such a service, as its table says it.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) usual: &'static Usual,
    pub(crate) settings: &'static [SettingKey],
    pub(crate) caps: Caps,
    /// The published price where it holds.
    pub(crate) price: fn(&Target) -> Option<Price>,
}

impl Plain {
    fn read(&self, settings: &Settings) -> Result<Target, Vec<SettingError>> {
        read_settings(settings, self.usual, self.settings, |_| ()).map(|(target, ())| target)
    }

    /// Reads the settings without a key or a network; these services give a probability with every answer.
    pub(crate) fn describe(&self, settings: &Settings) -> Result<Description, Vec<SettingError>> {
        let target = self.read(settings)?;
        Ok(Description {
            host: target.endpoint.host(),
            identity: target.identity([]),
            price: (self.price)(&target),
            caps: self.caps,
            context: target
                .is_usual_place()
                .then(|| context::published(self.usual.provider, ""))
                .flatten(),
            probabilities: Some(true),
        })
    }

    /// Takes the key and gets ready to call the model in the dialect that `dialect` makes of its name.
    #[cfg(feature = "http")]
    pub(crate) fn connect<D: super::http::Dialect + 'static>(
        &self,
        settings: &Settings,
        outside: &super::service::Outside<'_>,
        dialect: impl FnOnce(String) -> D,
    ) -> super::service::Connected {
        let target = self
            .read(settings)
            .map_err(super::service::ConnectError::Settings)?;
        let dialect = dialect(target.model.clone());
        super::http::Dialogue::connect(&target, target.identity([]), dialect, outside)
    }
}
