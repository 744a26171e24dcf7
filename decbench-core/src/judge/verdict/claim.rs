//! One claim of every candidate against another one: not worse, or better.

use super::compare::{Comparison, compare};
use super::entrant::Contest;
use super::expect::ALPHA;
use super::field::{Field, obstacles};
use crate::judge::outcome::Outcome;
use crate::metric::Claim;
use crate::stats::multiplicity::{holm, holm_rejections};
use crate::stats::sample_size::paired_mean_cases;
use crate::stats::verdict::LEAST_CASES;

/// The power at which missing cases are counted.
const POWER: f64 = 0.8;

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
    /// By how much the metric may fall.
    pub margin: Option<f64>,
    /// What the evidence says.
    pub outcome: Outcome,
    /// Why, in one sentence.
    pub reason: String,
    /// The comparison itself.
    pub comparison: Option<Comparison>,
    /// One-sided p of the claim.
    pub p: Option<f64>,
    /// Holm's adjusted p over all candidates.
    pub p_adjusted: Option<f64>,
    /// Cases compared.
    pub cases: u64,
    /// Their independent units of evidence.
    pub units: u64,
    /// About how many more cases would show the claim, where the difference seen is on its side.
    pub more_cases: Option<u64>,
}

/// Tests the claim of every entrant against the one marked as today's, one-sided at 2.5% with Holm over all.
pub fn claims(contest: &Contest, claim: Claim) -> Vec<ClaimFinding> {
    let field = Field::of(contest);
    let Some(against) = contest.entrants.iter().position(|entrant| entrant.today) else {
        return Vec::new();
    };
    let others: Vec<usize> = (0..contest.entrants.len())
        .filter(|at| *at != against)
        .collect();
    let stopped = obstacles(contest, &field);
    let found: Vec<Option<Comparison>> = others
        .iter()
        .map(|at| {
            if !stopped.is_empty() {
                return None;
            }
            let name = &contest.entrants[*at].name;
            compare(&field, *at, against, name, contest.rule.margin)
        })
        .collect();
    let p: Vec<Option<f64>> = found
        .iter()
        .map(|found| tests(claim, found.as_ref()?).map(|(p, _)| p))
        .collect();
    let adjusted = holm(&p).unwrap_or_default();
    let shown = holm_rejections(&p, ALPHA).unwrap_or_default();
    others
        .iter()
        .zip(found)
        .enumerate()
        .map(|(position, (at, comparison))| {
            let mut finding = ClaimFinding {
                candidate: contest.entrants[*at].name.clone(),
                against: contest.entrants[against].name.clone(),
                claim,
                margin: contest.rule.margin,
                outcome: Outcome::CouldNotRun,
                reason: stopped.join("; "),
                p: p[position],
                p_adjusted: adjusted.get(position).copied(),
                cases: field.cases(),
                units: field.units as u64,
                more_cases: None,
                comparison,
            };
            let is_shown = shown.get(position).copied().unwrap_or(false);
            settle(&mut finding, is_shown);
            finding
        })
        .collect()
}

/// The one-sided p of the claim, and of its opposite.
fn tests(claim: Claim, found: &Comparison) -> Option<(f64, f64)> {
    match claim {
        Claim::Better => Some((found.p, found.p_worse)),
        Claim::NotWorse => found
            .saving
            .as_ref()
            .map(|saving| (saving.p_not_worse, saving.p_worse)),
    }
}

fn settle(finding: &mut ClaimFinding, shown: bool) {
    let Some(found) = &finding.comparison else {
        if finding.reason.is_empty() {
            finding.reason.push_str("a number is out of range");
        }
        return;
    };
    let against = tests(finding.claim, found).map_or(1.0, |(_, against)| against);
    if finding.units < LEAST_CASES {
        finding.outcome = Outcome::Inconclusive;
        finding.reason = format!(
            "{} independent units of evidence, and a comparison takes {LEAST_CASES}",
            finding.units
        );
        finding.more_cases = Some(LEAST_CASES - finding.units);
    } else if shown {
        finding.outcome = Outcome::Pass;
        finding.reason = "shown at the one-sided level of 2.5%, over all candidates".into();
    } else if against <= ALPHA {
        finding.outcome = Outcome::Fail;
        finding.reason = match finding.claim {
            Claim::Better => "it is shown to be worse",
            Claim::NotWorse => "it is shown to be worse by more than the margin",
        }
        .into();
    } else {
        finding.outcome = Outcome::Inconclusive;
        finding.more_cases = more_cases(finding, found);
        finding.reason = match finding.more_cases {
            Some(more) => format!("not shown; about {more} more cases like these would show it"),
            None => "not shown, and the difference seen is not on the side of the claim".to_owned(),
        };
    }
}

/// About how many more cases like these would show the claim four times in five.
fn more_cases(finding: &ClaimFinding, found: &Comparison) -> Option<u64> {
    let per_unit = finding.cases as f64 / finding.units as f64;
    let lead = (found.difference + finding.margin.unwrap_or(0.0)) * per_unit;
    if lead <= 0.0 {
        return None;
    }
    let needed = paired_mean_cases(found.deviation, lead, ALPHA, POWER).ok()?;
    // Without any difference the score test still wants z²(1/margin − 1) units, with z² = 3.84.
    let least = finding
        .margin
        .map_or(0.0, |margin| 3.8415 * (1.0 / margin - 1.0));
    let units = needed.real.max(least).ceil();
    Some(((units - finding.units as f64) * per_unit).ceil().max(1.0) as u64)
}
