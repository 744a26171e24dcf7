//! Language models that converse: closed questions put into words, and answers read from tokens, votes or stated
//! numbers; and open questions, answered in the model's own words.

mod anthropic;
#[cfg(feature = "http")]
mod completion;
#[cfg(feature = "http")]
mod conversation;
mod converse;
mod logprobs;
#[cfg(feature = "http")]
mod open;
mod settings;
mod stated;
#[cfg(feature = "http")]
mod structured;
mod tools;
mod verbalized;
mod vote_share;
#[cfg(feature = "http")]
mod writer;

pub(crate) use anthropic::ANTHROPIC_MESSAGES;
pub(crate) use converse::CHAT;
pub(crate) use logprobs::CHAT_LOGPROBS;
pub(crate) use verbalized::VERBALIZED;
pub(crate) use vote_share::VOTE_SHARE;
#[cfg(feature = "http")]
pub use writer::{WRITER_SETTINGS, Writer, Written};
