//! Intervals of quantiles, costs, agreement, ranking and calibration error.

use decbench_core::stats::agreement::cohen_kappa;
use decbench_core::stats::bootstrap_interval::{basic, percentile};
use decbench_core::stats::calibration::{
    BinnedError, Binning, Forecasts, equal_width, resampled_error,
};
use decbench_core::stats::clustered_quantile::clustered_quantile_limits;
use decbench_core::stats::cost::cost_per_success;
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::latency::Latencies;
use decbench_core::stats::random::RandomStream;
use decbench_core::stats::ranking::auroc;
use decbench_core::stats::resample::resampled_ratios;
use decbench_core::stats::{Seed, Undefined};

use super::line::{Line, drawn};
use crate::bench::LEVEL;
use crate::calibration::CONFIDENCES;
use crate::draw::Units;
use crate::effort::{Effort, SIZES};

pub(crate) const TEXT: &str = "## Coverage: percentiles, costs, agreement, ranking, calibration error

Percentiles of single calls are exact. The calibration error of a perfectly calibrated model is 0, and resamples show
more than that: why such an interval never fails a model by itself, and what does, stands in the section on calibration
error.";

const RESAMPLES: usize = 2_000;

pub(crate) fn others(effort: Effort) -> Vec<Line> {
    let mut lines: Vec<Line> = [0.5, 0.95, 0.99].into_iter().map(percentiles).collect();
    for q in [0.5, 0.95] {
        lines.extend(percentiles_of_units(q, effort));
    }
    lines.extend(costs(effort));
    lines.extend(kappa(effort));
    lines.extend(area(effort));
    for gap in [0.0, 0.1] {
        lines.extend(calibration_error(gap, effort));
    }
    lines
}

/// The limits depend on ranks alone: with `below` calls below the quantile they hold it or not.
fn percentiles(q: f64) -> Line {
    let of = format!("p{:.0} of single calls", q * 100.0);
    Line::exact("order statistics", of, true, |n, misses| {
        for below in 0..=n {
            let weight = binomial_pmf(below as u64, n as u64, q).expect("a chance");
            let calls = (0..n).map(|call| if call < below { 100.0 } else { 300.0 });
            let limits = Latencies::new(calls.collect())
                .and_then(|calls| calls.quantile_limits(q, LEVEL))
                .map(|limits| limits.interval());
            misses.add(limits.ok(), 200.0, weight);
        }
    })
}

/// Units of three calls of which all three take equally long in three units of ten.
fn percentiles_of_units(q: f64, effort: Effort) -> Vec<Line> {
    let names = [("order statistics, clusters", true)];
    let of = format!("p{:.0}, {}", q * 100.0, Units::THREE_LOOSE.name);
    drawn(&of, &names, q, effort, &SIZES, |n, stream| {
        let units: Vec<usize> = (0..n).map(|call| call / 3).collect();
        let mut times = Vec::with_capacity(n);
        for call in 0..n {
            if call % 3 == 0 && stream.next_unit() < Units::THREE_LOOSE.alike {
                let time = stream.next_unit();
                times.extend(std::iter::repeat_n(time, 3));
            } else if times.len() <= call {
                times.push(stream.next_unit());
            }
        }
        times.truncate(n);
        vec![clustered_quantile_limits(&times, &units, q, LEVEL).map(|limits| limits.interval())]
    })
}

/// A tenth of a cent a call and half a cent for one in ten; four in five succeed.
fn costs(effort: Effort) -> Vec<Line> {
    let names = [("ratio ± z", false), ("bootstrap, percentile", false)];
    let of = "cost per success";
    let truth = (0.9 * 0.001 + 0.1 * 0.005) / 0.8;
    drawn(of, &names, truth, effort, &SIZES, |n, stream| {
        let cost: Vec<f64> = (0..n)
            .map(|_| {
                if stream.next_unit() < 0.1 {
                    0.005
                } else {
                    0.001
                }
            })
            .collect();
        let passed: Vec<bool> = (0..n).map(|_| stream.next_unit() < 0.8).collect();
        let successes: Vec<f64> = passed
            .iter()
            .map(|passed| f64::from(u8::from(*passed)))
            .collect();
        let seed = Seed(stream.next_word());
        vec![
            cost_per_success(&cost, &passed, LEVEL)
                .and_then(|found| found.delta_interval.ok_or(Undefined::NoItems)),
            resampled_ratios(&cost, &successes, RESAMPLES, seed)
                .and_then(|drawn| percentile(&drawn.values, LEVEL)),
        ]
    })
}

/// Two raters of three even classes who agree on 90%, beyond which they spread evenly.
fn kappa(effort: Effort) -> Vec<Line> {
    let names = [("Fleiss, Cohen, Everitt", false)];
    let truth = (0.9 - 1.0 / 3.0) / (1.0 - 1.0 / 3.0);
    drawn(
        "Cohen's kappa",
        &names,
        truth,
        effort,
        &SIZES,
        |n, stream| {
            let first: Vec<usize> = (0..n).map(|_| stream.next_index(3)).collect();
            let second: Vec<usize> = first
                .iter()
                .map(|label| {
                    if stream.next_unit() < 0.9 {
                        *label
                    } else {
                        (label + 1 + stream.next_index(2)) % 3
                    }
                })
                .collect();
            vec![cohen_kappa(&first, &second, 3, LEVEL).map(|found| found.interval)]
        },
    )
}

/// Confidences of [`CONFIDENCES`], right `gap` less often than they say.
fn forecasts(n: usize, gap: f64, stream: &mut RandomStream) -> (Vec<f64>, Vec<bool>) {
    (0..n)
        .map(|_| {
            let confidence = CONFIDENCES[stream.next_index(CONFIDENCES.len())];
            (confidence, stream.next_unit() < confidence - gap)
        })
        .unzip()
}

fn area(effort: Effort) -> Vec<Line> {
    let names = [("DeLong", false)];
    let truth = crate::ranking::area();
    let of = "area under the curve";
    drawn(of, &names, truth, effort, &SIZES, |n, stream| {
        let (confidences, right) = forecasts(n, 0.0, stream);
        vec![auroc(&confidences, &right).and_then(|found| found.interval(LEVEL))]
    })
}

fn calibration_error(gap: f64, effort: Effort) -> Vec<Line> {
    let names = [
        ("bootstrap, percentile", false),
        ("bootstrap, basic, cut at 0", false),
    ];
    let of = format!("ECE of {gap:.1}");
    let binning = Binning::new(10).expect("ten bins");
    drawn(&of, &names, gap, effort, &[30, 100, 300], |n, stream| {
        let (chances, happened) = forecasts(n, gap, stream);
        let seed = Seed(stream.next_word());
        let found = Forecasts::new(&chances, &happened).and_then(|forecasts| {
            let estimate = equal_width(&forecasts, &binning).ece;
            let error = BinnedError::Expected;
            let drawn = resampled_error(&forecasts, &binning, error, RESAMPLES, seed)?;
            Ok((estimate, drawn.values))
        });
        match found {
            Ok((estimate, values)) => vec![
                percentile(&values, LEVEL),
                basic(estimate, &values, LEVEL).map(|found| found.cut(0.0, 1.0)),
            ],
            Err(undefined) => vec![Err(undefined), Err(undefined)],
        }
    })
}
