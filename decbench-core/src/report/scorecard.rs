//! A suite's results, ready to be written down.

use super::load::LoadLine;
use super::published::PublishedLine;
use super::turn::TurnLine;
use crate::data::Finding as DataFinding;
use crate::judge::{ClaimFinding, Finding, Judgement};
use crate::metric::{Metric, Requirement};
use crate::score::{Measurement, Tables};

/// Everything known about one suite after a run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scorecard {
    /// The suite's name.
    pub suite: String,
    /// Digest of its questions, cases and gold.
    pub digest: String,
    /// How many cases were read.
    pub cases: usize,
    /// Of how many of them every question has gold.
    pub with_gold: usize,
    /// How many independent units of evidence the cases form.
    pub units: usize,
    /// What the checks of the data found, in their order.
    pub data: Vec<DataLine>,
    /// The candidates, in the suite's order.
    pub candidates: Vec<CandidateCard>,
    /// One line per requirement, by trial.
    pub assertions: Vec<AssertionLine>,
    /// One line per claim and candidate, by trial.
    pub claims: Vec<ClaimLine>,
    /// Agreement with published figures, by metric.
    pub published: Vec<PublishedLine>,
    /// What was found of turns, by candidate, where the suite asks.
    pub turns: Vec<TurnLine>,
    /// What was found of the load, where the suite asks and services were called for it.
    pub load: Option<LoadLine>,
    /// Which candidate to use, where the suite asks.
    pub verdict: Option<Finding>,
    /// What a reader should know about the data, one sentence each.
    pub notes: Vec<String>,
}

impl Scorecard {
    /// An empty scorecard of this suite.
    pub fn new(suite: impl Into<String>, digest: impl Into<String>) -> Self {
        Self {
            suite: suite.into(),
            digest: digest.into(),
            cases: 0,
            with_gold: 0,
            units: 0,
            data: Vec::new(),
            candidates: Vec::new(),
            assertions: Vec::new(),
            claims: Vec::new(),
            published: Vec::new(),
            turns: Vec::new(),
            load: None,
            verdict: None,
            notes: Vec::new(),
        }
    }
}

/// One candidate's results.
#[derive(Debug, Clone)]
pub struct CandidateCard {
    /// Its name.
    pub name: String,
    /// Whether production uses it now.
    pub today: bool,
    /// Whether it is only compared with.
    pub baseline: bool,
    /// Whether its answers came from a service, so that its latency is a property of the recording.
    pub remote: bool,
    /// Results by question.
    pub questions: Vec<QuestionCard>,
    /// What a reader should know, one sentence each.
    pub notes: Vec<String>,
}

/// One candidate's results on one question.
#[derive(Debug, Clone)]
pub struct QuestionCard {
    /// The question's name; empty for a suite's single unnamed one.
    pub name: String,
    /// The version of the suite's wording, where one is given.
    pub version: Option<u32>,
    /// Every metric that exists for the question, in the table's order.
    pub metrics: Vec<MetricLine>,
    /// The same with each case counting by its weight, where cases have weights.
    pub population: Vec<MetricLine>,
    /// The same per group.
    pub groups: Vec<GroupCard>,
    /// Keys of the options, in order; the confusion table's rows.
    pub options: Vec<String>,
    /// Confusion, reliability, coverage.
    pub tables: Tables,
}

impl QuestionCard {
    /// What follows a candidate's name above these results: the question, where it has a name, and the version of its
    /// wording.
    pub(super) fn title(&self) -> String {
        let name = if self.name.is_empty() {
            String::new()
        } else {
            format!(" · {}", self.name)
        };
        match self.version {
            Some(version) => format!("{name}, version {version}"),
            None => name,
        }
    }
}

/// One group of cases.
#[derive(Debug, Clone)]
pub struct GroupCard {
    /// By what it is grouped.
    pub by: String,
    /// Which group.
    pub value: String,
    /// Its metrics.
    pub metrics: Vec<MetricLine>,
}

/// One metric with what was measured.
#[derive(Debug, Clone)]
pub struct MetricLine {
    /// The metric.
    pub metric: Metric,
    /// Its measurement.
    pub measurement: Measurement,
}

/// One requirement and its outcome.
#[derive(Debug, Clone)]
pub struct AssertionLine {
    /// Name of the trial.
    pub trial: String,
    /// Name of the candidate.
    pub candidate: String,
    /// Name of the question.
    pub question: String,
    /// The metric.
    pub metric: Metric,
    /// What was required.
    pub requirement: Requirement,
    /// What the evidence says.
    pub judgement: Judgement,
}

/// One claim about one candidate and its outcome.
#[derive(Debug, Clone)]
pub struct ClaimLine {
    /// Name of the trial.
    pub trial: String,
    /// Whether it compares with earlier answers, which move without this suite: such a line is in no snapshot.
    pub earlier: bool,
    /// Ids of the cases that are right now and were not at the baseline.
    pub newly_right: Vec<String>,
    /// Ids of the cases that were right at the baseline and are not now.
    pub newly_wrong: Vec<String>,
    /// What was found.
    pub finding: ClaimFinding,
}

/// One check of the data and what it found.
#[derive(Debug, Clone)]
pub struct DataLine {
    /// Name of the trial.
    pub trial: String,
    /// What was found.
    pub finding: DataFinding,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_titled_with_the_question_and_its_version() {
        let title = |name: &str, version| {
            let card = QuestionCard {
                name: name.to_owned(),
                version,
                metrics: Vec::new(),
                population: Vec::new(),
                groups: Vec::new(),
                options: Vec::new(),
                tables: Tables::default(),
            };
            card.title()
        };
        assert_eq!(title("", None), "");
        assert_eq!(title("team", None), " · team");
        assert_eq!(title("", Some(3)), ", version 3");
        assert_eq!(title("team", Some(3)), " · team, version 3");
    }
}
