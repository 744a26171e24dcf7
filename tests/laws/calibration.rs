//! Calibration error in all its forms.

use decbench_core::stats::Seed;
use decbench_core::stats::calibration::{
    BinnedError, Binning, Closed, Edges, Forecasts, classwise, ece_null, equal_mass, equal_width,
    error_interval, hosmer_lemeshow, smooth_ece, smooth_ece_at, spiegelhalter,
};
use decbench_core::stats::random::RandomStream;
use proptest::num::f64::ANY;
use proptest::prelude::*;

/// Chances of two decimals, so that ties and edges occur, with outcomes.
fn forecasts() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    prop::collection::vec(
        (
            (0_u32..=100).prop_map(|c| f64::from(c) / 100.0),
            any::<bool>(),
        ),
        1..150,
    )
    .prop_map(|pairs| pairs.into_iter().unzip())
}

fn binning() -> impl Strategy<Value = Binning> {
    let closed = prop_oneof![Just(Closed::Left), Just(Closed::Right)];
    let edges = prop_oneof![Just(Edges::Binary), Just(Edges::Decimal)];
    (1_usize..30, closed, edges)
        .prop_map(|(bins, closed, edges)| Binning::with(bins, closed, edges).unwrap())
}

fn reversed<T: Copy>(values: &[T]) -> Vec<T> {
    values.iter().rev().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn errors_are_shares_and_ordered((chances, happened) in forecasts(), binning in binning()) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let found = equal_width(&forecasts, &binning);
        prop_assert!(found.overconfidence.abs() <= found.ece + 1e-12);
        prop_assert!(found.ece <= found.mce + 1e-12 && found.mce <= 1.0);
        prop_assert_eq!(found.bins.iter().map(|bin| bin.count).sum::<u64>(), chances.len() as u64);
        for bin in found.bins.iter().filter(|bin| bin.count > 0) {
            let confidence = bin.confidence.unwrap();
            prop_assert!(bin.low - 1e-12 <= confidence && confidence <= bin.high + 1e-12);
            prop_assert!(bin.wilson(0.95)?.contains(bin.accuracy().unwrap()));
        }
    }

    #[test]
    fn one_bin_sees_overconfidence_alone((chances, happened) in forecasts()) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let found = equal_width(&forecasts, &Binning::new(1)?);
        prop_assert!((found.ece - found.overconfidence.abs()).abs() < 1e-12);
    }

    #[test]
    fn splitting_bins_never_lowers_the_error((chances, happened) in forecasts(), bins in 1_usize..12) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        // Decimal edges of twice as many bins contain the edges of the bins.
        let of = |bins| Binning::with(bins, Closed::Left, Edges::Decimal);
        let (coarse, fine) = (equal_width(&forecasts, &of(bins)?), equal_width(&forecasts, &of(2 * bins)?));
        prop_assert!(coarse.ece <= fine.ece + 1e-12 && coarse.mce <= fine.mce + 1e-12);
    }

    #[test]
    fn order_and_repetition_do_not_matter((chances, happened) in forecasts(), binning in binning()) {
        let twice = |list: &[f64]| [list, list].concat();
        let (again, happened_again) = (twice(&chances), [&happened[..], &happened[..]].concat());
        let (back, happened_back) = (reversed(&chances), reversed(&happened));
        let plain = Forecasts::new(&chances, &happened)?;
        for other in [Forecasts::new(&again, &happened_again)?, Forecasts::new(&back, &happened_back)?] {
            prop_assert!((equal_width(&plain, &binning).ece - equal_width(&other, &binning).ece).abs() < 1e-12);
            prop_assert!((smooth_ece(&plain) - smooth_ece(&other)).abs() < 2e-5);
        }
        let back = Forecasts::new(&back, &happened_back)?;
        prop_assert_eq!(equal_mass(&plain, 10)?, equal_mass(&back, 10)?);
        prop_assert_eq!(spiegelhalter(&plain), spiegelhalter(&back));
    }

    #[test]
    fn equal_mass_errors_are_ordered((chances, happened) in forecasts(), bins in 1_usize..20) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let found = equal_mass(&forecasts, bins)?;
        prop_assert!(found.ece <= found.l2 + 1e-12 && found.l2 <= 1.0);
        prop_assert!(found.l2_debiased() <= found.l2 + 1e-12);
        prop_assert!(found.upper_edges.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(found.upper_edges.last(), Some(&1.0));
    }

    #[test]
    fn smoothing_only_lowers_the_error((chances, happened) in forecasts(), width in 0.01_f64..0.5) {
        let forecasts = Forecasts::new(&chances, &happened)?;
        let (narrow, wide) = (smooth_ece_at(&forecasts, width)?, smooth_ece_at(&forecasts, 2.0 * width)?);
        prop_assert!(wide <= narrow + 1e-6);
        let bias = equal_width(&forecasts, &Binning::new(1)?).ece;
        let found = smooth_ece(&forecasts);
        prop_assert!((0.0..=1.0).contains(&found));
        prop_assert!(bias <= found + 2.1e-3, "{} {}", bias, found);
    }

    #[test]
    fn no_and_yes_may_be_exchanged((chances, happened) in forecasts()) {
        // Spiegelhalter's statistic and smooth error look at both sides alike.
        let other: Vec<f64> = chances.iter().map(|chance| 1.0 - chance).collect();
        let not: Vec<bool> = happened.iter().map(|happened| !happened).collect();
        let (plain, mirrored) = (Forecasts::new(&chances, &happened)?, Forecasts::new(&other, &not)?);
        prop_assert!((smooth_ece(&plain) - smooth_ece(&mirrored)).abs() < 2e-5);
        if let (Ok(a), Ok(b)) = (spiegelhalter(&plain), spiegelhalter(&mirrored)) {
            prop_assert!((a.statistic - b.statistic).abs() < 1e-6 * (1.0 + a.statistic.abs()));
        }
    }

    #[test]
    fn options_may_be_relabelled(rows in prop::collection::vec(prop::array::uniform3(0_u32..=100), 1..60)) {
        let scaled = |row: &[u32; 3]| row.map(|part| (f64::from(part) + 1.0) / f64::from(row.iter().sum::<u32>() + 3));
        let rows: Vec<[f64; 3]> = rows.iter().map(scaled).collect();
        let gold: Vec<usize> = (0..rows.len()).map(|item| item % 3).collect();
        let turned: Vec<[f64; 3]> = rows.iter().map(|row| [row[2], row[0], row[1]]).collect();
        let turned_gold: Vec<usize> = gold.iter().map(|gold| (gold + 1) % 3).collect();
        let binning = Binning::new(10)?;
        let (plain, other) = (classwise(&rows, &gold, &binning)?, classwise(&turned, &turned_gold, &binning)?);
        prop_assert!((plain.ece - other.ece).abs() < 1e-12);
    }

    #[test]
    fn null_quantiles_rise_and_surround_the_mean((chances, _) in forecasts(), binning in binning()) {
        let null = ece_null(&chances, &binning)?;
        prop_assert!((0.0..=1.0).contains(&null.mean()) && null.sd() >= 0.0);
        let (low, middle, high) = (null.ece_quantile(0.025)?, null.ece_quantile(0.5)?, null.ece_quantile(0.975)?);
        prop_assert!(low <= middle && middle <= high && high <= 1.0);
        prop_assert!(low <= null.mean() + 1e-12 && null.mean() <= high + null.sd() + 1e-12);
        prop_assert!(null.mce_quantile(0.5)? <= null.mce_quantile(0.975)?);
        prop_assert!(null.ece_quantile(0.975)? <= null.mce_quantile(0.999_999_999)? + null.sd() + 1e-9);
    }

    #[test]
    fn error_intervals_are_cut_and_ignore_order(
        (chances, happened) in forecasts(), seed in any::<u64>(), maximum in any::<bool>(),
    ) {
        let error = if maximum { BinnedError::Maximum } else { BinnedError::Expected };
        let binning = Binning::new(10)?;
        let interval = |chances: &[f64], happened: &[bool], clusters: Option<&[usize]>| {
            let forecasts = Forecasts::new(chances, happened)?;
            error_interval(&forecasts, clusters, &binning, error, 0.95, 60, Seed(seed))
        };
        let clusters: Vec<usize> = (0..chances.len()).map(|item| item / 3).collect();
        let (back, happened_back) = (reversed(&chances), reversed(&happened));
        for (clusters, turned) in [(None, None), (Some(&clusters[..]), Some(reversed(&clusters)))] {
            let found = interval(&chances, &happened, clusters)?;
            prop_assert!(0.0 <= found.interval.low && found.interval.low <= found.interval.high);
            prop_assert!(found.interval.high <= 1.0);
            prop_assert_eq!(found, interval(&back, &happened_back, turned.as_deref())?);
        }
    }

    #[test]
    fn any_doubles_are_answered_or_refused(
        chances in prop::collection::vec(ANY, 0..6), unit in prop::collection::vec(-0.2_f64..1.2, 0..6), x in ANY,
    ) {
        for chances in [chances, unit] {
            let happened = vec![true; chances.len()];
            let binning = Binning::new(7)?;
            prop_assert!(binning.bin_of(x) < 7);
            let inside = !chances.is_empty() && chances.iter().all(|chance| (0.0..=1.0).contains(chance));
            prop_assert_eq!(ece_null(&chances, &binning).is_ok(), inside);
            let forecasts = Forecasts::new(&chances, &happened);
            prop_assert_eq!(forecasts.is_ok(), inside);
            let Ok(forecasts) = forecasts else { continue };
            prop_assert!(equal_width(&forecasts, &binning).ece.is_finite());
            prop_assert!(smooth_ece(&forecasts).is_finite());
            prop_assert!(equal_mass(&forecasts, 3)?.l2.is_finite());
            for test in [spiegelhalter(&forecasts), hosmer_lemeshow(&forecasts, 3)].into_iter().flatten() {
                prop_assert!(test.statistic.is_finite() && (0.0..=1.0).contains(&test.p));
            }
            if let Ok(value) = smooth_ece_at(&forecasts, x) {
                prop_assert!(value.is_finite());
            }
            prop_assert_eq!(ece_null(&chances, &binning)?.ece_quantile(x).is_ok(), x > 0.0 && x < 1.0);
        }
    }
}

/// The share of 200 runs of a perfect model that "at most 0.05" fails, and how many the percentile
/// interval would.
#[test]
fn a_perfect_model_is_rarely_failed() {
    let binning = Binning::new(10).unwrap();
    let mut stream = RandomStream::new(Seed(31));
    let (mut failed, mut beyond_luck) = (0, 0);
    for run in 0..200 {
        let chances: Vec<f64> = (0..100).map(|_| 0.5 + 0.5 * stream.next_unit()).collect();
        let happened: Vec<bool> = chances
            .iter()
            .map(|&chance| stream.next_unit() < chance)
            .collect();
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let error = BinnedError::Expected;
        let found =
            error_interval(&forecasts, None, &binning, error, 0.95, 400, Seed(run)).unwrap();
        let luck = ece_null(&chances, &binning)
            .unwrap()
            .ece_quantile(0.975)
            .unwrap();
        beyond_luck += u32::from(found.estimate > luck);
        failed += u32::from(found.interval.low > 0.05 && found.estimate > 0.05 + luck);
    }
    // 2.5% of 200 is 5 ± 2.2.
    assert!(
        beyond_luck <= 14,
        "{beyond_luck} of 200 beyond the null quantile"
    );
    assert!(failed <= 1, "{failed} of 200 failed");
}
