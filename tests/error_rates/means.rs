//! Means of one number per case: proper scores and costs.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::Effort;
use crate::tally::{Cell, Known};

pub(crate) const TEXT: &str = "## Proper scores

Brier score and log loss of a calibrated model of three options.";

pub(crate) const COSTS: &str = "## Costs

Prices have no largest value that could be imagined, so that dear calls no sample has shown cannot be allowed for.";

/// What no limit can allow for.
const UNSEEN: Known = Known {
    at_most: 0.2,
    why: "A hundredth of the calls makes a sixth of the cost; three in four samples of 30 hold none of them, and one in three of 100.",
};

/// A model's confidences, how often it has each, and how often it is then right.
struct Model {
    name: &'static str,
    levels: &'static [(f64, f64, f64)],
}

/// Four confidences, each right as often as it says.
const USUAL: Model = Model {
    name: "four confidences",
    levels: &[
        (0.55, 0.2, 0.55),
        (0.75, 0.3, 0.75),
        (0.9, 0.3, 0.9),
        (0.98, 0.2, 0.98),
    ],
};

/// Nearly always sure and right: the mean is made of a few large losses.
const SURE: Model = Model {
    name: "98% sure, 98% right",
    levels: &[(0.98, 1.0, 0.98)],
};

/// The three shares of an answer that is right or wrong with this confidence.
pub(crate) fn shares(confidence: f64, right: bool) -> [f64; 3] {
    let rest = (1.0 - confidence) / 2.0;
    if right {
        [confidence, rest, rest]
    } else {
        [rest, confidence, rest]
    }
}

fn scores(model: &Model, units: &Units, n: usize, draws: u32) -> Vec<Cell> {
    let mut replies = Vec::new();
    let mut chances = Vec::new();
    let (mut brier, mut log_loss) = (0.0, 0.0);
    for (confidence, often, right) in model.levels {
        for is_right in [true, false] {
            let shares = shares(*confidence, is_right);
            let chance = often * if is_right { *right } else { 1.0 - right };
            let gaps = [shares[0] - 1.0, shares[1], shares[2]];
            brier += chance * gaps.iter().map(|gap| gap * gap).sum::<f64>();
            log_loss -= chance * shares[0].ln();
            replies.push(Reply::of(vec![Said::shares(&shares)]));
            chances.push(chance);
        }
    }
    let options = ["a", "b", "c"];
    let mut bench = Bench::new(QuestionKind::Choice, &options, &units.number(n), &replies);
    let mut scene = Scene {
        bench: &mut bench,
        law: Law::of(chances),
        alike: units.alike,
        data: format!("{}, {}", model.name, units.name),
        selection: Selection::default(),
    };
    let claims = [
        Claim::at("brier", "<=", brier),
        Claim::at("log_loss", "<=", log_loss),
    ];
    scene.simulate(&claims, draws)
}

/// Brier score and log loss.
pub(crate) fn proper(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for model in [USUAL, SURE] {
        for (units, few) in [
            (Units::SINGLE, &[30, 100, 300][..]),
            (Units::THREE_ALIKE, &[30, 300]),
        ] {
            for n in effort.sizes(few) {
                cells.extend(scores(&model, &units, n, effort.draws));
            }
        }
    }
    cells
}

/// Prices and how often they occur: long states are rare and dear.
const PRICES: [(f64, f64); 5] = [
    (0.0001, 0.5),
    (0.0002, 0.3),
    (0.0004, 0.15),
    (0.001, 0.04),
    (0.004, 0.01),
];

/// Dollars per thousand decisions.
pub(crate) fn costs(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    let replies = PRICES.map(|(price, _)| Reply::of(vec![Said::label(0).for_dollars(price)]));
    let truth = PRICES
        .iter()
        .map(|(price, often)| 1000.0 * price * often)
        .sum();
    for n in effort.sizes(&[30, 100, 300]) {
        let units = Units::SINGLE.number(n);
        let mut bench = Bench::new(QuestionKind::Choice, &["a", "b"], &units, &replies);
        let mut scene = Scene {
            bench: &mut bench,
            law: Law::of(PRICES.map(|(_, often)| often).to_vec()),
            alike: 0.0,
            data: "1% cost forty times the least".to_owned(),
            selection: Selection::default(),
        };
        let claims = [Claim::at("cost_per_1000", "<=", truth).known(Some(UNSEEN))];
        cells.extend(scene.simulate(&claims, effort.draws));
    }
    cells
}
