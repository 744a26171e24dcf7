//! What changed between two sets of answers to the same cases, each shift with its test.

use std::cmp::Ordering;

use super::compare::{RESAMPLES, seed};
use super::entrant::Contest;
use super::field::{Field, obstacles};
use crate::score::CaseQuality;
use crate::stats::mcnemar::mcnemar_exact;
use crate::stats::permutation::sign_flip;

/// What changed case by case.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Positions of the cases that are right now and were not.
    pub newly_right: Vec<usize>,
    /// Positions of the cases that were right and are not now.
    pub newly_wrong: Vec<usize>,
    /// Two-sided p of the exact `McNemar` test over units, for "as many flips either way".
    pub flips_p: f64,
    /// Cases that both sets answer.
    pub cases: u64,
    /// The probability given to what is right, on average.
    pub chance_of_right: Option<Shift>,
    /// US dollars per 1,000 decisions.
    pub cost_per_1000: Option<Shift>,
    /// The median time of a decision, in milliseconds.
    pub latency: Option<Shift>,
}

/// A number before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Shift {
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// Two-sided p for "no shift": signs flipped over units, or for times the sign test over units.
    pub p: f64,
}

/// Compares the second entrant of the contest with the first; `None` where nothing may be compared.
pub fn change(contest: &Contest) -> Option<Change> {
    let field = Field::of(contest);
    let [before, after] = field.qualities.as_slice() else {
        return None;
    };
    if !obstacles(contest, &field).is_empty() {
        return None;
    }
    let name = contest.entrants.get(1).map_or("", |one| one.name.as_str());
    let differences = || {
        let pairs = after.cases.iter().zip(&before.cases);
        pairs.map(|(after, before)| after.quality - before.quality)
    };
    // Sums of decimal differences do not cancel exactly.
    let flipped = |wanted: Ordering| -> Vec<usize> {
        let cases = after.cases.iter().zip(differences());
        cases
            .filter(|(_, difference)| side(*difference) == wanted)
            .map(|(case, _)| case.position)
            .collect()
    };
    let by_unit = field.by_unit(differences());
    let shift = |name_of: &str, number: &dyn Fn(&CaseQuality) -> Option<f64>| {
        let numbers = |cases: &[CaseQuality]| cases.iter().map(number).collect::<Option<Vec<_>>>();
        let (before, after) = (numbers(&before.cases)?, numbers(&after.cases)?);
        let moved = field.by_unit(
            after
                .iter()
                .zip(&before)
                .map(|(after, before)| after - before),
        );
        let seed = seed(&format!("{name_of} {name}"));
        let p = sign_flip(&moved, RESAMPLES, seed).ok()?.p_two_sided;
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        Some(Shift {
            before: mean(&before),
            after: mean(&after),
            p,
        })
    };
    Some(Change {
        newly_right: flipped(Ordering::Greater),
        newly_wrong: flipped(Ordering::Less),
        flips_p: sign_test(&by_unit),
        cases: field.cases(),
        chance_of_right: shift("chance", &|case| case.chance_of_right),
        cost_per_1000: shift("cost", &|case| Some(1000.0 * case.cost_usd?)),
        latency: latency(&field, &before.cases, &after.cases),
    })
}

fn side(difference: f64) -> Ordering {
    if difference.abs() <= 1e-12 {
        Ordering::Equal
    } else {
        difference.total_cmp(&0.0)
    }
}

/// Two-sided exact p of as many units above 0 as below it.
fn sign_test(by_unit: &[f64]) -> f64 {
    let count = |wanted: Ordering| {
        let sides = by_unit.iter().map(|difference| side(*difference));
        sides.filter(|side| *side == wanted).count() as u64
    };
    mcnemar_exact(count(Ordering::Greater), count(Ordering::Less))
}

/// Times are skewed by a few slow calls, so that medians are told and signs tested.
fn latency(field: &Field, before: &[CaseQuality], after: &[CaseQuality]) -> Option<Shift> {
    let times = |cases: &[CaseQuality]| {
        let times = cases.iter().map(|case| case.latency_ms);
        times.collect::<Option<Vec<f64>>>()
    };
    let (before, after) = (times(before)?, times(after)?);
    let slower = after
        .iter()
        .zip(&before)
        .map(|(after, before)| after - before);
    let p = sign_test(&field.by_unit(slower));
    let median = |mut times: Vec<f64>| -> Option<f64> {
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let upper = *times.get(middle)?;
        Some(if times.len() % 2 == 1 {
            upper
        } else {
            f64::midpoint(times[middle - 1], upper)
        })
    };
    Some(Shift {
        before: median(before)?,
        after: median(after)?,
        p,
    })
}
