//! One contender against today's candidate, case by case.

use super::field::Field;
use crate::score::WholeDifference;
use crate::stats::bootstrap::paired_bootstrap;
use crate::stats::bootstrap_interval::{Jackknife, bca, percentile};
use crate::stats::difference::{PairedTable, newcombe_paired, tango_p};
use crate::stats::distribution::student_two_sided_p;
use crate::stats::mcnemar::mcnemar_exact_one_sided;
use crate::stats::resample::resampled_ratios;
use crate::stats::{Interval, Seed};

/// Resamples per test and interval.
pub(crate) const RESAMPLES: usize = 2_000;
/// All seeds descend from this one, by name.
const SEED: Seed = Seed(0x7665_7264_6963_7421);

/// The seed of the statistic with this name.
pub(crate) fn seed(name: &str) -> Seed {
    SEED.derive(name)
}

/// How a contender compares with today's.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Mean quality minus today's.
    pub difference: f64,
    /// Its 95% interval: Newcombe's for right or wrong without clusters, BCa over units otherwise.
    pub interval: Option<Interval>,
    /// One-sided p of the paired bootstrap for "better", never 0.
    pub p: f64,
    /// The plain share of resampled means at or below zero.
    pub p_share: f64,
    /// One-sided p of the paired bootstrap for "worse", never 0.
    pub p_worse: f64,
    /// The exact one-sided p of `McNemar`'s test, over units.
    pub mcnemar_p: f64,
    /// The same for "worse".
    pub mcnemar_worse_p: f64,
    /// Units on which it is better.
    pub better: u64,
    /// Units on which it is worse.
    pub worse: u64,
    /// Whether it is no worse within the margin and saves something; `None` without a margin.
    pub saving: Option<Saving>,
    /// Standard deviation of the differences between units.
    pub deviation: f64,
    /// Sum of differences by unit.
    pub(super) by_unit: Vec<f64>,
}

/// Non-inferior and cheaper or faster, each as tested.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Saving {
    /// One-sided p for "quality falls by less than the margin".
    pub p_not_worse: f64,
    /// One-sided p for "quality falls by more than the margin".
    pub p_worse: f64,
    /// One-sided p for "cheaper"; `None` where a price is not known.
    pub p_cheaper: Option<f64>,
    /// One-sided p for "faster"; `None` where times say nothing.
    pub p_faster: Option<f64>,
    /// The p of the whole claim: the larger of "not worse" and "cheaper or faster" (two chances, so twice the smaller).
    pub p: f64,
}

impl Comparison {
    /// Units on which the two differ.
    pub fn discordant(&self) -> u64 {
        self.better + self.worse
    }
}

/// Compares the entrants at two positions of the field; `None` when a number is out of range.
pub(super) fn compare(
    field: &Field,
    contender: usize,
    today: usize,
    name: &str,
    margin: Option<f64>,
) -> Option<Comparison> {
    let quality = |at: usize| field.qualities[at].cases.iter().map(|case| case.quality);
    let per_case: Vec<f64> = quality(contender)
        .zip(quality(today))
        .map(|(own, today)| own - today)
        .collect();
    let by_unit = field.by_unit(per_case.iter().copied());
    let found = paired_bootstrap(&by_unit, RESAMPLES, seed(&format!("better {name}"))).ok()?;
    let lost: Vec<f64> = by_unit.iter().map(|sum| -sum).collect();
    let p_worse = paired_bootstrap(&lost, RESAMPLES, seed(&format!("worse {name}")))
        .ok()?
        .p;
    // Sums of decimal differences do not cancel exactly.
    let better = by_unit.iter().filter(|sum| **sum > 1e-12).count() as u64;
    let worse = by_unit.iter().filter(|sum| **sum < -1e-12).count() as u64;
    let n = per_case.len() as f64;
    let difference = per_case.iter().sum::<f64>() / n;
    let units = by_unit.len() as f64;
    let mean_unit = by_unit.iter().sum::<f64>() / units;
    let squares: f64 = by_unit.iter().map(|sum| (sum - mean_unit).powi(2)).sum();
    Some(Comparison {
        difference,
        interval: interval(field, contender, today, &by_unit, difference, name),
        p: found.p,
        p_share: found.p_share,
        p_worse,
        mcnemar_p: mcnemar_exact_one_sided(better, worse),
        mcnemar_worse_p: mcnemar_exact_one_sided(worse, better),
        better,
        worse,
        saving: margin.and_then(|margin| {
            saving(
                field,
                contender,
                today,
                name,
                &by_unit,
                margin,
                (better, worse),
            )
        }),
        deviation: (squares / (units - 1.0).max(1.0)).sqrt(),
        by_unit,
    })
}

/// Compares by a metric of all cases together; nothing is counted case by case.
pub(super) fn compare_whole(found: &WholeDifference, margin: Option<f64>) -> Comparison {
    let beyond = |holds: &dyn Fn(f64) -> bool| {
        let count = found.drawn.iter().filter(|drawn| holds(**drawn)).count();
        (count as f64 + 1.0) / (found.drawn.len() as f64 + 1.0)
    };
    let n = found.drawn.len() as f64;
    let mean = found.drawn.iter().sum::<f64>() / n;
    let squares: f64 = found.drawn.iter().map(|drawn| (drawn - mean).powi(2)).sum();
    let spread = (squares / (n - 1.0).max(1.0)).sqrt();
    Comparison {
        difference: found.observed,
        interval: percentile(&found.drawn, 0.95)
            .ok()
            .filter(|interval| interval.high > interval.low),
        p: beyond(&|drawn| drawn <= 0.0),
        p_share: found.drawn.iter().filter(|drawn| **drawn <= 0.0).count() as f64 / n,
        p_worse: beyond(&|drawn| drawn >= 0.0),
        mcnemar_p: 1.0,
        mcnemar_worse_p: 1.0,
        better: 0,
        worse: 0,
        saving: margin.map(|margin| Saving {
            p_not_worse: beyond(&|drawn| drawn <= -margin),
            p_worse: beyond(&|drawn| drawn >= -margin),
            p_cheaper: None,
            p_faster: None,
            p: 1.0,
        }),
        // Of one unit, so that what a number of units shows can be worked out as for a mean.
        deviation: spread * (found.units as f64).sqrt(),
        by_unit: Vec::new(),
    }
}

/// One-sided p of a t-test for "the mean lies above 0"; of differences that do not vary resampling says all there is.
fn student_p(differences: &[f64]) -> f64 {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (n - 1.0).max(1.0) / n).sqrt();
    if error <= 0.0 || n < 2.0 {
        return 0.0;
    }
    let t = mean / error;
    let both = student_two_sided_p(t, n - 1.0).unwrap_or(1.0);
    if t > 0.0 {
        both / 2.0
    } else {
        1.0 - both / 2.0
    }
}

fn interval(
    field: &Field,
    contender: usize,
    today: usize,
    by_unit: &[f64],
    difference: f64,
    name: &str,
) -> Option<Interval> {
    let (own, other) = (&field.qualities[contender], &field.qualities[today]);
    let plain = field.units == field.unit_of.len();
    if plain && field.shares && own.is_binary() && other.is_binary() {
        let right = |qualities: &crate::score::Qualities| {
            let cases = qualities.cases.iter();
            cases.map(|case| case.quality == 1.0).collect::<Vec<bool>>()
        };
        let table = PairedTable::count(&right(own), &right(other)).ok()?;
        return newcombe_paired(&table, 0.95).ok();
    }
    let sizes = field.sizes();
    let seed = seed(&format!("difference {name}"));
    let drawn = resampled_ratios(by_unit, &sizes, RESAMPLES, seed).ok()?;
    let jackknife = Jackknife::of_ratio(by_unit, &sizes).ok()?;
    let found = bca(difference, &drawn.values, &jackknife, 0.95).ok()?;
    // Without variation a resampled interval has no width and proves nothing.
    (found.interval.high > found.interval.low).then_some(found.interval)
}

fn saving(
    field: &Field,
    contender: usize,
    today: usize,
    name: &str,
    by_unit: &[f64],
    margin: f64,
    (better, worse): (u64, u64),
) -> Option<Saving> {
    let sizes = field.sizes();
    let shifted: Vec<f64> = by_unit
        .iter()
        .zip(&sizes)
        .map(|(sum, size)| sum + margin * size)
        .collect();
    let lost: Vec<f64> = shifted.iter().map(|sum| -sum).collect();
    let tested = |claim: &str, differences: &[f64]| {
        let seed = seed(&format!("{claim} {name}"));
        paired_bootstrap(differences, RESAMPLES, seed).ok()
    };
    let table = PairedTable {
        both: field.units as u64 - better - worse,
        first_only: better,
        second_only: worse,
        neither: 0,
    };
    // Where hardly anything differs, resampling varies too little; the score test over units does not.
    let floors = if field.shares {
        (
            tango_p(&table, -margin).ok()?,
            tango_p(&table.swapped(), margin).ok()?,
        )
    } else {
        (student_p(&shifted), student_p(&lost))
    };
    let p_not_worse = tested("not worse", &shifted)?.p.max(floors.0);
    let p_worse = tested("worse", &lost)?.p.max(floors.1);
    let saved = |claim: &str, number: &dyn Fn(&crate::score::CaseQuality) -> Option<f64>| {
        let numbers = |at: usize| {
            let cases = field.qualities[at].cases.iter();
            cases.map(number).collect::<Option<Vec<f64>>>()
        };
        let (own, other) = (numbers(contender)?, numbers(today)?);
        let less = field.by_unit(other.iter().zip(&own).map(|(today, own)| today - own));
        Some(tested(claim, &less)?.p)
    };
    let p_cheaper = saved("cheaper", &|case| case.cost_usd);
    let p_faster = saved("faster", &|case| case.latency_ms);
    let gains = [p_cheaper, p_faster].into_iter().flatten();
    let chances = gains.clone().count() as f64;
    let gain = gains.fold(1.0, f64::min) * chances.max(1.0);
    Some(Saving {
        p_not_worse,
        p_worse,
        p_cheaper,
        p_faster,
        p: p_not_worse.max(gain.min(1.0)),
    })
}
