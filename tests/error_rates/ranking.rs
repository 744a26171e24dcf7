//! How well confidence ranks right answers above wrong ones.

use decbench_core::decision::QuestionKind;

use crate::bench::Bench;
use crate::calibration::{CONFIDENCES, law, scene_of};
use crate::draw::{Claim, Units};
use crate::effort::{Effort, SIZES};
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Ranking by confidence

The area under the curve of confidence against right, for a calibrated model.";

/// The area under the curve of confidence against right; confidences are equally frequent, so it is a mean over pairs.
pub(crate) fn area() -> f64 {
    let (mut area, mut pairs) = (0.0, 0.0);
    for up in CONFIDENCES {
        for down in CONFIDENCES {
            let weight = up * (1.0 - down);
            pairs += weight;
            area += weight
                * if up > down {
                    1.0
                } else if up < down {
                    0.0
                } else {
                    0.5
                };
        }
    }
    area / pairs
}

/// The area at its bound.
pub(crate) fn rankings(effort: Effort) -> Vec<Cell> {
    let (replies, chances) = law(0.0);
    let mut cells = Vec::new();
    for n in effort.sizes(&SIZES) {
        let units = Units::SINGLE;
        let numbers = units.number(n);
        let mut bench = Bench::new(QuestionKind::Choice, &["a", "b", "c"], &numbers, &replies);
        let mut scene = scene_of(&mut bench, chances.clone(), &units, "five confidences");
        cells.extend(scene.simulate(&[Claim::at("auroc", ">=", area())], effort.draws));
    }
    cells
}
