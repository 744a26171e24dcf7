//! The dialect as the frame of a call wants it.

use serde_json::{Value, json};

use super::answer::read_one;
use super::places::Twist;
use super::request::document;
use crate::decision::{Asked, Decided, Failure, Measured, Request, State};
use crate::provider::http::Dialect;
use crate::provider::reading::{TOKENS, by_name, read_usage};
use crate::provider::version::as_requested;

/// The dialect, with the model to ask and where the service departs from it.
pub(super) struct SystemOne {
    pub(super) model: String,
    pub(super) twist: Twist,
}

impl Dialect for SystemOne {
    fn document(&self, request: &Request<'_>) -> Result<Value, Failure> {
        let mut document = document(&self.model, request);
        match (self.twist, request.state) {
            (Twist::NoModel, _) => {
                if let Some(fields) = document.as_object_mut() {
                    fields.shift_remove("model");
                }
            }
            (Twist::TextInMap, State::Text(text)) => document["state"] = json!({"text": text}),
            _ => {}
        }
        Ok(document)
    }

    fn read(
        &self,
        reply: &Value,
        asked: &[Asked<'_>],
        measured: &mut Measured,
    ) -> Vec<Result<Decided, Failure>> {
        let reply = match self.twist {
            Twist::Envelope => reply.get("result").unwrap_or(reply),
            _ => reply,
        };
        read_usage(reply, TOKENS, measured);
        measured
            .model
            .get_or_insert_with(|| as_requested(&self.model));
        by_name(reply, asked, read_one)
    }
}
