//! Decisions by Google.
//!
//! One `POST` asks several questions about one input. A choice goes out as `choice` with its options as the keys of a
//! map in the order shown, yes/no as `noul`, a score as `score` with its levels as a list. The reply names no model: the
//! one asked for is recorded and marked as such. An input that the service will not judge is refused as a whole.

#[cfg(feature = "http")]
mod answer;
#[cfg(feature = "http")]
mod dialect;
#[cfg(feature = "http")]
mod request;
mod settings;

pub(crate) use settings::{NAME, SETTINGS, USUAL, connect, describe};
