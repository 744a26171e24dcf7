//! What several tests use.
#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod anthropic_messages;
pub(crate) mod any_service;
pub(crate) mod chat_completions;
pub(crate) mod gemini_decisions;
pub(crate) mod openai_decisions;
pub(crate) mod server;
pub(crate) mod sglang_decisions;
pub(crate) mod system_one;
