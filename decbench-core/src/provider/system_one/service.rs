//! The dialect as the frame of a call wants it.

use serde_json::Value;

use super::answer::{read_one, read_usage};
use super::request::document;
use crate::decision::{Asked, Decided, Failure, Measured, Request};
use crate::provider::http::Dialect;
use crate::provider::reading::by_name;

/// The dialect, with the model to ask.
pub(super) struct SystemOne {
    pub(super) model: String,
}

impl Dialect for SystemOne {
    fn document(&self, request: &Request<'_>) -> Result<Value, Failure> {
        Ok(document(&self.model, request))
    }

    fn read(
        &self,
        reply: &Value,
        asked: &[Asked<'_>],
        measured: &mut Measured,
    ) -> Vec<Result<Decided, Failure>> {
        read_usage(reply, measured);
        by_name(reply, asked, read_one)
    }
}
