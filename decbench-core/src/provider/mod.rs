//! Who answers: one service, its wire format and its errors per file; Rust functions; the embedded baseline.
//!
//! A provider makes one attempt at one request and says whether another attempt could help. Limits, retries,
//! budgets and stores are the collector's.

mod contract;
pub mod function;

pub use contract::{Attempt, BoxFuture, Identity, Provider, Reply, Retry, SettingError, Settings};
