//! `scorecard.json` as a run wrote it.
//!
//! Fields that are unknown here are passed over, since later versions add some.

use std::path::Path;

use decbench_core::suite::trial_part;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::ending::Unusable;

/// The schema that is read.
const SCHEMA: u64 = 1;

/// A suite's scorecard.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Card {
    schema: u64,
    pub(crate) suite: String,
    pub(crate) digest: String,
    #[serde(default)]
    pub(crate) cases: usize,
    #[serde(default)]
    pub(crate) with_gold: usize,
    #[serde(default)]
    pub(crate) units: usize,
    pub(crate) candidates: Vec<Candidate>,
    #[serde(default)]
    pub(crate) assertions: Vec<Assertion>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    #[serde(default)]
    pub(crate) verdict: Option<Verdict>,
    /// Checks of the data, claims, turns and the load, each an object with `trial`, `outcome` and `reason`.
    #[serde(default)]
    pub(crate) data: Json,
    #[serde(default)]
    pub(crate) comparisons: Vec<Json>,
    /// Metrics beside published figures, whose `bounds` are such objects.
    #[serde(default)]
    pub(crate) published: Vec<Json>,
    #[serde(default)]
    pub(crate) turns: Vec<Json>,
    #[serde(default)]
    pub(crate) load: Vec<Json>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) today: bool,
    #[serde(default)]
    pub(crate) baseline: bool,
    pub(crate) questions: Vec<Question>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) metrics: serde_json::Map<String, Json>,
    #[serde(default)]
    pub(crate) groups: Vec<Group>,
    #[serde(default)]
    pub(crate) tables: Tables,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Group {
    pub(crate) by: Json,
    pub(crate) value: Json,
    pub(crate) metrics: serde_json::Map<String, Json>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Tables {
    pub(crate) confusion: Option<Confusion>,
    pub(crate) reliability: Vec<Bin>,
    pub(crate) coverage: Vec<Step>,
    pub(crate) flickering: Vec<Flicker>,
    pub(crate) orders: Option<Orders>,
}

/// A case whose repeats disagree.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Flicker {
    pub(crate) case: String,
    pub(crate) said: Vec<Times>,
    /// Between the two most probable options, averaged over repeats.
    pub(crate) margin: Option<f64>,
}

/// How often something was answered.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Times {
    pub(crate) answer: String,
    pub(crate) times: u64,
}

/// What the order of options does.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Orders {
    /// The share of picks by the slot of the option, first to last.
    pub(crate) prior: Option<Vec<f64>>,
    pub(crate) prior_cases: u64,
    pub(crate) cases: u64,
    pub(crate) declared_accuracy: Option<f64>,
    pub(crate) averaged_accuracy: Option<f64>,
}

/// Rows are gold, columns answers; a last column counts what was no option.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Confusion {
    pub(crate) options: Vec<String>,
    pub(crate) rows: Vec<Vec<u64>>,
}

/// A bin of confidences.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Bin {
    pub(crate) n: u64,
    pub(crate) accuracy: Option<f64>,
    pub(crate) confidence: Option<f64>,
}

/// What is decided alone at a threshold.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Step {
    pub(crate) threshold: f64,
    pub(crate) coverage: f64,
    pub(crate) accuracy: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Assertion {
    #[serde(default)]
    pub(crate) trial: String,
    pub(crate) candidate: String,
    #[serde(default)]
    pub(crate) question: String,
    pub(crate) metric: String,
    pub(crate) bound: String,
    pub(crate) outcome: String,
    /// Whether it was not to be judged in that run, as what is asserted of a closed lock box.
    #[serde(default)]
    pub(crate) skipped: bool,
    #[serde(default)]
    pub(crate) reason: String,
    pub(crate) value: Option<f64>,
    pub(crate) interval: Option<[Option<f64>; 2]>,
    pub(crate) n: Option<usize>,
    /// What was compared with the bound.
    #[serde(default)]
    pub(crate) limits: Option<[Option<f64>; 2]>,
    /// About how many more cases would settle it.
    #[serde(default)]
    pub(crate) more_cases: Option<u64>,
}

impl Assertion {
    /// Its outcome, which counts for nothing where it was skipped.
    pub(crate) fn outcome(&self) -> &str {
        if self.skipped {
            "skipped"
        } else {
            &self.outcome
        }
    }

    /// The metric as the summary of a run writes it, a named question before it.
    pub(crate) fn name(&self) -> String {
        match self.question.as_str() {
            "" => self.metric.clone(),
            question => format!("{question}.{}", self.metric),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) outcome: String,
    /// What a lead can act on; the name of the outcome stands in where an older run wrote none.
    #[serde(default)]
    pub(crate) sentence: String,
    #[serde(default)]
    pub(crate) reasons: Vec<String>,
    #[serde(default)]
    pub(crate) measured_on: String,
    #[serde(default)]
    pub(crate) does_not_claim: String,
    #[serde(default)]
    pub(crate) candidates: Vec<Standing>,
}

/// A candidate as the verdict sees it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Standing {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) today: bool,
    pub(crate) quality: Option<f64>,
    pub(crate) interval: Option<[Option<f64>; 2]>,
    pub(crate) difference: Option<f64>,
    pub(crate) difference_interval: Option<[Option<f64>; 2]>,
    pub(crate) p_adjusted: Option<f64>,
    pub(crate) discordant: Option<Discordant>,
    #[serde(default)]
    pub(crate) gates: Vec<String>,
    #[serde(default)]
    pub(crate) soft_gates: Vec<String>,
    #[serde(default)]
    pub(crate) cost_per_success: Amount,
    pub(crate) rank: Option<Rank>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Discordant {
    pub(crate) better: u64,
    pub(crate) worse: u64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Amount {
    pub(crate) value: Option<f64>,
    pub(crate) interval: Option<[Option<f64>; 2]>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Rank {
    pub(crate) rank: u64,
    pub(crate) interval: [u64; 2],
}

/// A claim about a candidate against another.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Comparison {
    #[serde(default)]
    pub(crate) trial: String,
    pub(crate) candidate: String,
    #[serde(default)]
    pub(crate) against: String,
    pub(crate) claim: String,
    pub(crate) metric: String,
    pub(crate) outcome: String,
    #[serde(default)]
    pub(crate) reason: String,
    pub(crate) difference: Option<f64>,
    pub(crate) interval: Option<[Option<f64>; 2]>,
    pub(crate) discordant: Option<Discordant>,
    pub(crate) p_adjusted: Option<f64>,
}

impl Comparison {
    /// The metric, a named question before it, which only the trial's name tells.
    pub(crate) fn name(&self) -> String {
        let question = || {
            let claim = self.trial.splitn(3, "::").nth(2)?;
            let (_, inner) = claim.split_once('[')?;
            let (question, _) = inner.split_once(&format!(".{}", trial_part(&self.metric)))?;
            Some(question)
        };
        match question() {
            Some(question) => format!("{question}.{}", self.metric),
            None => self.metric.clone(),
        }
    }
}

/// Both ends of an interval, where it has both.
pub(crate) fn ends(interval: Option<[Option<f64>; 2]>) -> Option<(f64, f64)> {
    interval.and_then(|[low, high]| low.zip(high))
}

/// A value with its interval, as a question's metrics hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

impl Question {
    /// A metric that could be measured.
    pub(crate) fn metric(&self, name: &str) -> Option<Measured> {
        measured(self.metrics.get(name)?)
    }
}

/// Reads a metric; none where it has no value.
pub(crate) fn measured(metric: &Json) -> Option<Measured> {
    let value = metric.get("value")?.as_f64()?;
    let end = |at: usize| metric.get("interval")?.get(at)?.as_f64();
    Some(Measured {
        value,
        interval: end(0).zip(end(1)),
    })
}

/// Reads a scorecard.
///
/// # Errors
/// When the file is missing, no JSON, or of a later schema.
pub(crate) fn read(path: &Path) -> Result<Card, Unusable> {
    let text = std::fs::read_to_string(path).map_err(|error| Unusable::file(path, error))?;
    let card: Card = serde_json::from_str(&text).map_err(|error| Unusable::file(path, error))?;
    if card.schema != SCHEMA {
        return Err(Unusable::file(
            path,
            format!(
                "schema {} is not known here, only {SCHEMA}; update cargo-decbench",
                card.schema
            ),
        ));
    }
    Ok(card)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_comparison_names_its_question() {
        let name = |trial: &str, metric: &str| {
            let line = json!({ "trial": trial, "candidate": "b", "claim": "not_worse", "metric": metric, "outcome": "pass" });
            serde_json::from_value::<Comparison>(line).unwrap().name()
        };
        for (trial, metric, expected) in [
            ("s::b::not_worse[accuracy]", "accuracy", "accuracy"),
            ("s::b::not_worse[accuracy.vs.a]", "accuracy", "accuracy"),
            (
                "s::b::not_worse[topic.accuracy.vs.a]",
                "accuracy",
                "topic.accuracy",
            ),
            (
                "s::b::better[topic.recall[x]]",
                "recall[x]",
                "topic.recall[x]",
            ),
            ("", "accuracy", "accuracy"),
        ] {
            assert_eq!(name(trial, metric), expected);
        }
    }
}
