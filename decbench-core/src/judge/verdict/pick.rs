//! Whom to take for a decision: the verdict where there is one, else the best, with ties broken and said.

use super::compare::compare;
use super::entrant::Contest;
use super::expect::ALPHA;
use super::field::{Field, obstacles};
use super::finding::Finding;

/// What breaks a tie in quality; less is better in each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Merits {
    /// Calibration error.
    pub calibration: Option<f64>,
    /// Median time of a decision, in milliseconds.
    pub latency: Option<f64>,
    /// US dollars per 1,000 decisions.
    pub cost: Option<f64>,
}

/// By what a candidate was picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PickedBy {
    /// The verdict is a decision, and names it.
    Verdict,
    /// Its quality is the highest, and nobody is tied with it.
    Quality,
    /// Of the tied it has the smallest calibration error.
    Calibration,
    /// Of the tied it is the fastest.
    Latency,
    /// Of the tied it is the cheapest.
    Cost,
    /// Nothing tells the tied apart; it is listed first.
    Order,
}

impl PickedBy {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Quality => "quality",
            Self::Calibration => "calibration",
            Self::Latency => "latency",
            Self::Cost => "cost",
            Self::Order => "order",
        }
    }
}

/// Whom to take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pick {
    /// Position among the entrants.
    pub entrant: usize,
    /// Positions of those whose quality is not told apart from its own.
    pub tied: Vec<usize>,
    /// What decided.
    pub by: PickedBy,
}

/// Picks an entrant that fails no hard gate; `None` where nothing may be compared or all fail one.
///
/// Two are tied when their quality intervals overlap and the paired test is silent either way. Ties are broken by
/// calibration, latency and cost, in this order, each only where it is known of all that are tied.
pub fn pick(contest: &Contest, finding: &Finding, merits: &[Merits]) -> Option<Pick> {
    let field = Field::of(contest);
    if !obstacles(contest, &field).is_empty() {
        return None;
    }
    let eligible: Vec<usize> = (0..contest.entrants.len())
        .filter(|at| {
            let standing = finding.candidates.get(*at);
            standing.is_some_and(|standing| standing.gates.is_empty())
        })
        .collect();
    let quality = |at: usize| {
        let value = finding.candidates[at].quality.as_ref();
        value.map_or(0.0, |value| value.value)
    };
    let by_verdict = finding
        .outcome
        .is_decision()
        .then(|| finding.named.first())
        .flatten()
        .and_then(|name| contest.entrants.iter().position(|one| one.name == *name));
    // The first of several equally good ones.
    let best = || {
        eligible.iter().copied().reduce(|best, at| {
            if quality(at) > quality(best) {
                at
            } else {
                best
            }
        })
    };
    let leader = by_verdict.or_else(best)?;
    let tied: Vec<usize> = eligible
        .iter()
        .copied()
        .filter(|at| *at != leader && are_tied(contest, &field, finding, leader, *at))
        .collect();
    if by_verdict.is_some() || tied.is_empty() {
        return Some(Pick {
            entrant: leader,
            tied,
            by: if by_verdict.is_some() {
                PickedBy::Verdict
            } else {
                PickedBy::Quality
            },
        });
    }
    let mut all = tied;
    all.push(leader);
    all.sort_unstable();
    let (entrant, by) = broken(&all, merits);
    all.retain(|at| *at != entrant);
    Some(Pick {
        entrant,
        tied: all,
        by,
    })
}

/// Whether intervals overlap and neither direction of the paired test shows anything.
fn are_tied(contest: &Contest, field: &Field, finding: &Finding, one: usize, other: usize) -> bool {
    let interval = |at: usize| {
        let value = finding.candidates[at].quality.as_ref();
        value.and_then(|value| value.interval)
    };
    let overlap = match (interval(one), interval(other)) {
        (Some(one), Some(other)) => one.low <= other.high && other.low <= one.high,
        // What has no interval excludes nothing.
        _ => true,
    };
    let name = format!(
        "{} {}",
        contest.entrants[one].name, contest.entrants[other].name
    );
    let silent = compare(field, one, other, &name, None).is_some_and(|found| {
        found.p.max(found.mcnemar_p) > ALPHA && found.p_worse.max(found.mcnemar_worse_p) > ALPHA
    });
    overlap && silent
}

/// The one of the tied that is best by the first criterion that tells; whoever ties on one goes on to the next, alone.
fn broken(tied: &[usize], merits: &[Merits]) -> (usize, PickedBy) {
    let mut left = tied.to_vec();
    for (number, by) in [
        (
            (|merits: &Merits| merits.calibration) as fn(&Merits) -> Option<f64>,
            PickedBy::Calibration,
        ),
        (|merits| merits.latency, PickedBy::Latency),
        (|merits| merits.cost, PickedBy::Cost),
    ] {
        let numbers: Option<Vec<f64>> = left
            .iter()
            .map(|at| merits.get(*at).and_then(number))
            .collect();
        // What is not known of all of them tells nobody apart.
        let Some(numbers) = numbers else {
            continue;
        };
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let mut is_best = numbers.iter().map(|number| *number <= least);
        left.retain(|_| is_best.next().unwrap_or(false));
        if let [alone] = left.as_slice() {
            return (*alone, by);
        }
    }
    (left.first().copied().unwrap_or(0), PickedBy::Order)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{before_and_after, contest, entrant, qualities};
    use super::super::verdict;
    use super::*;
    use crate::metric::Expect;

    fn merits(calibration: Option<f64>, latency: Option<f64>, cost: Option<f64>) -> Merits {
        Merits {
            calibration,
            latency,
            cost,
        }
    }

    /// Before launch, two that are told apart by nothing and below the bar.
    fn picked(merits: &[Merits]) -> Pick {
        let contest = contest(
            Expect::Any,
            vec![
                entrant("a", qualities(100, 0..30, 0.01)),
                entrant("b", qualities(100, 2..30, 0.01)),
            ],
        );
        pick(&contest, &verdict(&contest), merits).unwrap()
    }

    #[test]
    fn ties_are_broken_by_calibration_then_latency_then_cost() {
        let of = |a, b| {
            let found = picked(&[a, b]);
            assert_eq!(found.tied, [1 - found.entrant]);
            (found.entrant, found.by)
        };
        let known = |c, l, k| merits(Some(c), Some(l), Some(k));
        assert_eq!(
            of(known(0.1, 1.0, 1.0), known(0.2, 0.5, 0.5)),
            (0, PickedBy::Calibration)
        );
        assert_eq!(
            of(merits(None, Some(2.0), Some(1.0)), known(0.2, 1.0, 3.0)),
            (1, PickedBy::Latency)
        );
        assert_eq!(
            of(known(0.1, 1.0, 1.0), known(0.1, 1.0, 0.5)),
            (1, PickedBy::Cost)
        );
        let nothing = Merits::default();
        assert_eq!(of(nothing, nothing), (0, PickedBy::Order));
    }

    #[test]
    fn who_is_worse_by_one_criterion_is_out_for_the_next() {
        // The last is fastest and worst calibrated; the first two are calibrated alike.
        let three = [(0.0, 2.0), (0.0, 1.0), (0.25, 0.5)];
        let three = three.map(|(c, l)| merits(Some(c), Some(l), Some(0.1)));
        assert_eq!(broken(&[0, 1, 2], &three), (1, PickedBy::Latency));
        let alike = [(0.1, 2.0), (0.1, 2.0), (0.25, 0.5)];
        let alike = alike.map(|(c, l)| merits(Some(c), Some(l), None));
        assert_eq!(broken(&[0, 1, 2], &alike), (0, PickedBy::Order));
    }

    #[test]
    fn a_decision_stands_and_a_clear_lead_needs_no_tie_break() {
        let merits = [Merits::default(), merits(Some(0.0), None, None)];
        let kept = before_and_after(0..20, 10..30, 100);
        let found = pick(&kept, &verdict(&kept), &merits).unwrap();
        assert_eq!((found.entrant, found.by), (0, PickedBy::Verdict));
        assert_eq!(found.tied, [1], "and it is told who is tied");
        let clear = contest(
            Expect::Any,
            vec![
                entrant("a", qualities(100, 0..60, 0.01)),
                entrant("b", qualities(100, 0..30, 0.01)),
            ],
        );
        let found = pick(&clear, &verdict(&clear), &merits).unwrap();
        assert_eq!((found.entrant, found.by), (1, PickedBy::Quality));
        assert!(found.tied.is_empty());
    }
}
