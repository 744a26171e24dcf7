//! What is to be collected, from whom, and with what means.

use std::path::PathBuf;
use std::time::Duration;

use super::file::BadLine;
use super::limits::Limits;
use super::miss::Miss;
use super::mode::Mode;
use super::progress::Progress;
use super::recorded::RecordedFile;
use crate::decision::{Answer, Case, ContextLimit, Plan, Question};
use crate::provider::{Clock, Connected, Identity, Price};

/// Everything one candidate is to be asked.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Name of the suite; a folder name.
    pub suite: &'a str,
    /// Name of the candidate; a file name.
    pub candidate: &'a str,
    /// The questions in the candidate's wording; a case's own come before them.
    pub questions: &'a [Question],
    /// The suite's cases.
    pub cases: &'a [Case],
    /// What to ask.
    pub plan: &'a Plan,
    /// Who answers.
    pub source: Source<'a>,
    /// How much the model reads of a request, where it is known; what is longer is not sent.
    pub context: Option<&'a ContextLimit>,
    /// Whether cases without an answer are left out in place of being misses.
    pub skip_missing: bool,
    /// How fast and how often.
    pub limits: Limits,
    /// What tokens cost; where it is unknown nothing remote is asked, unless that is allowed.
    pub price: Option<Price>,
    /// Where the price was found, and when, for people who are asked to agree to it; empty without a price.
    pub price_from: &'a str,
    /// Whether it may be asked at an unknown price. What it costs is then no part of the budget.
    pub allow_unpriced: bool,
}

/// Who answers.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Source<'a> {
    /// Answers made elsewhere; nobody is asked.
    Recorded(&'a RecordedFile),
    /// A provider.
    Asked(Asking<'a>),
}

/// A provider that is built when the first call is to be made, and not before.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// What its answers are keyed by; known without a key or a network.
    pub identity: &'a Identity,
    /// Whether asking leaves this machine or costs money.
    pub remote: bool,
    /// The host that is called, so that processes take turns.
    pub host: Option<&'a str>,
    /// Builds it; takes the key from the environment, so it is called only when something is to be asked.
    pub connect: &'a (dyn Fn() -> Connected + Sync),
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("identity", self.identity)
            .field("remote", &self.remote)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

/// Where stores are and what may be spent.
#[derive(Clone)]
pub struct Environment<'a> {
    /// Where answers come from.
    pub mode: Mode,
    /// The folder `answers` beside the suite; the suite's folder is below it.
    pub recordings: PathBuf,
    /// The output folder (`target/decbench`); runs and host locks are below it.
    pub output: PathBuf,
    /// The run this process belongs to, `[A-Za-z0-9._-]+`: `NEXTEST_RUN_ID`, else new per process.
    pub run: String,
    /// What the run may spend, in US dollars, over all its processes.
    pub budget_usd: Option<f64>,
    /// The estimate that a person has agreed to, in US dollars: the run may spend 1.2 times as much, unless the budget is
    /// smaller.
    pub confirm_usd: Option<f64>,
    /// How long the run may ask, from its first call on, over all its processes.
    pub deadline: Option<Duration>,
    /// The time of day.
    pub clock: Clock,
    /// Hears what a person who waits should know: who is waited for, what is resumed, which call hangs.
    pub notice: &'a (dyn Fn(&str) + Sync),
    /// Hears some times a second how far the calls of each remote candidate are, and once how they ended.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

impl std::fmt::Debug for Environment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment")
            .field("mode", &self.mode)
            .field("recordings", &self.recordings)
            .field("output", &self.output)
            .field("run", &self.run)
            .field("budget_usd", &self.budget_usd)
            .field("confirm_usd", &self.confirm_usd)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// What was collected.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Collected {
    /// The answers in the order of the plan; of several questions in one call each is one.
    pub answers: Vec<Answer>,
    /// What has no answer, in the order of the plan.
    pub misses: Vec<Miss>,
    /// Ids of cases left out because `missing: skip` is set, in the suite's order.
    pub skipped: Vec<String>,
    /// Lines of answer files that do not read.
    pub bad_lines: Vec<BadLine>,
    /// What a person should know, such as a run that was resumed.
    pub notes: Vec<String>,
    /// What the calls made here cost as far as it is known, in US dollars.
    pub spent_usd: f64,
    /// How many requests were sent here, retries included.
    pub calls_made: u64,
}
