//! A service of the dialect, ready to call.

use super::answer::{read, read_usage};
use super::request::document;
use super::settings::{Auth, Target};
use crate::decision::Request;
use crate::provider::contract::{Attempt, BoxFuture, Identity, Provider, Reply};
use crate::provider::http::{Authorization, Http};
use crate::provider::secret::Secret;
use crate::provider::service::{ConnectError, Outside};

/// A service that speaks the dialect.
pub(super) struct SystemOne {
    http: Http,
    identity: Identity,
    model: String,
}

impl SystemOne {
    pub(super) fn new(
        target: Target,
        key: Option<Secret>,
        outside: &Outside<'_>,
    ) -> Result<Self, ConnectError> {
        let authorization = key.and_then(|key| {
            let (header, prefix) = match target.auth {
                Auth::Bearer => ("authorization", "Bearer "),
                Auth::Header(name) => (name, ""),
                Auth::None => return None,
            };
            Some(Authorization {
                header,
                prefix,
                key,
            })
        });
        Ok(Self {
            http: Http::new(
                &target.endpoint,
                authorization,
                &target.headers,
                target.timeout,
                outside,
            )?,
            identity: target.identity(),
            model: target.model,
        })
    }
}

impl Provider for SystemOne {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn remote(&self) -> bool {
        true
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(async move {
            let received = self.http.post(document(&self.model, &request)).await?;
            let mut answers = read(&received.body, request.questions);
            for failure in answers
                .iter_mut()
                .filter_map(|answer| answer.as_mut().err())
            {
                failure.message = self.http.without_key(std::mem::take(&mut failure.message));
            }
            let mut measured = received.measured();
            read_usage(&received.body, &mut measured);
            Ok(Reply { answers, measured })
        })
    }
}
