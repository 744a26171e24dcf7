//! Labels against gold, and raters against each other.

use decbench_core::stats::agreement::{
    cohen_kappa, cohen_kappa_linear, cohen_kappa_quadratic, kappa_from_shares, percent_agreement,
};
use decbench_core::stats::classification::{ClassSet, ConfusionMatrix};
use decbench_core::stats::many_raters::{
    fleiss_kappa, gwet_ac1, krippendorff_interval, krippendorff_nominal, krippendorff_ordinal,
    mean_pairwise_agreement,
};

use crate::case::{Case, index};
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "classification",
        stats: &[Stat::new("classification", classification)],
    },
    Topic {
        name: "agreement",
        stats: &[
            Stat::new("two_raters", two_raters),
            Stat::new("kappa_from_shares", |case| {
                let kappa = kappa_from_shares(case.number("p_o"), case.number("p_e"));
                Answer::new().with("kappa", kappa)
            }),
            Stat::new("many_raters", many_raters),
        ],
    },
];

fn classification(case: &Case) -> Answer {
    let gold = case.indices("gold");
    let predicted = case.each("predicted", |value| match value.as_i64()? {
        -1 => Some(None),
        _ => index(value).map(Some),
    });
    let classes = index(case.get("n_classes")).unwrap();
    let matrix = ConfusionMatrix::count(&gold, &predicted, classes).unwrap();
    let all = 0..classes;
    let rows = all.clone().map(|gold| {
        all.clone()
            .map(|class| matrix.at(gold, class))
            .collect::<Vec<u64>>()
    });
    let each = |of: &dyn Fn(usize) -> Got| Got::List(all.clone().map(of).collect());
    Answer::new()
        .with("n", matrix.items())
        .with("invalid", matrix.invalid())
        .with("accuracy", matrix.accuracy())
        .with("confusion", rows.collect::<Vec<_>>())
        .with(
            "invalid_by_gold",
            each(&|class| matrix.invalid_of(class).into()),
        )
        .with("precision", each(&|class| matrix.precision(class).into()))
        .with("recall", each(&|class| matrix.recall(class).into()))
        .with("f1", each(&|class| matrix.f1(class).into()))
        .with("support", each(&|class| matrix.support(class).into()))
        .with("macro_f1_declared", matrix.macro_f1(ClassSet::Declared))
        .with("macro_f1_seen", matrix.macro_f1(ClassSet::Seen))
        .with("macro_f1_gold", matrix.macro_f1(ClassSet::Gold))
        .with("micro_f1", matrix.micro_f1())
        .with("weighted_f1", matrix.weighted_f1())
        .with(
            "macro_precision_declared",
            matrix.macro_precision(ClassSet::Declared),
        )
        .with(
            "macro_recall_declared",
            matrix.macro_recall(ClassSet::Declared),
        )
        .with("balanced_accuracy", matrix.balanced_accuracy())
        .with("mcc", matrix.mcc())
        .with("cohen_kappa", kappa_of(&gold, &predicted, classes))
}

/// Gold against predictions as two raters, an invalid prediction being a label of its own.
fn kappa_of(gold: &[usize], predicted: &[Option<usize>], classes: usize) -> Got {
    let labels: Vec<usize> = predicted
        .iter()
        .map(|class| class.unwrap_or(classes))
        .collect();
    cohen_kappa(gold, &labels, classes + 1, 0.95)
        .map(|found| found.kappa)
        .into()
}

fn two_raters(case: &Case) -> Answer {
    let (a, b) = (case.indices("a"), case.indices("b"));
    let classes = index(case.get("n_classes")).unwrap();
    let kappa = cohen_kappa(&a, &b, classes, case.number("level"));
    let rows: Vec<[Option<usize>; 2]> = a
        .iter()
        .zip(&b)
        .map(|(&a, &b)| [Some(a), Some(b)])
        .collect();
    Answer::new()
        .with("percent_agreement", percent_agreement(&a, &b))
        .with("kappa", kappa.map(|found| found.kappa))
        .with("kappa_se", kappa.map(|found| found.standard_error))
        .with("kappa_interval", kappa.map(|found| found.interval))
        .with("kappa_linear", cohen_kappa_linear(&a, &b, classes))
        .with("kappa_quadratic", cohen_kappa_quadratic(&a, &b, classes))
        .with("gwet_ac1", gwet_ac1(&rows, classes))
        .with("krippendorff_nominal", krippendorff_nominal(&rows, classes))
}

fn many_raters(case: &Case) -> Answer {
    let classes = index(case.get("n_classes")).unwrap();
    let rows: Vec<Vec<Option<usize>>> = case.each("ratings", |row| {
        let labels = row.as_array()?.iter();
        labels
            .map(|label| {
                if label.is_null() {
                    Some(None)
                } else {
                    index(label).map(Some)
                }
            })
            .collect()
    });
    Answer::new()
        .with("krippendorff_nominal", krippendorff_nominal(&rows, classes))
        .with("krippendorff_ordinal", krippendorff_ordinal(&rows, classes))
        .with(
            "krippendorff_interval",
            krippendorff_interval(&rows, classes),
        )
        .with("gwet_ac1", gwet_ac1(&rows, classes))
        .with("fleiss_kappa", fleiss_kappa(&rows, classes))
        .with(
            "mean_pairwise_agreement",
            mean_pairwise_agreement(&rows, classes),
        )
}
