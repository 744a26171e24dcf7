//! Each entrant on its own and against today's: quality, gates, costs.

use super::compare::{RESAMPLES, compare, seed};
use super::entrant::{Contest, Entrant};
use super::field::Field;
use super::finding::{Finding, Standing, VerdictOutcome};
use crate::score::CaseQuality;
use crate::stats::Interval;
use crate::stats::bootstrap_interval::percentile;
use crate::stats::resample::resampled_ratios;
use crate::stats::verdict::{Contender, LEAST_CASES};

/// What each entrant's answers, gates and costs say, before anybody is named.
pub(super) fn standings(contest: &Contest, field: &Field, today: Option<usize>) -> Vec<Standing> {
    let fails = |at: usize| -> Vec<&str> {
        let gates = contest.entrants[at].gates.iter();
        gates
            .filter(|gate| !gate.holds())
            .map(|gate| gate.gate.as_str())
            .collect()
    };
    let soft: Vec<&str> = today.map(fails).unwrap_or_default();
    (0..contest.entrants.len())
        .map(|at| {
            let entrant = &contest.entrants[at];
            let own = |kept: bool| -> Vec<String> {
                let failed = fails(at).into_iter();
                failed
                    .filter(|gate| soft.contains(gate) == kept)
                    .map(str::to_owned)
                    .collect()
            };
            let margin = contest.rule.margin;
            let comparison = today
                .filter(|today| *today != at)
                .and_then(|today| compare(field, at, today, &entrant.name, margin));
            let mut standing = Standing {
                name: entrant.name.clone(),
                today: entrant.today,
                quality: field.qualities[at].mean(0.95).ok(),
                comparison,
                p_adjusted: None,
                gates: own(false),
                soft_gates: own(true),
                successes: 0,
                cost_per_success: None,
                cost_interval: None,
                cost_per_1000: None,
                utility: None,
                rank: None,
            };
            cost(contest, field, at, &mut standing);
            standing
        })
        .collect()
}

/// Successes and what they cost.
fn cost(contest: &Contest, field: &Field, at: usize, standing: &mut Standing) {
    let cases = || field.qualities[at].cases.iter();
    let passed =
        |case: &CaseQuality| case.within_limits && case.quality >= contest.rule.success - 1e-12;
    standing.successes = cases().filter(|case| passed(case)).count() as u64;
    let Some(costs) = cases()
        .map(|case| case.cost_usd)
        .collect::<Option<Vec<f64>>>()
    else {
        return;
    };
    let total: f64 = costs.iter().sum();
    standing.cost_per_1000 = Some(1000.0 * total / costs.len() as f64);
    if standing.successes == 0 {
        return;
    }
    standing.cost_per_success = Some(total / standing.successes as f64);
    let costs = field.by_unit(costs.into_iter());
    let successes = field.by_unit(cases().map(|case| f64::from(u8::from(passed(case)))));
    let seed = seed(&format!("cost {}", standing.name));
    standing.cost_interval = if total == 0.0 {
        Some(Interval {
            low: 0.0,
            high: 0.0,
        })
    } else {
        resampled_ratios(&costs, &successes, RESAMPLES, seed)
            .and_then(|drawn| percentile(&drawn.values, 0.95))
            .ok()
    };
}

/// What the pure rule knows of a contender.
pub(super) fn contender(entrant: &Entrant, standing: &Standing) -> Contender {
    Contender {
        p: standing.comparison.as_ref().map(|found| found.p),
        gates_passed: standing.gates.is_empty(),
        cost_per_success: standing.cost_per_success,
        quality: standing.quality.as_ref().map(|value| value.value),
        latency: entrant.latencies.map(|latencies| latencies.p50),
    }
}

/// Turns a decision on too few units into "test more".
pub(super) fn too_few_units(finding: &mut Finding) -> bool {
    let few = finding.units < LEAST_CASES;
    if few {
        finding.outcome = VerdictOutcome::TestMore;
        finding.more_cases = LEAST_CASES - finding.units;
        finding.reasons.push(format!(
            "{} independent units of evidence, and a decision takes {LEAST_CASES}",
            finding.units
        ));
    }
    few
}
