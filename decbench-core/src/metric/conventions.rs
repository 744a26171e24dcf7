//! What authors do differently; named in every output.

/// Which end of a bin belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClosedSide {
    /// `[lo, hi)`, the last bin closed on both sides.
    Left,
    /// `(lo, hi]`, the first bin closed on both sides.
    Right,
}

/// What is binned for a calibration error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinnedQuantity {
    /// The top probability, against "the answer was right".
    Top,
    /// P(yes), against "gold is yes"; yes/no questions only.
    Yes,
}

/// How the edges between bins are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinEdges {
    /// As doubles, i times the width: with ten bins 0.3, 0.6 and 0.7 fall into the bin below.
    Binary,
    /// As decimals: 0.3 is exactly an edge.
    Decimal,
}

/// How a calibration error is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EceConvention {
    /// Number of bins of equal width, 1 to 400.
    pub bins: u32,
    /// Which end belongs to a bin.
    pub closed: ClosedSide,
    /// What is binned.
    pub of: BinnedQuantity,
    /// How edges are computed.
    pub edges: BinEdges,
}

/// Scale of the Brier score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrierScale {
    /// Sum over labels, 0 to 2.
    Labels,
    /// Squared error of P(yes), 0 to 1; yes/no questions only.
    Binary,
}

/// Which option an answer names when several share the top probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TieRule {
    /// The first in the suite's order.
    First,
    /// The smallest key in byte order.
    Lexicographic,
}

/// How P(yes) of exactly one half reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HalfReading {
    /// Neither answer: wrong, and a label of its own for flips.
    Wrong,
    /// Yes.
    Yes,
    /// No.
    No,
}

/// How far a distribution may sum to something else than 1 and still be rescaled.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SumTolerance {
    /// The larger of 0.02 and 0.005 per option plus 0.001, for services that round to two decimals.
    Auto,
    /// This much; from 0 to 1.
    Within(f64),
}

impl SumTolerance {
    /// The tolerance for a question with this many options.
    pub fn for_options(self, options: usize) -> f64 {
        match self {
            Self::Auto => (0.005 * options as f64 + 0.001).max(0.02),
            Self::Within(tolerance) => tolerance,
        }
    }
}

/// Over which options F1 is averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClassSet {
    /// Those that occur in gold.
    Gold,
    /// Those that occur in gold or among the answers.
    Seen,
    /// All that are declared.
    Declared,
}

/// By which rules capability is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CapabilityRules {
    /// Those of `JevBench` v1.6: score questions by their error, tiers below chance negative.
    JevBench,
    /// Those of the decision page: all types by accuracy, tiers below chance 0.
    Page,
}

impl CapabilityRules {
    /// The name in suites.
    pub fn name(self) -> &'static str {
        match self {
            Self::JevBench => "jevbench-v1.6",
            Self::Page => "page",
        }
    }
}

/// A yes/no question of the same request that has to say yes before another one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Its position among the suite's questions.
    pub question: usize,
    /// Position of the option that is decided for where it says no; without one nothing is decided, and nothing scored.
    pub otherwise: Option<usize>,
    /// How its P(yes) of exactly one half reads; neither is not yes.
    pub half: HalfReading,
}

/// All conventions of one question.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Conventions {
    /// Calibration error.
    pub ece: EceConvention,
    /// Brier score.
    pub brier: BrierScale,
    /// Probabilities are raised to this before taking logarithms; above 0, below 1.
    pub log_loss_floor: f64,
    /// Ties at the top.
    pub ties: TieRule,
    /// P(yes) of exactly one half.
    pub half: HalfReading,
    /// Sums that are not 1.
    pub sum_tolerance: SumTolerance,
    /// Class set of the macro average.
    pub macro_f1: ClassSet,
    /// Whether the ranked probability score is divided by the number of boundaries.
    pub rps_normalised: bool,
    /// Rule set of capability, intelligence and calibration.
    pub capability: CapabilityRules,
    /// The question that has to say yes first.
    pub gate: Option<Gate>,
    /// How much better the median entry of a leaderboard is on open questions than on sealed ones, on a scale to 100;
    /// the rule set's own where `None`.
    pub median_gap: Option<f64>,
}

impl Default for Conventions {
    fn default() -> Self {
        Self {
            ece: EceConvention {
                bins: 10,
                closed: ClosedSide::Left,
                of: BinnedQuantity::Top,
                edges: BinEdges::Binary,
            },
            brier: BrierScale::Labels,
            log_loss_floor: 1e-6,
            ties: TieRule::First,
            half: HalfReading::Wrong,
            sum_tolerance: SumTolerance::Auto,
            macro_f1: ClassSet::Gold,
            rps_normalised: true,
            capability: CapabilityRules::JevBench,
            gate: None,
            median_gap: None,
        }
    }
}
