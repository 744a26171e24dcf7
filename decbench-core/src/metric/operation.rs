//! What a suite requires of a candidate in operation: within a turn. No formulas.

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
