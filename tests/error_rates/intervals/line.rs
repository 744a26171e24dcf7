//! One interval over numbers of cases.

use std::fmt::Write as _;

use decbench_core::stats::random::RandomStream;
use decbench_core::stats::{Interval, Undefined};

use crate::draw::SEED;
use crate::effort::{Effort, SIZES};
use crate::tally::{PER_SIDE, Side, allowed, missed};

/// How often an interval missed the truth at one number of cases.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Misses {
    above: f64,
    below: f64,
    all: f64,
    draws: Option<u32>,
}

impl Misses {
    /// Counts an interval with this weight; one that is undefined misses nothing.
    pub(crate) fn add(&mut self, interval: Option<Interval>, truth: f64, weight: f64) {
        let Some(interval) = interval else { return };
        self.all += weight;
        match missed(interval, truth) {
            Some(Side::Above) => self.above += weight,
            Some(Side::Below) => self.below += weight,
            None => {}
        }
    }

    /// Shares of the intervals there were.
    fn shares(self) -> Option<(f64, f64)> {
        (self.all > 0.0).then(|| (self.above / self.all, self.below / self.all))
    }
}

/// An interval, what it is an interval of, and its misses by number of cases.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    name: &'static str,
    of: String,
    /// By [`SIZES`]; `None` where nothing was drawn.
    misses: [Option<Misses>; SIZES.len()],
    /// Whether each side promises to err in no more than 2.5%.
    guaranteed: bool,
}

impl Line {
    /// Every number of cases, each outcome with its probability: `fill` counts them.
    pub(crate) fn exact(
        name: &'static str,
        of: String,
        guaranteed: bool,
        fill: impl Fn(usize, &mut Misses),
    ) -> Self {
        let misses = SIZES.map(|n| {
            let mut misses = Misses::default();
            fill(n, &mut misses);
            Some(misses)
        });
        Self {
            name,
            of,
            misses,
            guaranteed,
        }
    }

    /// What is wrong with this line, if anything.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (n, misses) in SIZES.iter().zip(&self.misses) {
            let Some(misses) = misses else { continue };
            let (above, below) = misses.shares().unwrap_or_default();
            if self.guaranteed && above.max(below) > allowed(PER_SIDE, misses.draws) {
                complaints.push(format!(
                    "{} ({}, n {n}): the truth lies above in {:.2}%, below in {:.2}%",
                    self.name,
                    self.of,
                    above * 100.0,
                    below * 100.0
                ));
            }
        }
        complaints
    }
}

/// An interval to draw: its name and whether it promises its level.
pub(crate) type Named = (&'static str, bool);

/// Draws samples and counts what several intervals of each say of one truth: one line per interval.
pub(crate) fn drawn(
    of: &str,
    names: &[Named],
    truth: f64,
    effort: Effort,
    few: &[usize],
    mut sample: impl FnMut(usize, &mut RandomStream) -> Vec<Result<Interval, Undefined>>,
) -> Vec<Line> {
    let mut lines: Vec<Line> = names
        .iter()
        .map(|(name, guaranteed)| Line {
            name,
            of: of.to_owned(),
            misses: [None; SIZES.len()],
            guaranteed: *guaranteed,
        })
        .collect();
    let sizes = effort.sizes(few);
    for (column, n) in SIZES.into_iter().enumerate() {
        if !sizes.contains(&n) {
            continue;
        }
        let mut stream = RandomStream::new(SEED.derive(&format!("intervals {of} {n}")));
        let mut misses = vec![
            Misses {
                draws: Some(effort.draws),
                ..Misses::default()
            };
            names.len()
        ];
        for _ in 0..effort.draws {
            let found = sample(n, &mut stream);
            for (misses, interval) in misses.iter_mut().zip(found) {
                misses.add(interval.ok(), truth, 1.0);
            }
        }
        for (line, misses) in lines.iter_mut().zip(misses) {
            line.misses[column] = Some(misses);
        }
    }
    lines
}

/// The lines under their heading.
pub(crate) fn table(text: &str, lines: &[Line]) -> String {
    let mut out = format!("\n{text}\n\n| interval | of |");
    for n in SIZES {
        let _ = write!(out, " {n} cases |");
    }
    out.push_str("\n|---|---|");
    out.push_str(&"--:|".repeat(SIZES.len()));
    out.push('\n');
    for line in lines {
        let mark = if line.guaranteed { " †" } else { "" };
        let _ = write!(out, "| {}{mark} | {} |", line.name, line.of);
        for misses in line.misses {
            let shown = misses.and_then(Misses::shares).map_or_else(
                || "–".to_owned(),
                |(above, below)| {
                    format!(
                        "{:.1} ({:.1} + {:.1})",
                        (1.0 - above - below) * 100.0,
                        above * 100.0,
                        below * 100.0
                    )
                },
            );
            let _ = write!(out, " {shown} |");
        }
        out.push('\n');
    }
    out
}
