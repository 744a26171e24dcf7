//! What a verdict says and what it stands on.

use super::compare::Comparison;
use crate::judge::outcome::Outcome;
use crate::metric::{Expect, UtilityWeights};
use crate::score::Value;
use crate::stats::Interval;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VerdictOutcome {
    /// The named candidate is better than today's.
    Switch,
    /// The named candidate is no worse than today's within the margin, and cheaper or faster.
    SwitchCheaper,
    /// Nobody is shown to be better than the named one, which production uses.
    Keep,
    /// Before launch: the named candidate is good enough.
    Use,
    /// The rule names somebody, and too little differs to stand on.
    TestMore,
    /// Not enough to decide: the named ones are worth the next cases.
    Shortlist,
    /// Nobody is worth the next cases yet.
    NothingYet,
    /// There was nothing to compare.
    CouldNotRun,
}

impl VerdictOutcome {
    /// The name in scorecards.
    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::SwitchCheaper => "switch_cheaper",
            Self::Keep => "keep",
            Self::Use => "use",
            Self::TestMore => "test_more",
            Self::Shortlist => "shortlist",
            Self::NothingYet => "nothing_yet",
            Self::CouldNotRun => "could_not_run",
        }
    }

    /// Whether it is a decision, which somebody may act on.
    pub fn is_decision(self) -> bool {
        matches!(
            self,
            Self::Switch | Self::SwitchCheaper | Self::Keep | Self::Use
        )
    }
}

/// A verdict with its evidence.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// What to do.
    pub outcome: VerdictOutcome,
    /// The candidates it names, the first before all.
    pub named: Vec<String>,
    /// What the suite expects, and whether it holds.
    pub expect: Expect,
    /// What the expectation makes of the outcome.
    pub judged: Outcome,
    /// By how much quality may fall where a candidate is cheaper or faster.
    pub margin: Option<f64>,
    /// What quality is made of, in words.
    pub made_of: String,
    /// When a case succeeds, in words.
    pub success: String,
    /// What counts how much in the ranking.
    pub utility: UtilityWeights,
    /// How many repeats it is averaged over.
    pub repeats: u32,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
    /// Cases that all candidates were compared on.
    pub cases: u64,
    /// How many of them have gold.
    pub gold: u64,
    /// Their independent units of evidence.
    pub units: u64,
    /// About how many more cases a decision takes; 0 where cases are not what is missing.
    pub more_cases: u64,
    /// How many more of the present cases need gold.
    pub more_approvals: u64,
    /// Cases that can be neither right nor wrong.
    pub unjudged: u64,
    /// Cases that not every candidate answered and that are left out by `missing: skip`.
    pub left_out: u64,
    /// Whether the cases are those of the lock box.
    pub lockbox: bool,
    /// Whether the cases may have been tuned on while a lock box waits.
    pub on_tuning_data: bool,
    /// The chance that the best of all contenders leads as clearly as the named one when none is better.
    pub selection_effect: Option<f64>,
    /// The smallest difference in quality these cases would have shown four times in five.
    pub detectable: Option<f64>,
    /// Whether any two ranked candidates are told apart; `None` with fewer than two.
    pub separated: Option<bool>,
    /// Today's candidate and the contenders, in the suite's order.
    pub candidates: Vec<Standing>,
}

/// What was found of one candidate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Whether production uses it now.
    pub today: bool,
    /// Mean quality with its 95% interval.
    pub quality: Option<Value>,
    /// How it compares with today's.
    pub comparison: Option<Comparison>,
    /// Holm's adjusted p over all contenders.
    pub p_adjusted: Option<f64>,
    /// Hard gates that it fails.
    pub gates: Vec<String>,
    /// Gates it fails as today's does: told, and not held against it.
    pub soft_gates: Vec<String>,
    /// Cases that succeeded.
    pub successes: u64,
    /// US dollars per success; `None` without a success or a price.
    pub cost_per_success: Option<f64>,
    /// Its 95% interval; without limit above where a resample has no success.
    pub cost_interval: Option<Interval>,
    /// US dollars per 1,000 decisions.
    pub cost_per_1000: Option<f64>,
    /// Quality, speed and cost in one number from 0 to 1; `None` for who is not ranked.
    pub utility: Option<f64>,
    /// Its place by utility, from 1, and the 95% interval of it.
    pub rank: Option<(u32, u32, u32)>,
}
