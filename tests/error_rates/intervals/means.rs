//! Intervals of a mean of bounded numbers.

use decbench_core::stats::bootstrap_interval::{Jackknife, basic, bca, percentile};
use decbench_core::stats::one_more::mean_limits;
use decbench_core::stats::random::RandomStream;
use decbench_core::stats::resample::{resampled_means, resampled_ratios};
use decbench_core::stats::sequential::{empirical_bernstein_sequence, hedged_sequence};
use decbench_core::stats::{Interval, Seed, Undefined};

use super::line::{Line, Named, drawn};
use crate::bench::LEVEL;
use crate::draw::Units;
use crate::effort::{Effort, SIZES};

pub(crate) const TEXT: &str = "## Coverage: means

Numbers from 0 to 1: losses of a calibrated model, of which most are small and few are large, and a continuous law with
a long tail (the fourth power of an even draw).";

const UNIT: Interval = Interval {
    low: 0.0,
    high: 1.0,
};
/// Resamples per interval.
const RESAMPLES: usize = 2_000;
const BOOTSTRAPS: [Named; 4] = [
    ("bootstrap, percentile", false),
    ("bootstrap, basic", false),
    ("bootstrap, BCa", false),
    ("one more case at its worst", true),
];

/// Binary Brier scores of four confidences that are right as often as they say, with their chances.
const LOSSES: [(f64, f64); 4] = [(0.55, 0.2), (0.75, 0.3), (0.9, 0.3), (0.98, 0.2)];

fn loss(stream: &mut RandomStream) -> f64 {
    let mut point = stream.next_unit();
    let mut confidence = LOSSES[LOSSES.len() - 1].0;
    for (candidate, often) in LOSSES {
        if point < often {
            confidence = candidate;
            break;
        }
        point -= often;
    }
    let gap = if stream.next_unit() < confidence {
        1.0 - confidence
    } else {
        confidence
    };
    gap * gap
}

fn mean_loss() -> f64 {
    LOSSES.iter().map(|(p, often)| often * p * (1.0 - p)).sum()
}

fn long_tail(stream: &mut RandomStream) -> f64 {
    let point = stream.next_unit();
    let square = point * point;
    square * square
}

/// The four intervals of Σ sums / Σ sizes.
fn intervals(sums: &[f64], sizes: &[f64], seed: Seed) -> Vec<Result<Interval, Undefined>> {
    let total: f64 = sizes.iter().sum();
    let estimate = sums.iter().sum::<f64>() / total;
    let replicates = if sizes.iter().all(|size| *size == 1.0) {
        resampled_means(sums, RESAMPLES, seed)
    } else {
        resampled_ratios(sums, sizes, RESAMPLES, seed)
    };
    let values = replicates.map(|drawn| drawn.values).unwrap_or_default();
    let with_jackknife = Jackknife::of_ratio(sums, sizes)
        .and_then(|jackknife| bca(estimate, &values, &jackknife, LEVEL));
    vec![
        percentile(&values, LEVEL),
        basic(estimate, &values, LEVEL),
        with_jackknife.map(|found| found.interval),
        mean_limits(sums, sizes, UNIT, LEVEL).map(|found| found.interval),
    ]
}

pub(crate) fn means(effort: Effort) -> Vec<Line> {
    let mut lines = Vec::new();
    let seed = |stream: &mut RandomStream| Seed(stream.next_word());
    lines.extend(drawn(
        "losses",
        &BOOTSTRAPS,
        mean_loss(),
        effort,
        &SIZES,
        |n, stream| {
            let values: Vec<f64> = (0..n).map(|_| loss(stream)).collect();
            intervals(&values, &vec![1.0; n], seed(stream))
        },
    ));
    let of = format!("losses in {}", Units::THREE_ALIKE.name);
    lines.extend(drawn(
        &of,
        &BOOTSTRAPS,
        mean_loss(),
        effort,
        &[30, 300],
        |n, stream| {
            let sums: Vec<f64> = (0..n / 3).map(|_| 3.0 * loss(stream)).collect();
            intervals(&sums, &vec![3.0; n / 3], seed(stream))
        },
    ));
    lines.extend(drawn(
        "a long tail",
        &BOOTSTRAPS,
        0.2,
        effort,
        &[30, 100],
        |n, stream| {
            let values: Vec<f64> = (0..n).map(|_| long_tail(stream)).collect();
            intervals(&values, &vec![1.0; n], seed(stream))
        },
    ));
    let sequences = [
        ("hedged betting sequence", true),
        ("empirical-Bernstein sequence", true),
    ];
    lines.extend(drawn(
        "a long tail",
        &sequences,
        0.2,
        effort,
        &[30, 100],
        |n, stream| {
            let values: Vec<f64> = (0..n).map(|_| long_tail(stream)).collect();
            vec![
                hedged_sequence(&values, 1.0 - LEVEL),
                empirical_bernstein_sequence(&values, 1.0 - LEVEL),
            ]
        },
    ));
    lines
}
