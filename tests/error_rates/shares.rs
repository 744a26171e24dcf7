//! Shares of cases: accuracy, recall, flips; single cases by full count, units and weights by simulation.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::{BOUNDS, Effort, SIZES};
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Shares of single cases

Accuracy, and every other share of cases: recall, precision, flips, pairs, error rates. Exact.";

pub(crate) const UNITS: &str = "## Shares where cases hang together

Cases of one unit of evidence (turns of one call, variants of one text). *All alike*: all cases of a unit are right or
all are wrong; *30% alike*: that happens to three units in ten, and the cases of the others are independent.";

pub(crate) const WEIGHTS: &str = "## Weighted shares

Half of the cases come from a stratum that is a tenth of the population and is wrong five times as often.";

const OPTIONS: [&str; 2] = ["a", "b"];

/// One base answer, right or wrong.
fn right_or_wrong() -> Vec<Reply> {
    vec![Reply::right(true), Reply::right(false)]
}

/// Two equal answers, or two different ones.
fn steady_or_flipping() -> Vec<Reply> {
    let twice = |other| Reply::of(vec![Said::label(0), Said::label(other).repeat(1)]);
    vec![twice(0), twice(1)]
}

/// Every number of right cases, of recalled cases, and of flips, each with its probability.
pub(crate) fn single(_: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in SIZES {
        let units = Units::SINGLE.number(n);
        let mut bench = Bench::new(QuestionKind::Choice, &OPTIONS, &units, &right_or_wrong());
        for bound in BOUNDS {
            let claims = ["accuracy", "recall[a]"].map(|metric| Claim::at(metric, ">=", bound));
            let mut scene = Scene {
                bench: &mut bench,
                law: Law::of(vec![bound, 1.0 - bound]),
                alike: 0.0,
                data: Units::SINGLE.name.to_owned(),
                selection: Selection::default(),
            };
            cells.extend(scene.enumerate(&claims));
        }
        let mut bench = Bench::new(
            QuestionKind::Choice,
            &OPTIONS,
            &units,
            &steady_or_flipping(),
        );
        for bound in BOUNDS {
            let mut selection = Selection::default();
            selection.repeats = 2;
            let mut scene = Scene {
                bench: &mut bench,
                law: Law::of(vec![bound, 1.0 - bound]),
                alike: 0.0,
                data: Units::SINGLE.name.to_owned(),
                selection,
            };
            // One less a decimal, as it is written.
            let flips = ((1.0 - bound) * 1e6).round() / 1e6;
            cells.extend(scene.enumerate(&[Claim::at("flip_rate", "<=", flips)]));
        }
    }
    cells
}

/// Accuracy where cases of a unit hang together.
pub(crate) fn clustered(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for units in [Units::THREE_ALIKE, Units::THREE_LOOSE, Units::UNEVEN] {
        for n in SIZES {
            let numbers = units.number(n);
            let mut bench = Bench::new(QuestionKind::Choice, &OPTIONS, &numbers, &right_or_wrong());
            for bound in BOUNDS {
                let mut scene = Scene {
                    bench: &mut bench,
                    law: Law::of(vec![bound, 1.0 - bound]),
                    alike: units.alike,
                    data: units.name.to_owned(),
                    selection: Selection::default(),
                };
                let claims = [Claim::at("accuracy", ">=", bound)];
                cells.extend(scene.simulate(&claims, effort.draws));
            }
        }
    }
    cells
}

/// Half of the cases from a stratum that is a tenth of the population and half as often right.
pub(crate) fn weighted(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for named in [true, false] {
        for n in SIZES {
            let units = Units::SINGLE.number(n);
            let mut bench = Bench::new(QuestionKind::Choice, &OPTIONS, &units, &right_or_wrong());
            bench.weigh(|case| match (case % 2, named) {
                (0, true) => (1.8, Some("common")),
                (0, false) => (1.8, None),
                (_, true) => (0.2, Some("rare")),
                (_, false) => (0.2, None),
            });
            for bound in BOUNDS {
                // Nine tenths and one tenth of the population, with errors one to five.
                let wrong = (1.0 - bound) / (0.9 + 0.1 * 5.0);
                let rare = (5.0 * wrong).min(1.0);
                let truth = 0.9 * (1.0 - wrong) + 0.1 * (1.0 - rare);
                let mut scene = Scene {
                    bench: &mut bench,
                    law: Law {
                        chances: vec![vec![1.0 - wrong, wrong], vec![1.0 - rare, rare]],
                        kind_of: (0..n).map(|case| case % 2).collect(),
                    },
                    alike: 0.0,
                    data: if named {
                        "two strata, named"
                    } else {
                        "two weights, strata not named"
                    }
                    .to_owned(),
                    selection: Selection::default(),
                };
                let claims = [Claim::at("weighted_accuracy", ">=", truth)];
                cells.extend(scene.simulate(&claims, effort.draws));
            }
        }
    }
    cells
}
