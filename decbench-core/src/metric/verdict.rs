//! What a suite says of its verdict: what is expected, how quality is made up, and when a case succeeds.

use super::{Bound, MetricId, Side};

/// What a suite expects its verdict to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expect {
    /// Today's candidate stays.
    Keep,
    /// Another candidate is better.
    Switch,
    /// Another candidate is no worse, within the margin, and cheaper or faster.
    SwitchCheaper,
    /// Any decision: the evidence must suffice for one.
    Decision,
    /// Whatever comes out; only a verdict that could not run is red.
    Any,
}

impl Expect {
    /// The word in suites.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Switch => "switch",
            Self::SwitchCheaper => "switch_cheaper",
            Self::Decision => "decision",
            Self::Any => "any",
        }
    }

    /// The expectation with this word.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Keep,
            Self::Switch,
            Self::SwitchCheaper,
            Self::Decision,
            Self::Any,
        ];
        all.into_iter().find(|expect| expect.name() == name)
    }
}

/// What `compare:` claims of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// The metric falls by less than the margin.
    NotWorse,
    /// The metric rises.
    Better,
    /// Nothing shows that the metric falls; what holds of an earlier state of the same candidate.
    Steady,
}

impl Claim {
    /// The word in suites and trial names.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotWorse => "not_worse",
            Self::Better => "better",
            Self::Steady => "steady",
        }
    }
}

/// The square of the normal quantile of 97.5%.
const Z_SQUARED: f64 = 3.841_458_820_694_124;

/// How many independent cases it takes at least to show, one-sided at 2.5%, that a share falls by less than `margin`:
/// as many as the score test wants where no answer differs. A margin outside (0, 1) is never shown.
///
/// ```
/// assert_eq!(decbench_core::metric::cases_for_margin(0.01), 381);
/// assert_eq!(decbench_core::metric::cases_for_margin(0.0), u64::MAX);
/// ```
pub fn cases_for_margin(margin: f64) -> u64 {
    if margin > 0.0 && margin < 1.0 {
        // Without any difference the lower limit of the score interval is -z²/(n + z²).
        (Z_SQUARED * (1.0 / margin - 1.0)).ceil() as u64
    } else {
        u64::MAX
    }
}

/// One metric of a case's quality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QualityPart {
    /// Position of the question.
    pub question: usize,
    /// `accuracy` or `within_one`: what says of one answer whether it is right.
    pub metric: MetricId,
    /// Its weight, positive; only the weights' ratio counts.
    pub weight: f64,
}

/// A limit that a single decision must keep for its case to count as a success, as in `latency <= 2s`.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseGate {
    /// What is limited.
    pub subject: CaseSubject,
    /// The limit.
    pub bound: Bound,
    /// The subject as the suite names it.
    pub name: String,
}

impl CaseGate {
    /// Whether a number of one case keeps the limit; one that is not known does not.
    pub fn holds(&self, number: Option<f64>) -> bool {
        let limit = self.bound.value();
        let slack = 1e-12 * limit.abs().max(1.0);
        number.is_some_and(|number| match self.bound.side {
            Side::AtLeast => number >= limit - slack,
            Side::AtMost => number <= limit + slack,
        })
    }
}

impl std::fmt::Display for CaseGate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name, self.bound)
    }
}

/// What can be limited of a single decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaseSubject {
    /// How long it took, in milliseconds. A local function's time is a property of the machine and always within.
    Latency,
    /// What it cost, in US dollars. A local function is free.
    Cost,
    /// Whether one question was answered right, by this metric of one answer.
    Right(usize, MetricId),
}

/// What quality, speed and cost count in the utility that ranks candidates; only the ratios matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UtilityWeights {
    /// Weight of quality.
    pub quality: f64,
    /// Weight of speed.
    pub speed: f64,
    /// Weight of cost.
    pub cost: f64,
}

impl Default for UtilityWeights {
    fn default() -> Self {
        Self {
            quality: 60.0,
            speed: 20.0,
            cost: 20.0,
        }
    }
}

impl UtilityWeights {
    /// The shares of quality, speed and cost, which sum to 1.
    pub fn shares(self) -> [f64; 3] {
        let sum = self.quality + self.speed + self.cost;
        [self.quality / sum, self.speed / sum, self.cost / sum]
    }
}

/// How a suite's verdict is reached.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VerdictRule {
    /// What is expected of it.
    pub expect: Expect,
    /// By how much quality may fall where a candidate is cheaper or faster, in (0, 1); without it
    /// nobody is taken for being cheaper.
    pub margin: Option<f64>,
    /// The quality from which on a case counts as a success, in [0, 1].
    pub success: f64,
    /// What each decision of a case must keep to besides, for the case to be a success.
    pub case_gates: Vec<CaseGate>,
    /// What counts how much in the ranking.
    pub utility: UtilityWeights,
    /// Fewest units of evidence on which a candidate and today's must differ for a decision.
    pub min_discordant: u32,
    /// How many repeats of the base call are averaged, at least 1.
    pub repeats: u32,
    /// What a case's quality is made of, never empty.
    pub quality: Vec<QualityPart>,
}

impl VerdictRule {
    /// The rule with every option at its default: accuracy of each of so many questions, equally weighted.
    pub fn new(expect: Expect, questions: usize) -> Self {
        Self {
            expect,
            margin: None,
            success: 0.8,
            case_gates: Vec::new(),
            utility: UtilityWeights::default(),
            min_discordant: 6,
            repeats: 1,
            quality: (0..questions)
                .map(|question| QualityPart {
                    question,
                    metric: MetricId::Accuracy,
                    weight: 1.0,
                })
                .collect(),
        }
    }
}
