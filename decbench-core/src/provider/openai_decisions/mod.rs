//! Decisions by `OpenAI`, and every server of that shape: Azure, Fireworks, vLLM, Dynamo, `LiteLLM`.
//!
//! One `POST` asks a list of questions about one input. A choice goes out as `choice` with its options as a list in the
//! order shown, yes/no as `predicate`, a score as `score` with its levels as a list. The answers come back in the same
//! order, and a question that the service will not judge is refused on its own.

#[cfg(feature = "http")]
mod answer;
#[cfg(feature = "http")]
mod dialect;
#[cfg(feature = "http")]
mod request;
mod settings;

pub(crate) use settings::{NAME, SETTINGS, USUAL, connect, describe};
