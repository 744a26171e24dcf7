//! Percentiles of the time that calls take.

use decbench_core::decision::QuestionKind;
use decbench_core::metric::Selection;
use decbench_core::stats::distribution::binomial_pmf;

use crate::bench::{Bench, Reply, Said};
use crate::draw::{Claim, Law, Scene, Units};
use crate::effort::{Effort, SIZES};
use crate::tally::Cell;

pub(crate) const TEXT: &str = "## Percentiles of latency

One call a case. Exact.";

pub(crate) const REPEATS_TEXT: &str = "## Percentiles of latency with repeats

Five calls a case, whose times hang together because a long state is slow each time; `cases` counts calls.";

/// The percentile's true value; a call takes less or more.
const TRUTH: f64 = 200.0;
const REPEATS: u32 = 5;

fn claim(metric: &str) -> Claim {
    Claim::at(metric, "<=", TRUTH)
}

/// One call per case: every number of calls beyond the truth. A call at the truth itself does not happen, so the
/// limits decide by their ranks alone.
pub(crate) fn single(_: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    let call = |time| Reply::of(vec![Said::label(0).after(time)]);
    for n in SIZES {
        let units = Units::SINGLE.number(n);
        let replies = [call(TRUTH - 50.0), call(TRUTH + 50.0)];
        let mut bench = Bench::new(QuestionKind::Choice, &["a", "b"], &units, &replies);
        for (metric, quantile) in [
            ("latency.p50", 0.5),
            ("latency.p95", 0.95),
            ("latency.p99", 0.99),
        ] {
            let mut scene = Scene {
                bench: &mut bench,
                law: Law::of(vec![quantile, 1.0 - quantile]),
                alike: 0.0,
                data: "one call a case".to_owned(),
                selection: Selection::default(),
            };
            cells.extend(scene.enumerate(&[claim(metric)]));
        }
    }
    cells
}

/// Which of a case's calls are slow, one bit a call.
type Slow = u32;

/// All ways in which calls may be slow.
fn any_of_them() -> Vec<Slow> {
    (0..1 << REPEATS).collect()
}

/// The first calls are the slow ones, as where later ones find a warm cache.
fn the_first() -> Vec<Slow> {
    (0..=REPEATS).map(|count| (1 << count) - 1).collect()
}

/// The chance of each way: with chance `alike` all calls are slow or none is, else each by itself.
fn chances(ways: &[Slow], alike: f64, slow: f64) -> Vec<f64> {
    let of_way = |way: &Slow| {
        let count = way.count_ones();
        let apart = binomial_pmf(u64::from(count), u64::from(REPEATS), slow).expect("a chance");
        let together = match count {
            0 => 1.0 - slow,
            REPEATS => slow,
            _ => 0.0,
        };
        let as_many = ways.iter().filter(|other| other.count_ones() == count);
        (alike * together + (1.0 - alike) * apart) / as_many.count() as f64
    };
    ways.iter().map(of_way).collect()
}

/// Five calls per case whose times hang together, because a long state is slow each time.
pub(crate) fn repeated(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, alike, ways) in [
        ("five calls a case, all alike", 1.0, any_of_them()),
        ("five calls a case, 30% alike", 0.3, any_of_them()),
        (
            "five calls a case, 30% alike, slow ones first",
            0.3,
            the_first(),
        ),
    ] {
        let reply = |way: &Slow| {
            let call = |repeat| {
                let time = if way >> repeat & 1 == 1 { 50.0 } else { -50.0 };
                Said::label(0).repeat(repeat).after(TRUTH + time)
            };
            Reply::of((0..REPEATS).map(call).collect())
        };
        let replies: Vec<Reply> = ways.iter().map(reply).collect();
        for n in SIZES {
            let units = Units::SINGLE.number(n / REPEATS as usize);
            let mut bench = Bench::new(QuestionKind::Choice, &["a", "b"], &units, &replies);
            for (metric, quantile) in [("latency.p50", 0.5), ("latency.p95", 0.95)] {
                let mut scene = Scene {
                    bench: &mut bench,
                    law: Law::of(chances(&ways, alike, 1.0 - quantile)),
                    alike: 0.0,
                    data: name.to_owned(),
                    selection: Selection::default(),
                };
                let mut found = scene.simulate(&[claim(metric)], effort.draws);
                for cell in &mut found {
                    cell.n = n;
                }
                cells.extend(found);
            }
        }
    }
    cells
}
