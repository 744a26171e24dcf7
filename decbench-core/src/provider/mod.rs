//! Who answers: one service, its wire format and its errors per file; Rust functions; the embedded baseline.
//!
//! A provider makes one attempt at one request and says whether another attempt could help. Limits, retries,
//! budgets and stores are the collector's. [`PROVIDERS`] lists all there are: a new service is one folder and one row.

mod average;
mod caps;
mod chat;
mod clock;
mod command;
mod context;
mod contract;
mod endpoint;
pub mod function;
mod gemini_decisions;
#[cfg(feature = "http")]
mod http;
pub mod naive_bayes;
mod openai_decisions;
mod parts;
mod plain;
mod price;
#[cfg(feature = "http")]
mod prompt;
mod quotation;
pub(crate) mod raw;
#[cfg_attr(
    not(feature = "http"),
    allow(dead_code, reason = "programs write no dialect of the network")
)]
pub(crate) mod reading;
mod secret;
mod service;
pub(crate) mod setting;
mod sglang_decisions;
pub(crate) mod shelf;
pub(crate) mod side_by_side;
mod system_one;
mod target;
mod template;
#[cfg(all(test, feature = "http"))]
mod testing;
mod version;
#[cfg(feature = "http")]
mod wording;

pub use average::SERVICE_SETTINGS;
pub use caps::Caps;
#[cfg(feature = "http")]
pub use chat::{WRITER_SETTINGS, Writer, Written};
pub use clock::Clock;
pub use context::{CONTEXTS, PublishedContext};
pub use contract::{
    Attempt, BoxFuture, Demand, Identity, Provider, Reply, Retry, SettingError, Settings,
};
pub use endpoint::Endpoint;
pub use price::Price;
pub use secret::Secret;
pub use service::{
    AnsweredBy, ConnectError, Connected, Description, FUNCTION_SETTINGS, Outside, PROVIDERS,
    ProviderKind, RECORDED_SETTINGS, Service, find_provider,
};
pub use setting::{COLLECTOR_SETTINGS, SettingKey};
pub use system_one::{PLACES, Place, Twist};
pub use target::{Auth, CALL_SETTINGS, Usual};
pub use version::is_floating;
