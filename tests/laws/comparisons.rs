//! Two systems against each other.

use decbench_core::stats::difference::{
    PairedTable, newcombe_independent, newcombe_paired, tango, wald_paired,
};
use decbench_core::stats::mcnemar::{
    mcnemar_chi_squared, mcnemar_exact, mcnemar_exact_one_sided, mcnemar_mid_p,
};
use decbench_core::stats::multiplicity::{
    benjamini_hochberg, bonferroni, hochberg, holm, holm_rejections,
};
use decbench_core::stats::proportion::wilson_with_z;
use decbench_core::stats::sample_size::{
    cases_for_margin, cases_to_prove, cases_to_settle, mcnemar_cases,
    mcnemar_detectable_difference, mcnemar_exact_power, mcnemar_power, paired_mean_cases,
};
use proptest::prelude::*;

fn table() -> impl Strategy<Value = PairedTable> {
    let cell = prop_oneof![Just(0_u64), 0_u64..8, 0_u64..2000];
    (cell.clone(), cell.clone(), cell.clone(), cell)
        .prop_map(|(both, first_only, second_only, neither)| PairedTable {
            both,
            first_only,
            second_only,
            neither,
        })
        .prop_filter("at least one item", |table| table.items() > 0)
}

fn probabilities() -> impl Strategy<Value = Vec<Option<f64>>> {
    let p = prop_oneof![
        Just(None),
        (0_u32..=40).prop_map(|k| Some(f64::from(k) / 40.0)),
        (0.0..=1.0).prop_map(Some)
    ];
    prop::collection::vec(p, 0..30)
}

proptest! {
    #[test]
    fn paired_limits_enclose_the_difference_and_stay_in_range(table in table(), level in 0.01_f64..0.999) {
        let difference = table.difference()?;
        for interval in [newcombe_paired(&table, level)?, tango(&table, level)?] {
            prop_assert!(-1.0 <= interval.low && interval.high <= 1.0);
            prop_assert!(interval.low <= difference + 1e-12 && difference <= interval.high + 1e-12);
        }
        prop_assert!(wald_paired(&table, level)?.contains(difference));
    }

    #[test]
    fn exchanging_the_systems_mirrors_the_interval(table in table(), level in 0.5_f64..0.999) {
        for method in [newcombe_paired, wald_paired, tango] {
            let (one, other) = (method(&table, level)?, method(&table.swapped(), level)?);
            prop_assert!((one.low + other.high).abs() < 1e-9, "{one:?} {other:?}");
            prop_assert!((one.high + other.low).abs() < 1e-9);
        }
    }

    #[test]
    fn paired_intervals_widen_as_the_level_rises(table in table(), level in 0.5_f64..0.98) {
        for method in [newcombe_paired, wald_paired, tango] {
            let (narrow, wide) = (method(&table, level)?, method(&table, level + 0.01)?);
            prop_assert!(wide.low <= narrow.low + 1e-12 && narrow.high <= wide.high + 1e-12);
        }
    }

    #[test]
    fn independent_difference_is_antisymmetric((k1, n1) in count(), (k2, n2) in count(), level in 0.5_f64..0.999) {
        let one = newcombe_independent(k1, n1, k2, n2, level)?;
        let other = newcombe_independent(k2, n2, k1, n1, level)?;
        prop_assert!((one.low + other.high).abs() < 1e-12 && (one.high + other.low).abs() < 1e-12);
        prop_assert!(one.contains(k1 as f64 / n1 as f64 - k2 as f64 / n2 as f64));
    }

    #[test]
    fn tests_of_discordant_pairs_are_symmetric_and_ordered(b in 0_u64..3000, c in 0_u64..3000) {
        prop_assert!((mcnemar_exact(b, c) - mcnemar_exact(c, b)).abs() < 1e-14);
        prop_assert!((mcnemar_mid_p(b, c) - mcnemar_mid_p(c, b)).abs() < 1e-14);
        prop_assert!(mcnemar_mid_p(b, c) <= mcnemar_exact(b, c));
        let chi = mcnemar_chi_squared(b, c);
        for p in [mcnemar_exact(b, c), mcnemar_mid_p(b, c), mcnemar_exact_one_sided(b, c), chi.p] {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        // The two one-sided tails share the observed point.
        if b + c > 0 {
            prop_assert!(mcnemar_exact_one_sided(b, c) + mcnemar_exact_one_sided(c, b) >= 1.0);
        }
    }

    #[test]
    fn one_more_win_of_the_leader_is_more_evidence(b in 0_u64..500, c in 0_u64..500) {
        let (b, c) = (b.max(c), b.min(c));
        prop_assert!(mcnemar_exact(b + 1, c) <= mcnemar_exact(b, c) + 1e-14);
        prop_assert!(mcnemar_exact_one_sided(b + 1, c) <= mcnemar_exact_one_sided(b, c));
    }

    #[test]
    fn planned_cases_have_the_planned_power(disagreement in 0.01_f64..0.5, share in 0.05_f64..1.0, power in 0.5_f64..0.99) {
        let difference = disagreement * share;
        let cases = mcnemar_cases(disagreement, difference, 0.05, power)?.count.cases;
        prop_assert!(mcnemar_power(disagreement, difference, cases, 0.05)? >= power - 1e-9);
        prop_assert!(cases < 2 || mcnemar_power(disagreement, difference, cases - 1, 0.05)? < power + 1e-9);
        if let Ok(least) = mcnemar_detectable_difference(disagreement, cases, 0.05, power) {
            prop_assert!(least <= difference + 1e-9);
        }
    }

    #[test]
    fn exact_test_holds_its_level(disagreement in 0.01_f64..=1.0, n in 1_u64..200, alpha in 0.001_f64..0.2) {
        let power = mcnemar_exact_power(disagreement, 0.0, n, alpha)?;
        prop_assert!(power.exact <= alpha + 1e-12);
        prop_assert!(power.exact <= power.mid_p);
    }

    #[test]
    fn a_planned_margin_is_met(p in 0.01_f64..0.99, margin in 0.005_f64..0.5, level in 0.5_f64..0.99) {
        let count = cases_for_margin(p, margin, level)?;
        prop_assert!(count.cases as f64 >= count.real * (1.0 - 1e-9));
        prop_assert!((count.cases as f64) < count.real + 1.0);
        let looser = cases_for_margin(p, margin * 1.5, level)?;
        prop_assert!(looser.cases <= count.cases);
    }

    #[test]
    fn adjusted_p_values_are_ordered_and_keep_the_order(p in probabilities()) {
        let (holm, all) = (holm(&p)?, bonferroni(&p)?);
        let (up, share) = (hochberg(&p)?, benjamini_hochberg(&p)?);
        for i in 0..p.len() {
            let raw = p[i].unwrap_or(1.0);
            prop_assert!(raw <= share[i] + 1e-15 && share[i] <= up[i] + 1e-15);
            prop_assert!(up[i] <= holm[i] + 1e-15 && holm[i] <= all[i] + 1e-15 && all[i] <= 1.0);
            for j in 0..p.len() {
                if raw <= p[j].unwrap_or(1.0) {
                    prop_assert!(holm[i] <= holm[j] && up[i] <= up[j] && share[i] <= share[j]);
                }
            }
        }
    }

    #[test]
    fn holm_rejects_what_its_adjusted_p_values_say(p in probabilities(), alpha in 0.001_f64..0.5) {
        let (adjusted, rejected) = (holm(&p)?, holm_rejections(&p, alpha)?);
        for (adjusted, rejected) in adjusted.into_iter().zip(rejected) {
            prop_assert_eq!(adjusted <= alpha * (1.0 + 1e-12), rejected);
        }
    }

    #[test]
    fn shuffling_the_tests_shuffles_the_answers(p in probabilities(), by in 0_usize..30) {
        let mut moved = p.clone();
        let by = by.min(p.len());
        moved.rotate_left(by);
        for method in [holm, hochberg, benjamini_hochberg, bonferroni] {
            let mut there = method(&p)?;
            there.rotate_left(by);
            prop_assert_eq!(there, method(&moved)?);
        }
    }

    #[test]
    fn any_doubles_are_answered_or_refused(a in any::<f64>(), b in any::<f64>(), c in any::<f64>(), d in any::<f64>(), n in any::<u64>()) {
        let answers = [
            cases_for_margin(a, b, c).map(|count| count.real),
            mcnemar_cases(a, b, c, d).map(|found| found.count.real),
            mcnemar_power(a, b, n, c),
            mcnemar_detectable_difference(a, n, b, c),
            mcnemar_exact_power(a, b, n % 50, c).map(|power| power.exact),
            paired_mean_cases(a, b, c, d).map(|count| count.real),
            cases_to_prove(a, b).map(|cases| cases.unwrap_or(0) as f64),
            cases_to_settle(a, b, c).map(|cases| cases.unwrap_or(0) as f64),
            wilson_with_z(n / 2, n, a).map(|interval| interval.width()),
            holm(&[Some(a), Some(b)]).map(|adjusted| adjusted[0]),
        ];
        for answer in answers.into_iter().flatten() {
            prop_assert!(answer.is_finite());
        }
    }

    #[test]
    fn doubles_of_the_unit_interval_are_answered_or_refused(a in unit(), b in unit(), c in unit(), d in unit(), n in 0_u64..100_000) {
        let answers = [
            cases_for_margin(a, b, c).map(|count| count.real),
            mcnemar_cases(a, b, c, d).map(|found| found.count.real),
            mcnemar_power(a, b, n, c),
            mcnemar_detectable_difference(a, n, b, c),
            mcnemar_exact_power(a, b, n % 50, c).map(|power| power.exact),
            cases_to_prove(a, b).map(|cases| cases.unwrap_or(0) as f64),
            cases_to_settle(a, b, c).map(|cases| cases.unwrap_or(0) as f64),
        ];
        for answer in answers.into_iter().flatten() {
            prop_assert!(answer.is_finite() && answer >= 0.0, "{answer}");
        }
    }
}

fn count() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..2000).prop_flat_map(|n| (0..=n, Just(n)))
}

/// Both ends, their neighbourhoods and everything between.
fn unit() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(1.0),
        Just(f64::MIN_POSITIVE),
        Just(1.0 - f64::EPSILON / 2.0),
        (-300_i32..0).prop_map(|exponent| 10_f64.powi(exponent)),
        0.0..=1.0,
    ]
}
