//! The dialect as the frame of a call wants it.

use serde_json::Value;

use super::answer::read;
use super::request::document;
use crate::decision::{Asked, Decided, Failure, Measured, Request};
use crate::provider::http::Dialect;
use crate::provider::reading::{TOKENS, read_usage};

/// The dialect, with the model to ask.
pub(super) struct OpenAiDecisions {
    pub(super) model: String,
}

impl Dialect for OpenAiDecisions {
    fn document(&self, request: &Request<'_>) -> Result<Value, Failure> {
        Ok(document(&self.model, request))
    }

    fn read(
        &self,
        reply: &Value,
        asked: &[Asked<'_>],
        measured: &mut Measured,
    ) -> Vec<Result<Decided, Failure>> {
        read_usage(reply, TOKENS, measured);
        read(reply, asked)
    }
}
