//! What an assertion can tell before anybody has answered: with so many cases, how sure it can be.

use super::limits::limits;
use crate::metric::{Bound, Metric, MetricArgument, MetricId, Reading, Requirement, Side};
use crate::score::{Counted, Evidence, Value};
use crate::stats::Undefined;
use crate::stats::difference::{PairedTable, newcombe_paired};
use crate::stats::distribution::{binomial_cdf, binomial_sf};
use crate::stats::latency::calls_for_upper_limit;
use crate::stats::sample_size::{cases_to_prove, mcnemar_detectable_difference};

/// The chance at which a difference counts as detected.
pub const POWER: f64 = 0.8;
/// The share of cases that two views are taken to disagree on, where nothing is known of it.
pub const DISAGREEMENT: f64 = 0.1;
/// No answer beyond this many cases.
const MOST: u64 = 10_000_000;
/// The first calls of a candidate are no warm ones.
const WARM_UP: u64 = 20;

/// What an assertion can tell.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Prospect {
    /// The cases it rests on.
    pub counted: Counted,
    /// Whether any answers could make it pass.
    pub can_pass: bool,
    /// How many cases, alike those there are, would let it pass at all; where it can, how many give the stated good value
    /// an even better chance of [`POWER`]. `None` where no number does or none is known.
    pub cases_needed: Option<u64>,
    /// The true value from which on it passes with a chance of [`POWER`].
    pub passes_at: Option<f64>,
    /// The true value from which on it fails with that chance.
    pub fails_at: Option<f64>,
    /// A true value that is good, and the chance of red at it. The bound itself where the suite states none: there the
    /// chance is largest.
    pub wrong_red: Option<(f64, f64)>,
    /// A true value that is bad, and the chance of green at it; else as `wrong_red`.
    pub wrong_green: Option<(f64, f64)>,
    /// The chance of green at the stated good value, where one is stated.
    pub right_green: Option<f64>,
    /// What these numbers rest on, or why there are none.
    pub notes: Vec<String>,
}

/// What this requirement can tell with these cases.
///
/// Shares are exact: an assertion passes and fails at certain numbers of right answers, and the binomial distribution says
/// how often they occur. Coverage, percentiles and paired drops have the cases without which they cannot pass. What rests
/// on the spread of answers is not known before them, and the notes say so.
pub fn prospect(metric: &Metric, requirement: &Requirement, counted: Counted) -> Prospect {
    let mut found = Prospect {
        counted,
        can_pass: true,
        cases_needed: None,
        passes_at: None,
        fails_at: None,
        wrong_red: None,
        wrong_green: None,
        right_green: None,
        notes: Vec::new(),
    };
    if counted.n == 0 {
        found.can_pass = false;
        found.notes.push("no cases to measure".to_owned());
        return found;
    }
    if counted.guessed {
        found
            .notes
            .push("how many answers count is not known before them: as if all were right".into());
    }
    let filled = match metric.id {
        _ if is_share(metric.id) => of_share(&mut found, requirement),
        MetricId::Coverage => of_coverage(&mut found, metric, requirement),
        MetricId::LatencyP50 => of_percentile(&mut found, requirement, 0.5),
        MetricId::LatencyP95 => of_percentile(&mut found, requirement, 0.95),
        MetricId::LatencyP99 => of_percentile(&mut found, requirement, 0.99),
        MetricId::DistractorDrop | MetricId::TrimGain => {
            of_drop(&mut found, requirement);
            Ok(())
        }
        MetricId::Ece => {
            of_calibration(&mut found, &requirement.bound);
            Ok(())
        }
        _ => {
            found
                .notes
                .push("rests on the spread of the answers, which is not known before them".into());
            Ok(())
        }
    };
    if let Err(undefined) = filled {
        found.notes.push(undefined.to_string());
    }
    found
}

/// Whether the metric is a share of cases, judged by exact limits.
fn is_share(metric: MetricId) -> bool {
    matches!(
        metric,
        MetricId::Accuracy
            | MetricId::WeightedAccuracy
            | MetricId::WithinOne
            | MetricId::Precision
            | MetricId::Recall
            | MetricId::SelectiveAccuracy
            | MetricId::FlipRate
            | MetricId::PassEveryTime
            | MetricId::OrderFlipRate
            | MetricId::OrderBothRight
            | MetricId::EscapeRecall
            | MetricId::EscapePrecision
            | MetricId::EscapeRate
            | MetricId::GateClosedRate
            | MetricId::PairAgreement
            | MetricId::PairBothRight
            | MetricId::ErrorRate
            | MetricId::TimeoutRate
            | MetricId::ThrottleRate
            | MetricId::TruncationRate
            | MetricId::RefusalRate
            | MetricId::FormatErrors
            | MetricId::PassRate
            | MetricId::AgentTaskSuccess
            | MetricId::ExactMatch
            | MetricId::JsonSchema
            | MetricId::MustInclude
            | MetricId::MustNotInclude
            | MetricId::RequiredTools
            | MetricId::ForbiddenTools
            | MetricId::NumberWithin
    )
}

/// From which number of items that hold an assertion is on one side for sure.
#[derive(Debug, Clone, Copy)]
struct Decides {
    /// It passes from this number on (`>=`) or up to it (`<=`); `None` where no number does.
    pass: Option<u64>,
    /// It fails up to this number (`>=`) or from it on (`<=`).
    fail: Option<u64>,
    side: Side,
    n: u64,
}

impl Decides {
    fn of(requirement: &Requirement, n: u64) -> Self {
        let bound = &requirement.bound;
        let limit = bound.value();
        let interval = |k: u64| {
            let level = requirement.confidence;
            limits(requirement.reading, &share(k, n, level)).map(|(interval, _)| interval)
        };
        let at_or_above = |k: u64| match requirement.reading {
            Reading::Point => bound.limit.compared_by(k, n).is_ge(),
            _ => interval(k).is_ok_and(|interval| interval.low >= limit),
        };
        let above = |k: u64| match requirement.reading {
            Reading::Point => bound.limit.compared_by(k, n).is_gt(),
            _ => interval(k).is_ok_and(|interval| interval.low > limit),
        };
        let at_or_below = |k: u64| match requirement.reading {
            Reading::Point => bound.limit.compared_by(k, n).is_le(),
            _ => interval(k).is_ok_and(|interval| interval.high <= limit),
        };
        let below = |k: u64| match requirement.reading {
            Reading::Point => bound.limit.compared_by(k, n).is_lt(),
            _ => interval(k).is_ok_and(|interval| interval.high < limit),
        };
        let (pass, fail) = match bound.side {
            Side::AtLeast => (first(n, at_or_above), last(n, below)),
            Side::AtMost => (last(n, at_or_below), first(n, above)),
        };
        Self {
            pass,
            fail,
            side: bound.side,
            n,
        }
    }

    /// The chance to pass at a true share.
    fn passes(&self, p: f64) -> Result<f64, Undefined> {
        self.tail(self.pass, self.side == Side::AtLeast, p)
    }

    /// The chance to fail at a true share.
    fn fails(&self, p: f64) -> Result<f64, Undefined> {
        self.tail(self.fail, self.side == Side::AtMost, p)
    }

    fn tail(&self, from: Option<u64>, upwards: bool, p: f64) -> Result<f64, Undefined> {
        match (from, upwards) {
            (None, _) => Ok(0.0),
            (Some(0), true) => Ok(1.0),
            (Some(k), true) => binomial_sf(k - 1, self.n, p),
            (Some(k), false) => binomial_cdf(k, self.n, p),
        }
    }

    /// The true share nearest to the bound at which a chance reaches [`POWER`], on the side where it grows.
    fn reaches(
        &self,
        limit: f64,
        upwards: bool,
        chance: impl Fn(&Self, f64) -> Result<f64, Undefined>,
    ) -> Result<Option<f64>, Undefined> {
        let end = if upwards { 1.0 } else { 0.0 };
        if chance(self, end)? < POWER {
            return Ok(None);
        }
        let (mut misses, mut reaches) = (limit, end);
        for _ in 0..50 {
            let middle = f64::midpoint(misses, reaches);
            if chance(self, middle)? < POWER {
                misses = middle;
            } else {
                reaches = middle;
            }
        }
        Ok(Some(reaches))
    }
}

/// The smallest number at which `holds`, which once true stays true.
fn first(n: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(n) {
        return None;
    }
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = u64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// The largest number at which `holds`, which once false stays false.
fn last(n: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    first(n, |k| holds(n - k)).map(|k| n - k)
}

/// A share of whole counts, as a metric would measure it.
fn share(k: u64, n: u64, level: f64) -> Value {
    Value {
        value: k as f64 / n as f64,
        interval: None,
        level,
        n: n as usize,
        units: n as usize,
        method: "exact",
        evidence: Evidence::Share {
            share: k as f64 / n as f64,
            effective_n: n as f64,
            counts: Some((k, n)),
            limits: None,
        },
        conventions: Vec::new(),
        parts: Vec::new(),
        notes: Vec::new(),
        drivers: Vec::new(),
    }
}

fn of_share(found: &mut Prospect, requirement: &Requirement) -> Result<(), Undefined> {
    let limit = requirement.bound.value();
    let n = (found.counted.effective_n.floor() as u64).max(1);
    if n < found.counted.n as u64 {
        let note = format!("counted as {n} independent cases");
        found.notes.push(note);
    }
    let decides = Decides::of(requirement, n);
    let upwards = requirement.bound.side == Side::AtLeast;
    found.can_pass = decides.pass.is_some();
    found.passes_at = decides.reaches(limit, upwards, Decides::passes)?;
    found.fails_at = decides.reaches(limit, !upwards, Decides::fails)?;
    let good = requirement.assumed.good.unwrap_or(limit);
    let bad = requirement.assumed.bad.unwrap_or(limit);
    found.wrong_red = Some((good, decides.fails(good)?));
    found.wrong_green = Some((bad, decides.passes(bad)?));
    if requirement.assumed.good.is_some() {
        found.right_green = Some(decides.passes(good)?);
    }
    if !found.can_pass {
        let floor = if upwards { limit } else { 1.0 - limit };
        found.cases_needed = match requirement.reading {
            Reading::Proven => cases_to_prove(floor, requirement.confidence)?,
            _ => least(n, |n| Decides::of(requirement, n).pass.is_some()),
        };
    } else if found.right_green.is_some_and(|chance| chance < POWER) {
        found.cases_needed = least(n, |n| {
            let chance = Decides::of(requirement, n).passes(good);
            chance.is_ok_and(|chance| chance >= POWER)
        });
    }
    Ok(())
}

/// The least number of cases at which `holds`, to one part in two hundred; the chance saws with n, and this is where it
/// first holds on the way of doubling and halving.
fn least(from: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut high = from.max(1);
    while !holds(high) {
        high *= 2;
        if high > MOST {
            return None;
        }
    }
    let mut low = high / 2;
    while high - low > (high / 200).max(1) {
        let middle = u64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

fn of_coverage(
    found: &mut Prospect,
    metric: &Metric,
    requirement: &Requirement,
) -> Result<(), Undefined> {
    let MetricArgument::AtLeast(target, _) = &metric.argument else {
        return Ok(());
    };
    // Accuracy and coverage must both hold, so that each may err half as often.
    let level = f64::midpoint(1.0, requirement.confidence);
    let n = found.counted.effective_n.floor() as u64;
    let kept = cases_to_prove(target.value(), level)?;
    let covered = cases_to_prove(requirement.bound.value(), level)?;
    let needed = kept.zip(covered).map(|(kept, covered)| kept.max(covered));
    found.can_pass = needed.is_some_and(|needed| needed <= n);
    if !found.can_pass {
        found.cases_needed = needed;
    }
    if let Some(kept) = kept {
        found.notes.push(format!(
            "a guarantee takes {kept} kept answers without an error"
        ));
    }
    Ok(())
}

fn of_percentile(found: &mut Prospect, requirement: &Requirement, q: f64) -> Result<(), Undefined> {
    let needed = calls_for_upper_limit(q, requirement.confidence)?;
    let calls = found.counted.units as u64;
    let warm = if calls > WARM_UP {
        calls - WARM_UP
    } else {
        calls
    };
    found.notes.push(format!(
        "{warm} warm calls; an upper limit takes {needed}{}",
        if q >= 0.99 && warm < 1_000 {
            ", and fewer than 1,000 are unreliable"
        } else {
            ""
        }
    ));
    if requirement.reading != Reading::Point && warm < needed {
        found.can_pass = requirement.bound.side == Side::AtLeast;
        found.cases_needed = Some(needed + WARM_UP);
    }
    Ok(())
}

fn of_drop(found: &mut Prospect, requirement: &Requirement) {
    let n = found.counted.effective_n.floor() as u64;
    let alpha = 1.0 - requirement.confidence;
    let limit = requirement.bound.value();
    // The most favourable outcome: no case is right in one view alone.
    let proves = |n: u64| {
        let table = PairedTable {
            both: n,
            first_only: 0,
            second_only: 0,
            neither: 0,
        };
        newcombe_paired(&table, requirement.confidence).is_ok_and(|interval| {
            match requirement.bound.side {
                Side::AtMost => interval.high <= limit,
                Side::AtLeast => interval.low >= limit,
            }
        })
    };
    if requirement.reading != Reading::Point && !proves(n) {
        found.can_pass = false;
        found.cases_needed = least(n, proves);
    }
    match mcnemar_detectable_difference(DISAGREEMENT, n, alpha, POWER) {
        Ok(difference) => found.notes.push(format!(
            "where {:.0}% of cases change, a difference of {:.1} points is seen at {:.0}%",
            DISAGREEMENT * 100.0,
            difference * 100.0,
            POWER * 100.0
        )),
        Err(_) => found.notes.push(format!(
            "where {:.0}% of cases change, no difference is seen at {:.0}%",
            DISAGREEMENT * 100.0,
            POWER * 100.0
        )),
    }
}

/// About the error that a perfectly calibrated candidate shows: its confidences spread evenly from 0.5 to 1 over five bins
/// of ten, a share of whose gaps is chance.
fn of_calibration(found: &mut Prospect, bound: &Bound) {
    /// 2/π times five bins times the mean of p(1 − p) over that spread, which is 1/6.
    const SQUARED: f64 = 2.0 / std::f64::consts::PI * 5.0 / 6.0;
    let n = found.counted.units as f64;
    let chance = (SQUARED / n).sqrt();
    found.notes.push(format!(
        "a perfectly calibrated candidate shows about {:.1}% by chance",
        chance * 100.0
    ));
    if bound.side == Side::AtMost && bound.value() < chance {
        found.can_pass = false;
        let needed = SQUARED / bound.value().powi(2);
        found.cases_needed = (needed <= MOST as f64).then(|| needed.ceil() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::distribution::binomial_pmf;

    fn of(metric: &str, bound: &str, n: usize) -> Prospect {
        let metric = Metric::parse(metric).expect("a metric");
        let requirement =
            Requirement::new(Bound::parse(bound, metric.info().unit).expect("a bound"));
        prospect(&metric, &requirement, cases(n))
    }

    fn cases(n: usize) -> Counted {
        Counted {
            n,
            units: n,
            effective_n: n as f64,
            guessed: false,
        }
    }

    #[test]
    fn a_floor_that_no_answers_prove_says_how_many_would() {
        let found = of("accuracy", ">= 98%", 50);
        assert!(!found.can_pass);
        assert_eq!(found.cases_needed, Some(183));
        assert!(of("accuracy", ">= 98%", 183).can_pass);
        assert!(!of("accuracy", ">= 98%", 182).can_pass);
        assert!(!of("accuracy", ">= 100%", 5_000).can_pass);
    }

    #[test]
    fn chances_are_those_of_the_judge_over_all_outcomes() {
        let metric = Metric::parse("accuracy").expect("a metric");
        let mut requirement =
            Requirement::new(Bound::parse(">= 80%", metric.info().unit).expect("a bound"));
        requirement.assumed.good = Some(0.9);
        requirement.assumed.bad = Some(0.7);
        let found = prospect(&metric, &requirement, cases(120));
        let mut expected = (0.0, 0.0, 0.0);
        for k in 0..=120 {
            let interval = limits(Reading::Proven, &share(k, 120, 0.95))
                .expect("limits")
                .0;
            let pass = interval.low >= 0.8;
            let fail = interval.high < 0.8;
            let at = |p| binomial_pmf(k, 120, p).expect("a chance");
            expected.0 += if fail { at(0.9) } else { 0.0 };
            expected.1 += if pass { at(0.7) } else { 0.0 };
            expected.2 += if pass { at(0.9) } else { 0.0 };
        }
        let (_, red) = found.wrong_red.expect("a share");
        let (_, green) = found.wrong_green.expect("a share");
        assert!((red - expected.0).abs() < 1e-12 && (green - expected.1).abs() < 1e-12);
        assert!((found.right_green.expect("stated") - expected.2).abs() < 1e-9);
    }

    #[test]
    fn at_the_bound_itself_either_mistake_is_at_most_one_in_forty() {
        for (bound, n) in [(">= 80%", 200), ("<= 5%", 300), (">= 99%", 1_000)] {
            let found = of("accuracy", bound, n);
            assert!(found.wrong_red.expect("a share").1 <= 0.025, "{bound}");
            assert!(found.wrong_green.expect("a share").1 <= 0.025, "{bound}");
        }
    }

    #[test]
    fn what_is_detected_lies_on_both_sides_of_the_bound_and_nearer_with_more_cases() {
        let (few, many) = (
            of("accuracy", ">= 80%", 100),
            of("accuracy", ">= 80%", 1_000),
        );
        assert!(few.passes_at > many.passes_at && many.passes_at > Some(0.8));
        assert!(few.fails_at < many.fails_at && many.fails_at < Some(0.8));
        let ceiling = of("flip_rate", "<= 5%", 400);
        assert!(ceiling.passes_at < Some(0.05) && ceiling.fails_at > Some(0.05));
    }

    #[test]
    fn the_cases_for_a_stated_value_give_it_its_chance() {
        let metric = Metric::parse("accuracy").expect("a metric");
        let mut requirement =
            Requirement::new(Bound::parse(">= 90%", metric.info().unit).expect("a bound"));
        requirement.assumed.good = Some(0.93);
        let few = prospect(&metric, &requirement, cases(100));
        let needed = few.cases_needed.expect("more cases help") as usize;
        let enough = prospect(&metric, &requirement, cases(needed));
        assert!(enough.right_green.expect("stated") >= POWER, "{needed}");
        assert!(few.right_green.expect("stated") < POWER);
    }

    #[test]
    fn other_metrics_name_the_cases_without_which_they_cannot_pass() {
        let coverage = of("coverage[accuracy >= 98%]", ">= 80%", 100);
        assert_eq!(
            (coverage.can_pass, coverage.cases_needed),
            (false, Some(217)),
            "two limits at 1.25% each: ln 0.0125 / ln 0.98"
        );
        let p95 = of("latency.p95", "<= 300ms", 60);
        assert_eq!((p95.can_pass, p95.cases_needed), (false, Some(72 + 20)));
        assert!(of("latency.p95", "<= 300ms", 92).can_pass);
        let drop = of("distractor_drop", "<= 1%", 50);
        assert!(!drop.can_pass);
        let needed = drop.cases_needed.expect("more cases help") as usize;
        assert!(of("distractor_drop", "<= 1%", needed).can_pass);
        assert!(!of("ece", "<= 0.01", 300).can_pass);
        assert!(of("ece", "<= 0.05", 300).can_pass);
        assert!(of("macro_f1", ">= 80%", 300).notes[0].contains("spread"));
        assert!(!of("accuracy", ">= 1%", 0).can_pass);
    }
}
