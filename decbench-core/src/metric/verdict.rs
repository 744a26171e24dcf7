//! What a suite says of its verdict: what is expected, how quality is made up, and when a case succeeds.

use super::MetricId;

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
}

impl Claim {
    /// The word in suites and trial names.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotWorse => "not_worse",
            Self::Better => "better",
        }
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
