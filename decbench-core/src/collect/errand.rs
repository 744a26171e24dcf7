//! What has to be asked for one candidate, and where its fresh answers go.

use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Job};
use super::wanted::WantedCall;
use crate::decision::Answer;

/// One candidate of several whose calls are made together.
#[derive(Clone, Copy)]
pub(crate) struct Errand<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) asking: &'a Asking<'a>,
    /// The plan spelled out.
    pub(crate) calls: &'a [WantedCall<'a>],
}

impl Errand<'_> {
    /// `<suite>::<candidate>`.
    pub(crate) fn name(&self) -> String {
        format!("{}::{}", self.job.suite, self.job.candidate)
    }

    /// How many answers may be on their way at a time.
    pub(crate) fn under_way(&self) -> usize {
        let questions = self.calls.iter().map(|call| call.questions.len()).max();
        self.job.limits.concurrency * questions.unwrap_or(1)
    }
}

/// How far an errand is.
pub(crate) enum Stage<T> {
    /// It needs nothing asked, or nothing may be.
    Done(Gathered),
    Failed(CollectError),
    /// Something is to be asked.
    Open(Gathered, T),
}

impl<T> Stage<T> {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Open(..))
    }

    /// What came of it; of something that is still open what is known.
    pub(crate) fn result(self) -> Result<Gathered, CollectError> {
        match self {
            Self::Done(gathered) | Self::Open(gathered, _) => Ok(gathered),
            Self::Failed(error) => Err(error),
        }
    }
}

/// Keeps the fresh answers of one candidate.
pub(crate) trait Keeper: Send {
    /// Keeps the answers of a call.
    ///
    /// # Errors
    ///
    /// When they cannot be kept where they belong.
    fn keep(&mut self, fresh: &[Answer]) -> Result<(), CollectError>;

    /// Puts everything in order after the last call; `not_asked` says why calls were left out.
    ///
    /// # Errors
    ///
    /// When something cannot be written.
    fn finish(self: Box<Self>, not_asked: Option<&str>) -> Result<(), CollectError>;
}
