//! Speed of the statistics, on the inputs that `benches/peers/libraries.py` gives other libraries.
//!
//! `benches/run` at the root of the repository runs both and prints the ratios.

use decbench_core::stats::Seed;
use decbench_core::stats::bootstrap::{paired_bootstrap, paired_bootstraps};
use decbench_core::stats::bootstrap_interval::{Jackknife, bca};
use decbench_core::stats::calibration::{BinnedError, Binning, Forecasts, error_interval};
use decbench_core::stats::clusters::cluster_mean;
use decbench_core::stats::multiplicity::holm;
use decbench_core::stats::proportion::wilson;
use decbench_core::stats::random::RandomStream;
use decbench_core::stats::resample::resampled_means;
use divan::{Bencher, black_box};

const CASES: usize = 10_000;
const CANDIDATES: u64 = 10;
const RESAMPLES: usize = 2_000;

fn main() {
    divan::main();
}

fn differences(draw: impl Fn(&mut RandomStream) -> f64) -> Vec<Vec<f64>> {
    (0..CANDIDATES)
        .map(|candidate| {
            let mut stream = RandomStream::new(Seed(candidate));
            (0..CASES).map(|_| draw(&mut stream)).collect()
        })
        .collect()
}

fn compare_all(candidates: &[Vec<f64>]) -> f64 {
    let found = paired_bootstraps(candidates, RESAMPLES, Seed(1));
    found
        .into_iter()
        .map(|candidate| candidate.unwrap().p)
        .sum()
}

/// Right or wrong: each difference is −1, 0 or 1.
#[divan::bench]
fn paired_bootstrap_three_values(bencher: Bencher<'_, '_>) {
    let candidates = differences(|stream| match stream.next_index(20) {
        0 => -1.0,
        1 => 1.0,
        _ => 0.0,
    });
    bencher.bench_local(|| compare_all(black_box(&candidates)));
}

/// Qualities in tenths: each difference is one of 21 values.
#[divan::bench]
fn paired_bootstrap_tenths(bencher: Bencher<'_, '_>) {
    let candidates = differences(|stream| (stream.next_index(21) as f64 - 10.0) / 10.0);
    bencher.bench_local(|| compare_all(black_box(&candidates)));
}

/// No two differences are equal.
#[divan::bench]
fn paired_bootstrap_continuous(bencher: Bencher<'_, '_>) {
    let candidates = differences(|stream| stream.next_unit() - 0.49);
    bencher.bench_local(|| compare_all(black_box(&candidates)));
}

/// The same, each candidate drawing indices of its own.
#[divan::bench]
fn paired_bootstrap_one_by_one(bencher: Bencher<'_, '_>) {
    let candidates = differences(|stream| stream.next_unit() - 0.49);
    bencher.bench_local(|| {
        let candidates = black_box(&candidates).iter();
        let found = candidates.map(|candidate| paired_bootstrap(candidate, RESAMPLES, Seed(1)));
        found.map(|candidate| candidate.unwrap().p).sum::<f64>()
    });
}

fn forecasts(draw: impl Fn(&mut RandomStream) -> f64) -> (Vec<f64>, Vec<bool>) {
    let mut stream = RandomStream::new(Seed(5));
    (0..CASES)
        .map(|_| {
            let chance = draw(&mut stream);
            (chance, stream.next_unit() < chance)
        })
        .unzip()
}

fn ece_interval(bencher: Bencher<'_, '_>, chances: &[f64], happened: &[bool]) {
    let forecasts = Forecasts::new(chances, happened).unwrap();
    let binning = Binning::new(10).unwrap();
    let error = BinnedError::Expected;
    bencher.bench_local(|| {
        let forecasts = black_box(&forecasts);
        error_interval(forecasts, None, &binning, error, 0.95, RESAMPLES, Seed(1)).unwrap()
    });
}

#[divan::bench]
fn ece_bootstrap_continuous(bencher: Bencher<'_, '_>) {
    let (chances, happened) = forecasts(|stream| 0.4 + 0.6 * stream.next_unit());
    ece_interval(bencher, &chances, &happened);
}

#[divan::bench]
fn ece_bootstrap_two_decimals(bencher: Bencher<'_, '_>) {
    let (chances, happened) =
        forecasts(|stream| ((0.4 + 0.6 * stream.next_unit()) * 100.0).round() / 100.0);
    ece_interval(bencher, &chances, &happened);
}

/// 2,000 cases, since the peer's jackknife grows with their square.
#[divan::bench]
fn bca_of_a_mean(bencher: Bencher<'_, '_>) {
    let mut stream = RandomStream::new(Seed(6));
    let values: Vec<f64> = (0..2_000).map(|_| stream.next_unit().powi(3)).collect();
    let estimate = values.iter().sum::<f64>() / 2_000.0;
    bencher.bench_local(|| {
        let values = black_box(&values);
        let means = resampled_means(values, RESAMPLES, Seed(1)).unwrap().values;
        bca(estimate, &means, &Jackknife::of_mean(values).unwrap(), 0.95).unwrap()
    });
}

#[divan::bench]
fn holm_of_50(bencher: Bencher<'_, '_>) {
    let mut stream = RandomStream::new(Seed(7));
    let p: Vec<Option<f64>> = (0..50).map(|_| Some(stream.next_unit().powi(4))).collect();
    bencher.bench_local(|| holm(black_box(&p)).unwrap());
}

#[divan::bench]
fn wilson_of_a_million_rows(bencher: Bencher<'_, '_>) {
    let mut stream = RandomStream::new(Seed(8));
    let rows: Vec<(u64, u64)> = (0..1_000_000)
        .map(|_| {
            let n = 20 + stream.next_index(1_000);
            (stream.next_index(n + 1) as u64, n as u64)
        })
        .collect();
    bencher.bench_local(|| {
        let limits = black_box(&rows)
            .iter()
            .map(|&(k, n)| wilson(k, n, 0.95).unwrap());
        limits
            .map(|interval| (interval.low, interval.high))
            .unzip::<_, _, Vec<_>, Vec<_>>()
    });
}

/// 10,000 items in 2,500 clusters.
#[divan::bench]
fn clustered_mean(bencher: Bencher<'_, '_>) {
    let mut stream = RandomStream::new(Seed(9));
    let values: Vec<f64> = (0..CASES)
        .map(|_| f64::from(u8::from(stream.next_unit() < 0.9)))
        .collect();
    let clusters: Vec<usize> = (0..CASES).map(|item| item / 4).collect();
    bencher.bench_local(|| cluster_mean(black_box(&values), &clusters, 0.95).unwrap());
}
