//! Repeated runs, option orders, pairs, and what is read out of stated probabilities.

use decbench_core::stats::consistency::{label_runs, mean_pass_k, pass_k, score_runs};
use decbench_core::stats::intake::{Unusable, auto_sum_tolerance, distribution};
use decbench_core::stats::option_order::{
    OrderItem, OrderRun, averaged, first_slot_gap, order_bias, probability_shift,
};
use decbench_core::stats::robustness::{PairAnswer, Relation, pair_family, paired_drop, yes_shift};
use decbench_core::stats::slot_prior::{debiased, item_prior, slot_prior};
use decbench_core::stats::vendor_confidence::{
    choice_confidence, entropy_confidence, score_confidence, top_probability, yes_no,
};
use proptest::num::f64::ANY;
use proptest::prelude::*;

fn labels() -> impl Strategy<Value = Vec<Vec<Option<usize>>>> {
    let label = prop::option::weighted(0.9, 0_usize..4);
    (1_usize..6).prop_flat_map(move |runs| {
        prop::collection::vec(prop::collection::vec(label.clone(), runs), 1..40)
    })
}

fn distribution_of_three() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(1_u32..=100)
        .prop_map(|parts| parts.map(|part| f64::from(part) / f64::from(parts.iter().sum::<u32>())))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn flips_keep_their_bounds(items in labels()) {
        let found = label_runs(&items)?;
        prop_assert!(found.flips <= found.items);
        prop_assert!((0.0..=1.0).contains(&found.modal_share));
        prop_assert!(found.modal_share >= 1.0 - found.flip_rate() - 1e-12);
        if let Some(agreement) = found.pairwise_agreement {
            prop_assert!(agreement >= 1.0 - found.flip_rate() - 1e-12 && agreement <= 1.0);
        }
        prop_assert!(found.flip_interval(0.95)?.contains(found.flip_rate()));
        prop_assert!(found.fleiss_kappa.is_none_or(|kappa| kappa <= 1.0 + 1e-12));
    }

    #[test]
    fn labels_and_runs_may_be_renamed(items in labels()) {
        let renamed: Vec<Vec<Option<usize>>> = items
            .iter()
            .rev()
            .map(|row| row.iter().rev().map(|label| label.map(|label| 1_000 - 7 * label)).collect())
            .collect();
        let (plain, other) = (label_runs(&items)?, label_runs(&renamed)?);
        prop_assert_eq!((plain.flips, plain.runs), (other.flips, other.runs));
        prop_assert!((plain.modal_share - other.modal_share).abs() < 1e-12);
        prop_assert_eq!(plain.fleiss_kappa.is_some(), other.fleiss_kappa.is_some());
        if let Some((a, b)) = plain.fleiss_kappa.zip(other.fleiss_kappa) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn another_run_never_undoes_a_flip(items in labels(), label in 0_usize..4) {
        let longer: Vec<Vec<Option<usize>>> =
            items.iter().map(|row| row.iter().copied().chain([Some(label)]).collect()).collect();
        prop_assert!(label_runs(&items)?.flips <= label_runs(&longer)?.flips);
    }

    #[test]
    fn passing_all_is_harder_than_passing_any(passes in 0_u64..40, failures in 0_u64..40, k in 1_u64..40) {
        let runs = passes + failures;
        prop_assume!(k < runs);
        let (now, more) = (pass_k(passes, runs, k)?, pass_k(passes, runs, k + 1)?);
        prop_assert!(now.all <= now.any + 1e-12);
        prop_assert!(more.all <= now.all + 1e-12 && now.any <= more.any + 1e-12);
        let one = pass_k(passes, runs, 1)?;
        prop_assert!((one.all - one.any).abs() < 1e-12);
        prop_assert!((pass_k(failures, runs, k)?.all - (1.0 - now.any)).abs() < 1e-12);
        let twice = mean_pass_k(&[(passes, runs); 2], k)?;
        prop_assert!((twice.all - now.all).abs() < 1e-12);
    }

    #[test]
    fn a_shift_of_scores_changes_no_variance(
        rows in prop::collection::vec(prop::collection::vec(-10.0_f64..10.0, 3), 1..20), shift in -50.0_f64..50.0,
    ) {
        let moved: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|x| x + shift).collect()).collect();
        let (plain, other) = (score_runs(&rows)?, score_runs(&moved)?);
        prop_assert!((plain.mean_variance - other.mean_variance).abs() < 1e-9);
        prop_assert!(plain.mean_variance_population <= plain.mean_variance);
        prop_assert!(plain.mean_variance <= plain.max_variance + 1e-12);
    }

    #[test]
    fn order_counts_stay_within_the_answers(
        answers in prop::collection::vec(prop::collection::vec(prop::option::of(0_usize..3), 3), 2..40),
    ) {
        const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
        let items: Vec<OrderItem<'_>> = answers
            .iter()
            .enumerate()
            .map(|(item, labels)| OrderItem {
                gold: (item % 5 != 0).then_some(item % 3),
                runs: ORDERS.iter().zip(labels).map(|(order, &label)| OrderRun { order, label }).collect(),
            })
            .collect();
        let found = order_bias(&items)?;
        prop_assert!(found.flips <= found.items && found.first <= found.answers);
        if let Ok(gap) = first_slot_gap(&items, None, 0.95) {
            prop_assert!((gap.answered_first - gap.gold_first - gap.gap).abs() < 1e-12);
            prop_assert!(gap.interval.contains(gap.gap) && (0.0..=1.0).contains(&gap.p));
            let mut back = items.clone();
            back.reverse();
            let other = first_slot_gap(&back, None, 0.95)?;
            prop_assert!((gap.t - other.t).abs() < 1e-9 * (1.0 + gap.t.abs()));
        }
    }

    #[test]
    fn averaging_stays_between_the_orders(rows in prop::collection::vec(distribution_of_three(), 1..6)) {
        let mean = averaged(&rows)?;
        prop_assert!((mean.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let shift = probability_shift(&rows)?;
        prop_assert!((0.0..=1.0).contains(&shift));
        for row in &rows {
            prop_assert!(row.iter().zip(&mean).all(|(p, mean)| (p - mean).abs() <= shift + 1e-12));
        }
        prop_assert_eq!(probability_shift(&[rows[0], rows[0]])?, 0.0);
    }

    #[test]
    fn a_slot_prior_is_a_distribution_and_undoes_itself(
        rows in prop::collection::vec(distribution_of_three(), 3), honest in distribution_of_three(),
    ) {
        let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
        let prior = slot_prior(&[item_prior(&orders, &rows)?])?;
        prop_assert!((prior.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let pulled: Vec<f64> = honest.iter().zip(&prior).map(|(p, prior)| p * prior).collect();
        let undone = debiased(&pulled, &prior)?;
        prop_assert!(undone.iter().zip(&honest).all(|(a, b)| (a - b).abs() < 1e-9));
    }

    #[test]
    fn exchanging_the_forms_turns_the_drop(pairs in prop::collection::vec(any::<(bool, bool)>(), 1..120)) {
        let (first, second): (Vec<bool>, Vec<bool>) = pairs.into_iter().unzip();
        let (plain, turned) = (paired_drop(&first, &second, 0.95)?, paired_drop(&second, &first, 0.95)?);
        prop_assert!((plain.drop + turned.drop).abs() < 1e-12 && plain.p == turned.p);
        prop_assert!((plain.interval.low + turned.interval.high).abs() < 1e-9);
        prop_assert!(plain.interval.low <= plain.drop + 1e-12 && plain.drop <= plain.interval.high + 1e-12);
        prop_assert!(plain.both_right() <= plain.first.min(plain.second) + 1e-12);
    }

    #[test]
    fn sides_of_a_pair_may_be_exchanged(pairs in prop::collection::vec((prop::option::of(0_usize..2), prop::option::of(0_usize..2)), 1..60)) {
        for relation in [Relation::Same, Relation::Opposite] {
            let answers = |turn: bool| -> Vec<PairAnswer> {
                let sides = pairs.iter().map(|&(a, b)| if turn { [b, a] } else { [a, b] });
                sides.map(|labels| PairAnswer { labels, gold: [Some(0), Some(0)] }).collect()
            };
            let (plain, turned) = (pair_family(&answers(false), relation)?, pair_family(&answers(true), relation)?);
            prop_assert_eq!(plain, turned);
            prop_assert!(plain.both_right <= plain.judged && plain.consistent <= plain.pairs);
        }
    }

    #[test]
    fn sums_near_one_are_scaled_and_others_refused(row in distribution_of_three(), off in -0.05_f64..0.05) {
        let stated: Vec<Option<f64>> = row.iter().map(|p| Some((p * (1.0 + off)).min(1.0))).collect();
        let sum: f64 = stated.iter().flatten().sum();
        match distribution(&stated, 0.02) {
            Ok(found) => {
                prop_assert!((found.probabilities.iter().sum::<f64>() - 1.0).abs() < 2e-6);
                prop_assert!((sum - 1.0).abs() <= 0.02 + 1e-9);
                prop_assert_eq!(found.renormalised, (sum - 1.0).abs() > 1.5e-6);
                prop_assert!(found.probabilities.iter().all(|&p| p <= found.top()));
            }
            Err(Unusable::Sum { sum }) => prop_assert!((sum - 1.0).abs() > 0.02),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn confidence_rises_from_even_to_certain(row in distribution_of_three(), share in 0.0_f64..1.0) {
        let mixed: Vec<f64> = row.iter().map(|p| share * p + (1.0 - share) / 3.0).collect();
        for confidence in [choice_confidence, entropy_confidence] {
            prop_assert!(confidence(&mixed)? <= confidence(&row)? + 1e-9);
        }
        for confidence in [choice_confidence, entropy_confidence, score_confidence] {
            prop_assert!((0.0..=1.0).contains(&confidence(&row)?));
        }
        let two = yes_no(row[0])?;
        prop_assert!((two.distance - choice_confidence(&[row[0], 1.0 - row[0]])?).abs() < 1e-9);
    }

    #[test]
    fn any_doubles_are_answered_or_refused(
        row in prop::collection::vec(ANY, 0..5), other in prop::collection::vec(ANY, 0..5), x in ANY, y in ANY,
    ) {
        let number = |value: f64| !value.is_nan();
        for confidence in [choice_confidence, entropy_confidence, score_confidence, top_probability] {
            prop_assert!(confidence(&row).is_ok_and(|value| (0.0..=1.0).contains(&value)) || confidence(&row).is_err());
        }
        prop_assert_eq!(yes_no(x).is_ok(), (0.0..=1.0).contains(&x));
        let stated: Vec<Option<f64>> = row.iter().copied().map(Some).collect();
        if let Ok(found) = distribution(&stated, y) {
            prop_assert!(found.probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
        }
        prop_assert!(number(auto_sum_tolerance(row.len())));
        if let Ok(found) = score_runs(&[&row, &other]) {
            prop_assert!(found.mean_variance.is_finite());
        }
        if let Ok(shift) = probability_shift(&[&row, &other]) {
            prop_assert!(number(shift));
        }
        if let Ok(mean) = averaged(&[&row, &other]) {
            prop_assert!(mean.into_iter().all(f64::is_finite));
        }
        if let Ok(undone) = debiased(&row, &other) {
            prop_assert!(undone.into_iter().all(f64::is_finite));
        }
        if let Ok(prior) = item_prior(&[[0, 1], [1, 0]], &[&row, &other]) {
            prop_assert!(prior.into_iter().all(f64::is_finite));
        }
        if let Ok(found) = yes_shift(&[(x, y), (y, x)], Relation::Opposite, x) {
            prop_assert!(found.mean.is_finite() && found.test.is_none_or(|(t, p)| t.is_finite() && number(p)));
        }
        if let Ok(found) = paired_drop(&[true, false], &[true, true], x) {
            prop_assert!(found.interval.low <= found.interval.high);
        }
    }
}
