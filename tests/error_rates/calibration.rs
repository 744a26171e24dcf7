//! Calibration error.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::Effort;
use crate::means::shares;
use crate::tally::{Cell, Wrong};

pub(crate) const TEXT: &str = "## Calibration error

A perfectly calibrated model against bounds that it meets, and models that are too sure by exactly the bound.";

/// Confidences in bins of their own.
pub(crate) const CONFIDENCES: [f64; 5] = [0.55, 0.65, 0.75, 0.85, 0.97];

/// Replies and their chances where a model with each confidence equally often is right `gap` less often than it says.
pub(crate) fn law(gap: f64) -> (Vec<Reply>, Vec<f64>) {
    let mut replies = Vec::new();
    let mut chances = Vec::new();
    for confidence in CONFIDENCES {
        for right in [true, false] {
            let accuracy = confidence - gap;
            let chance = if right { accuracy } else { 1.0 - accuracy };
            replies.push(Reply::of(vec![Said::shares(&shares(confidence, right))]));
            chances.push(chance / CONFIDENCES.len() as f64);
        }
    }
    (replies, chances)
}

pub(crate) fn scene_of<'a>(
    bench: &'a mut Bench,
    chances: Vec<f64>,
    units: &Units,
    name: &str,
) -> Scene<'a> {
    Scene {
        bench,
        law: Law::of(chances),
        alike: units.alike,
        data: format!("{name}, {}", units.name),
        selection: Selection::default(),
    }
}

/// Expected and maximum calibration error: a perfect model against tight bounds, and models exactly at their bound.
pub(crate) fn errors(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (units, few) in [
        (Units::SINGLE, &[30, 100, 300][..]),
        (Units::THREE_ALIKE, &[30, 100]),
    ] {
        for n in effort.sizes(few) {
            let numbers = units.number(n);
            let (replies, chances) = law(0.0);
            let mut bench = Bench::new(QuestionKind::Choice, &["a", "b", "c"], &numbers, &replies);
            let claims = [("ece", "<= 0.01"), ("ece", "<= 0.05"), ("mce", "<= 0.05")]
                .map(|(metric, bound)| Claim::new(metric, bound, 0.0).wrong(Wrong::Fail));
            let mut scene = scene_of(&mut bench, chances, &units, "perfectly calibrated");
            cells.extend(scene.simulate(&claims, effort.draws));
            for gap in if effort.long {
                &[0.05, 0.1][..]
            } else {
                &[0.1]
            } {
                let (_, chances) = law(*gap);
                let name = format!("{} points too sure", rounded_points(*gap));
                let mut scene = scene_of(&mut bench, chances, &units, &name);
                let claims = ["ece", "mce"].map(|metric| Claim::at(metric, "<=", *gap));
                cells.extend(scene.simulate(&claims, effort.draws));
            }
        }
    }
    cells
}

fn rounded_points(gap: f64) -> String {
    format!("{:.0}", gap * 100.0)
}
