//! The margin by which a candidate may be worse than today's without its showing on so many cases.

use decbench_core::stats::sample_size::mcnemar_detectable_difference;
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use crate::report::rows::Rows;

/// Two-sided level, and the chance of showing what is there.
const ALPHA: f64 = 0.05;
const POWER: f64 = 0.8;
/// Fewer pairs than this suggest nothing.
const FEWEST: u64 = 10;

pub(super) struct Margin {
    share: f64,
    candidate: String,
    discordant: u64,
    pairs: u64,
    planned: u64,
}

impl Margin {
    pub(super) fn in_json(&self) -> Json {
        json!({
            "margin": self.share, "candidate": self.candidate, "discordant": self.discordant, "pairs": self.pairs,
            "cases": self.planned,
        })
    }

    pub(super) fn yaml(&self) -> String {
        format!(
            "compare: {{ against: today, metric: accuracy, margin: {}% }}  # `{}` and today's differ on {} of {} cases; {} cases show a difference of this size four times of five\n",
            (self.share * 100.0).round(),
            self.candidate,
            self.discordant,
            self.pairs,
            self.planned
        )
    }
}

/// From the pair of today's candidate and the one that differs most from it.
pub(super) fn against_today(
    suite: &Suite,
    rows: &Rows,
    candidate: usize,
    planned: Option<u64>,
) -> Option<Margin> {
    let today = suite.candidates.iter().position(|one| one.today)?;
    let others = (0..suite.candidates.len()).filter(|at| {
        // Of a candidate that is compared with itself nothing follows; today's is compared with all others.
        *at != today && (candidate == today || *at == candidate) && !suite.candidates[*at].baseline
    });
    others
        .filter_map(|other| of_pair(suite, rows, today, other, planned))
        .max_by(|a, b| a.share.total_cmp(&b.share))
}

fn of_pair(
    suite: &Suite,
    rows: &Rows,
    today: usize,
    other: usize,
    planned: Option<u64>,
) -> Option<Margin> {
    let right =
        |at: usize, said: &[Option<crate::report::rows::Said>]| said.get(at)?.as_ref()?.right;
    let both = rows
        .cases
        .iter()
        .filter_map(|row| Some((right(today, &row.said)?, right(other, &row.said)?)));
    let (mut pairs, mut discordant) = (0, 0);
    for (one, other) in both {
        pairs += 1;
        discordant += u64::from(one != other);
    }
    if pairs < FEWEST {
        return None;
    }
    let planned = planned.unwrap_or(pairs);
    // None seen does not mean that there are none: one more is taken for granted.
    let disagreement = (discordant + 1) as f64 / (pairs + 1) as f64;
    let shown = mcnemar_detectable_difference(disagreement, planned, ALPHA, POWER);
    // Even a difference in every case that differs may not show on so few.
    let margin = shown.unwrap_or(disagreement);
    Some(Margin {
        share: (margin * 100.0 - 1e-9).ceil() / 100.0,
        candidate: suite.candidates[other].name.clone(),
        discordant,
        pairs,
        planned,
    })
}
