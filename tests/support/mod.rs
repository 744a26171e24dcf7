//! What several tests use.
#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod gemini_decisions;
pub(crate) mod openai_decisions;
pub(crate) mod server;
pub(crate) mod sglang_decisions;
pub(crate) mod system_one;
