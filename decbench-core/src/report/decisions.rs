//! The table over the suites of a crate: for each decision whom to take, and how.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::number::format_value;
use super::sentence::verdict_sentence;
use crate::judge::{Finding, PickedBy};
use crate::metric::Unit;

/// One suite's decision.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DecisionRow {
    /// The suite.
    pub suite: String,
    /// What the verdict says, by name.
    pub verdict: &'static str,
    /// The verdict as a sentence.
    pub sentence: String,
    /// Whom to take; `None` where nothing may be compared.
    pub candidate: Option<String>,
    /// Who is not told apart from it by quality.
    pub tied: Vec<String>,
    /// What decided.
    pub picked_by: Option<PickedBy>,
    /// The assertion that asks for a threshold, and the confidence from which on decisions are acted on.
    pub threshold: Option<(String, Option<f64>)>,
    /// How long to wait for an answer.
    pub timeout: Option<Timeout>,
    /// What is done with a decision that is not confident enough, or comes too late.
    pub fallback: Option<String>,
    /// US dollars per 1,000 decisions.
    pub cost_per_1000: Option<f64>,
    /// Calibration error.
    pub calibration: Option<f64>,
}

/// How long to wait for an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Timeout {
    /// As the suite sets it.
    Set(String),
    /// The time within which 99% of the calls were answered, in milliseconds.
    Measured(f64),
}

impl DecisionRow {
    /// A row that names nobody yet.
    pub fn new(suite: &str, finding: &Finding) -> Self {
        Self {
            suite: suite.to_owned(),
            verdict: finding.outcome.name(),
            sentence: verdict_sentence(finding),
            candidate: None,
            tied: Vec::new(),
            picked_by: None,
            threshold: None,
            timeout: None,
            fallback: None,
            cost_per_1000: None,
            calibration: None,
        }
    }

    fn threshold_text(&self) -> String {
        match &self.threshold {
            None => "–".to_owned(),
            Some((metric, None)) => format!("none reaches {metric}"),
            Some((metric, Some(threshold))) => format!("{threshold:.3} ({metric})"),
        }
    }

    fn timeout_text(&self) -> String {
        match &self.timeout {
            None => "–".to_owned(),
            Some(Timeout::Set(text)) => text.clone(),
            Some(Timeout::Measured(ms)) => {
                format!("{} (p99)", format_value(*ms, Unit::Milliseconds))
            }
        }
    }

    fn cost_text(&self) -> String {
        self.cost_per_1000
            .map_or_else(|| "–".to_owned(), |cost| format_value(cost, Unit::Dollars))
    }

    /// How it was picked, in words.
    fn why(&self) -> String {
        let tied = self.tied.join(", ");
        match self.picked_by {
            None => "nothing may be compared".to_owned(),
            Some(PickedBy::Verdict) if tied.is_empty() => "by the verdict".to_owned(),
            Some(PickedBy::Verdict) => format!("by the verdict; tied in quality with {tied}"),
            Some(PickedBy::Quality) => "by quality; the verdict is no decision".to_owned(),
            Some(PickedBy::Order) => {
                format!("tied with {tied}, and nothing breaks the tie; listed first")
            }
            Some(by) => format!("tied with {tied}, broken by {}", by.name()),
        }
    }
}

/// The table as text.
pub fn decisions_text(rows: &[DecisionRow]) -> String {
    let mut out = "decisions\n".to_owned();
    for row in rows {
        let _ = writeln!(
            out,
            "  {}: {} ({})\n    threshold {}; timeout {}; fallback {}; {} per 1,000\n    {}",
            row.suite,
            row.candidate.as_deref().unwrap_or("nobody"),
            row.why(),
            row.threshold_text(),
            row.timeout_text(),
            row.fallback.as_deref().unwrap_or("–"),
            row.cost_text(),
            row.sentence
        );
    }
    out
}

/// The table as Markdown.
pub fn decisions_markdown(rows: &[DecisionRow]) -> String {
    let plain = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut out = "| decision | verdict | candidate | why | threshold | timeout | fallback | per 1,000 |\n|---|---|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            plain(&row.suite),
            row.verdict,
            plain(row.candidate.as_deref().unwrap_or("–")),
            plain(&row.why()),
            plain(&row.threshold_text()),
            plain(&row.timeout_text()),
            plain(row.fallback.as_deref().unwrap_or("–")),
            row.cost_text()
        );
    }
    out
}

/// The table as JSON, numbers unrounded.
pub fn decisions_json(rows: &[DecisionRow]) -> Json {
    let row = |row: &DecisionRow| {
        json!({
            "suite": row.suite,
            "verdict": row.verdict,
            "sentence": row.sentence,
            "candidate": row.candidate,
            "picked_by": row.picked_by.map(PickedBy::name),
            "tied": row.tied,
            "threshold": row.threshold.as_ref().and_then(|(_, threshold)| *threshold),
            "threshold_of": row.threshold.as_ref().map(|(metric, _)| metric),
            "timeout": match &row.timeout {
                None => Json::Null,
                Some(Timeout::Set(text)) => json!({ "set": text }),
                Some(Timeout::Measured(ms)) => json!({ "p99_ms": ms }),
            },
            "fallback": row.fallback,
            "cost_per_1000": row.cost_per_1000,
            "calibration_error": row.calibration,
        })
    };
    json!({ "schema": 1, "decisions": rows.iter().map(row).collect::<Vec<_>>() })
}
