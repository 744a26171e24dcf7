//! Ranking by utility: quality, speed and cost, with intervals of the ranks.

use super::compare::{RESAMPLES, seed};
use super::entrant::{Contest, Latencies};
use super::field::Field;
use crate::stats::resample::resampled_units;

/// A pair is told apart when one leads in at least this share of resamples.
const STABLE: f64 = 0.975;

/// Utilities and ranks, `None` for who is not ranked.
pub(super) struct Leaderboard {
    pub(super) utilities: Vec<Option<f64>>,
    pub(super) ranks: Vec<Option<(u32, u32, u32)>>,
    pub(super) separated: Option<bool>,
    /// What is left out of everybody's utility because somebody lacks it.
    pub(super) left_out: Vec<&'static str>,
}

/// One decision's speed from 0 to 1: 100 ms score everything, and ten times as long a fifth less.
fn speed(latencies: Latencies) -> f64 {
    let score = |milliseconds: f64| 1.0 - 0.2 * (milliseconds / 100.0).log10();
    f64::midpoint(
        score(latencies.p50).clamp(0.0, 1.0),
        score(latencies.p95).clamp(0.0, 1.0),
    )
}

/// The price of 1,000 decisions from 0 to 1: a tenth of a cent scores everything, and ten times as much 0.3 less.
fn thrift(cost_per_1000: f64) -> f64 {
    (1.0 - 0.3 * (cost_per_1000 / 0.001).log10()).clamp(0.0, 1.0)
}

/// Ranks those that `may_rank` says.
///
/// Quality and cost are resampled over units for all candidates at once; speed stays what it was measured to be.
pub(super) fn leaderboard(contest: &Contest, field: &Field, may_rank: &[bool]) -> Leaderboard {
    let ranked: Vec<usize> = (0..may_rank.len()).filter(|at| may_rank[*at]).collect();
    let speeds: Option<Vec<f64>> = ranked
        .iter()
        .map(|at| contest.entrants[*at].latencies.map(speed))
        .collect();
    let costs: Option<Vec<Vec<f64>>> = ranked
        .iter()
        .map(|at| {
            let cases = field.qualities[*at].cases.iter();
            let costs: Option<Vec<f64>> = cases.map(|case| case.cost_usd).collect();
            Some(field.by_unit(costs?.into_iter()))
        })
        .collect();
    let qualities: Vec<Vec<f64>> = ranked
        .iter()
        .map(|at| {
            let cases = field.qualities[*at].cases.iter();
            field.by_unit(cases.map(|case| case.quality))
        })
        .collect();
    let sizes = field.sizes();
    let weights = contest.rule.utility.shares();
    let utilities = |times: &[u32]| -> Vec<f64> {
        let total = |sums: &[f64]| -> f64 {
            let drawn = sums.iter().zip(times);
            drawn.map(|(sum, times)| sum * f64::from(*times)).sum()
        };
        let size = total(&sizes);
        (0..ranked.len())
            .map(|at| {
                let parts = [
                    Some(total(&qualities[at]) / size),
                    speeds.as_ref().map(|speeds| speeds[at]),
                    costs
                        .as_ref()
                        .map(|costs| thrift(1000.0 * total(&costs[at]) / size)),
                ];
                let mut sum = (0.0, 0.0);
                for (part, weight) in parts.iter().zip(weights) {
                    if let Some(part) = part {
                        sum = (sum.0 + weight * part, sum.1 + weight);
                    }
                }
                // All weight may lie on what nobody has; then nothing tells candidates apart.
                if sum.1 > 0.0 { sum.0 / sum.1 } else { 0.0 }
            })
            .collect()
    };
    let observed = utilities(&vec![1; field.units]);
    let mut places = vec![Vec::with_capacity(RESAMPLES); ranked.len()];
    let mut leads = vec![vec![0_usize; ranked.len()]; ranked.len()];
    // An error can only mean that there are no units, and then nobody is ranked.
    let _ = resampled_units(field.units, RESAMPLES, seed("ranks"), |times| {
        let drawn = utilities(times);
        for (at, own) in drawn.iter().enumerate() {
            places[at].push(place(&drawn, at));
            for (other, theirs) in drawn.iter().enumerate() {
                leads[at][other] += usize::from(own > theirs);
            }
        }
        Some(0.0)
    });
    let mut board = Leaderboard {
        utilities: vec![None; may_rank.len()],
        ranks: vec![None; may_rank.len()],
        separated: (ranked.len() > 1).then(|| {
            let stable = (STABLE * RESAMPLES as f64).ceil() as usize;
            leads.iter().flatten().any(|lead| *lead >= stable)
        }),
        left_out: Vec::new(),
    };
    if speeds.is_none() {
        board.left_out.push("speed");
    }
    if costs.is_none() {
        board.left_out.push("cost");
    }
    for (at, (position, places)) in ranked.iter().zip(&mut places).enumerate() {
        board.utilities[*position] = Some(observed[at]);
        places.sort_unstable();
        let own = place(&observed, at);
        let tail = places.len() / 40;
        let low = places.get(tail).copied().unwrap_or(own);
        let high = places
            .len()
            .checked_sub(tail + 1)
            .map_or(own, |end| places[end]);
        board.ranks[*position] = Some((own, low.min(own), high.max(own)));
    }
    board
}

/// The place of one utility among all, from 1; equals share the better place.
fn place(utilities: &[f64], at: usize) -> u32 {
    1 + utilities
        .iter()
        .filter(|other| **other > utilities[at] + 1e-12)
        .count() as u32
}
