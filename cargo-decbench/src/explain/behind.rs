//! The cases that pull a value to its bad side.

use decbench_core::metric::{Metric, MetricArgument, MetricId, Needs};
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use super::answered;
use crate::ending::Unusable;
use crate::packages::Package;
use crate::report::card::Assertion;
use crate::report::rows::{CaseRow, Said};

/// The state's first characters stand in for it.
const STATE: usize = 60;

/// A case with what was right and what was said.
pub(super) struct Behind {
    case: String,
    gold: String,
    answered: String,
    confidence: Option<f64>,
    state: String,
}

impl Behind {
    pub(super) fn in_words(&self) -> String {
        let gold = match self.gold.as_str() {
            "" => String::new(),
            gold => format!(", gold {gold}"),
        };
        let sure = self
            .confidence
            .map_or_else(String::new, |share| format!(" at {share:.2}"));
        format!(
            "{}{gold}, answered {}{sure}: {}",
            self.case, self.answered, self.state
        )
    }

    pub(super) fn in_json(&self) -> Json {
        json!({
            "case": self.case, "gold": self.gold, "answered": self.answered, "confidence": self.confidence,
            "state": self.state,
        })
    }
}

/// The cases behind an assertion, those first of which the candidate was most sure; none for a metric that reads no labels.
pub(super) fn cases(
    package: &Package,
    suite: &Suite,
    line: &Assertion,
) -> Result<Vec<Behind>, Unusable> {
    let Ok(metric) = Metric::parse(&line.metric) else {
        return Ok(Vec::new());
    };
    let (rows, at) = answered(package, suite, &line.candidate)?;
    let mut questions = suite.questions.iter();
    let question = questions.find(|question| question.name == line.question);
    let escape = question.and_then(|question| {
        let option = question.options.get(question.escape()?)?;
        Some(option.key.as_str())
    });
    let mut found: Vec<Behind> = rows
        .cases
        .iter()
        .filter(|row| row.question == line.question)
        .filter_map(|row| {
            let said = row.said.get(at)?.as_ref()?;
            is_behind(&metric, escape, row, said).then(|| Behind {
                case: row.id.clone(),
                gold: row.gold.clone(),
                answered: said.label.clone(),
                confidence: said.confidence,
                state: beginning(&row.state),
            })
        })
        .collect();
    found.sort_by(|a, b| {
        let sure = |one: &Behind| one.confidence.unwrap_or(0.0);
        sure(b).total_cmp(&sure(a))
    });
    Ok(found)
}

fn is_behind(metric: &Metric, escape: Option<&str>, row: &CaseRow, said: &Said) -> bool {
    let wrong = said.right == Some(false);
    let is_option = |text: &str| match &metric.argument {
        MetricArgument::Option(option) => option == text,
        _ => true,
    };
    match metric.id {
        MetricId::Recall => wrong && is_option(&row.gold),
        MetricId::Precision => wrong && is_option(&said.label),
        MetricId::EscapeRecall => wrong && escape == Some(&row.gold),
        MetricId::EscapePrecision => wrong && escape == Some(&said.label),
        MetricId::F1 => wrong && (is_option(&row.gold) || is_option(&said.label)),
        _ => match metric.info().needs {
            Needs::Repeats => said.flickers,
            Needs::Labels | Needs::Probabilities => wrong,
            Needs::Calls => said.label.starts_with('('),
            _ => false,
        },
    }
}

/// The first characters of a text, on one line.
fn beginning(state: &str) -> String {
    let line: String = state.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(STATE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(gold: &str) -> CaseRow {
        CaseRow {
            id: "c".to_owned(),
            question: String::new(),
            state: String::new(),
            gold: gold.to_owned(),
            said: Vec::new(),
        }
    }

    fn said(label: &str, right: bool) -> Said {
        Said {
            label: label.to_owned(),
            right: Some(right),
            confidence: None,
            flickers: false,
        }
    }

    #[test]
    fn a_metric_of_one_option_rests_on_its_cases() {
        let recall = Metric::parse("recall[billing]").expect("a metric");
        assert!(is_behind(
            &recall,
            None,
            &row("billing"),
            &said("sales", false)
        ));
        assert!(!is_behind(
            &recall,
            None,
            &row("sales"),
            &said("billing", false)
        ));
        let precision = Metric::parse("precision[billing]").expect("a metric");
        assert!(is_behind(
            &precision,
            None,
            &row("sales"),
            &said("billing", false)
        ));
        assert!(!is_behind(
            &precision,
            None,
            &row("billing"),
            &said("billing", true)
        ));
    }

    #[test]
    fn a_metric_of_the_way_out_rests_on_its_cases() {
        let (out, wrong) = (Some("other"), said("sales", false));
        let recall = Metric::parse("escape_recall").expect("a metric");
        assert!(is_behind(&recall, out, &row("other"), &wrong));
        assert!(!is_behind(
            &recall,
            out,
            &row("billing"),
            &said("other", false)
        ));
    }

    #[test]
    fn a_metric_of_repeats_rests_on_what_flickers() {
        let flips = Metric::parse("flip_rate").expect("a metric");
        assert!(!is_behind(&flips, None, &row("a"), &said("b", false)));
    }

    #[test]
    fn long_states_are_cut_between_characters() {
        assert_eq!(beginning("a\n b"), "a b");
        assert_eq!(beginning(&"ä".repeat(70)).chars().count(), STATE + 1);
    }
}
