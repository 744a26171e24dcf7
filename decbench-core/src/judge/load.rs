//! What a service bore of a load, against what must hold under it.

use std::collections::BTreeMap;

use crate::decision::{FailureKind, LoadCall, LoadRun};
use crate::metric::{Bound, LoadRule, Metric, MetricId, Outcome};
use crate::stats::latency::{Latencies, calls_for_upper_limit};
use crate::stats::proportion::{clopper_pearson, wilson};
use crate::stats::{Interval, Undefined};

/// Two-sided level of the limits.
const LEVEL: f64 = 0.95;
/// A 99% point of fewer calls rests on a handful of them.
const RELIABLE_P99: usize = 1_000;

/// What was found of all candidates that were called.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadFinding {
    /// The worst of what was found.
    pub outcome: Outcome,
    /// Why, in one sentence.
    pub reason: String,
    /// By candidate, in the suite's order: its name, and a point for each rate or why there is none.
    pub candidates: Vec<(String, Result<Vec<LoadPoint>, String>)>,
}

/// What was found of one candidate at one rate.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadPoint {
    /// The rate as it was written, such as `3x`.
    pub rate: String,
    /// How many calls a second were offered.
    pub offered: f64,
    /// How many calls the schedule has.
    pub planned: u32,
    /// How many were made.
    pub calls: usize,
    /// How many of them were answered.
    pub answered: usize,
    /// How many a second were answered, from the beginning of the schedule to the last answer.
    pub achieved: f64,
    /// The most calls that were unanswered at a time.
    pub most_in_flight: usize,
    /// How many calls failed, by kind.
    pub failures: BTreeMap<&'static str, usize>,
    /// Why the schedule was not kept to its end, where it was not.
    pub stopped: Option<String>,
    /// Shares of calls that failed and ran out of time, then percentiles of latency; none without calls.
    pub measured: Vec<LoadMeasure>,
    /// What must hold at this rate.
    pub held: Vec<LoadHeld>,
}

/// One measure at one rate.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadMeasure {
    /// Which.
    pub id: MetricId,
    /// Its value: a share, or milliseconds from when calls were due.
    pub value: f64,
    /// Its interval at 95%: Wilson's for shares, order statistics for percentiles.
    pub interval: Interval,
    /// The limits that bounds are compared with: exact ones for shares, else the interval.
    pub limits: Interval,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// One bound at one rate.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadHeld {
    /// What is bounded.
    pub metric: Metric,
    /// The bound.
    pub bound: Bound,
    /// What the evidence says.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
}

/// Judges what one candidate bore at the rate at this position.
///
/// Calls are taken as independent. While a queue builds up they are not, and the limits are then narrower than they
/// should be.
pub fn judge_load(rule: &LoadRule, rate: usize, run: &LoadRun) -> LoadPoint {
    let measured = measures(&run.calls);
    let answered = run.calls.iter().filter(|call| call.failure.is_none());
    let answered = answered.count();
    let mut failures = BTreeMap::new();
    for kind in run.calls.iter().filter_map(|call| call.failure) {
        *failures.entry(kind.name()).or_insert(0) += 1;
    }
    let bounds = rule.requirements.iter().filter(|_| rule.holds_at(rate));
    let held = bounds
        .map(|(metric, bound)| hold(metric, bound, &measured, run))
        .collect();
    LoadPoint {
        rate: rule
            .rates
            .get(rate)
            .map_or_else(String::new, |rate| rate.written.clone()),
        offered: rule.per_second(rate),
        planned: rule.calls,
        calls: run.calls.len(),
        answered,
        achieved: if run.seconds > 0.0 {
            answered as f64 / run.seconds
        } else {
            0.0
        },
        most_in_flight: run.most_in_flight,
        failures,
        stopped: run.stopped.clone(),
        measured: measured.unwrap_or_default(),
        held,
    }
}

/// Puts the points of all candidates together. A schedule that was not kept to its end says nothing good of a service,
/// whether something must hold at its rate or not.
pub fn judge_loads(candidates: Vec<(String, Result<Vec<LoadPoint>, String>)>) -> LoadFinding {
    let mut worst = (Outcome::Pass, String::new());
    let mut take = |outcome: Outcome, reason: String| {
        if outcome > worst.0 {
            worst = (outcome, reason);
        }
    };
    let mut calls = 0;
    for (name, points) in &candidates {
        let points = match points {
            Ok(points) => points,
            Err(reason) => {
                take(Outcome::CouldNotRun, format!("{name}: {reason}"));
                continue;
            }
        };
        for point in points {
            calls += point.calls;
            if let Some(stopped) = &point.stopped {
                let reason = format!(
                    "{name} at {}: {} of {} calls were made: {stopped}",
                    point.rate, point.calls, point.planned
                );
                take(Outcome::CouldNotRun, reason);
            }
            for held in &point.held {
                let reason = format!(
                    "{name} at {}: {} {}: {}",
                    point.rate, held.metric, held.bound, held.reason
                );
                take(held.outcome, reason);
            }
        }
    }
    if candidates.is_empty() {
        let reason = "no candidate is a service that can be called".to_owned();
        take(Outcome::CouldNotRun, reason);
    }
    let (outcome, mut reason) = worst;
    if outcome == Outcome::Pass {
        let bounds = candidates
            .iter()
            .filter_map(|(_, points)| points.as_ref().ok());
        let any = bounds.flatten().any(|point| !point.held.is_empty());
        reason = if any {
            format!("everything that must hold does, over {calls} calls")
        } else {
            format!("{calls} calls were made, and nothing must hold")
        };
    }
    LoadFinding {
        outcome,
        reason,
        candidates,
    }
}

fn hold(
    metric: &Metric,
    bound: &Bound,
    measured: &Result<Vec<LoadMeasure>, Undefined>,
    run: &LoadRun,
) -> LoadHeld {
    let told = |outcome, reason: &str| LoadHeld {
        metric: metric.clone(),
        bound: bound.clone(),
        outcome,
        reason: reason.to_owned(),
    };
    if let Some(stopped) = &run.stopped {
        return told(Outcome::CouldNotRun, stopped);
    }
    let measured = match measured {
        Ok(measured) => measured,
        Err(undefined) => return told(Outcome::CouldNotRun, &undefined.to_string()),
    };
    let Some(found) = measured.iter().find(|one| one.id == metric.id) else {
        return told(
            Outcome::CouldNotRun,
            "no call was answered or ran out of time",
        );
    };
    if found.limits.high <= bound.value() {
        told(Outcome::Pass, "the whole interval lies on the good side")
    } else if found.limits.low > bound.value() {
        told(Outcome::Fail, "the whole interval lies on the bad side")
    } else {
        let mut reason = vec!["the interval straddles the bound"];
        reason.extend(found.notes.iter().map(String::as_str));
        told(Outcome::Inconclusive, &reason.join("; "))
    }
}

fn measures(calls: &[LoadCall]) -> Result<Vec<LoadMeasure>, Undefined> {
    let n = calls.len() as u64;
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    let count = |holds: &dyn Fn(FailureKind) -> bool| {
        let failed = calls.iter().filter_map(|call| call.failure);
        failed.filter(|kind| holds(*kind)).count() as u64
    };
    let errors = count(&|_| true);
    let timeouts = count(&|kind| kind == FailureKind::Timeout);
    let mut all = vec![
        share(MetricId::ErrorRate, errors, n)?,
        share(MetricId::TimeoutRate, timeouts, n)?,
    ];
    // An error that returns early is no latency, and a call that ran out of time is slower than any other.
    let times: Vec<f64> = calls
        .iter()
        .filter_map(|call| match call.failure {
            None => Some(call.took_ms),
            Some(FailureKind::Timeout) => Some(f64::INFINITY),
            Some(_) => None,
        })
        .collect();
    if times.is_empty() {
        return Ok(all);
    }
    let timed = times.len();
    let latencies = Latencies::new(times)?;
    for (id, q) in [
        (MetricId::LatencyP50, 0.5),
        (MetricId::LatencyP95, 0.95),
        (MetricId::LatencyP99, 0.99),
    ] {
        let limits = latencies.quantile_limits(q, LEVEL)?;
        let mut notes = Vec::new();
        if limits.high.is_none() {
            let needed = calls_for_upper_limit(q, LEVEL)?;
            notes.push(format!("no upper limit: {timed} calls, of {needed} needed"));
        }
        if q >= 0.99 && timed < RELIABLE_P99 {
            notes.push(format!("unreliable from fewer than {RELIABLE_P99} calls"));
        }
        let interval = limits.interval().cut(0.0, f64::INFINITY);
        all.push(LoadMeasure {
            id,
            value: latencies.quantile(q)?,
            interval,
            limits: interval,
            notes,
        });
    }
    Ok(all)
}

fn share(id: MetricId, held: u64, n: u64) -> Result<LoadMeasure, Undefined> {
    Ok(LoadMeasure {
        id,
        value: held as f64 / n as f64,
        interval: wilson(held, n, LEVEL)?,
        limits: clopper_pearson(held, n, LEVEL)?,
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Unit;

    /// So many calls of 100 ms, then so many of a second, then so many of this failure after 5 ms.
    fn run(fast: usize, slow: usize, failed: (usize, FailureKind)) -> LoadRun {
        let mut run = LoadRun::default();
        let call = |took_ms, failure| LoadCall { took_ms, failure };
        run.calls.extend(vec![call(100.0, None); fast]);
        run.calls.extend(vec![call(1_000.0, None); slow]);
        run.calls.extend(vec![call(5.0, Some(failed.1)); failed.0]);
        run.seconds = 10.0;
        run
    }

    fn rule(metric: &str, bound: &str) -> LoadRule {
        let metric = Metric::parse(metric).expect("a metric");
        let unit = metric.info().unit;
        let mut rule = LoadRule::new(7.0);
        rule.requirements = vec![(metric, Bound::parse(bound, unit).expect("a bound"))];
        rule
    }

    fn outcome(rule: &LoadRule, run: &LoadRun) -> Outcome {
        judge_load(rule, 0, run).held[0].outcome
    }

    const NONE: (usize, FailureKind) = (0, FailureKind::Http);

    #[test]
    fn latency_holds_fails_or_cannot_be_told() {
        let p95 = rule("latency.p95", "<= 400ms");
        assert_eq!(outcome(&p95, &run(990, 10, NONE)), Outcome::Pass);
        assert_eq!(outcome(&p95, &run(900, 100, NONE)), Outcome::Fail);
        assert_eq!(outcome(&p95, &run(950, 50, NONE)), Outcome::Inconclusive);
        // 72 calls are the fewest with an upper limit of a 95% point.
        assert_eq!(outcome(&p95, &run(72, 0, NONE)), Outcome::Pass);
        let point = judge_load(&p95, 0, &run(71, 0, NONE));
        assert_eq!(point.held[0].outcome, Outcome::Inconclusive);
        assert!(point.held[0].reason.contains("71 calls, of 72 needed"));
    }

    #[test]
    fn running_out_of_time_is_slow_and_failing_early_is_not_fast() {
        let median = rule("latency.p50", "<= 400ms");
        let late = run(400, 0, (600, FailureKind::Timeout));
        let point = judge_load(&median, 0, &late);
        assert_eq!(point.held[0].outcome, Outcome::Fail);
        assert!(point.measured[2].value.is_infinite());
        let refused = judge_load(&median, 0, &run(400, 0, (600, FailureKind::RateLimited)));
        assert_eq!(refused.measured[2].value, 100.0, "5 ms are no latency");
        assert_eq!((refused.answered, refused.achieved), (400, 40.0));
        assert_eq!(refused.failures["rate_limited"], 600);
    }

    #[test]
    fn shares_are_held_to_exact_limits_and_shown_with_wilsons() {
        let errors = rule("error_rate", "<= 1%");
        assert_eq!(outcome(&errors, &run(1_000, 0, NONE)), Outcome::Pass);
        assert_eq!(
            outcome(&errors, &run(970, 0, (30, FailureKind::Http))),
            Outcome::Fail
        );
        let few = run(100, 0, NONE);
        assert_eq!(outcome(&errors, &few), Outcome::Inconclusive);
        let found = &judge_load(&errors, 0, &few).measured[0];
        // Wilson: z²/(n + z²); exact: 1 − 0.025^(1/n).
        assert!((found.interval.high - 3.841_458_8 / 103.841_458_8).abs() < 1e-9);
        assert!((found.limits.high - (1.0 - 0.025_f64.powf(0.01))).abs() < 1e-9);
        assert_eq!(found.id.info().unit, Unit::Share);
    }

    #[test]
    fn what_must_hold_at_one_rate_is_not_asked_at_others() {
        let mut p95 = rule("latency.p95", "<= 400ms");
        p95.at = Some(1);
        let slow = run(0, 100, NONE);
        assert!(judge_load(&p95, 0, &slow).held.is_empty());
        assert_eq!(judge_load(&p95, 1, &slow).held[0].outcome, Outcome::Fail);
    }

    #[test]
    fn the_worst_counts_and_a_schedule_that_broke_off_could_not_run() {
        let p95 = rule("latency.p95", "<= 400ms");
        let points = |run: &LoadRun| vec![("jev".to_owned(), Ok(vec![judge_load(&p95, 0, run)]))];
        let good = judge_loads(points(&run(990, 10, NONE)));
        assert_eq!(good.outcome, Outcome::Pass);
        assert!(good.reason.contains("1000 calls"), "{}", good.reason);
        let mut broken = run(990, 10, NONE);
        broken.stopped = Some("the deadline is over".to_owned());
        let broken = judge_loads(points(&broken));
        assert_eq!(broken.outcome, Outcome::CouldNotRun);
        assert!(broken.reason.contains("the deadline is over"));
        let nobody = judge_loads(Vec::new());
        assert_eq!(nobody.outcome, Outcome::CouldNotRun);
        let refused = judge_loads(vec![("jev".to_owned(), Err("no price".to_owned()))]);
        assert_eq!(refused.outcome, Outcome::CouldNotRun);
    }
}
