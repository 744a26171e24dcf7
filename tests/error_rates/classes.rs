//! Averages over classes.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::Effort;
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Averages over classes

Macro F1, balanced accuracy and kappa.";

/// A law of gold and answers: the share of each class and how often it is recalled; errors spread evenly.
struct Classes {
    name: &'static str,
    shares: &'static [f64],
    recall: &'static [f64],
}

const EVEN: Classes = Classes {
    name: "three even classes",
    shares: &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0],
    recall: &[0.9, 0.9, 0.9],
};

const RARE: Classes = Classes {
    name: "classes of 60, 30, 7 and 3%",
    shares: &[0.6, 0.3, 0.07, 0.03],
    recall: &[0.95, 0.9, 0.8, 0.7],
};

impl Classes {
    /// The chance of each pair of gold and answer.
    fn table(&self) -> Vec<Vec<f64>> {
        let classes = self.shares.len();
        let cell = |gold: usize, answer: usize| {
            let recall = self.recall[gold];
            let hit = if gold == answer {
                recall
            } else {
                (1.0 - recall) / (classes - 1) as f64
            };
            self.shares[gold] * hit
        };
        (0..classes)
            .map(|gold| (0..classes).map(|answer| cell(gold, answer)).collect())
            .collect()
    }
}

fn cells_of(classes: &Classes, units: &Units, n: usize, draws: u32) -> Vec<Cell> {
    let table = classes.table();
    let count = table.len();
    let mut replies = Vec::new();
    for gold in 0..count {
        let to = |answer| Reply {
            gold,
            said: vec![Said::label(answer)],
        };
        replies.extend((0..count).map(to));
    }
    let answered: Vec<f64> = (0..count)
        .map(|answer| table.iter().map(|row| row[answer]).sum())
        .collect();
    let f1 = |class: usize| 2.0 * table[class][class] / (classes.shares[class] + answered[class]);
    let macro_f1 = (0..count).map(f1).sum::<f64>() / count as f64;
    let balanced = classes.recall.iter().sum::<f64>() / count as f64;
    let observed: f64 = (0..count).map(|class| table[class][class]).sum();
    let chance: f64 = (0..count)
        .map(|class| classes.shares[class] * answered[class])
        .sum();
    let kappa = (observed - chance) / (1.0 - chance);
    let options = &["a", "b", "c", "d"][..count];
    let mut bench = Bench::new(QuestionKind::Choice, options, &units.number(n), &replies);
    let mut scene = Scene {
        bench: &mut bench,
        law: Law::of(table.concat()),
        alike: units.alike,
        data: format!("{}, {}", classes.name, units.name),
        selection: Selection::default(),
    };
    let claims = [
        Claim::at("macro_f1", ">=", macro_f1),
        Claim::at("balanced_accuracy", ">=", balanced),
        Claim::at("kappa", ">=", kappa),
    ];
    scene.simulate(&claims, draws)
}

/// Macro F1, balanced accuracy and kappa.
pub(crate) fn averages(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (classes, units, few) in [
        (EVEN, Units::SINGLE, &[30, 100][..]),
        (EVEN, Units::THREE_ALIKE, &[]),
        (RARE, Units::SINGLE, &[30, 300]),
        (RARE, Units::THREE_ALIKE, &[100]),
    ] {
        for n in effort.sizes(few) {
            cells.extend(cells_of(&classes, &units, n, effort.draws));
        }
    }
    cells
}
