//! Resamples, the paired bootstrap, bootstrap intervals and sign flips.

use decbench_core::stats::bootstrap::{
    paired_bootstrap, paired_bootstrap_from, paired_bootstrap_limit,
};
use decbench_core::stats::bootstrap_interval::{Jackknife, basic, bca, percentile};
use decbench_core::stats::permutation::sign_flip;
use decbench_core::stats::random::RandomStream;
use decbench_core::stats::resample::{
    cluster_totals, resampled_cells, resampled_means, resampled_ratios, resampled_stratified_means,
    resampled_units,
};
use decbench_core::stats::{Seed, Undefined};
use proptest::num::f64::ANY;
use proptest::prelude::*;

/// Differences on a grid of tenths, as decimal qualities give them.
fn tenths() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        (-10_i32..=10).prop_map(|tenths| f64::from(tenths) / 10.0),
        1..60,
    )
}

fn reals() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-5.0_f64..5.0, 1..200)
}

fn reversed(values: &[f64]) -> Vec<f64> {
    values.iter().rev().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn resampled_means_stay_between_the_extremes(values in reals(), seed in any::<u64>()) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let means = resampled_means(&values, 50, Seed(seed))?;
        prop_assert_eq!(means.values.len(), 50);
        prop_assert!(means.values.iter().all(|&mean| low - 1e-12 <= mean && mean <= high + 1e-12));
    }

    #[test]
    fn the_order_of_items_leaves_no_trace(values in reals(), seed in any::<u64>()) {
        let other = reversed(&values);
        prop_assert_eq!(
            resampled_means(&values, 20, Seed(seed))?, resampled_means(&other, 20, Seed(seed))?
        );
        let weights: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        prop_assert_eq!(
            resampled_ratios(&values, &weights, 20, Seed(seed))?,
            resampled_ratios(&other, &reversed(&weights), 20, Seed(seed))?
        );
        prop_assert_eq!(
            paired_bootstrap(&values, 20, Seed(seed))?.p, paired_bootstrap(&other, 20, Seed(seed))?.p
        );
    }

    #[test]
    fn moving_all_values_moves_all_means(values in tenths(), shift in -3_i32..=3, seed in any::<u64>()) {
        let shift = f64::from(shift);
        let moved: Vec<f64> = values.iter().map(|value| value + shift).collect();
        let (plain, moved) = (resampled_means(&values, 30, Seed(seed))?, resampled_means(&moved, 30, Seed(seed))?);
        for (a, b) in plain.values.iter().zip(&moved.values) {
            prop_assert!((a + shift - b).abs() < 1e-9);
        }
    }

    #[test]
    fn weights_may_be_scaled(values in reals(), factor in 0.01_f64..100.0, seed in any::<u64>()) {
        let weights: Vec<f64> = values.iter().map(|value| 1.0 + value.abs()).collect();
        let weighted: Vec<f64> = values.iter().zip(&weights).map(|(value, weight)| value * weight).collect();
        let scaled = |list: &[f64]| list.iter().map(|value| value * factor).collect::<Vec<f64>>();
        let plain = resampled_ratios(&weighted, &weights, 30, Seed(seed))?;
        let other = resampled_ratios(&scaled(&weighted), &scaled(&weights), 30, Seed(seed))?;
        for (a, b) in plain.values.iter().zip(&other.values) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn shares_of_strata_may_be_scaled(values in reals(), factor in 0.01_f64..100.0) {
        let strata: Vec<usize> = (0..values.len()).map(|item| item % 2).collect();
        prop_assume!(values.len() > 1);
        let one = resampled_stratified_means(&values, &strata, &[0.2, 0.8], 20, Seed(1))?;
        let other = resampled_stratified_means(&values, &strata, &[0.2 * factor, 0.8 * factor], 20, Seed(1))?;
        for (a, b) in one.values.iter().zip(&other.values) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn clusters_of_one_item_are_items(values in reals()) {
        let own: Vec<usize> = (0..values.len()).collect();
        let totals = cluster_totals(&values, &own)?;
        prop_assert_eq!(&totals.sums, &values);
        prop_assert!(totals.sizes.iter().all(|&size| size == 1.0));
    }

    #[test]
    fn a_resample_has_as_many_units_as_there_are(units in 1_usize..300, seed in any::<u64>()) {
        let drawn = resampled_units(units, 10, Seed(seed), |times| {
            Some(times.iter().map(|&time| f64::from(time)).sum())
        })?;
        prop_assert!(drawn.values.iter().all(|&total| total == units as f64));
        let cells = [units as u64, 0, 3];
        let drawn = resampled_cells(&cells, 10, Seed(seed), |counts| Some(counts.iter().sum::<u64>() as f64))?;
        prop_assert!(drawn.values.iter().all(|&total| total == units as f64 + 3.0));
    }

    #[test]
    fn a_better_candidate_never_has_a_larger_p(values in tenths(), place in any::<prop::sample::Index>()) {
        let mut better = values.clone();
        better[place.index(values.len())] += 0.5;
        let drawn = |values: &[f64]| {
            paired_bootstrap_from(values, 200, &mut RandomStream::new(Seed(4))).map(|found| found.p)
        };
        prop_assert!(drawn(&better)? <= drawn(&values)?);
    }

    #[test]
    fn p_values_are_shares_of_b_plus_one(values in reals(), resamples in 1_usize..300) {
        let found = paired_bootstrap(&values, resamples, Seed(9))?;
        prop_assert!(found.p > 0.0 && found.p <= 1.0);
        prop_assert_eq!(found.p, (found.at_or_below_zero + 1) as f64 / (resamples + 1) as f64);
        prop_assert!(found.p >= found.p_share);
    }

    #[test]
    fn exact_and_drawn_p_agree(values in tenths()) {
        let exact = paired_bootstrap_limit(&values)?;
        let drawn = paired_bootstrap(&values, 4_000, Seed(12))?.p_share;
        let noise = 6.0 * (exact * (1.0 - exact) / 4_000.0).sqrt() + 2.0 / 4_000.0;
        prop_assert!((exact - drawn).abs() <= noise, "{} {}", exact, drawn);
    }

    #[test]
    fn a_difference_and_its_negative_share_the_whole(values in tenths()) {
        let negative: Vec<f64> = values.iter().map(|value| -value).collect();
        // Both count a sum of zero, so that together they pass 1 by its chance.
        let (below, above) = (paired_bootstrap_limit(&values)?, paired_bootstrap_limit(&negative)?);
        prop_assert!((1.0 - 1e-9..=2.0 + 1e-9).contains(&(below + above)));
        let (plain, mirrored) = (sign_flip(&values, 100, Seed(1))?, sign_flip(&negative, 100, Seed(1))?);
        prop_assert!((plain.p_two_sided - mirrored.p_two_sided).abs() < 1e-12);
        prop_assert!(plain.p_greater + mirrored.p_greater >= 1.0 - 1e-12);
    }

    #[test]
    fn sign_flips_are_never_certain_and_ignore_zeros(values in tenths(), zeros in 0_usize..20) {
        let found = sign_flip(&values, 100, Seed(1))?;
        for p in [found.p_greater, found.p_two_sided] {
            prop_assert!(p > 0.0 && p <= 1.0);
        }
        let mut padded = values.clone();
        padded.extend(std::iter::repeat_n(0.0, zeros));
        prop_assert_eq!(sign_flip(&padded, 100, Seed(1))?, found);
    }

    #[test]
    fn intervals_are_ordered_and_widen_with_the_level(values in reals(), level in 0.5_f64..0.98) {
        prop_assume!(values.len() > 1);
        let means = resampled_means(&values, 400, Seed(2))?.values;
        let estimate = values.iter().sum::<f64>() / values.len() as f64;
        let jackknife = Jackknife::of_mean(&values)?;
        for method in [
            &|level| percentile(&means, level) as Result<_, Undefined>,
            &|level| basic(estimate, &means, level),
            &|level| bca(estimate, &means, &jackknife, level).map(|found| found.interval),
        ] as [&dyn Fn(f64) -> Result<decbench_core::stats::Interval, Undefined>; 3] {
            let (narrow, wide) = (method(level)?, method(level + 0.01)?);
            prop_assert!(narrow.low <= narrow.high);
            prop_assert!(wide.low <= narrow.low + 1e-12 && narrow.high <= wide.high + 1e-12);
        }
    }

    #[test]
    fn intervals_turn_with_the_sign(values in reals()) {
        prop_assume!(values.len() > 1);
        let negative = |list: &[f64]| list.iter().map(|value| -value).collect::<Vec<f64>>();
        let means = resampled_means(&values, 301, Seed(2))?.values;
        let estimate = values.iter().sum::<f64>() / values.len() as f64;
        let plain = bca(estimate, &means, &Jackknife::of_mean(&values)?, 0.9)?;
        let turned = bca(-estimate, &negative(&means), &Jackknife::of_mean(&negative(&values))?, 0.9)?;
        prop_assert!((plain.interval.low + turned.interval.high).abs() < 1e-9);
        prop_assert!((plain.interval.high + turned.interval.low).abs() < 1e-9);
    }

    #[test]
    fn any_doubles_are_answered_or_refused(
        values in prop::collection::vec(ANY, 0..12), others in prop::collection::vec(ANY, 0..12), level in ANY,
    ) {
        let finite = |list: &[f64]| list.iter().all(|value| !value.is_nan());
        if let Ok(means) = resampled_means(&values, 5, Seed(1)) {
            prop_assert!(finite(&means.values));
        }
        if let Ok(ratios) = resampled_ratios(&values, &others, 5, Seed(1)) {
            prop_assert!(finite(&ratios.values));
        }
        if let Ok(found) = paired_bootstrap(&values, 5, Seed(1)) {
            prop_assert!(found.mean.is_finite() && found.p > 0.0);
        }
        if let Ok(p) = paired_bootstrap_limit(&values) {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        if let Ok(found) = sign_flip(&values, 5, Seed(1)) {
            prop_assert!(found.p_greater > 0.0 && found.p_two_sided <= 1.0);
        }
        let estimate = others.first().copied().unwrap_or(f64::NAN);
        for jackknife in [Jackknife::new(&others), Jackknife::of_mean(&others), Jackknife::of_ratio(&others, &values)] {
            let Ok(jackknife) = jackknife else { continue };
            prop_assert!(jackknife.acceleration().is_none_or(f64::is_finite));
            if let Ok(found) = bca(estimate, &values, &jackknife, level) {
                prop_assert!(finite(&[found.interval.low, found.interval.high]));
            }
        }
        if let Ok(interval) = percentile(&values, level) {
            prop_assert!(interval.low <= interval.high);
        }
        if let Ok(interval) = basic(estimate, &values, level) {
            prop_assert!(finite(&[interval.low, interval.high]));
        }
        let strata = vec![0; values.len()];
        if let Ok(means) = resampled_stratified_means(&values, &strata, &others, 5, Seed(1)) {
            prop_assert!(finite(&means.values));
        }
    }
}

#[test]
fn corrected_intervals_cover_the_mean_of_skewed_values() {
    let mut stream = RandomStream::new(Seed(2_026));
    let mut covered = 0;
    for run in 0..1_000 {
        let values: Vec<f64> = (0..60).map(|_| -(1.0 - stream.next_unit()).ln()).collect();
        let means = resampled_means(&values, 500, Seed(run)).unwrap().values;
        let estimate = values.iter().sum::<f64>() / 60.0;
        let found = bca(
            estimate,
            &means,
            &Jackknife::of_mean(&values).unwrap(),
            0.95,
        )
        .unwrap();
        covered += u32::from(found.interval.contains(1.0));
    }
    assert!((910..=975).contains(&covered), "{covered} of 1,000");
}

#[test]
fn the_paired_bootstrap_errs_about_as_often_as_it_says() {
    let mut stream = RandomStream::new(Seed(2_027));
    let mut rejected = 0;
    for run in 0..2_000 {
        let differences: Vec<f64> = (0..200)
            .map(|_| [0.0, 0.0, 1.0, -1.0][stream.next_index(4)])
            .collect();
        rejected += u32::from(paired_bootstrap(&differences, 400, Seed(run)).unwrap().p <= 0.025);
    }
    // 2.5% of 2,000 is 50 ± 7; the bootstrap is a little liberal.
    assert!((25..=85).contains(&rejected), "{rejected} of 2,000");
}
