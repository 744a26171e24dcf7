//! A program, ready to be asked: a few processes that take turns.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::process::{Line, Process};
use super::settings::{NAME, Own};
use super::{answer, request};
use crate::decision::{Failure, FailureKind, Measured, Request};
use crate::provider::contract::{Attempt, BoxFuture, Identity, Provider, Reply, Retry};
use crate::provider::quotation::{self, repeats};
use crate::provider::reading::invalid;
use crate::provider::secret::Secret;
use crate::provider::service::ConnectError;
use crate::provider::shelf;

/// A program that is started when it is needed.
pub(super) struct Program {
    own: Own,
    identity: Identity,
    folder: PathBuf,
    key: Option<Secret>,
    turns: Semaphore,
    idle: Mutex<Vec<Process>>,
    asked: AtomicU64,
}

impl Program {
    /// Starts the program once, so that one that cannot start is told before anything is asked.
    pub(super) fn new(own: Own, key: Option<Secret>, folder: &Path) -> Result<Self, ConnectError> {
        let folder = match &own.cwd {
            Some(inner) => folder.join(inner),
            None => folder.to_owned(),
        };
        // A suite in the current folder has an empty path to it.
        let folder = if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder
        };
        let program = Self {
            identity: own.identity(),
            turns: Semaphore::new(own.processes),
            idle: Mutex::default(),
            asked: AtomicU64::new(0),
            own,
            folder,
            key,
        };
        let first = program.start().map_err(|error| {
            let place = program.folder.display();
            let name = program.own.command.first().map_or("", String::as_str);
            ConnectError::Other(format!("`{name}` cannot be started in {place}: {error}"))
        })?;
        program.idle().push(first);
        Ok(program)
    }

    fn start(&self) -> io::Result<Process> {
        let key = self.own.key_env.as_ref().zip(self.key.as_ref());
        let variables: Vec<(&OsStr, &OsStr)> = key
            .map(|(name, key)| (OsStr::new(name), OsStr::new(key.expose())))
            .into_iter()
            .collect();
        Process::start(&self.own.command, &self.folder, &variables)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process that can take a request, and whether it had to be started.
    fn take(&self) -> io::Result<(Process, bool)> {
        while let Some(mut process) = { self.idle().pop() } {
            if process.is_ready() {
                return Ok((process, false));
            }
        }
        Ok((self.start()?, true))
    }

    async fn one(&self, request: Request<'_>) -> Result<Reply, Attempt> {
        let _turn = self.turns.acquire().await;
        let begun = Instant::now();
        let (mut process, cold) = self.take().map_err(|error| {
            let message = format!("the program cannot be started: {error}");
            failed(FailureKind::Connect, message, Retry::Soon)
        })?;
        let id = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let line = request::line(id, &request);
        process.send(line.clone());
        let received = tokio::time::timeout(self.own.timeout, process.receive()).await;
        let latency_ms = (begun.elapsed().as_secs_f64() * 1e6).round() / 1000.0;
        let given = match received {
            Err(_) => {
                process.kill();
                let message = self.told("no answer in time", &process.last_words(), &line);
                Err(failed(FailureKind::Timeout, message, Retry::Soon))
            }
            Ok(None) => {
                let (status, words) = process.end();
                let how = status.map_or_else(
                    || "the program ended its output".to_owned(),
                    |status| format!("the program ended ({status}) without an answer"),
                );
                let message = self.told(&how, &words, &line);
                Err(failed(FailureKind::Connect, message, Retry::Soon))
            }
            Ok(Some(said)) => match read_line(said) {
                Ok(said) => {
                    let given = answer::read(&said, id, request.questions);
                    self.idle().push(process);
                    given
                }
                // What follows on its output may belong to anything.
                Err(failure) => {
                    process.kill();
                    Err(Attempt {
                        failure,
                        retry: Retry::Never,
                        measured: Measured::default(),
                    })
                }
            },
        };
        self.finish(given, &request, latency_ms, cold)
    }

    /// Adds how long it took, and keeps no text that shows the key or repeats the case.
    #[expect(
        clippy::result_large_err,
        reason = "an attempt is what every call gives"
    )]
    fn finish(
        &self,
        mut given: Result<Reply, Attempt>,
        request: &Request<'_>,
        latency_ms: f64,
        cold: bool,
    ) -> Result<Reply, Attempt> {
        let kept = |text: String| match &self.key {
            Some(key) => key.kept_out_of(text),
            None => text,
        };
        let measured = match &mut given {
            Ok(reply) => {
                quotation::keep_out_of(&mut reply.answers, request);
                if let Some(key) = &self.key {
                    for answer in &mut reply.answers {
                        key.keep_out_of(answer);
                    }
                }
                &mut reply.measured
            }
            Err(attempt) => {
                let failure = &mut attempt.failure;
                quotation::keep_out_of_failure(failure, request);
                failure.message = kept(std::mem::take(&mut failure.message));
                &mut attempt.measured
            }
        };
        measured.latency_ms = Some(latency_ms);
        measured.cold = Some(cold);
        measured.model = measured.model.take().map(kept);
        given
    }

    /// What happened, with what the program said last to people, unless that is what it was sent.
    fn told(&self, what: &str, words: &str, sent: &str) -> String {
        if words.is_empty() {
            return format!("{what}; it wrote nothing to standard error");
        }
        if repeats(words, sent.as_bytes()) {
            return format!(
                "{what}; what it wrote to standard error repeats what it was sent and is not kept"
            );
        }
        if self.key.as_ref().is_some_and(|key| key.is_shown_in(words)) {
            return format!(
                "{what}; what it wrote to standard error holds the key and is not kept"
            );
        }
        format!("{what}; it wrote to standard error: {words}")
    }
}

impl Provider for Program {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(async move {
            // Without the number, which tells equal requests apart.
            let sent = shelf::request(request::line(0, &request).as_bytes());
            shelf::once(sent, self.one(request)).await
        })
    }
}

fn read_line(line: Line) -> Result<Value, Failure> {
    let bytes = match line {
        Line::Text(bytes) => bytes,
        Line::TooLong => {
            return Err(Failure::new(
                FailureKind::InvalidAnswer,
                "the program's line is longer than 8 MiB",
            ));
        }
    };
    serde_json::from_slice(&bytes).map_err(|_| {
        let text = String::from_utf8_lossy(&bytes);
        let what =
            format!("`{NAME}` wants one JSON line per answer on standard output, and this is none");
        invalid(&what, &Value::from(text.trim()))
    })
}

fn failed(kind: FailureKind, message: impl Into<String>, retry: Retry) -> Attempt {
    Attempt {
        failure: Failure::new(kind, message),
        retry,
        measured: Measured::default(),
    }
}
