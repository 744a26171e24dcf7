//! Who takes part in a verdict, and on what.

use crate::judge::outcome::{Judgement, Outcome};
use crate::metric::VerdictRule;
use crate::score::Qualities;

/// Everything a verdict is reached from.
#[derive(Debug, Clone)]
pub struct Contest {
    /// How it is reached.
    pub rule: VerdictRule,
    /// Today's candidate and the contenders, in the suite's order; baselines take no part.
    pub entrants: Vec<Entrant>,
    /// What quality is made of, in words, as in `accuracy`.
    pub made_of: String,
    /// Whether qualities are shares from 0 to 1, as a verdict's are; a comparison's may be any numbers.
    pub shares: bool,
    /// Whether the cases are those of the lock box.
    pub lockbox: bool,
    /// Whether the cases may have been tuned on while a lock box waits.
    pub on_tuning_data: bool,
}

/// One who takes part.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// The candidate's name.
    pub name: String,
    /// Whether production uses it now.
    pub today: bool,
    /// Quality, cost and time by case.
    pub qualities: Qualities,
    /// What the gates found.
    pub gates: Vec<GateLine>,
    /// Percentiles of the time of one decision; `None` where they would be a property of this machine.
    pub latencies: Option<Latencies>,
    /// Why there are no answers, where there are none.
    pub failed: Option<String>,
    /// How many cases it has no answer to, and that `missing: skip` leaves out.
    pub skipped: usize,
    /// How often its wording was tuned.
    pub tuning_rounds: u32,
}

/// Percentiles of the time of one decision, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
}

/// One gate and what it found of one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct GateLine {
    /// The metric and its bound, as in `error_rate <= 1%`.
    pub gate: String,
    /// What was found.
    pub judgement: Judgement,
}

impl GateLine {
    /// Whether the limit is kept; one that could not be measured is not, unless the suite says to skip it.
    pub fn holds(&self) -> bool {
        self.judgement.outcome == Outcome::Pass || self.judgement.skipped
    }
}
