//! Random words, the bootstrap and sign flips.

use decbench_core::stats::Seed;
use decbench_core::stats::bootstrap::{
    paired_bootstrap, paired_bootstrap_from, paired_bootstrap_limit,
};
use decbench_core::stats::bootstrap_interval::{Jackknife, basic, bca, percentile, spread};
use decbench_core::stats::calibration::{
    BinnedError, Binning, Forecasts, equal_width, resampled_error,
};
use decbench_core::stats::permutation::sign_flip;
use decbench_core::stats::random::{RandomStream, ReplayedIndices};
use decbench_core::stats::resample::{
    Replicates, cluster_totals, resampled_means, resampled_means_from, resampled_ratios,
    resampled_stratified_means,
};

use crate::case::Case;
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

/// Any seed must do: the tolerances cover the noise of 2,000 resamples.
const SEED: Seed = Seed(20_261_129);

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "prng",
        stats: &[
            Stat::new("splitmix64", words),
            Stat::new("splitmix_bootstrap", drawn_bootstrap),
        ],
    },
    Topic {
        name: "bootstrap",
        stats: &[
            Stat::new("paired_bootstrap_p", paired),
            Stat::new("replayed_bootstrap", replayed),
            Stat::new("percentile_interval_mean", |case| {
                let values = case.numbers("value");
                let means = resampled_means(&values, resamples(case), SEED).unwrap();
                Answer::new()
                    .with("interval", percentile(&means.values, case.number("level")))
                    .with("bootstrap_sd", spread(&means).map(|spread| spread.1))
            }),
            Stat::new("percentile_interval_ece", ece),
            Stat::new("percentile_interval_brier_top", brier),
            Stat::new("cluster_bootstrap", clusters),
            Stat::new("stratified_bootstrap", strata),
        ],
    },
    Topic {
        name: "permutation",
        stats: &[Stat::new("sign_flip", |case| {
            let found = sign_flip(&case.numbers("difference"), 2_000, SEED);
            Answer::new()
                .with("p_greater", found.map(|found| found.p_greater))
                .with("p_two_sided", found.map(|found| found.p_two_sided))
        })],
    },
];

fn resamples(case: &Case) -> usize {
    usize::try_from(case.count("resamples")).unwrap()
}

/// 64-bit seeds stand as text, since JSON numbers are doubles.
fn seed(case: &Case) -> Seed {
    Seed(case.text("seed").parse().unwrap())
}

fn words(case: &Case) -> Answer {
    let n = usize::try_from(case.count("n")).unwrap();
    let count = case.expected["words"].as_array().unwrap().len();
    let stream = || RandomStream::new(seed(case));
    let (mut words, mut indices, mut units) = (stream(), stream(), stream());
    let all = |next: &mut dyn FnMut() -> String| (0..count).map(|_| next()).collect::<Vec<_>>();
    let text: Vec<String> = all(&mut || words.next_word().to_string());
    Answer::new()
        .with("words", text.iter().map(String::as_str).collect::<Vec<_>>())
        .with(
            "indices",
            (0..count)
                .map(|_| indices.next_index(n))
                .collect::<Vec<_>>(),
        )
        .with(
            "unit_floats",
            (0..count).map(|_| units.next_unit()).collect::<Vec<_>>(),
        )
}

fn drawn_bootstrap(case: &Case) -> Answer {
    let mut stream = RandomStream::new(seed(case));
    let differences = case.numbers("difference");
    let found = paired_bootstrap_from(&differences, resamples(case), &mut stream).unwrap();
    Answer::new()
        .with("count_le_zero", found.at_or_below_zero)
        .with("p_share", found.p_share)
}

fn paired(case: &Case) -> Answer {
    let differences = case.numbers("difference");
    let found = paired_bootstrap(&differences, resamples(case), SEED).unwrap();
    Answer::new()
        .with("mean", found.mean)
        .with("p_exact", paired_bootstrap_limit(&differences))
        .with("p_share", found.p_share)
        .with("p_plus_one", found.p)
}

fn replayed(case: &Case) -> Answer {
    let (values, level) = (case.numbers("value"), case.number("level"));
    let rows = case.index_rows("indices");
    let flat: Vec<u32> = rows
        .iter()
        .flatten()
        .map(|&index| u32::try_from(index).unwrap())
        .collect();
    let found =
        paired_bootstrap_from(&values, rows.len(), &mut ReplayedIndices::new(&flat)).unwrap();
    let means =
        resampled_means_from(&values, rows.len(), &mut ReplayedIndices::new(&flat)).unwrap();
    let jackknife = Jackknife::of_mean(&values).unwrap();
    let corrected = bca(found.mean, &means.values, &jackknife, level).unwrap();
    Answer::new()
        .with("mean", found.mean)
        .with("count_le_zero", found.at_or_below_zero)
        .with("p_share", found.p_share)
        .with("p_plus_one", found.p)
        .with("percentile", percentile(&means.values, level))
        .with("basic", basic(found.mean, &means.values, level))
        .with("bca", corrected.interval)
        .with("z0", corrected.bias)
        .with("acceleration", corrected.acceleration)
}

fn resampled_answer(point: f64, replicates: &Replicates, level: f64) -> Answer {
    let spread = spread(replicates);
    Answer::new()
        .with("point", point)
        .with("interval", percentile(&replicates.values, level))
        .with("bootstrap_mean", spread.map(|spread| spread.0))
        .with("bootstrap_sd", spread.map(|spread| spread.1))
}

fn ece(case: &Case) -> Answer {
    let (confidence, correct) = (case.numbers("confidence"), case.flags("correct"));
    let forecasts = Forecasts::new(&confidence, &correct).unwrap();
    let binning = Binning::new(usize::try_from(case.count("bins")).unwrap()).unwrap();
    let expected = BinnedError::Expected;
    let drawn = resampled_error(&forecasts, &binning, expected, resamples(case), SEED).unwrap();
    resampled_answer(
        equal_width(&forecasts, &binning).ece,
        &drawn,
        case.number("level"),
    )
}

fn brier(case: &Case) -> Answer {
    let (confidence, correct) = (case.numbers("confidence"), case.flags("correct"));
    let squares: Vec<f64> = confidence
        .iter()
        .zip(&correct)
        .map(|(confidence, &correct)| (confidence - f64::from(u8::from(correct))).powi(2))
        .collect();
    let point = squares.iter().sum::<f64>() / squares.len() as f64;
    let drawn = resampled_means(&squares, resamples(case), SEED).unwrap();
    resampled_answer(point, &drawn, case.number("level"))
}

fn clusters(case: &Case) -> Answer {
    let totals = cluster_totals(&case.numbers("value"), &case.indices("cluster")).unwrap();
    let drawn = resampled_ratios(&totals.sums, &totals.sizes, resamples(case), SEED).unwrap();
    let mean = totals.sums.iter().sum::<f64>() / totals.sizes.iter().sum::<f64>();
    Answer::new()
        .with("mean", mean)
        .with("bootstrap_sd", spread(&drawn).map(|spread| spread.1))
}

fn strata(case: &Case) -> Answer {
    let (values, strata) = (case.numbers("value"), case.indices("stratum"));
    let shares = case.numbers("population_share");
    let drawn =
        resampled_stratified_means(&values, &strata, &shares, resamples(case), SEED).unwrap();
    let estimate = shares.iter().enumerate().map(|(stratum, share)| {
        let inside: Vec<f64> = values
            .iter()
            .zip(&strata)
            .filter(|item| *item.1 == stratum)
            .map(|item| *item.0)
            .collect();
        share * inside.iter().sum::<f64>() / inside.len() as f64
    });
    Answer::new()
        .with("estimate", estimate.sum::<f64>())
        .with("bootstrap_sd", spread(&drawn).map(|spread| spread.1))
}
