//! Repeated runs, option orders, and pairs that belong together.

use decbench_core::stats::consistency::{label_runs, mean_pass_k, pass_k, score_runs};
use decbench_core::stats::option_order::{
    OrderItem, OrderRun, averaged, averaged_answer, first_slot_gap, order_bias, probability_shift,
};
use decbench_core::stats::robustness::{PairAnswer, Relation, pair_family, paired_drop, yes_shift};
use decbench_core::stats::slot_prior::{debiased, item_prior, slot_prior};
use serde_json::Value;

use crate::case::{Case, index, number};
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "consistency",
        stats: &[
            Stat::new("label_runs", labels),
            Stat::new("score_runs", |case| {
                let found = score_runs(&case.number_rows("scores")).unwrap();
                Answer::new()
                    .with("mean_variance_ddof1", found.mean_variance)
                    .with("mean_variance_ddof0", found.mean_variance_population)
                    .with("max_variance_ddof1", found.max_variance)
            }),
            Stat::new("pass_k", |case| {
                let found = pass_k(case.count("passes"), case.count("runs"), case.count("k"));
                Answer::new()
                    .with("pass_hat_k", found.map(|found| found.all))
                    .with("pass_at_k", found.map(|found| found.any))
            }),
            Stat::new("pass_k_mean", |case| {
                let (passes, runs) = (case.counts("passes"), case.counts("runs"));
                let items: Vec<(u64, u64)> = passes.into_iter().zip(runs).collect();
                let found = mean_pass_k(&items, case.count("k")).unwrap();
                Answer::new()
                    .with("pass_hat_k", found.all)
                    .with("pass_at_k", found.any)
            }),
        ],
    },
    Topic {
        name: "option_order",
        stats: &[Stat::new("order_runs", orders), Stat::new("pride", prior)],
    },
    Topic {
        name: "robustness",
        stats: &[
            Stat::new("paired_drop", drop),
            Stat::new("pair_family", pairs),
        ],
    },
];

fn labels(case: &Case) -> Answer {
    // −1 is an answer that failed.
    let row = |row: &Value| -> Option<Vec<Option<usize>>> {
        let labels = row
            .as_array()?
            .iter()
            .map(|label| Some(usize::try_from(label.as_i64()?).ok()));
        labels.collect()
    };
    let found = label_runs(&case.each("labels", row)).unwrap();
    Answer::new()
        .with("flip_rate", found.flip_rate())
        .with("flips", found.flips)
        .with("flip_wilson", found.flip_interval(0.95))
        .with("mean_pairwise_agreement", found.pairwise_agreement)
        .with("mean_modal_share", found.modal_share)
        .with("fleiss_kappa", found.fleiss_kappa)
}

/// A list of lists of lists.
fn blocks<T>(case: &Case, key: &str, read: fn(&Value) -> Option<T>) -> Vec<Vec<Vec<T>>> {
    case.each(key, |block| {
        let rows = block.as_array()?.iter();
        rows.map(|row| row.as_array()?.iter().map(read).collect())
            .collect()
    })
}

fn orders(case: &Case) -> Answer {
    let (gold, labels) = (case.indices("gold"), case.index_rows("label"));
    let orders = blocks(case, "order", index);
    let rows = blocks(case, "probs", number);
    let items: Vec<OrderItem<'_>> = gold
        .iter()
        .zip(orders.iter().zip(&labels))
        .map(|(&gold, (orders, labels))| {
            let runs = orders.iter().zip(labels);
            let runs = runs.map(|(order, &label)| OrderRun {
                order,
                label: Some(label),
            });
            OrderItem {
                gold: Some(gold),
                runs: runs.collect(),
            }
        })
        .collect();
    let share = |holds: &dyn Fn(usize) -> bool| {
        (0..gold.len()).filter(|&item| holds(item)).count() as f64 / gold.len() as f64
    };
    let shifts: f64 = rows
        .iter()
        .map(|rows| probability_shift(rows).unwrap())
        .sum();
    let bias = order_bias(&items).unwrap();
    let gap = first_slot_gap(&items, None, 0.95).unwrap();
    Answer::new()
        .with("order_flip_rate", bias.flip_rate())
        .with("max_prob_shift", shifts / rows.len() as f64)
        .with("first_slot_rate", bias.first_slot_rate())
        .with("gold_first_share", gap.gold_first)
        .with("gap", gap.gap)
        .with("gap_se", gap.standard_error)
        .with("gap_t", gap.t)
        .with("gap_p_two_sided", gap.p)
        .with("gap_interval", gap.interval)
        .with(
            "accuracy_single_order",
            share(&|item| labels[item][0] == gold[item]),
        )
        .with(
            "accuracy_averaged",
            share(&|item| averaged_answer(&rows[item]) == Ok(gold[item])),
        )
        .with("first_item_averaged", averaged(&rows[0]))
}

fn prior(case: &Case) -> Answer {
    let orders = case.index_rows("orders");
    let items = blocks(case, "position_probs", number);
    let priors: Vec<Vec<f64>> = items
        .iter()
        .map(|rows| item_prior(&orders, rows).unwrap())
        .collect();
    let prior = slot_prior(&priors).unwrap();
    // The first order is the suite's own, so slots are options.
    Answer::new()
        .with("item0_prior", priors[0].clone())
        .with("debiased_item0", debiased(&items[0][0], &prior))
        .with(
            "debiased_last",
            debiased(&items[items.len() - 1][0], &prior),
        )
        .with("position_prior", prior)
}

fn drop(case: &Case) -> Answer {
    let (first, second) = (case.flags("first"), case.flags("second"));
    let found = paired_drop(&first, &second, case.number("level")).unwrap();
    let table = found.table;
    Answer::new()
        .with("accuracy_first", found.first)
        .with("accuracy_second", found.second)
        .with("drop", found.drop)
        .with("newcombe", found.interval)
        .with("mcnemar_exact", found.p)
        .with(
            "table",
            vec![
                table.both,
                table.first_only,
                table.second_only,
                table.neither,
            ],
        )
        .with("both_right", found.both_right())
        .with("same_outcome", found.same_outcome())
}

fn pairs(case: &Case) -> Answer {
    let relation = match case.text("relation") {
        "same" => Relation::Same,
        "opposite" => Relation::Opposite,
        other => panic!("unknown relation {other}"),
    };
    let labels = (case.indices("label_a"), case.indices("label_b"));
    let gold = (case.indices("gold_a"), case.indices("gold_b"));
    let answers: Vec<PairAnswer> = (0..labels.0.len())
        .map(|i| PairAnswer {
            labels: [Some(labels.0[i]), Some(labels.1[i])],
            gold: [Some(gold.0[i]), Some(gold.1[i])],
        })
        .collect();
    let level = case.number("level");
    let family = pair_family(&answers, relation).unwrap();
    let chances: Vec<(f64, f64)> = case
        .numbers("p_yes_a")
        .into_iter()
        .zip(case.numbers("p_yes_b"))
        .collect();
    let shift = yes_shift(&chances, relation, level).unwrap();
    Answer::new()
        .with("pair_consistency", family.consistency())
        .with("consistency_wilson", family.consistency_interval(level))
        .with("pair_accuracy", family.accuracy())
        .with("mean_shift", shift.mean)
        .with("mean_absolute_shift", shift.mean_absolute)
        .with("shift_t", shift.test.map(|test| test.0))
        .with("shift_p_two_sided", shift.test.map(|test| test.1))
        .with("shift_interval", shift.interval)
}
