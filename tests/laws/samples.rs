//! Weighted, stratified and clustered samples.

use decbench_core::stats::clusters::{
    cluster_mean, clustered_proportion, weighted_clustered_proportion,
};
use decbench_core::stats::proportion::clopper_pearson;
use decbench_core::stats::weighted::{stratified_accuracy, weighted_accuracy, weighted_mean};
use proptest::prelude::*;

/// Items as (correct, weight, cluster).
fn items() -> impl Strategy<Value = (Vec<bool>, Vec<f64>, Vec<usize>)> {
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.01_f64..50.0];
    prop::collection::vec((any::<bool>(), weight, 0_usize..30), 1..120).prop_map(|items| {
        let correct = items.iter().map(|item| item.0).collect();
        let weights = items.iter().map(|item| item.1).collect();
        (correct, weights, items.iter().map(|item| item.2).collect())
    })
}

fn any_numbers() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![
        any::<f64>(),
        -10.0..10.0,
        Just(0.0),
        Just(f64::MAX),
        Just(5e-324)
    ];
    prop::collection::vec(number, 0..12)
}

proptest! {
    #[test]
    fn weighted_estimates_stay_in_range((correct, weights, _) in items(), level in 0.5_f64..0.999) {
        prop_assume!(weights.iter().any(|&w| w > 0.0));
        let found = weighted_accuracy(&correct, &weights, level)?;
        prop_assert!((0.0..=1.0).contains(&found.mean.mean));
        prop_assert!(1.0 <= found.mean.kish && found.mean.kish <= found.mean.items as f64);
        prop_assert!(found.mean.design_effect >= 1.0);
        for interval in [found.wilson, found.exact] {
            prop_assert!(interval.contains(found.mean.mean));
            prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
        }
    }

    #[test]
    fn the_scale_of_weights_does_not_matter((correct, weights, clusters) in items(), exponent in -300_i32..300) {
        prop_assume!(weights.iter().any(|&w| w > 0.0));
        // A power of two scales without rounding.
        let scaled: Vec<f64> = weights.iter().map(|w| w * 2_f64.powi(exponent)).collect();
        prop_assert_eq!(weighted_accuracy(&correct, &weights, 0.95)?, weighted_accuracy(&correct, &scaled, 0.95)?);
        prop_assert_eq!(
            weighted_clustered_proportion(&correct, &weights, &clusters, 0.95),
            weighted_clustered_proportion(&correct, &scaled, &clusters, 0.95)
        );
    }

    #[test]
    fn the_order_of_items_does_not_matter((correct, weights, clusters) in items(), by in 0_usize..120) {
        prop_assume!(weights.iter().any(|&w| w > 0.0));
        let by = by % correct.len();
        let (mut c, mut w, mut g) = (correct.clone(), weights.clone(), clusters.clone());
        c.rotate_left(by);
        w.rotate_left(by);
        g.rotate_left(by);
        let (one, other) = (weighted_accuracy(&correct, &weights, 0.95)?, weighted_accuracy(&c, &w, 0.95)?);
        prop_assert!((one.mean.mean - other.mean.mean).abs() < 1e-14);
        prop_assert!((one.mean.kish - other.mean.kish).abs() < 1e-10);
        let one = weighted_clustered_proportion(&correct, &weights, &clusters, 0.95);
        let other = weighted_clustered_proportion(&c, &w, &g, 0.95);
        prop_assert_eq!(one.is_ok(), other.is_ok());
        if let (Ok(one), Ok(other)) = (one, other) {
            prop_assert!((one.exact.low - other.exact.low).abs() < 1e-9);
        }
    }

    #[test]
    fn cluster_numbers_are_only_names((correct, _, clusters) in items(), shift in 1_usize..1_000_000) {
        let renamed: Vec<usize> = clusters.iter().map(|c| usize::MAX - shift - 7 * c).collect();
        let (one, other) = (clustered_proportion(&correct, &clusters, 0.95), clustered_proportion(&correct, &renamed, 0.95));
        prop_assert_eq!(one.is_ok(), other.is_ok());
        if let (Ok(one), Ok(other)) = (one, other) {
            prop_assert!((one.n_eff - other.n_eff).abs() < 1e-9);
        }
    }

    #[test]
    fn clusters_never_add_evidence((correct, weights, clusters) in items()) {
        let k = correct.iter().filter(|&&c| c).count() as u64;
        if let Ok(found) = clustered_proportion(&correct, &clusters, 0.95) {
            prop_assert!(found.n_eff <= found.items as f64 && found.n_eff > 0.0);
            let plain = clopper_pearson(k, correct.len() as u64, 0.95)?;
            prop_assert!(found.exact.low <= plain.low + 1e-9 && plain.high <= found.exact.high + 1e-9);
        }
        if let Ok(found) = weighted_clustered_proportion(&correct, &weights, &clusters, 0.95) {
            let kish = weighted_accuracy(&correct, &weights, 0.95)?.mean.kish;
            prop_assert!(found.n_eff <= kish + 1e-9 && found.n_eff > 0.0);
        }
    }

    #[test]
    fn own_clusters_are_independent_items(values in prop::collection::vec(-5.0_f64..5.0, 2..60)) {
        let clusters: Vec<usize> = (0..values.len()).collect();
        let found = cluster_mean(&values, &clusters, 0.95)?;
        if let Some(effect) = found.design_effect {
            prop_assert!((effect - 1.0).abs() < 1e-9);
        }
        let unweighted = weighted_mean(&values, &vec![1.0; values.len()])?;
        let (one, other) = (found.standard_error.unwrap(), unweighted.standard_error.unwrap());
        prop_assert!((one - other).abs() <= 1e-9 * one.max(1e-9));
    }

    #[test]
    fn equal_shares_per_item_are_the_plain_proportion(counts in prop::collection::vec((0_u64..20, 2_u64..20), 1..6)) {
        let mut correct = Vec::new();
        let mut stratum = Vec::new();
        for (index, &(k, n)) in counts.iter().enumerate() {
            for item in 0..n {
                correct.push(item < k);
                stratum.push(index);
            }
        }
        let shares: Vec<f64> = counts.iter().map(|&(_, n)| n as f64).collect();
        let found = stratified_accuracy(&correct, &stratum, &shares, 0.95)?;
        let right = correct.iter().filter(|&&c| c).count() as f64;
        prop_assert!((found.estimate - right / correct.len() as f64).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&found.exact.low));
        prop_assert!(found.gate_n_eff > 0.0 && found.gate_n_eff.is_finite());
    }

    #[test]
    fn any_numbers_are_answered_or_refused(values in any_numbers(), weights in any_numbers(), clusters in prop::collection::vec(any::<usize>(), 0..12)) {
        let n = values.len().min(weights.len()).min(clusters.len());
        if let Ok(mean) = weighted_mean(&values[..n], &weights[..n]) {
            prop_assert!(mean.mean.is_finite() && mean.kish.is_finite());
            prop_assert!(mean.standard_error.is_none_or(f64::is_finite));
        }
        if let Ok(mean) = cluster_mean(&values[..n], &clusters[..n], 0.95) {
            prop_assert!(mean.mean.is_finite());
            for value in [mean.standard_error, mean.design_effect, mean.n_eff].into_iter().flatten() {
                prop_assert!(value.is_finite(), "{mean:?}");
            }
        }
        let correct: Vec<bool> = values[..n].iter().map(|&v| v > 0.0).collect();
        if let Ok(found) = weighted_clustered_proportion(&correct, &weights[..n], &clusters[..n], 0.95) {
            prop_assert!(found.exact.low <= found.exact.high);
        }
        if let Ok(found) = stratified_accuracy(&correct, &clusters[..n], &weights, 0.95) {
            prop_assert!(found.exact.low <= found.exact.high);
        }
    }
}
