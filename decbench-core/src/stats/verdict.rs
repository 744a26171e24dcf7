//! The rule that names a winner, as a function of numbers.
//!
//! Whether to switch, keep or shortlist follows from tests over the compared
//! cases, gates, costs and two floors. How the p-values and gates come about is
//! no part of it.

use std::cmp::Ordering;

use crate::stats::Undefined;
use crate::stats::multiplicity::{holm, holm_rejections};

/// Fewer distinct cases than this decide nothing.
pub const LEAST_CASES: u64 = 30;

/// No more than this many are shortlisted for their quality alone.
pub const LONGEST_SHORTLIST: usize = 3;

/// Whether there is enough to decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Floors {
    /// At least thirty cases, half of them with gold.
    pub met: bool,
    /// How many more cases it takes.
    pub more_cases: u64,
    /// How many more of the present cases need gold, so that half of them have it.
    pub more_approvals: u64,
}

/// The floors of `cases` distinct cases compared, errors included, `gold` of them with gold.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] when more have gold than there are.
pub fn floors(cases: u64, gold: u64) -> Result<Floors, Undefined> {
    if gold > cases {
        return Err(Undefined::OutOfRange { what: "gold count" });
    }
    let more_cases = LEAST_CASES.saturating_sub(cases);
    let more_approvals = cases.div_ceil(2).saturating_sub(gold);
    Ok(Floors {
        met: more_cases == 0 && more_approvals == 0,
        more_cases,
        more_approvals,
    })
}

/// What the rule knows of one candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contender {
    /// The one-sided p-value of "better than today's"; `None` counts as 1.
    pub p: Option<f64>,
    /// Whether it passes every gate that applies (a gate that today's fails too does not).
    pub gates_passed: bool,
    /// Cost per success; `None` without a success or a price, and sorts last.
    pub cost_per_success: Option<f64>,
    /// Mean quality; `None` sorts last.
    pub quality: Option<f64>,
    /// The latency to compare by, in any one unit; `None` is never slower.
    pub latency: Option<f64>,
}

/// What the rule knows of today's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Incumbent {
    /// Its cost per success; `None` means nobody is costlier.
    pub cost_per_success: Option<f64>,
    /// Its latency; `None` means nobody is slower.
    pub latency: Option<f64>,
}

/// What to do, by positions in the list of contenders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Use this one.
    Switch(usize),
    /// Nobody is shown to be better. That is no evidence of equality: print
    /// the [difference these cases could have
    /// shown](crate::stats::sample_size::mcnemar_detectable_difference).
    Keep,
    /// Not enough to decide: these are worth the next cases, in this order.
    Shortlist(Vec<usize>),
}

/// The verdict and the tests behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What to do.
    pub verdict: Verdict,
    /// The floors, which decide between a decision and a shortlist.
    pub floors: Floors,
    /// Holm's adjusted p-values over all contenders.
    pub adjusted: Vec<f64>,
    /// Who is shown to be better and passes its gates.
    pub beats: Vec<bool>,
}

/// Applies the rule at a one-sided family level `alpha` (0.025).
///
/// Holm runs over all contenders, those that fail a gate included. Among those
/// that beat today's the cheapest per success wins, ties to the first listed.
///
/// # Errors
///
/// As [`floors`], and [`Undefined::NotFinite`] or [`Undefined::OutOfRange`]
/// for p-values, alpha, costs, qualities or latencies that are NaN or, for
/// probabilities, outside `[0, 1]`.
pub fn decide(
    contenders: &[Contender],
    today: &Incumbent,
    cases: u64,
    gold: u64,
    alpha: f64,
) -> Result<Decision, Undefined> {
    let floors = floors(cases, gold)?;
    check(contenders, today)?;
    let p: Vec<Option<f64>> = contenders.iter().map(|contender| contender.p).collect();
    let adjusted = holm(&p)?;
    let mut beats = holm_rejections(&p, alpha)?;
    for (beats, contender) in beats.iter_mut().zip(contenders) {
        *beats &= contender.gates_passed;
    }
    let winners = || (0..contenders.len()).filter(|&index| beats[index]);
    let verdict = if floors.met {
        let by_cost = |&i: &usize, &j: &usize| {
            let (i, j) = (
                contenders[i].cost_per_success,
                contenders[j].cost_per_success,
            );
            undefined_last(i, j, |i, j| i.total_cmp(&j))
        };
        // The minimum is the first of equals.
        winners()
            .min_by(by_cost)
            .map_or(Verdict::Keep, Verdict::Switch)
    } else if winners().next().is_some() {
        Verdict::Shortlist(winners().collect())
    } else {
        Verdict::Shortlist(promising(contenders, today))
    };
    Ok(Decision {
        verdict,
        floors,
        adjusted,
        beats,
    })
}

/// Up to three that pass their gates, best quality first, without those both costlier and slower.
fn promising(contenders: &[Contender], today: &Incumbent) -> Vec<usize> {
    let above = |value: Option<f64>, reference: Option<f64>| match (value, reference) {
        (Some(value), Some(reference)) => value > reference,
        _ => false,
    };
    let mut order: Vec<usize> = (0..contenders.len())
        .filter(|&index| {
            let contender = &contenders[index];
            // A cost that is undefined for want of a success is above any other.
            let costlier = match contender.cost_per_success {
                Some(_) => above(contender.cost_per_success, today.cost_per_success),
                None => today.cost_per_success.is_some(),
            };
            let slower = above(contender.latency, today.latency);
            contender.gates_passed && !(costlier && slower)
        })
        .collect();
    // Stable, so that equals keep the listed order.
    order.sort_by(|&i, &j| {
        let (i, j) = (contenders[i].quality, contenders[j].quality);
        undefined_last(i, j, |i, j| j.total_cmp(&i))
    });
    order.truncate(LONGEST_SHORTLIST);
    order
}

/// Before launch, with no incumbent: the cheapest per success among those whose
/// quality interval lies at or above `bar` (0.8) and that pass their gates.
///
/// `low_quality` gives the lower limit of each contender's 95% quality
/// interval: the exact one for 0/1 quality and a `BCa` bootstrap otherwise.
///
/// # Errors
///
/// [`Undefined::LengthMismatch`]; NaN as [`decide`].
pub fn launch(
    contenders: &[Contender],
    low_quality: &[Option<f64>],
    bar: f64,
) -> Result<Option<usize>, Undefined> {
    if contenders.len() != low_quality.len() {
        return Err(Undefined::LengthMismatch);
    }
    let none = Incumbent {
        cost_per_success: None,
        latency: None,
    };
    check(contenders, &none)?;
    if bar.is_nan() || low_quality.iter().flatten().any(|low| low.is_nan()) {
        return Err(Undefined::NotFinite);
    }
    let ready = (0..contenders.len()).filter(|&index| {
        contenders[index].gates_passed && low_quality[index].is_some_and(|low| low >= bar)
    });
    Ok(ready.min_by(|&i, &j| {
        let (i, j) = (
            contenders[i].cost_per_success,
            contenders[j].cost_per_success,
        );
        undefined_last(i, j, |i, j| i.total_cmp(&j))
    }))
}

fn undefined_last(
    one: Option<f64>,
    other: Option<f64>,
    order: impl Fn(f64, f64) -> Ordering,
) -> Ordering {
    match (one, other) {
        // Adding zero makes −0 and 0 equal.
        (Some(one), Some(other)) => order(one + 0.0, other + 0.0),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

fn check(contenders: &[Contender], today: &Incumbent) -> Result<(), Undefined> {
    let numbers = contenders
        .iter()
        .flat_map(|c| [c.cost_per_success, c.quality, c.latency])
        .chain([today.cost_per_success, today.latency]);
    if numbers.flatten().any(f64::is_nan) {
        return Err(Undefined::NotFinite);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(p: f64, cost: Option<f64>) -> Contender {
        Contender {
            p: Some(p),
            gates_passed: true,
            cost_per_success: cost,
            quality: Some(0.9),
            latency: Some(100.0),
        }
    }

    const TODAY: Incumbent = Incumbent {
        cost_per_success: Some(0.004),
        latency: Some(400.0),
    };

    #[test]
    fn an_undefined_p_never_beats_and_still_counts() {
        let mut list = [contender(0.02, Some(0.001)), contender(0.5, None)];
        list[1].p = None;
        let found = decide(&list, &TODAY, 50, 50, 0.025).unwrap();
        assert_eq!(found.verdict, Verdict::Keep);
        assert_eq!(found.adjusted, [0.04, 1.0]);
    }

    #[test]
    fn a_winner_without_a_cost_is_named_when_it_is_the_only_one() {
        let found = decide(&[contender(0.0, None)], &TODAY, 50, 50, 0.025).unwrap();
        assert_eq!(found.verdict, Verdict::Switch(0));
    }

    #[test]
    fn the_shortlist_leaves_out_what_is_both_costlier_and_slower() {
        let mut list = [contender(0.5, Some(0.9)), contender(0.5, Some(0.9))];
        list[1].latency = Some(500.0);
        let found = decide(&list, &TODAY, 10, 10, 0.025).unwrap();
        assert_eq!(found.verdict, Verdict::Shortlist(vec![0]));
    }

    #[test]
    fn a_launch_takes_the_cheapest_above_the_bar() {
        let list = [
            contender(0.5, Some(0.3)),
            contender(0.5, Some(0.2)),
            contender(0.5, Some(0.1)),
        ];
        let found = launch(&list, &[Some(0.8), Some(0.85), Some(0.79)], 0.8);
        assert_eq!(found, Ok(Some(1)));
        assert_eq!(launch(&list, &[None; 3], 0.8), Ok(None));
        assert_eq!(launch(&list, &[], 0.8), Err(Undefined::LengthMismatch));
    }

    #[test]
    fn impossible_counts_and_numbers_are_refused() {
        assert!(floors(3, 4).is_err());
        let bad = [contender(0.5, Some(f64::NAN))];
        assert_eq!(
            decide(&bad, &TODAY, 50, 50, 0.025),
            Err(Undefined::NotFinite)
        );
    }
}
