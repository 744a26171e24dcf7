//! Any other service, ready to call.

use serde_json::{Map, Value, json};

use super::answer;
use super::settings::{Own, Way};
use crate::decision::{Asked, Measured, Request, State};
use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply};
use crate::provider::http::Http;
use crate::provider::parts::one_by_one;
use crate::provider::prompt::{labels_of_numbers, options_text, question_text};

/// A service by its template.
pub(super) struct Template {
    http: Http,
    identity: Identity,
    model: String,
    own: Own,
}

impl Template {
    pub(super) fn new(http: Http, identity: Identity, model: String, own: Own) -> Self {
        let http = http.called_by(match own.way {
            Way::Post => reqwest::Method::POST,
            Way::Put => reqwest::Method::PUT,
            Way::Patch => reqwest::Method::PATCH,
        });
        Self {
            http,
            identity,
            model,
            own,
        }
    }

    async fn one(&self, request: Request<'_>) -> Result<Reply, Attempt> {
        let Some(asked) = request.questions.first() else {
            return Ok(Reply {
                answers: Vec::new(),
                measured: Measured::default(),
            });
        };
        let document = self
            .own
            .body
            .filled(&|name| self.value(name, &request, asked), &|name| {
                self.text(name, &request, asked)
            });
        let read = |reply: &Value, measured: &mut Measured| {
            vec![answer::read(reply, &self.own.pointers, asked, measured)]
        };
        self.http.exchange(&document, &request, read).await
    }

    /// What a placeholder stands for where it is all of a text.
    fn value(&self, name: &str, request: &Request<'_>, asked: &Asked<'_>) -> Value {
        match name {
            "state" => request.state.as_json(),
            "options" => asked.shown().map(|option| option.key.as_str()).collect(),
            "descriptions" => descriptions(asked),
            "question" => json!({
                "name": asked.question.name,
                "type": asked.question.kind.name(),
                "instructions": asked.question.instructions,
                "options": descriptions(asked),
            }),
            _ => self.text(name, request, asked).into(),
        }
    }

    /// What a placeholder stands for inside a longer text.
    fn text(&self, name: &str, request: &Request<'_>, asked: &Asked<'_>) -> String {
        let labels = || labels_of_numbers(asked.order.len());
        match name {
            "state" => request.state.as_text().into_owned(),
            "instructions" => asked.question.instructions.clone(),
            "options" => options_text(asked, &labels()),
            "descriptions" => descriptions(asked).to_string(),
            "question" => question_text(asked, &labels()),
            "name" => asked.question.name.clone(),
            "type" => asked.question.kind.name().to_owned(),
            // All placeholders were checked, and this is the last of them.
            _ => self.model.clone(),
        }
    }
}

/// Key to description, null where there is none, in the order shown.
fn descriptions(asked: &Asked<'_>) -> Value {
    let pairs = asked.shown().map(|option| {
        let description = option.description.as_deref();
        (
            option.key.clone(),
            description.map_or(Value::Null, Value::from),
        )
    });
    Value::Object(pairs.collect::<Map<_, _>>())
}

impl Provider for Template {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn demand(&self, _state: &State, questions: usize) -> Demand {
        Demand {
            requests: u32::try_from(questions).unwrap_or(u32::MAX).max(1),
            further_bytes: self.own.body.written().to_string().len() as u64,
            ..Demand::default()
        }
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(one_by_one(request, |request| self.one(request)))
    }
}
