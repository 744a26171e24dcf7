//! Labels against gold, and raters against each other.

use decbench_core::stats::Undefined;
use decbench_core::stats::agreement::{
    cohen_kappa, cohen_kappa_linear, cohen_kappa_quadratic, percent_agreement,
};
use decbench_core::stats::classification::{ClassSet, ConfusionMatrix};
use decbench_core::stats::many_raters::{
    fleiss_kappa, gwet_ac1, krippendorff_interval, krippendorff_nominal, krippendorff_ordinal,
    mean_pairwise_agreement,
};
use proptest::prelude::*;

const CLASSES: usize = 5;

/// Gold and predicted labels, some predictions invalid.
fn labels() -> impl Strategy<Value = (Vec<usize>, Vec<Option<usize>>)> {
    let item = (0..CLASSES, prop::option::weighted(0.9, 0..CLASSES));
    prop::collection::vec(item, 1..80).prop_map(|items| items.into_iter().unzip())
}

fn pairs() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    prop::collection::vec((0..CLASSES, 0..CLASSES), 1..80)
        .prop_map(|items| items.into_iter().unzip())
}

fn ratings() -> impl Strategy<Value = Vec<Vec<Option<usize>>>> {
    let row = prop::collection::vec(prop::option::weighted(0.8, 0..CLASSES), 0..6);
    prop::collection::vec(row, 0..30)
}

type Rows = [Vec<Option<usize>>];
type Coefficient = fn(&Rows, usize) -> Result<f64, Undefined>;

/// Coefficients that do not use the order of labels.
const NOMINAL: [Coefficient; 4] = [
    |rows, classes| fleiss_kappa(rows, classes),
    |rows, classes| gwet_ac1(rows, classes),
    |rows, classes| krippendorff_nominal(rows, classes),
    |rows, classes| mean_pairwise_agreement(rows, classes),
];

const ORDERED: [Coefficient; 2] = [
    |rows, classes| krippendorff_ordinal(rows, classes),
    |rows, classes| krippendorff_interval(rows, classes),
];

fn close(one: Result<f64, Undefined>, other: Result<f64, Undefined>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => (one - other).abs() < 1e-10,
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn scores_are_shares_and_f1_lies_between_precision_and_recall((gold, predicted) in labels()) {
        let matrix = ConfusionMatrix::count(&gold, &predicted, CLASSES)?;
        for class in 0..CLASSES {
            if let (Ok(p), Ok(r)) = (matrix.precision(class), matrix.recall(class)) {
                let f1 = matrix.f1(class)?;
                prop_assert!(p.min(r) <= f1 + 1e-12 && f1 <= p.max(r) + 1e-12);
            }
        }
        for set in [ClassSet::Declared, ClassSet::Seen, ClassSet::Gold] {
            for score in [matrix.macro_f1(set)?, matrix.macro_recall(set)?, matrix.macro_precision(set)?] {
                prop_assert!((0.0..=1.0).contains(&score));
            }
        }
        prop_assert!((-1.0..=1.0).contains(&matrix.mcc()?));
        prop_assert!(matrix.micro_f1()? >= matrix.accuracy()?);
        // More classes without a right item can only lower the mean.
        prop_assert!(matrix.macro_f1(ClassSet::Declared)? <= matrix.macro_f1(ClassSet::Seen)? + 1e-12);
        prop_assert!(matrix.macro_f1(ClassSet::Seen)? <= matrix.macro_f1(ClassSet::Gold)? + 1e-12);
    }

    #[test]
    fn counts_add_up((gold, predicted) in labels()) {
        let matrix = ConfusionMatrix::count(&gold, &predicted, CLASSES)?;
        let supports: u64 = (0..CLASSES).map(|class| matrix.support(class)).sum();
        let predictions: u64 = (0..CLASSES).map(|class| matrix.predictions(class)).sum();
        let cells: u64 = (0..CLASSES * CLASSES).map(|i| matrix.at(i / CLASSES, i % CLASSES)).sum();
        prop_assert_eq!(supports, gold.len() as u64);
        prop_assert_eq!(predictions + matrix.invalid(), gold.len() as u64);
        prop_assert_eq!(cells, predictions);
    }

    #[test]
    fn names_and_order_of_labels_do_not_matter((gold, predicted) in labels(), by in 1..CLASSES, turn in 0_usize..80) {
        let rename = |label: usize| (label + by) % CLASSES;
        let mut renamed: Vec<usize> = gold.iter().map(|&label| rename(label)).collect();
        let mut answers: Vec<Option<usize>> = predicted.iter().map(|label| label.map(rename)).collect();
        let turn = turn % gold.len();
        renamed.rotate_left(turn);
        answers.rotate_left(turn);
        let one = ConfusionMatrix::count(&gold, &predicted, CLASSES)?;
        let other = ConfusionMatrix::count(&renamed, &answers, CLASSES)?;
        for set in [ClassSet::Declared, ClassSet::Seen, ClassSet::Gold] {
            prop_assert!(close(one.macro_f1(set), other.macro_f1(set)));
        }
        prop_assert!(close(one.mcc(), other.mcc()));
        prop_assert!(close(one.weighted_f1(), other.weighted_f1()));
        for class in 0..CLASSES {
            prop_assert_eq!(one.recall(class), other.recall(rename(class)));
        }
    }

    #[test]
    fn perfect_predictions_score_one(gold in prop::collection::vec(0..CLASSES, 1..50)) {
        let predicted: Vec<Option<usize>> = gold.iter().copied().map(Some).collect();
        let matrix = ConfusionMatrix::count(&gold, &predicted, CLASSES)?;
        prop_assert_eq!(matrix.macro_f1(ClassSet::Gold), Ok(1.0));
        prop_assert_eq!(matrix.balanced_accuracy(), Ok(1.0));
        let constant = gold.iter().all(|&label| label == gold[0]);
        let mcc = matrix.mcc()?;
        let expected = f64::from(u8::from(!constant));
        prop_assert!((mcc - expected).abs() < 1e-12);
    }

    #[test]
    fn kappa_is_symmetric_and_at_most_one((a, b) in pairs()) {
        for weighted in [cohen_kappa_linear, cohen_kappa_quadratic] {
            prop_assert!(close(weighted(&a, &b, CLASSES), weighted(&b, &a, CLASSES)));
        }
        match (cohen_kappa(&a, &b, CLASSES, 0.95), cohen_kappa(&b, &a, CLASSES, 0.95)) {
            (Ok(one), Ok(other)) => {
                prop_assert!((one.kappa - other.kappa).abs() < 1e-12 && one.kappa <= 1.0);
                prop_assert!((one.standard_error - other.standard_error).abs() < 1e-9);
                prop_assert!(one.interval.contains(one.kappa));
                prop_assert!(one.kappa <= one.agreement);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        let reversed = |labels: &[usize]| -> Vec<usize> { labels.iter().map(|l| CLASSES - 1 - l).collect() };
        let mirrored = cohen_kappa_linear(&reversed(&a), &reversed(&b), CLASSES);
        prop_assert!(close(cohen_kappa_linear(&a, &b, CLASSES), mirrored));
        prop_assert!((0.0..=1.0).contains(&percent_agreement(&a, &b)?));
    }

    #[test]
    fn coefficients_ignore_names_of_labels_and_order_of_raters(rows in ratings(), by in 1..CLASSES) {
        let changed: Vec<Vec<Option<usize>>> = rows
            .iter()
            .rev()
            .map(|row| row.iter().rev().map(|label| label.map(|label| (label + by) % CLASSES)).collect())
            .collect();
        for coefficient in NOMINAL {
            prop_assert!(close(coefficient(&rows, CLASSES), coefficient(&changed, CLASSES)));
        }
        let mirrored: Vec<Vec<Option<usize>>> = rows
            .iter()
            .map(|row| row.iter().rev().map(|label| label.map(|label| CLASSES - 1 - label)).collect())
            .collect();
        for coefficient in ORDERED {
            prop_assert!(close(coefficient(&rows, CLASSES), coefficient(&mirrored, CLASSES)));
        }
    }

    #[test]
    fn coefficients_are_finite_and_at_most_one(rows in ratings()) {
        for coefficient in NOMINAL.into_iter().chain(ORDERED) {
            if let Ok(value) = coefficient(&rows, CLASSES) {
                prop_assert!(value.is_finite() && value <= 1.0 + 1e-12, "{value}");
            }
        }
    }

    #[test]
    fn an_unrated_item_changes_nothing(rows in ratings()) {
        let mut more = rows.clone();
        more.push(vec![None; 3]);
        for coefficient in [NOMINAL[1], NOMINAL[2], NOMINAL[3], ORDERED[0], ORDERED[1]] {
            prop_assert_eq!(coefficient(&rows, CLASSES), coefficient(&more, CLASSES));
        }
    }
}
