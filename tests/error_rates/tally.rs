//! How often outcomes and intervals err, and whether that is within what they promise.

use decbench_core::judge::{Judgement, Outcome, judge};
use decbench_core::metric::{Metric, Requirement};
use decbench_core::score::Measurement;
use decbench_core::stats::Interval;

/// What each side of a judgement promises.
pub(crate) const PER_SIDE: f64 = 0.025;

/// Shares of outcomes and of intervals that miss the truth; weights sum to 1 when all is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) pass: f64,
    pub(crate) fail: f64,
    pub(crate) undecided: f64,
    pub(crate) not_run: f64,
    /// The printed interval lies below the truth.
    pub(crate) below: f64,
    /// The printed interval lies above the truth.
    pub(crate) above: f64,
    /// There is a printed interval.
    pub(crate) printed: f64,
}

/// One outcome and where its interval lies, before it is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    outcome: Outcome,
    interval: Option<Interval>,
}

impl Seen {
    pub(crate) fn of(metric: &Metric, requirement: &Requirement, measured: &Measurement) -> Self {
        let Judgement { outcome, .. } = judge(metric, requirement, measured);
        let value = measured.value.as_ref().ok();
        Self {
            outcome,
            interval: value.and_then(|value| value.interval),
        }
    }

    pub(crate) fn new(outcome: Outcome, interval: Option<Interval>) -> Self {
        Self { outcome, interval }
    }

    pub(crate) fn outcome(self) -> Outcome {
        self.outcome
    }
}

/// Where a truth lies that an interval misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    Below,
}

/// On which side of the interval the truth lies, if outside; what is equal up to rounding is inside.
pub(crate) fn missed(interval: Interval, truth: f64) -> Option<Side> {
    let slack = 1e-12 * truth.abs().max(1.0);
    if interval.high < truth - slack {
        Some(Side::Above)
    } else if interval.low > truth + slack {
        Some(Side::Below)
    } else {
        None
    }
}

impl Tally {
    pub(crate) fn add(&mut self, seen: Seen, truth: f64, weight: f64) {
        *match seen.outcome {
            Outcome::Pass => &mut self.pass,
            Outcome::Fail => &mut self.fail,
            Outcome::Inconclusive => &mut self.undecided,
            Outcome::CouldNotRun => &mut self.not_run,
        } += weight;
        if let Some(interval) = seen.interval {
            self.printed += weight;
            match missed(interval, truth) {
                Some(Side::Above) => self.below += weight,
                Some(Side::Below) => self.above += weight,
                None => {}
            }
        }
    }

    /// Everything divided by a number of draws.
    pub(crate) fn over(self, draws: f64) -> Self {
        Self {
            pass: self.pass / draws,
            fail: self.fail / draws,
            undecided: self.undecided / draws,
            not_run: self.not_run / draws,
            below: self.below / draws,
            above: self.above / draws,
            printed: self.printed / draws,
        }
    }
}

/// What a share of draws may reach where its chance is `level`: three standard errors more, nothing where all is counted.
pub(crate) fn allowed(level: f64, draws: Option<u32>) -> f64 {
    let error = |draws| 3.0 * (level * (1.0 - level) / f64::from(draws)).sqrt();
    level + draws.map_or(1e-9, error)
}

/// Which outcomes are wrong in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The truth lies on the bound: just beside it either outcome is wrong.
    Either,
    /// The truth lies on the good side.
    Fail,
    /// The truth lies on the bad side.
    Pass,
}

/// A level that is not held, by how much at most, and why it stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) at_most: f64,
    pub(crate) why: &'static str,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) metric: String,
    /// What the answers are drawn from.
    pub(crate) data: String,
    pub(crate) n: usize,
    /// The bound as written, rounded.
    pub(crate) bound: String,
    pub(crate) wrong: Wrong,
    pub(crate) tally: Tally,
    /// How many draws, or none where every possible draw is counted with its probability.
    pub(crate) draws: Option<u32>,
    /// How the printed interval is computed.
    pub(crate) method: String,
    pub(crate) known: Option<Known>,
}

impl Cell {
    /// What each side may reach: its promise and three standard errors of the simulation.
    pub(crate) fn allowed(&self) -> f64 {
        allowed(
            self.known.map_or(PER_SIDE, |known| known.at_most),
            self.draws,
        )
    }

    pub(crate) fn wrong_pass(&self) -> Option<f64> {
        (self.wrong != Wrong::Fail).then_some(self.tally.pass)
    }

    pub(crate) fn wrong_fail(&self) -> Option<f64> {
        (self.wrong != Wrong::Pass).then_some(self.tally.fail)
    }

    /// What is wrong with this cell, if anything.
    pub(crate) fn complaint(&self) -> Option<String> {
        let allowed = self.allowed();
        if self.tally.not_run > 0.5 {
            return Some(format!(
                "{} {} ({}, n {}): could not run in {:.0}% of draws",
                self.metric,
                self.bound,
                self.data,
                self.n,
                self.tally.not_run * 100.0
            ));
        }
        let worst = [("pass", self.wrong_pass()), ("fail", self.wrong_fail())]
            .into_iter()
            .filter_map(|(side, rate)| Some((side, rate?)))
            .filter(|(_, rate)| *rate > allowed);
        let sides: Vec<String> = worst
            .map(|(side, rate)| format!("wrong {side} {:.2}%", rate * 100.0))
            .collect();
        (!sides.is_empty()).then(|| {
            format!(
                "{} {} ({}, n {}): {}, allowed {:.2}%",
                self.metric,
                self.bound,
                self.data,
                self.n,
                sides.join(", "),
                allowed * 100.0
            )
        })
    }
}
