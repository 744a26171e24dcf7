//! One claim of every candidate against another one, or against what it answered before: better, not worse, steady.

use super::change::Change;
use super::compare::{Comparison, compare, compare_whole};
use super::entrant::Contest;
use super::expect::ALPHA;
use super::field::{Field, obstacles};
use crate::judge::outcome::Outcome;
use crate::metric::{Claim, Metric, cases_for_margin};
use crate::score::{Unmeasurable, WholeDifference};
use crate::stats::multiplicity::{holm, holm_rejections};
use crate::stats::sample_size::paired_mean_cases;
use crate::stats::verdict::LEAST_CASES;

/// The power at which missing cases are counted.
const POWER: f64 = 0.8;

/// One candidate and with what it is compared.
#[derive(Debug, Clone)]
pub struct ClaimPair {
    /// Two entrants: the one compared with, marked as today's, and the candidate.
    pub contest: Contest,
    /// The difference by a metric of all cases together; without it the contest's qualities are compared.
    pub whole: Option<Result<WholeDifference, Unmeasurable>>,
    /// Why there is nothing to compare with, where that is nobody's mistake.
    pub skipped: Option<String>,
}

/// What was found of a claim about one candidate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClaimFinding {
    /// The candidate.
    pub candidate: String,
    /// With whom it is compared.
    pub against: String,
    /// What is claimed.
    pub claim: Claim,
    /// What is compared.
    pub metric: Metric,
    /// By how much the metric may get worse, in its unit.
    pub margin: Option<f64>,
    /// What the evidence says.
    pub outcome: Outcome,
    /// Whether there is nothing to compare with, and that is nobody's mistake.
    pub skipped: bool,
    /// Why, in one sentence.
    pub reason: String,
    /// The comparison itself; differences are turned so that more is better.
    pub comparison: Option<Comparison>,
    /// Whether cases were compared one by one.
    pub by_case: bool,
    /// What changed case by case, against earlier answers.
    pub change: Option<Change>,
    /// One-sided p of the claim; of `steady`, that of its opposite.
    pub p: Option<f64>,
    /// Holm's adjusted p over all candidates.
    pub p_adjusted: Option<f64>,
    /// Cases compared.
    pub cases: u64,
    /// Their independent units of evidence.
    pub units: u64,
    /// Cases that only one side answered.
    pub left_out: u64,
    /// About how many more cases would show the claim, where the difference seen is on its side.
    pub more_cases: Option<u64>,
}

/// Tests the claim of every pair, one-sided at 2.5% with Holm over all.
pub fn claims(pairs: &[ClaimPair], claim: Claim, metric: &Metric) -> Vec<ClaimFinding> {
    let mut findings: Vec<ClaimFinding> = pairs
        .iter()
        .map(|pair| finding(pair, claim, metric))
        .collect();
    let p: Vec<Option<f64>> = findings.iter().map(|finding| finding.p).collect();
    let adjusted = holm(&p).unwrap_or_default();
    let rejected = holm_rejections(&p, ALPHA).unwrap_or_default();
    let tested = p.iter().flatten().count();
    for (at, finding) in findings.iter_mut().enumerate() {
        finding.p_adjusted = adjusted.get(at).copied().filter(|_| finding.p.is_some());
        settle(finding, rejected.get(at).copied().unwrap_or(false), tested);
    }
    findings
}

/// One pair compared, before candidates are corrected for each other.
fn finding(pair: &ClaimPair, claim: Claim, metric: &Metric) -> ClaimFinding {
    let contest = &pair.contest;
    let field = Field::of(contest);
    let name = |today: bool| {
        let found = contest.entrants.iter().find(|one| one.today == today);
        found.map_or_else(String::new, |one| one.name.clone())
    };
    let mut finding = ClaimFinding {
        candidate: name(false),
        against: name(true),
        claim,
        metric: metric.clone(),
        margin: contest.rule.margin,
        outcome: Outcome::CouldNotRun,
        skipped: pair.skipped.is_some(),
        reason: String::new(),
        comparison: None,
        by_case: pair.whole.is_none(),
        change: None,
        p: None,
        p_adjusted: None,
        cases: field.cases(),
        units: field.units as u64,
        left_out: field.left_out,
        more_cases: None,
    };
    if let Some(reason) = &pair.skipped {
        finding.reason.clone_from(reason);
        return finding;
    }
    let stopped = obstacles(contest, &field);
    if !stopped.is_empty() {
        finding.reason = stopped.join("; ");
        return finding;
    }
    let margin = contest.rule.margin;
    finding.comparison = match &pair.whole {
        None => compare(&field, 1, 0, &finding.candidate, margin),
        Some(Ok(whole)) => {
            (finding.cases, finding.units) = (whole.cases, whole.units);
            Some(compare_whole(whole, margin))
        }
        Some(Err(reason)) => {
            finding.reason = reason.to_string();
            None
        }
    };
    if finding.comparison.is_none() && finding.reason.is_empty() {
        finding.reason.push_str("a number is out of range");
    }
    finding.p = finding
        .comparison
        .as_ref()
        .and_then(|found| tests(claim, found, finding.by_case && contest.shares))
        .map(|(p, _)| p);
    finding
}

/// The one-sided p of the claim, and of its opposite; of `steady` the opposite is what is tested.
fn tests(claim: Claim, found: &Comparison, counted: bool) -> Option<(f64, f64)> {
    match claim {
        Claim::Better => Some((found.p, found.p_worse)),
        Claim::NotWorse => found
            .saving
            .as_ref()
            .map(|saving| (saving.p_not_worse, saving.p_worse)),
        Claim::Steady => {
            // Resampling a handful of flips is too bold; the exact test of their signs is not.
            let exact = if counted { found.mcnemar_worse_p } else { 0.0 };
            let worse = found.p_worse.max(exact);
            Some((worse, worse))
        }
    }
}

fn settle(finding: &mut ClaimFinding, rejected: bool, tested: usize) {
    let Some(found) = &finding.comparison else {
        return;
    };
    let against = tests(finding.claim, found, false).map_or(1.0, |(_, against)| against);
    if finding.units < LEAST_CASES {
        finding.outcome = Outcome::Inconclusive;
        finding.reason = format!(
            "{} independent units of evidence, and a comparison takes {LEAST_CASES}",
            finding.units
        );
        finding.more_cases = Some(LEAST_CASES - finding.units);
        return;
    }
    if finding.claim == Claim::Steady {
        let (outcome, reason) = if rejected {
            (
                Outcome::Fail,
                "it is shown to be worse than it was, at the one-sided level of 2.5% over all candidates",
            )
        } else {
            (
                Outcome::Pass,
                "nothing shows that it became worse, which is no proof that it did not",
            )
        };
        finding.outcome = outcome;
        reason.clone_into(&mut finding.reason);
        return;
    }
    if rejected {
        finding.outcome = Outcome::Pass;
        finding.reason = "shown at the one-sided level of 2.5%, over all candidates".into();
    } else if against <= ALPHA {
        finding.outcome = Outcome::Fail;
        finding.reason = match finding.claim {
            Claim::NotWorse => "it is shown to be worse by more than the margin",
            _ => "it is shown to be worse",
        }
        .into();
    } else {
        finding.outcome = Outcome::Inconclusive;
        finding.more_cases = more_cases(finding, found, tested);
        finding.reason = match finding.more_cases {
            Some(more) => format!("not shown; about {more} more cases like these would show it"),
            None => "not shown, and the difference seen is not on the side of the claim".to_owned(),
        };
    }
}

/// About how many more cases like these would show the claim four times in five, whatever becomes of the other claims
/// among the `tested`.
fn more_cases(finding: &ClaimFinding, found: &Comparison, tested: usize) -> Option<u64> {
    let per_unit = finding.cases as f64 / finding.units as f64;
    let lead = (found.difference + finding.margin.unwrap_or(0.0)) * per_unit;
    if lead <= 0.0 {
        return None;
    }
    let needed =
        paired_mean_cases(found.deviation, lead, ALPHA / tested.max(1) as f64, POWER).ok()?;
    // Without any difference the score test of shares still wants as many.
    let least = finding
        .margin
        .filter(|margin| finding.by_case && *margin < 1.0)
        .map_or(0.0, |margin| cases_for_margin(margin) as f64);
    let units = needed.real.ceil().max(least);
    Some(((units - finding.units as f64) * per_unit).ceil().max(1.0) as u64)
}
