//! Proper, ordinal, selective and ranking scores, and temperature scaling.

use decbench_core::stats::calibration::{Binning, Forecasts};
use decbench_core::stats::ordinal::{expected_level, ordinal_scores, rps, rps_normalised};
use decbench_core::stats::proper::{
    Truth, binary_brier, brier, brier_of_base_rates, corp, item_log_loss, log_loss, mean, murphy,
    murphy_binned, skill,
};
use decbench_core::stats::ranking::{auroc, auroc_one_vs_rest, average_precision};
use decbench_core::stats::selective::{
    coverage_at, coverage_point, coverage_wilson, guaranteed_coverage, risk_coverage,
};
use decbench_core::stats::temperature::{apply_temperature, fit_temperature};
use proptest::num::f64::ANY;
use proptest::prelude::*;

/// The score of a distribution when this option is right.
type Score = fn(&[f64], usize) -> f64;

fn distribution() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(0_u32..=100).prop_filter_map("all zero", |parts| {
        let total: u32 = parts.iter().sum();
        (total > 0).then(|| parts.map(|part| f64::from(part) / f64::from(total)))
    })
}

fn items() -> impl Strategy<Value = (Vec<[f64; 4]>, Vec<usize>)> {
    prop::collection::vec((distribution(), 0_usize..4), 1..60)
        .prop_map(|items| items.into_iter().unzip())
}

fn forecasts() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    prop::collection::vec(
        (
            (0_u32..=50).prop_map(|c| f64::from(c) / 50.0),
            any::<bool>(),
        ),
        1..120,
    )
    .prop_map(|pairs| pairs.into_iter().unzip())
}

fn turned<T: Copy>(values: &[T]) -> Vec<T> {
    values.iter().rev().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn honesty_is_the_best_forecast(honest in distribution(), other in distribution()) {
        // The expected score of a forecast when the truth is drawn from the honest distribution.
        let expected = |forecast: &[f64], score: Score| -> f64 {
            honest.iter().enumerate().map(|(gold, share)| share * score(forecast, gold)).sum()
        };
        let scores: [Score; 3] = [
            |forecast, gold| brier(forecast, Truth::Option(gold)).unwrap(),
            |forecast, gold| rps(forecast, Truth::Option(gold)).unwrap(),
            |forecast, gold| item_log_loss(forecast, Truth::Option(gold), 1e-12).unwrap().loss,
        ];
        for score in scores {
            prop_assert!(expected(&honest, score) <= expected(&other, score) + 1e-9);
        }
    }

    #[test]
    fn scores_keep_their_bounds((rows, gold) in items()) {
        for (row, &gold) in rows.iter().zip(&gold) {
            let truth = Truth::Option(gold);
            prop_assert!((0.0..=2.0 + 1e-12).contains(&brier(row, truth)?));
            prop_assert!((0.0..=1.0 + 1e-12).contains(&rps_normalised(row, truth)?));
            prop_assert!(item_log_loss(row, truth, 1e-6)?.loss <= 6.0 * 10.0_f64.ln() + 1e-9);
            prop_assert!(item_log_loss(row, truth, 1e-6)?.loss >= -1e-12);
            let mut sure = [0.0; 4];
            sure[gold] = 1.0;
            prop_assert_eq!(brier(row, truth)?, brier(row, Truth::Shares(&sure))?);
            prop_assert_eq!(rps(row, truth)?, rps(row, Truth::Shares(&sure))?);
        }
    }

    #[test]
    fn options_may_be_relabelled_and_levels_turned((rows, gold) in items()) {
        let other: Vec<[f64; 4]> = rows.iter().map(|row| [row[3], row[2], row[1], row[0]]).collect();
        let other_gold: Vec<usize> = gold.iter().map(|gold| 3 - gold).collect();
        for ((row, &gold), (turned, &turned_gold)) in rows.iter().zip(&gold).zip(other.iter().zip(&other_gold)) {
            let (plain, mirrored) = (Truth::Option(gold), Truth::Option(turned_gold));
            prop_assert!((brier(row, plain)? - brier(turned, mirrored)?).abs() < 1e-12);
            prop_assert!((rps(row, plain)? - rps(turned, mirrored)?).abs() < 1e-12);
        }
        let (plain, mirrored) = (ordinal_scores(&rows, &gold)?, ordinal_scores(&other, &other_gold)?);
        prop_assert!((plain.expected_level_error - mirrored.expected_level_error).abs() < 1e-9);
        if let (Ok(a), Ok(b)) = (auroc_one_vs_rest(&rows, &gold), auroc_one_vs_rest(&other, &other_gold)) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn a_lower_floor_never_costs_less((rows, gold) in items()) {
        let truths: Vec<Truth<'_>> = gold.iter().map(|&gold| Truth::Option(gold)).collect();
        let (low, high) = (log_loss(&rows, &truths, 1e-9)?, log_loss(&rows, &truths, 1e-3)?);
        prop_assert!(low.loss >= high.loss && low.clipped <= high.clipped);
    }

    #[test]
    fn base_rates_have_no_skill_and_certainty_all((rows, gold) in items()) {
        let truths: Vec<Truth<'_>> = gold.iter().map(|&gold| Truth::Option(gold)).collect();
        let reference = brier_of_base_rates(4, &truths)?;
        prop_assert!((0.0..=0.75 + 1e-12).contains(&reference));
        if reference > 0.0 {
            prop_assert_eq!(skill(reference, reference)?, 0.0);
            prop_assert_eq!(skill(0.0, reference)?, 1.0);
        }
        prop_assert_eq!(rows.len(), gold.len());
    }

    #[test]
    fn parts_of_the_brier_score_add_up((chances, happened) in forecasts(), bins in 1_usize..20) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let whole = binary_brier(&forecasts);
        for parts in [murphy(&forecasts), murphy_binned(&forecasts, &Binning::new(bins)?)] {
            prop_assert!((parts.brier() - whole).abs() < 1e-12);
            prop_assert!(parts.reliability >= 0.0 && parts.resolution >= 0.0 && parts.within_variance >= 0.0);
            prop_assert!(parts.resolution <= parts.uncertainty + 1e-12);
        }
        let corp = corp(&forecasts);
        prop_assert!((corp.miscalibration - corp.discrimination + corp.uncertainty - whole).abs() < 1e-12);
        prop_assert!(corp.miscalibration <= murphy(&forecasts).reliability + 1e-12);
    }

    #[test]
    fn a_rising_map_of_scores_changes_no_ranking((chances, happened) in forecasts()) {
        let mapped: Vec<f64> = chances.iter().map(|chance| chance.exp() * 3.0 - 7.0).collect();
        prop_assert_eq!(auroc(&chances, &happened), auroc(&mapped, &happened));
        prop_assert_eq!(average_precision(&chances, &happened), average_precision(&mapped, &happened));
        let back = (turned(&chances), turned(&happened));
        prop_assert_eq!(auroc(&chances, &happened), auroc(&back.0, &back.1));
    }

    #[test]
    fn ranking_backwards_mirrors_the_area((chances, happened) in forecasts()) {
        let negative: Vec<f64> = chances.iter().map(|chance| -chance).collect();
        let not: Vec<bool> = happened.iter().map(|happened| !happened).collect();
        if let Ok(found) = auroc(&chances, &happened) {
            prop_assert!((0.0..=1.0).contains(&found.area));
            prop_assert!((found.area + auroc(&negative, &happened)?.area - 1.0).abs() < 1e-12);
            prop_assert!((found.area - auroc(&negative, &not)?.area).abs() < 1e-12);
            if let Ok(interval) = found.interval(0.95) {
                prop_assert!(interval.contains(found.area));
            }
            let base = happened.iter().filter(|&&happened| happened).count() as f64 / happened.len() as f64;
            let precision = average_precision(&chances, &happened)?;
            prop_assert!(precision <= 1.0 + 1e-12 && precision > 0.0);
            let tied = vec![0.5; chances.len()];
            prop_assert!((average_precision(&tied, &happened)? - base).abs() < 1e-12);
        }
    }

    #[test]
    fn coverage_falls_with_the_threshold((chances, happened) in forecasts(), a in 0.0_f64..1.0, b in 0.0_f64..1.0) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let points = coverage_at(&forecasts, &[a.min(b), a.max(b)]);
        prop_assert!(points[0].kept >= points[1].kept && points[0].right >= points[1].right);
        for point in points {
            prop_assert!(point.right <= point.kept && point.accuracy().is_none_or(|share| share <= 1.0));
        }
    }

    #[test]
    fn no_order_beats_the_optimal_area((chances, happened) in forecasts()) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let found = risk_coverage(&forecasts);
        prop_assert!(found.optimal <= found.aurc + 1e-12 && found.aurc <= 1.0);
        prop_assert!(found.optimal_asymptotic <= found.optimal + 1e-12);
        let sorted: Vec<f64> = happened.iter().map(|&right| if right { 0.9 } else { 0.1 }).collect();
        let right: Vec<bool> = happened.clone();
        let best = risk_coverage(&Forecasts::new(&sorted, &right)?);
        // Ties among the wrong ones are spread, which costs nothing: they all are wrong.
        prop_assert!(best.excess().abs() < 1e-12);
        let back = (turned(&chances), turned(&happened));
        prop_assert_eq!(found, risk_coverage(&Forecasts::new(&back.0, &back.1)?));
    }

    #[test]
    fn guarantees_ask_for_more_than_points((chances, happened) in forecasts(), target in 0.5_f64..0.99) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let point = coverage_point(&forecasts, target)?;
        let wilson = coverage_wilson(&forecasts, target, 0.1)?;
        let grid: Vec<f64> = turned(&decbench_core::stats::selective::DEFAULT_THRESHOLDS);
        let found = guaranteed_coverage(&forecasts, target, 0.1, &grid)?;
        prop_assert!(wilson.map_or(0, |point| point.kept) <= point.map_or(0, |point| point.kept));
        for kept in [found.fixed_sequence, found.bonferroni].into_iter().flatten() {
            prop_assert!(point.is_some_and(|point| kept.kept <= point.kept));
            prop_assert!(kept.accuracy().is_some_and(|share| share >= target));
        }
        prop_assert_eq!(guaranteed_coverage(&forecasts, target, 0.1, &turned(&grid))?, found);
    }

    #[test]
    fn a_fitted_temperature_never_loses_and_keeps_the_order((rows, gold) in items()) {
        let found = fit_temperature(&rows, &gold, 1e-6)?;
        prop_assert!((0.05..=20.0).contains(&found.temperature));
        prop_assert!(found.loss_after <= found.loss_before + 1e-9);
        for row in &rows {
            let scaled = apply_temperature(row, found.temperature)?;
            prop_assert!((scaled.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
                prop_assert!(row[a] < row[b] || scaled[a] >= scaled[b]);
            }
        }
    }

    #[test]
    fn any_doubles_are_answered_or_refused(
        row in prop::collection::vec(ANY, 0..5), unit in prop::collection::vec(-0.1_f64..1.1, 0..5),
        gold in 0_usize..6, x in ANY, y in ANY,
    ) {
        for row in [row, unit] {
            let truth = Truth::Option(gold);
            let usable = gold < row.len() && row.iter().all(|p| (0.0..=1.0).contains(p));
            prop_assert_eq!(brier(&row, truth).is_ok_and(f64::is_finite), usable);
            prop_assert_eq!(rps(&row, truth).is_ok_and(f64::is_finite), usable);
            prop_assert_eq!(item_log_loss(&row, truth, 0.1).is_ok_and(|item| item.loss.is_finite()), usable);
            prop_assert!(expected_level(&row).is_ok_and(f64::is_finite) || expected_level(&row).is_err());
            if let Ok(found) = fit_temperature(std::slice::from_ref(&row), &[gold], 1e-6) {
                prop_assert!(found.temperature.is_finite() && found.loss_after.is_finite());
            }
            if let Ok(scaled) = apply_temperature(&row, x) {
                prop_assert!(scaled.iter().all(|p| (0.0..=1.0).contains(p)));
            }
            let positive: Vec<bool> = (0..row.len()).map(|item| item % 2 == 0).collect();
            if let Ok(found) = auroc(&row, &positive) {
                prop_assert!((0.0..=1.0).contains(&found.area) && found.se.is_none_or(f64::is_finite));
            }
            if let Ok(precision) = average_precision(&row, &positive) {
                prop_assert!(precision.is_finite());
            }
            if let Ok(value) = mean(&row) {
                prop_assert!(value.is_finite());
            }
            if let Ok(forecasts) = Forecasts::new(&row, &positive) {
                prop_assert!(coverage_at(&forecasts, &[x])[0].coverage.is_finite());
                for point in [coverage_point(&forecasts, x), coverage_wilson(&forecasts, x, y)].into_iter().flatten().flatten() {
                    prop_assert!(point.coverage.is_finite());
                }
                if let Ok(found) = guaranteed_coverage(&forecasts, x, y, &[x, 0.5]) {
                    prop_assert!(found.grid.iter().all(|test| (0.0..=1.0).contains(&test.p)));
                }
            }
        }
        if let Ok(value) = skill(x, y) {
            prop_assert!(value.is_finite());
        }
    }
}
