//! Intervals of a difference of two shares.

use decbench_core::stats::difference::{
    PairedTable, newcombe_independent, newcombe_paired, tango, wald_paired,
};

use super::line::{Line, drawn};
use crate::bench::LEVEL;
use crate::drops::LAWS;
use crate::effort::{Effort, SIZES};

pub(crate) const TEXT: &str = "## Coverage: differences of shares";

pub(crate) fn differences(effort: Effort) -> Vec<Line> {
    let mut lines = Vec::new();
    for (first, second) in [(0.9, 0.8), (0.95, 0.95), (0.99, 0.95)] {
        let names = [("Newcombe, independent", false)];
        let of = format!(
            "{:.0}% less {:.0}%, so many cases each",
            first * 100.0,
            second * 100.0
        );
        let truth = first - second;
        lines.extend(drawn(&of, &names, truth, effort, &SIZES, |n, stream| {
            let mut right = |share| (0..n).filter(|_| stream.next_unit() < share).count() as u64;
            let (first, second) = (right(first), right(second));
            vec![newcombe_independent(
                first, n as u64, second, n as u64, LEVEL,
            )]
        }));
    }
    for (of, law) in LAWS {
        let names = [
            ("Newcombe, paired", false),
            ("Tango", false),
            ("Wald, paired", false),
        ];
        let truth = law[1] - law[2];
        lines.extend(drawn(of, &names, truth, effort, &SIZES, |n, stream| {
            let mut table = PairedTable::default();
            for _ in 0..n {
                let point = stream.next_unit();
                *if point < law[0] {
                    &mut table.both
                } else if point < law[0] + law[1] {
                    &mut table.first_only
                } else if point < law[0] + law[1] + law[2] {
                    &mut table.second_only
                } else {
                    &mut table.neither
                } += 1;
            }
            vec![
                newcombe_paired(&table, LEVEL),
                tango(&table, LEVEL),
                wald_paired(&table, LEVEL),
            ]
        }));
    }
    lines
}
