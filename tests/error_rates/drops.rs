//! Paired differences: how much accuracy a padded view costs.

use decbench_core::decision::{Context, QuestionKind};
use decbench_core::metric::Selection;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::{Effort, SIZES};
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Paired drops

Accuracy on one view of the cases less accuracy on another.";

/// Shares right in both views, in the minimal one only, in the padded one only, in neither.
pub(crate) const LAWS: [(&str, [f64; 4]); 3] = [
    ("4% and 2% right in one view only", [0.9, 0.04, 0.02, 0.04]),
    ("10% and 5% right in one view only", [0.8, 0.1, 0.05, 0.05]),
    ("2% right in the minimal view only", [0.95, 0.02, 0.0, 0.03]),
];

/// The drop at its bound.
pub(crate) fn drops(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    let both = |minimal: bool, padded: bool| {
        let view = |right: bool, context| Said::label(usize::from(!right)).context(context);
        Reply::of(vec![
            Said::label(0),
            view(minimal, Context::Minimal),
            view(padded, Context::Padded),
        ])
    };
    let replies = [
        both(true, true),
        both(true, false),
        both(false, true),
        both(false, false),
    ];
    for (name, law) in LAWS {
        for (units, few) in [
            (Units::SINGLE, &SIZES[..]),
            (Units::THREE_ALIKE, &[30, 300]),
        ] {
            for n in effort.sizes(few) {
                let numbers = units.number(n);
                let mut bench = Bench::new(QuestionKind::Choice, &["a", "b"], &numbers, &replies);
                let mut scene = Scene {
                    bench: &mut bench,
                    law: Law::of(law.to_vec()),
                    alike: units.alike,
                    data: format!("{name}, {}", units.name),
                    selection: Selection::default(),
                };
                let claims = [Claim::at("distractor_drop", "<=", law[1] - law[2])];
                cells.extend(scene.simulate(&claims, effort.draws));
            }
        }
    }
    cells
}
