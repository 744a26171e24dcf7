//! Coverage at a guaranteed accuracy.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::{Effort, SIZES};
use crate::means::shares;
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Coverage at a guaranteed accuracy

At least 80% decided at an accuracy of at least 95%.";

/// The accuracy to guarantee.
const ACCURACY: f64 = 0.95;

/// A confidence, how often it occurs, and how often it is right.
type Level = (f64, f64, f64);

const SCENES: [(&str, [Level; 2]); 2] = [
    // Both the accuracy of what is kept and its share lie on their bounds.
    (
        "one threshold, 80% kept at 95% right",
        [(0.97, 0.8, ACCURACY), (0.4, 0.2, 0.5)],
    ),
    // The first threshold keeps just 80%, the second has an accuracy of just 95%.
    (
        "80% kept at 100%, all kept at 95% right",
        [(0.99, 0.8, 1.0), (0.92, 0.2, 0.75)],
    ),
];

/// At least 80% decided at 95% accuracy.
pub(crate) fn coverage(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, levels) in SCENES {
        let mut replies = Vec::new();
        let mut chances = Vec::new();
        for (confidence, often, accuracy) in levels {
            for right in [true, false] {
                replies.push(Reply::of(vec![Said::shares(&shares(confidence, right))]));
                chances.push(often * if right { accuracy } else { 1.0 - accuracy });
            }
        }
        for units in [Units::SINGLE, Units::THREE_ALIKE] {
            for n in SIZES {
                let numbers = units.number(n);
                let options = ["a", "b", "c"];
                let mut bench = Bench::new(QuestionKind::Choice, &options, &numbers, &replies);
                let mut scene = Scene {
                    bench: &mut bench,
                    law: Law::of(chances.clone()),
                    alike: units.alike,
                    data: format!("{name}, {}", units.name),
                    selection: Selection::default(),
                };
                let claims = [Claim::at("coverage[accuracy >= 95%]", ">=", 0.8)];
                cells.extend(scene.simulate(&claims, effort.draws));
            }
        }
    }
    cells
}
