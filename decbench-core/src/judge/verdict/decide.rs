//! From qualities, gates and costs to a verdict: the pure rule, and what a decision takes beyond it.

use super::compare::{Comparison, RESAMPLES, seed};
use super::entrant::Contest;
use super::expect::{ALPHA, expected};
use super::field::{Field, obstacles};
use super::finding::{Finding, VerdictOutcome};
use super::launch::before_launch;
use super::leaderboard::leaderboard;
use super::standing::{contender, standings, too_few_units};
use crate::judge::outcome::Outcome;
use crate::metric::cases_for_margin;
use crate::stats::Undefined;
use crate::stats::multiplicity::holm_rejections;
use crate::stats::sample_size::paired_mean_cases;
use crate::stats::selection_effect::best_of_many;
use crate::stats::verdict::{Contender, Incumbent, Verdict, decide, floors};

/// The power at which missing cases are counted.
const POWER: f64 = 0.8;

/// Reaches a verdict.
pub fn verdict(contest: &Contest) -> Finding {
    let field = Field::of(contest);
    let mut finding = empty(contest, &field);
    let reasons = obstacles(contest, &field);
    if !reasons.is_empty() {
        finding.reasons = reasons;
        return finding;
    }
    let today = contest.entrants.iter().position(|entrant| entrant.today);
    finding.candidates = standings(contest, &field, today);
    let contenders: Vec<usize> = (0..contest.entrants.len())
        .filter(|at| Some(*at) != today)
        .collect();
    let floors = match floors(finding.cases, finding.gold) {
        Ok(floors) => floors,
        Err(undefined) => {
            finding.reasons.push(undefined.to_string());
            return finding;
        }
    };
    finding.more_cases = floors.more_cases;
    finding.more_approvals = floors.more_approvals;
    let rank = |at: usize| finding.candidates[at].gates.is_empty();
    let may_rank: Vec<bool> = (0..contest.entrants.len()).map(rank).collect();
    let board = leaderboard(contest, &field, &may_rank);
    finding.separated = board.separated;
    for (standing, (utility, rank)) in finding
        .candidates
        .iter_mut()
        .zip(board.utilities.into_iter().zip(board.ranks))
    {
        standing.utility = utility;
        standing.rank = rank;
    }
    let done = match today {
        Some(today) => against_today(contest, &mut finding, today, &contenders),
        None => before_launch(contest, &mut finding, &contenders),
    };
    if let Err(undefined) = done {
        finding.outcome = VerdictOutcome::CouldNotRun;
        finding.reasons.push(undefined.to_string());
    }
    for part in board.left_out {
        finding.reasons.push(format!(
            "utility leaves out {part}, which is not known of every ranked candidate"
        ));
    }
    tuning(contest, &mut finding);
    finding.judged = expected(
        finding.expect,
        finding.outcome,
        &finding.named,
        &finding.candidates,
    );
    finding
}

fn empty(contest: &Contest, field: &Field) -> Finding {
    Finding {
        outcome: VerdictOutcome::CouldNotRun,
        named: Vec::new(),
        expect: contest.rule.expect,
        judged: Outcome::CouldNotRun,
        margin: contest.rule.margin,
        made_of: contest.made_of.clone(),
        success: success(contest),
        utility: contest.rule.utility,
        repeats: contest.rule.repeats,
        reasons: Vec::new(),
        cases: field.cases(),
        gold: field.gold,
        units: field.units as u64,
        more_cases: 0,
        more_approvals: 0,
        unjudged: field.unjudged,
        left_out: field.left_out,
        lockbox: contest.lockbox,
        on_tuning_data: contest.on_tuning_data,
        selection_effect: None,
        detectable: None,
        separated: None,
        candidates: Vec::new(),
    }
}

/// When a case succeeds, in words.
fn success(contest: &Contest) -> String {
    let mut text = format!("quality >= {}", contest.rule.success);
    for gate in &contest.rule.case_gates {
        text.push_str(" and ");
        text.push_str(&gate.to_string());
    }
    text
}

fn against_today(
    contest: &Contest,
    finding: &mut Finding,
    today: usize,
    contenders: &[usize],
) -> Result<(), Undefined> {
    let facts: Vec<Contender> = contenders
        .iter()
        .map(|at| contender(&contest.entrants[*at], &finding.candidates[*at]))
        .collect();
    let incumbent = Incumbent {
        cost_per_success: finding.candidates[today].cost_per_success,
        latency: contest.entrants[today].latencies.map(|times| times.p50),
    };
    // What may have been tuned on decides nothing: the rule then names who is worth the lock box.
    let (cases, gold) = if contest.on_tuning_data {
        (0, 0)
    } else {
        (finding.cases, finding.gold)
    };
    let decision = decide(&facts, &incumbent, cases, gold, ALPHA)?;
    for (at, adjusted) in contenders.iter().zip(&decision.adjusted) {
        finding.candidates[*at].p_adjusted = Some(*adjusted);
    }
    let name = |position: usize| contest.entrants[contenders[position]].name.clone();
    match decision.verdict {
        Verdict::Switch(winner) => {
            finding.outcome = VerdictOutcome::Switch;
            finding.named = vec![name(winner)];
        }
        Verdict::Keep => {
            finding.outcome = VerdictOutcome::Keep;
            finding.named = vec![contest.entrants[today].name.clone()];
        }
        Verdict::Shortlist(list) => {
            finding.outcome = VerdictOutcome::Shortlist;
            finding.named = list.into_iter().map(name).collect();
        }
    }
    finding.detectable = detectable(finding, contenders);
    finding.selection_effect = selection_effect(contest, finding, contenders);
    beyond_the_rule(contest, finding, contenders)
}

/// What a decision takes beyond the rule: enough units, enough of them on which candidates differ; and who is
/// cheaper where nobody is better.
fn beyond_the_rule(
    contest: &Contest,
    finding: &mut Finding,
    contenders: &[usize],
) -> Result<(), Undefined> {
    if !finding.outcome.is_decision() {
        return Ok(());
    }
    if too_few_units(finding) {
        return Ok(());
    }
    if finding.outcome == VerdictOutcome::Keep
        && let Some(saver) = saver(finding, contenders)?
    {
        finding.outcome = VerdictOutcome::SwitchCheaper;
        finding.named = vec![finding.candidates[saver].name.clone()];
        return Ok(());
    }
    let least = u64::from(contest.rule.min_discordant);
    let alike: Vec<(&str, &Comparison)> = contenders
        .iter()
        .map(|at| &finding.candidates[*at])
        .filter(|standing| {
            // Whoever is not ranked could not win on more cases either.
            standing.gates.is_empty()
                && (finding.outcome == VerdictOutcome::Keep
                    || finding.named.first() == Some(&standing.name))
        })
        .filter_map(|standing| {
            let found = standing.comparison.as_ref()?;
            (found.discordant() < least).then_some((standing.name.as_str(), found))
        })
        .collect();
    let reasons: Vec<String> = alike
        .iter()
        .map(|(name, found)| {
            let discordant = found.discordant();
            format!(
                "`{name}` differs from today's on {discordant} units, and a decision takes {least} (min_discordant)"
            )
        })
        .collect();
    if let Some(fewest) = alike.iter().map(|(_, found)| found.discordant()).min() {
        // As many differences per case as so far; with none seen, one at the next case would be the best of luck.
        let factor = least as f64 / (fewest.max(1)) as f64;
        let needed = (finding.cases as f64 * factor).ceil() as u64;
        let by_differences = needed.saturating_sub(finding.cases).max(1);
        // Whoever is cheaper is as well shown to be no worse, which takes as many units even without a difference.
        let saves = alike.iter().any(|(_, found)| found.saving.is_some());
        let by_margin = contest.rule.margin.filter(|_| saves);
        let by_margin =
            by_margin.and_then(|margin| cases_for_margin(margin).checked_sub(finding.units));
        finding.more_cases = match by_margin {
            Some(more @ 1..) => by_differences.min(more),
            _ => by_differences,
        };
        finding.outcome = VerdictOutcome::TestMore;
        finding.reasons.extend(reasons);
    }
    Ok(())
}

/// The cheapest of those that are shown to be no worse within the margin, and cheaper or faster; Holm over all.
fn saver(finding: &Finding, contenders: &[usize]) -> Result<Option<usize>, Undefined> {
    let p: Vec<Option<f64>> = contenders
        .iter()
        .map(|at| {
            let found = finding.candidates[*at].comparison.as_ref()?;
            Some(found.saving.as_ref()?.p)
        })
        .collect();
    let shown = holm_rejections(&p, ALPHA)?;
    let cost = |at: usize| {
        let cost = finding.candidates[at].cost_per_success;
        cost.unwrap_or(f64::INFINITY)
    };
    Ok(contenders
        .iter()
        .zip(shown)
        .filter(|(at, shown)| *shown && finding.candidates[**at].gates.is_empty())
        .map(|(at, _)| *at)
        .min_by(|a, b| cost(*a).total_cmp(&cost(*b))))
}

/// The largest, over contenders that could win, of the differences that would have shown four times in five.
fn detectable(finding: &Finding, contenders: &[usize]) -> Option<f64> {
    let per_case = finding.units as f64 / finding.cases as f64;
    let of = |found: &Comparison| {
        // The number of units for a difference of one standard deviation; it falls with the square of the difference.
        let at_one = paired_mean_cases(1.0, 1.0, ALPHA, POWER).ok()?.real;
        Some(per_case * found.deviation * (at_one / finding.units as f64).sqrt())
    };
    contenders
        .iter()
        .filter_map(|at| of(finding.candidates[*at].comparison.as_ref()?))
        .reduce(f64::max)
        .filter(|difference| *difference > 0.0)
}

/// The chance of so clear a lead among contenders of whom none is better.
fn selection_effect(contest: &Contest, finding: &Finding, contenders: &[usize]) -> Option<f64> {
    let lists: Option<Vec<Vec<f64>>> = contenders
        .iter()
        .map(|at| {
            let found = finding.candidates[*at].comparison.as_ref()?;
            Some(found.by_unit.clone())
        })
        .collect();
    let named = finding.named.first()?;
    let winner = contenders
        .iter()
        .position(|at| contest.entrants[*at].name == *named)?;
    best_of_many(&lists?, winner, RESAMPLES, seed("selection effect")).ok()?
}

/// Says what was tuned on, and how unequally.
fn tuning(contest: &Contest, finding: &mut Finding) {
    if contest.on_tuning_data {
        finding.reasons.push(
            "these cases may have been tuned on, and a lock box is declared: a decision stands on it alone"
                .to_owned(),
        );
    }
    let rounds = || contest.entrants.iter().map(|entrant| entrant.tuning_rounds);
    let (least, most) = (rounds().min().unwrap_or(0), rounds().max().unwrap_or(0));
    if least != most {
        finding.reasons.push(format!(
            "wordings were tuned unequally: from {least} to {most} rounds"
        ));
    }
}
