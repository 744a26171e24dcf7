//! Decisions by an `SGLang` server over any chat model whose labels are single tokens.
//!
//! One `POST` asks a list of questions about one input, each with an id of its own. The reply holds the probability of
//! every label and the mass that fell on labels at all, and no confidence.

#[cfg(feature = "http")]
mod answer;
#[cfg(feature = "http")]
mod dialect;
#[cfg(feature = "http")]
mod request;
mod settings;

pub(crate) use settings::{NAME, SETTINGS, USUAL, connect, describe};
