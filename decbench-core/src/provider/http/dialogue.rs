//! The frame of a call: a request is written, a reply is read, and what both have in common is done here.

use serde_json::Value;

use super::client::Http;
use crate::decision::{Asked, Decided, Failure, Measured, Request, State};
use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply, Retry};
use crate::provider::quotation;
use crate::provider::service::{Connected, Outside};
use crate::provider::shelf;
use crate::provider::target::Target;

/// How a service spells requests and replies; pure.
pub(crate) trait Dialect: Send + Sync {
    /// The document to send. Maps keep the order in which they are built.
    ///
    /// # Errors
    ///
    /// What the dialect has no words for.
    fn document(&self, request: &Request<'_>) -> Result<Value, Failure>;

    /// What one attempt takes at the most; see [`Provider::demand`].
    fn demand(&self, state: &State, questions: usize) -> Demand {
        let _ = (state, questions);
        Demand::default()
    }

    /// One entry per asked question, in its order, from a successful reply. What the reply says about the call (model,
    /// tokens) goes into `measured`.
    fn read(
        &self,
        reply: &Value,
        asked: &[Asked<'_>],
        measured: &mut Measured,
    ) -> Vec<Result<Decided, Failure>>;
}

/// A service of a dialect, ready to call: one document, one reply.
pub(crate) struct Dialogue<D> {
    http: Http,
    identity: Identity,
    dialect: D,
}

impl<D: Dialect + 'static> Dialogue<D> {
    /// Takes the key and sets up the client.
    pub(crate) fn connect(
        target: &Target,
        identity: Identity,
        dialect: D,
        outside: &Outside<'_>,
    ) -> Connected {
        Ok(Box::new(Self {
            http: Http::for_target(target, outside)?,
            identity,
            dialect,
        }))
    }
}

impl<D: Dialect> Provider for Dialogue<D> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn demand(&self, state: &State, questions: usize) -> Demand {
        self.dialect.demand(state, questions)
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(async move {
            let document = self.dialect.document(&request).map_err(|failure| Attempt {
                failure,
                retry: Retry::Never,
                measured: Measured::default(),
            })?;
            let read = |reply: &Value, measured: &mut Measured| {
                self.dialect.read(reply, request.questions, measured)
            };
            self.http.exchange(&document, &request, read).await
        })
    }
}

impl Http {
    /// Posts one document and has the reply read; for services that need more than one exchange per request, too. The
    /// clock stops when the reply is read, and no failure keeps the key or words of the case. What has arrived in an
    /// earlier attempt at the same answer is not sent again.
    pub(crate) async fn exchange(
        &self,
        document: &Value,
        about: &Request<'_>,
        read: impl FnOnce(&Value, &mut Measured) -> Vec<Result<Decided, Failure>>,
    ) -> Result<Reply, Attempt> {
        let document = document.to_string().into_bytes();
        let request = shelf::request(&document);
        shelf::once(request, self.send(document, about, read)).await
    }

    async fn send(
        &self,
        document: Vec<u8>,
        about: &Request<'_>,
        read: impl FnOnce(&Value, &mut Measured) -> Vec<Result<Decided, Failure>>,
    ) -> Result<Reply, Attempt> {
        let received = self.post(&document).await?;
        let mut said = Measured::default();
        let mut answers = read(&received.body, &mut said);
        quotation::keep_out_of(&mut answers, about);
        if let Some(key) = self.key() {
            for answer in &mut answers {
                key.keep_out_of(answer);
            }
            said.model = said.model.map(|model| key.kept_out_of(model));
        }
        let took = received.measured();
        let measured = Measured {
            latency_ms: took.latency_ms,
            connect_ms: took.connect_ms,
            cold: took.cold,
            ..said
        };
        Ok(Reply { answers, measured })
    }
}
