//! Intervals of a share, of single cases and of cases with weights or units.

use decbench_core::stats::clusters::{cluster_mean, clustered_proportion};
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::one_more::mean_limits;
use decbench_core::stats::proportion::{clopper_pearson, jeffreys, wilson};
use decbench_core::stats::sequential::beta_mixture_sequence;
use decbench_core::stats::weighted::{stratified_accuracy, weighted_accuracy};
use decbench_core::stats::{Interval, Undefined};

use super::line::{Line, drawn};
use crate::bench::LEVEL;
use crate::draw::Units;
use crate::effort::{BOUNDS, Effort, SIZES};

pub(crate) const TEXT: &str = "## Coverage: shares

How often intervals of 95% hold the truth, in per cent of samples, and in brackets how often the truth lies above and
below. An interval with † promises at most 2.5% on each side and is held to it; the others promise 95% on average.
Shares of single cases are exact.";

const SHARE: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

type OfCounts = fn(u64, u64) -> Result<Interval, Undefined>;

pub(crate) fn shares(effort: Effort) -> Vec<Line> {
    let mut lines = Vec::new();
    let methods: [(&'static str, bool, OfCounts); 4] = [
        ("Wilson", false, |k, n| wilson(k, n, LEVEL)),
        ("Clopper–Pearson", true, |k, n| {
            clopper_pearson(k, n, LEVEL)
        }),
        ("Jeffreys", false, |k, n| jeffreys(k, n, LEVEL)),
        ("beta-mixture sequence", true, |k, n| {
            beta_mixture_sequence(k, n, 1.0 - LEVEL)
        }),
    ];
    for (name, guaranteed, interval) in methods {
        for share in BOUNDS {
            let of = format!("a share of {:.0}%", share * 100.0);
            lines.push(Line::exact(name, of, guaranteed, |n, misses| {
                for right in 0..=n as u64 {
                    let weight = binomial_pmf(right, n as u64, share).expect("a chance");
                    misses.add(interval(right, n as u64).ok(), share, weight);
                }
            }));
        }
    }
    for share in [0.9, 0.98] {
        lines.extend(strata(share, effort));
        lines.extend(units(share, effort));
    }
    lines
}

/// Half of the cases from a stratum that is a tenth of the population and errs five times as often.
fn strata(share: f64, effort: Effort) -> Vec<Line> {
    let wrong = (1.0 - share) / 1.4;
    let names = [
        ("Wilson, Kish", false),
        ("Wald, weighted", false),
        ("Wilson, stratified", false),
        ("one more case at its worst", true),
    ];
    let of = format!("{:.0}% in two strata", share * 100.0);
    drawn(&of, &names, share, effort, &SIZES, |n, stream| {
        let strata: Vec<usize> = (0..n).map(|case| case % 2).collect();
        let weights: Vec<f64> = strata.iter().map(|rare| [1.8, 0.2][*rare]).collect();
        let correct: Vec<bool> = strata
            .iter()
            .map(|rare| stream.next_unit() >= wrong * [1.0, 5.0][*rare])
            .collect();
        let held: Vec<f64> = correct
            .iter()
            .zip(&weights)
            .map(|(correct, weight)| f64::from(u8::from(*correct)) * weight)
            .collect();
        let weighted = weighted_accuracy(&correct, &weights, LEVEL);
        let wald = |found: &decbench_core::stats::weighted::WeightedAccuracy| {
            found.wald.ok_or(Undefined::NoItems)
        };
        vec![
            weighted.as_ref().map(|found| found.wilson).map_err(|e| *e),
            weighted.as_ref().map_err(|e| *e).and_then(wald),
            stratified_accuracy(&correct, &strata, &[0.9, 0.1], LEVEL).map(|found| found.wilson),
            mean_limits(&held, &weights, SHARE, LEVEL).map(|found| found.interval),
        ]
    })
}

/// Units of three cases that are all right or all wrong.
fn units(share: f64, effort: Effort) -> Vec<Line> {
    let names = [
        ("t over units", false),
        ("Wilson, effective n", false),
        ("one more case at its worst", true),
    ];
    let of = format!("{:.0}% in {}", share * 100.0, Units::THREE_ALIKE.name);
    drawn(&of, &names, share, effort, &SIZES, |n, stream| {
        let unit: Vec<usize> = (0..n).map(|case| case / 3).collect();
        let right: Vec<bool> = (0..n.div_ceil(3))
            .map(|_| stream.next_unit() < share)
            .collect();
        let correct: Vec<bool> = unit.iter().map(|unit| right[*unit]).collect();
        let values: Vec<f64> = correct
            .iter()
            .map(|right| f64::from(u8::from(*right)))
            .collect();
        let mut sizes = vec![0.0; right.len()];
        for unit in &unit {
            sizes[*unit] += 1.0;
        }
        let sums: Vec<f64> = right
            .iter()
            .zip(&sizes)
            .map(|(right, size)| f64::from(u8::from(*right)) * size)
            .collect();
        vec![
            cluster_mean(&values, &unit, LEVEL)
                .and_then(|found| found.t_interval.ok_or(Undefined::ZeroVariance)),
            clustered_proportion(&correct, &unit, LEVEL).map(|found| found.wilson),
            mean_limits(&sums, &sizes, SHARE, LEVEL).map(|found| found.interval),
        ]
    })
}
