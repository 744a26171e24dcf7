//! `decbench.toml`: profiles, what providers take by default, prices, how much models read, and what is redacted.
//!
//! ```toml
//! [profile.default]
//! mode = "replay"
//!
//! [profile.nightly]
//! mode = "live"
//! budget_usd = 5.0
//! strict = true
//!
//! [provider.system-one]
//! base_url = "https://decisions.example.com"
//! concurrency = 16
//!
//! [prices."jev-1.13.0"]
//! input_per_million = 0.042
//! output_per_million = 0.0
//! at = "2026-11-01"
//!
//! [context."jev-1.13.0"]
//! tokens = 65536
//! state_and_question = 32768
//! at = "2026-11-29"
//!
//! [redact]
//! names = ["Ada Lovelace"]
//! ```

mod duration;
mod keys;
mod load;
mod model;
mod value;

#[cfg(feature = "run")]
pub(crate) use duration::read_duration;
pub use keys::{CONFIG_KEYS, ConfigKey, ConfigTable};
pub use model::{
    Config, Models, Personal, Price, Profile, ProviderDefaults, Redact, UnknownProfile,
};
