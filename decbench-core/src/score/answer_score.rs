//! How far one answer's probabilities are from what is right, by the metrics that are means of this.

use crate::decision::{Gold, Question, QuestionKind};
use crate::metric::{BrierScale, Conventions, MetricId};
use crate::stats::ordinal::{self, expected_level};
use crate::stats::proper::{self, Truth, item_log_loss};

/// What a score compares with, where there is such a thing: several acceptable labels have no proper score.
pub(super) fn truth(gold: &Gold) -> Option<Truth<'_>> {
    match gold {
        Gold::Label(label) => Some(Truth::Option(*label)),
        Gold::Distribution(shares) => Some(Truth::Shares(shares)),
        _ => None,
    }
}

/// One answer's score, less being better; nothing where the metric does not fit.
pub(super) fn answer_score(
    metric: MetricId,
    conventions: &Conventions,
    question: &Question,
    shares: &[f64],
    truth: Truth<'_>,
) -> Option<f64> {
    let is_score = question.kind == QuestionKind::Score && question.options.len() > 1;
    match metric {
        MetricId::Brier => {
            let score = proper::brier(shares, truth).ok()?;
            if conventions.brier == BrierScale::Labels {
                return Some(score);
            }
            // Of two options both miss by the same, so half the sum is the square of P(yes)'s error.
            (question.kind == QuestionKind::YesNo).then_some(score / 2.0)
        }
        MetricId::LogLoss => item_log_loss(shares, truth, conventions.log_loss_floor)
            .ok()
            .map(|item| item.loss),
        MetricId::Rps => {
            let score = if conventions.rps_normalised {
                ordinal::rps_normalised
            } else {
                ordinal::rps
            };
            is_score.then(|| score(shares, truth).ok())?
        }
        MetricId::Mae if is_score => {
            let gold = match truth {
                Truth::Option(level) => level as f64,
                Truth::Shares(shares) => expected_level(shares).ok()?,
            };
            Some((expected_level(shares).ok()? - gold).abs())
        }
        MetricId::Tvd => match truth {
            Truth::Shares(target) => {
                let gaps = shares.iter().zip(target);
                Some(
                    gaps.map(|(share, wanted)| (share - wanted).abs())
                        .sum::<f64>()
                        / 2.0,
                )
            }
            Truth::Option(_) => None,
        },
        _ => None,
    }
}

/// The worst score there is.
pub(super) fn worst_score(metric: MetricId, conventions: &Conventions, options: usize) -> f64 {
    let steps = (options.max(2) - 1) as f64;
    match metric {
        MetricId::Brier if conventions.brier == BrierScale::Labels => 2.0,
        MetricId::LogLoss => -conventions.log_loss_floor.ln(),
        MetricId::Rps if !conventions.rps_normalised => steps,
        MetricId::Mae => steps,
        _ => 1.0,
    }
}
