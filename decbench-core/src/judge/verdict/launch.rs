//! Before launch: nobody to compare with, and a bar that quality must be shown to reach.

use super::entrant::Contest;
use super::finding::{Finding, VerdictOutcome};
use super::standing::{contender, too_few_units};
use crate::stats::Undefined;
use crate::stats::sample_size::cases_to_settle;
use crate::stats::verdict::{Contender, LONGEST_SHORTLIST, floors, launch};

/// Before launch, quality must be shown to reach this.
const LAUNCH_BAR: f64 = 0.8;

/// Names the cheapest per success among those whose quality is shown to reach the bar, else who may yet reach it.
pub(super) fn before_launch(
    contest: &Contest,
    finding: &mut Finding,
    contenders: &[usize],
) -> Result<(), Undefined> {
    let facts: Vec<Contender> = contenders
        .iter()
        .map(|at| contender(&contest.entrants[*at], &finding.candidates[*at]))
        .collect();
    let interval = |at: &usize| {
        let value = finding.candidates[*at].quality.as_ref()?;
        value.interval
    };
    let lows: Vec<Option<f64>> = contenders
        .iter()
        .map(|at| interval(at).map(|interval| interval.low))
        .collect();
    let enough = floors(finding.cases, finding.gold)?.met && !contest.on_tuning_data;
    if enough && let Some(winner) = launch(&facts, &lows, LAUNCH_BAR)? {
        finding.outcome = VerdictOutcome::Use;
        finding.named = vec![contest.entrants[contenders[winner]].name.clone()];
        too_few_units(finding);
        return Ok(());
    }
    // Whoever is not shown to lie below the bar may yet reach it; the best first.
    let mut open: Vec<usize> = contenders
        .iter()
        .copied()
        .filter(|at| {
            finding.candidates[*at].gates.is_empty()
                && interval(at).is_none_or(|interval| interval.high >= LAUNCH_BAR)
        })
        .collect();
    let quality = |at: usize| {
        let value = finding.candidates[at].quality.as_ref();
        value.map_or(0.0, |value| value.value)
    };
    open.sort_by(|a, b| quality(*b).total_cmp(&quality(*a)));
    open.truncate(LONGEST_SHORTLIST);
    if open.is_empty() {
        finding.outcome = VerdictOutcome::NothingYet;
        finding.reasons.push(
            "every candidate fails a gate or is shown to lie below a quality of 80%".to_owned(),
        );
        return Ok(());
    }
    if enough {
        let needed = open
            .iter()
            .filter(|at| quality(**at) > LAUNCH_BAR)
            .filter_map(|at| cases_to_settle(quality(*at), LAUNCH_BAR, 0.95).ok()?)
            .min();
        let more = needed.map_or(0, |needed| needed.saturating_sub(finding.cases));
        finding.more_cases = finding.more_cases.max(more);
        finding.reasons.push(
            "nobody's quality is shown to reach 80%: the lower end of its 95% interval lies below"
                .to_owned(),
        );
    }
    finding.outcome = VerdictOutcome::Shortlist;
    finding.named = open
        .into_iter()
        .map(|at| finding.candidates[at].name.clone())
        .collect();
    Ok(())
}
