//! What is to be asked: calls and their probes.

use super::Context;

/// Under which circumstances one question was asked about one case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Probe {
    /// Which repeat of the same call, from 0.
    pub repeat: u32,
    /// Positions of the options in the order shown.
    pub order: Vec<u16>,
    /// Which view of the case was shown.
    pub context: Context,
}

impl Probe {
    /// The base probe: repeat 0, the suite's order, production's view.
    pub fn base(options: usize) -> Self {
        Self {
            repeat: 0,
            order: (0..=u16::MAX).take(options).collect(),
            context: Context::Production,
        }
    }

    /// Whether the options were shown in the suite's order.
    pub fn in_suite_order(&self) -> bool {
        self.order
            .iter()
            .enumerate()
            .all(|(slot, option)| slot == usize::from(*option))
    }

    /// Whether this is the base probe.
    pub fn is_base(&self) -> bool {
        self.repeat == 0 && self.context == Context::Production && self.in_suite_order()
    }
}

/// One request to be sent: some questions about one case under one circumstance.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// Position of the case in the suite.
    pub case: usize,
    /// Which repeat, from 0.
    pub repeat: u32,
    /// Number of the option order, from 0 (as declared), 1 (reversed), then shuffles; see [`super::orders_of`].
    pub order: u32,
    /// Which view of the case.
    pub context: Context,
    /// Positions of the questions asked together, ascending. A question with fewer orders than `order + 1` is not among them.
    pub questions: Vec<usize>,
}

/// Everything to be asked of one candidate, in the order of cases and probes, without duplicates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The calls.
    pub calls: Vec<Call>,
}
