//! Cases that come in while somebody looks again and again.

use std::collections::HashMap;

use decbench_core::decision::QuestionKind;
use decbench_core::judge::Outcome;
use decbench_core::metric::{Metric, Reading, Selection};
use decbench_core::stats::Seed;
use decbench_core::stats::random::RandomStream;

use crate::bench::{Bench, Reply};
use crate::draw::{Claim, Law, Units, draw};
use crate::effort::{BOUNDS, Effort};
use crate::tally::{Cell, Seen, Tally};

pub(crate) const TEXT: &str = "## Looking again as cases come in

`reading: anytime` on accuracy, looked at after every ten cases up to 900: the shares of runs in which any look passes,
and in which any fails. Exact.";

pub(crate) const UNITS: &str = "## Looking again at units

The same with units of three cases that are all alike, looked at ten times.";

/// Cases at the last look.
const LAST: usize = 900;
/// Cases between looks.
const STEP: usize = 10;
/// Paths less likely than this are given up.
const NEGLIGIBLE: f64 = 1e-9;

fn replies() -> Vec<Reply> {
    vec![Reply::right(true), Reply::right(false)]
}

fn claim(bound: f64, reading: Reading) -> Claim {
    let mut claim = Claim::at("accuracy", ">=", bound);
    claim.requirement.reading = reading;
    claim
}

fn cell(claim: &Claim, data: String, tally: Tally, draws: Option<u32>) -> Cell {
    Cell {
        metric: claim.metric.to_string(),
        data,
        n: LAST,
        bound: claim.bound.clone(),
        wrong: claim.wrong,
        tally,
        draws,
        method: String::new(),
        known: claim.known,
    }
}

/// The chance that any of 90 looks passes, and that any fails, by following the law of the number of right cases.
pub(crate) fn single(_: Effort) -> Vec<Cell> {
    let mut bench = Bench::new(
        QuestionKind::Choice,
        &["a", "b"],
        &Units::SINGLE.number(LAST),
        &replies(),
    );
    let metric = [Metric::parse("accuracy").expect("a metric of the table")];
    let mut measured = HashMap::new();
    let mut cells = Vec::new();
    for bound in BOUNDS {
        let claim = claim(bound, Reading::Anytime);
        let mut tally = Tally::default();
        // A path that passed may yet fail, so each side is followed by itself.
        for side in [Outcome::Pass, Outcome::Fail] {
            let mut law = vec![1.0];
            let mut met = 0.0;
            for n in 1..=LAST {
                law = step(&law, bound);
                if n % STEP != 0 {
                    continue;
                }
                for (right, chance) in law.iter_mut().enumerate() {
                    if *chance < NEGLIGIBLE {
                        continue;
                    }
                    let value = measured.entry((n, right)).or_insert_with(|| {
                        let picks: Vec<usize> = (0..n).map(|at| usize::from(at >= right)).collect();
                        bench
                            .measure(&picks, &metric, &Selection::default())
                            .remove(0)
                    });
                    if Seen::of(&claim.metric, &claim.requirement, value).outcome() == side {
                        met += *chance;
                        *chance = 0.0;
                    }
                }
            }
            *(if side == Outcome::Pass {
                &mut tally.pass
            } else {
                &mut tally.fail
            }) = met;
        }
        let data = format!("{}, {} looks", Units::SINGLE.name, LAST / STEP);
        cells.push(cell(&claim, data, tally, None));
    }
    cells
}

/// The law of the number of right cases after one more.
fn step(law: &[f64], right: f64) -> Vec<f64> {
    let mut next = vec![0.0; law.len() + 1];
    for (count, chance) in law.iter().enumerate() {
        next[count] += chance * (1.0 - right);
        next[count + 1] += chance * right;
    }
    next
}

/// The same with units of three, ten looks, drawn.
pub(crate) fn clustered(effort: Effort) -> Vec<Cell> {
    let units = Units::THREE_ALIKE;
    let numbers = units.number(LAST);
    let mut bench = Bench::new(QuestionKind::Choice, &["a", "b"], &numbers, &replies());
    let metric = [Metric::parse("accuracy").expect("a metric of the table")];
    let mut cells = Vec::new();
    for bound in [0.8, 0.95] {
        let claim = claim(bound, Reading::Anytime);
        let mut stream = RandomStream::new(Seed(20_261_129).derive("looks"));
        let law = Law::of(vec![bound, 1.0 - bound]);
        let mut tally = Tally::default();
        let mut picks = Vec::new();
        // Units of three that are all alike differ in how many are right alone.
        let mut outcomes = HashMap::new();
        for _ in 0..effort.draws {
            draw(&law, &numbers, units.alike, &mut stream, &mut picks);
            let (mut passed, mut failed) = (false, false);
            for look in 1..=10 {
                let seen = &picks[..look * LAST / 10];
                let right = seen.iter().filter(|pick| **pick == 0).count();
                let outcome = outcomes.entry((look, right)).or_insert_with(|| {
                    let value = bench
                        .measure(seen, &metric, &Selection::default())
                        .remove(0);
                    Seen::of(&claim.metric, &claim.requirement, &value).outcome()
                });
                passed |= *outcome == Outcome::Pass;
                failed |= *outcome == Outcome::Fail;
            }
            tally.pass += f64::from(u8::from(passed));
            tally.fail += f64::from(u8::from(failed));
        }
        let tally = tally.over(f64::from(effort.draws));
        let data = format!("{}, 10 looks", units.name);
        cells.push(cell(&claim, data, tally, Some(effort.draws)));
    }
    cells
}
