//! Latency, cost, capability and the verdict.

use decbench_core::stats::capability::{
    CapabilityItem, Kind, TIER_WEIGHTS, Tier, chance_corrected, intelligence,
};
use decbench_core::stats::correlation::{Line, mid_ranks, spearman};
use decbench_core::stats::cost::{cost_per_success, cost_per_success_bootstrap};
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::latency::{
    Latencies, all_within, any_beyond, calls_for_upper_limit, per_call_quantile,
};
use decbench_core::stats::verdict::{Contender, Incumbent, Verdict, decide, floors};
use decbench_core::stats::{Seed, Undefined};
use proptest::prelude::*;

fn calls() -> impl Strategy<Value = Vec<f64>> {
    let call = prop_oneof![9 => 0.0_f64..1e4, 1 => Just(f64::INFINITY), 2 => (1_u32..5).prop_map(f64::from)];
    prop::collection::vec(call, 1..200)
}

fn contenders() -> impl Strategy<Value = Vec<Contender>> {
    let some = |values: std::ops::Range<f64>| prop::option::weighted(0.9, values);
    let p = prop_oneof![
        Just(None),
        Just(Some(0.0)),
        (0.0..0.05).prop_map(Some),
        (0.0..=1.0).prop_map(Some)
    ];
    let contender = (
        p,
        any::<bool>(),
        some(0.0..0.01),
        some(0.0..1.0),
        some(1.0..1000.0),
    );
    let contender =
        contender.prop_map(
            |(p, gates_passed, cost_per_success, quality, latency)| Contender {
                p,
                gates_passed,
                cost_per_success,
                quality,
                latency,
            },
        );
    prop::collection::vec(contender, 0..8)
}

const TODAY: Incumbent = Incumbent {
    cost_per_success: Some(0.005),
    latency: Some(400.0),
};

#[test]
fn quantile_limits_cover_at_their_level() -> Result<(), Undefined> {
    // With n calls the limits are order statistics, whose coverage is binomial.
    for (n, q) in [(60_u64, 0.5), (200, 0.95), (400, 0.99)] {
        let sorted = Latencies::new((1..=n).map(|rank| rank as f64).collect())?;
        let limits = sorted.quantile_limits(q, 0.95)?.interval();
        // The quantile lies between ranks r and s when r ≤ (calls below it) < s.
        let mut covered = 0.0;
        for below in 0..=n {
            let (low, high) = (limits.low <= below as f64, (below as f64) < limits.high);
            if low && high {
                covered += binomial_pmf(below, n, q)?;
            }
        }
        assert!(covered >= 0.95, "n = {n}, q = {q}: {covered}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn quantiles_rise_and_stay_between_the_ends(values in calls(), a in 0.0_f64..=1.0, b in 0.0_f64..=1.0) {
        let sorted = Latencies::new(values.clone())?;
        let (low, high) = (sorted.quantile(a.min(b))?, sorted.quantile(a.max(b))?);
        prop_assert!(sorted.min() <= low && low <= high && high <= sorted.max());
        let mut reversed = values;
        reversed.reverse();
        prop_assert_eq!(Latencies::new(reversed)?, sorted);
    }

    #[test]
    fn wider_levels_have_wider_limits(values in calls(), q in 0.01_f64..0.99, level in 0.5_f64..0.98) {
        let sorted = Latencies::new(values)?;
        let narrow = sorted.quantile_limits(q, level)?.interval();
        let wide = sorted.quantile_limits(q, level + 0.01)?.interval();
        prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high && narrow.low <= narrow.high);
    }

    #[test]
    fn one_more_timeout_never_makes_a_model_faster(values in calls(), q in 0.0_f64..=1.0) {
        let mut more = values.clone();
        more.push(f64::INFINITY);
        prop_assert!(Latencies::new(values)?.quantile(q)? <= Latencies::new(more)?.quantile(q)?);
    }

    #[test]
    fn an_upper_limit_takes_that_many_calls(q in 0.01_f64..0.999, level in 0.5_f64..0.999) {
        let n = calls_for_upper_limit(q, level)?;
        let has_limit = |n: u64| -> Result<bool, Undefined> {
            let sorted = Latencies::new(vec![1.0; n as usize])?;
            Ok(sorted.quantile_limits(q, level)?.high.is_some())
        };
        prop_assert!(has_limit(n)?);
        prop_assert!(n == 1 || !has_limit(n - 1)?);
    }

    #[test]
    fn fan_out_undoes_itself(q in 0.0_f64..=1.0, k in 1_u32..200) {
        let each = per_call_quantile(q, k)?;
        prop_assert!((all_within(each, k)? - q).abs() < 1e-12);
        prop_assert!((all_within(q, k)? + any_beyond(q, k)? - 1.0).abs() < 1e-12);
        prop_assert!(each >= q - 1e-15);
    }

    #[test]
    fn cost_scales_and_ignores_order(items in prop::collection::vec((0.0_f64..0.1, any::<bool>()), 1..60), exponent in -40_i32..40, by in 0_usize..60) {
        let (cost, passed): (Vec<f64>, Vec<bool>) = items.into_iter().unzip();
        let found = cost_per_success(&cost, &passed, 0.95)?;
        let factor = 2_f64.powi(exponent);
        let scaled: Vec<f64> = cost.iter().map(|cost| cost * factor).collect();
        let other = cost_per_success(&scaled, &passed, 0.95)?;
        prop_assert_eq!(found.cost_per_success.map(|cost| cost * factor), other.cost_per_success);
        let by = by % cost.len();
        let (mut turned, mut outcomes) = (cost.clone(), passed.clone());
        turned.rotate_left(by);
        outcomes.rotate_left(by);
        let other = cost_per_success(&turned, &outcomes, 0.95)?;
        prop_assert_eq!(found.passes, other.passes);
        if let (Some(one), Some(other)) = (found.standard_error, other.standard_error) {
            prop_assert!((one - other).abs() <= 1e-9 * one);
        }
        match cost_per_success_bootstrap(&cost, &passed, 50, Seed(3), 0.9) {
            Ok(bootstrap) => prop_assert!(bootstrap.percentile.low <= bootstrap.percentile.high),
            Err(why) => prop_assert_eq!((why, found.passes), (Undefined::NoSuccess, 0)),
        }
    }

    #[test]
    fn ranks_only_know_order(x in prop::collection::vec(-50_i32..50, 2..40), y in prop::collection::vec(-50_i32..50, 2..40)) {
        let n = x.len().min(y.len());
        let x: Vec<f64> = x[..n].iter().map(|&x| f64::from(x)).collect();
        let y: Vec<f64> = y[..n].iter().map(|&y| f64::from(y)).collect();
        let stretched: Vec<f64> = x.iter().map(|x| x * x * x + 7.0).collect();
        let (one, other) = (spearman(&x, &y), spearman(&stretched, &y));
        prop_assert_eq!(one, other);
        if let (Ok(rho), Ok(mirrored)) = (one, spearman(&y, &x)) {
            prop_assert!((-1.0..=1.0).contains(&rho) && (rho - mirrored).abs() < 1e-12);
        }
        let total: f64 = mid_ranks(&x)?.iter().sum();
        prop_assert!((total - (n * (n + 1)) as f64 / 2.0).abs() < 1e-9);
        if let Ok(line) = Line::fit(&x, &y) {
            // No line is closer in squares than the fitted one.
            let fitted = line.errors(&x, &y)?.root_mean_square;
            for (slope, shift) in [(0.1, 0.0), (-0.1, 0.0), (0.0, 0.5), (0.0, -0.5)] {
                let moved = Line { slope: line.slope + slope, intercept: line.intercept + shift };
                prop_assert!(fitted <= moved.errors(&x, &y)?.root_mean_square + 1e-9);
            }
        }
    }

    #[test]
    fn capability_is_a_share_and_grows_with_right_answers(items in prop::collection::vec((0_usize..3, 0_usize..4, 2_u32..9, any::<bool>()), 1..80), which in 0_usize..80) {
        let mut items: Vec<CapabilityItem> = items
            .into_iter()
            .map(|(kind, tier, options, correct)| CapabilityItem { kind: Kind::ALL[kind], tier: Tier::ALL[tier], options, correct })
            .collect();
        let before = intelligence(&items, TIER_WEIGHTS)?;
        prop_assert!((0.0..=1.0).contains(&before.value));
        let index = which % items.len();
        items[index].correct = true;
        prop_assert!(intelligence(&items, TIER_WEIGHTS)?.value >= before.value - 1e-12);
    }

    #[test]
    fn chance_scores_nothing_and_certainty_everything(chance in 0.0_f64..0.999, accuracy in 0.0_f64..=1.0) {
        prop_assert_eq!(chance_corrected(chance, chance), Ok(0.0));
        prop_assert_eq!(chance_corrected(1.0, chance), Ok(1.0));
        prop_assert!((0.0..=1.0).contains(&chance_corrected(accuracy, chance)?));
    }

    #[test]
    fn floors_say_what_is_missing(cases in 0_u64..500, gold in 0_u64..500) {
        prop_assume!(gold <= cases);
        let found = floors(cases, gold)?;
        prop_assert_eq!(found.met, found.more_cases == 0 && found.more_approvals == 0);
        prop_assert!(floors(cases + found.more_cases, gold + found.more_cases + found.more_approvals)?.met);
        prop_assert!(gold + found.more_approvals <= cases);
    }

    #[test]
    fn a_verdict_names_only_who_may_be_named(list in contenders(), cases in 0_u64..60, share in 0.0_f64..=1.0) {
        let gold = (cases as f64 * share) as u64;
        let found = decide(&list, &TODAY, cases, gold, 0.025)?;
        match found.verdict {
            Verdict::Switch(index) => {
                prop_assert!(found.floors.met && found.beats[index] && list[index].gates_passed);
                let cost = list[index].cost_per_success.unwrap_or(f64::INFINITY);
                for (other, beats) in list.iter().zip(&found.beats) {
                    prop_assert!(!beats || cost <= other.cost_per_success.unwrap_or(f64::INFINITY));
                }
            }
            Verdict::Keep => prop_assert!(found.floors.met && !found.beats.contains(&true)),
            Verdict::Shortlist(named) => {
                prop_assert!(!found.floors.met);
                prop_assert!(named.iter().all(|&index| list[index].gates_passed));
                if !found.beats.contains(&true) {
                    prop_assert!(named.len() <= 3);
                }
            }
        }
    }

    #[test]
    fn another_candidate_never_helps_the_others(list in contenders(), more in contenders()) {
        let alone = decide(&list, &TODAY, 50, 50, 0.025)?;
        let mut all = list.clone();
        all.extend(more);
        let together = decide(&all, &TODAY, 50, 50, 0.025)?;
        for (alone, together) in alone.beats.iter().zip(&together.beats) {
            prop_assert!(*alone || !together);
        }
    }

    #[test]
    fn any_doubles_are_answered_or_refused(a in any::<f64>(), b in any::<f64>(), c in any::<f64>()) {
        if let Ok(sorted) = Latencies::new(vec![a, b, c]) {
            prop_assert!(!sorted.mean().is_nan());
            prop_assert!(sorted.quantile(0.37).is_ok_and(|value| !value.is_nan()));
        }
        let answers = [
            spearman(&[a, b, c], &[c, a, b]),
            Line::fit(&[a, b, c], &[c, a, b]).and_then(|line| line.errors(&[a], &[b])).map(|errors| errors.largest),
            chance_corrected(a, b),
            all_within(a, 3),
            per_call_quantile(a, 3),
            cost_per_success(&[a, b], &[true, false], c).map(|found| found.total_cost),
            calls_for_upper_limit(a, b).map(|n| n as f64),
        ];
        for answer in answers.into_iter().flatten() {
            prop_assert!(answer.is_finite());
        }
    }
}
