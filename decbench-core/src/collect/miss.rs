//! A wanted answer that is not there, and why.

use std::fmt;

use super::matching::Known;
use super::wanted::{WantedAnswer, WantedCall, probe_name};
use crate::decision::{Answer, Context, Excess, Probe};

/// A wanted answer that is not there.
///
/// Its text names the case and what differs from the nearest recording; the command that records it is the caller's
/// to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// Id of the case.
    pub case: String,
    /// Name of the question; empty for a single unnamed one.
    pub question: String,
    /// Under which circumstances it was to be asked.
    pub probe: Probe,
    /// Why it is missing.
    pub reason: MissReason,
}

/// Why an answer is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissReason {
    /// Nothing is known about this case and question.
    NeverRecorded,
    /// There is a recording of the case and question, of something else.
    Differs(Vec<Difference>),
    /// The case has no such view to show.
    NoState(Context),
    /// It is longer than what the model reads of a request, and was not sent.
    TooLong(Excess),
    /// It was not asked any more, for this reason: the budget was used up, the key was refused.
    NotAsked(String),
}

/// In what the nearest recording differs from what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// Type, version, wording or options of the questions that are asked together.
    Question,
    /// The material.
    State,
    /// Provider, model or parameters.
    Candidate,
    /// Which repeat it is.
    Repeat,
    /// The order of the options.
    Order,
    /// Which view of the case is shown.
    Context,
    /// The recording does not say what was asked.
    Unsigned,
}

impl Difference {
    /// What differs, as it reads after "differs in".
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "the question (type, version, instructions or options)",
            Self::State => "the state",
            Self::Candidate => "the candidate (provider, model or parameters)",
            Self::Repeat => "the repeat",
            Self::Order => "the order of the options",
            Self::Context => "the context",
            Self::Unsigned => "its form: it does not say what was asked",
        }
    }

    fn between(line: &Answer, call: &WantedCall<'_>, wanted: &WantedAnswer<'_>) -> Vec<Self> {
        let mut differences = Vec::new();
        match (line.request, call.request) {
            (Some(recorded), Some(request)) => {
                if recorded.question != request.question {
                    differences.push(Self::Question);
                }
                if recorded.state != request.state {
                    differences.push(Self::State);
                }
                if recorded.candidate != request.candidate {
                    differences.push(Self::Candidate);
                }
            }
            (None, Some(_)) => differences.push(Self::Unsigned),
            (_, None) => {}
        }
        let (recorded, probe) = (&line.probe, &wanted.probe);
        if recorded.repeat != probe.repeat {
            differences.push(Self::Repeat);
        }
        if recorded.order != probe.order && !(recorded.order.is_empty() && probe.in_suite_order()) {
            differences.push(Self::Order);
        }
        if recorded.context != probe.context {
            differences.push(Self::Context);
        }
        differences
    }
}

impl Miss {
    /// Explains a wanted answer that no line gives; `not_asked` says why it was not asked, where asking was possible.
    pub(crate) fn explain(
        call: &WantedCall<'_>,
        wanted: &WantedAnswer<'_>,
        known: &Known,
        not_asked: Option<&str>,
    ) -> Self {
        let reason = match not_asked {
            Some(reason) => MissReason::NotAsked(reason.to_owned()),
            None => known
                .about(&call.case.id)
                .filter(|line| line.question == wanted.question.name)
                .map(|line| Difference::between(line, call, wanted))
                .min_by_key(Vec::len)
                .map_or(MissReason::NeverRecorded, MissReason::Differs),
        };
        Self::because(call, wanted, reason)
    }

    pub(crate) fn because(
        call: &WantedCall<'_>,
        wanted: &WantedAnswer<'_>,
        reason: MissReason,
    ) -> Self {
        Self {
            case: call.case.id.clone(),
            question: wanted.question.name.clone(),
            probe: wanted.probe.clone(),
            reason,
        }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case `{}`", self.case)?;
        if !self.question.is_empty() {
            write!(f, ", question `{}`", self.question)?;
        }
        f.write_str(&probe_name(&self.probe))?;
        match &self.reason {
            MissReason::NeverRecorded => f.write_str(": no recording"),
            MissReason::Differs(differences) => {
                let names: Vec<_> = differences.iter().map(|part| part.name()).collect();
                let names = names.join(" and ");
                write!(f, ": no recording; the nearest one differs in {names}")
            }
            MissReason::NoState(Context::Production) => f.write_str(": the case has no state"),
            MissReason::NoState(context) => {
                write!(f, ": the case has no state `{}`", context.name())
            }
            MissReason::TooLong(excess) => write!(f, ": not sent, {excess}"),
            MissReason::NotAsked(reason) => write!(f, ": not asked, {reason}"),
        }
    }
}
