//! What a suite requires of a candidate in operation: within a turn, and under load. No formulas.

use super::{Bound, Metric};

/// `turn:`: several calls at a time, turn after turn, each turn within a budget of time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TurnRule {
    /// What a turn may take, in milliseconds; positive.
    pub budget_ms: f64,
    /// The budget as it was written, such as `400ms`.
    pub written: String,
    /// How many calls a turn makes at the same time and waits for; at least 1.
    pub parallel: u32,
    /// How many turns a conversation has; at least 1.
    pub turns: u32,
    /// The share of turns that must stay within the budget, in (0, 1).
    pub at_least: f64,
    /// What is done where no answer came in time, as a position among the options, by question.
    pub default: Vec<Option<usize>>,
}

impl TurnRule {
    /// One call a turn, one turn, 95% of them within the budget, and no default action.
    pub fn new(budget_ms: f64, written: impl Into<String>) -> Self {
        Self {
            budget_ms,
            written: written.into(),
            parallel: 1,
            turns: 1,
            at_least: 0.95,
            default: Vec::new(),
        }
    }
}

/// `load:`: calls that arrive at given rates, whether earlier ones were answered or not.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadRule {
    /// How many calls production makes a second; positive.
    pub base: f64,
    /// The rates that are offered one after the other, as multiples of the base; at least one.
    pub rates: Vec<LoadRate>,
    /// How many calls are made at each rate; at least 1.
    pub calls: u32,
    /// What must hold: shares of calls that fail, and percentiles of latency.
    pub requirements: Vec<(Metric, Bound)>,
    /// The only rate at which it must hold, as a position in `rates`; without it, at every rate.
    pub at: Option<usize>,
}

/// A multiple of the base rate.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadRate {
    /// How many times the base; positive.
    pub factor: f64,
    /// As it was written, such as `3x`.
    pub written: String,
}

impl LoadRule {
    /// Once, three and ten times the base, 2,000 calls each, and nothing that must hold.
    pub fn new(base: f64) -> Self {
        let rate = |factor: u32| LoadRate {
            factor: f64::from(factor),
            written: format!("{factor}x"),
        };
        Self {
            base,
            rates: vec![rate(1), rate(3), rate(10)],
            calls: 2_000,
            requirements: Vec::new(),
            at: None,
        }
    }

    /// How many calls a second are offered at the rate at this position.
    pub fn per_second(&self, rate: usize) -> f64 {
        self.base * self.rates.get(rate).map_or(1.0, |rate| rate.factor)
    }

    /// Whether something must hold at the rate at this position.
    pub fn holds_at(&self, rate: usize) -> bool {
        self.at.is_none_or(|at| at == rate)
    }
}
