//! Time and cost as scores of which 100 is good, on the scales of `JevBench` v1.6.

use super::scope::{Scope, VALUE_ALONE};
use super::value::{Evidence, Unmeasurable, Value};
use super::{cost, latency};
use crate::stats::{Interval, jevbench};

const MS_PER_S: f64 = 1000.0;

/// The median and the 95% point of a call's time as one score.
///
/// Its limits are the score at both lower and at both upper limits of the times, each at half of what is left: both
/// hold together at the level asked for.
pub(super) fn speed(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let level = f64::midpoint(1.0, scope.level);
    let of = |q| {
        let finer = Scope {
            level: if scope.level == VALUE_ALONE {
                VALUE_ALONE
            } else {
                level
            },
            rows: scope.rows.clone(),
            ..*scope
        };
        latency::latency(&finer, q)
    };
    let (p50, p95) = (of(0.5)?, of(0.95)?);
    let score = |p50: f64, p95: f64| jevbench::speed(p50 / MS_PER_S, p95 / MS_PER_S);
    let mut value = Value {
        value: score(p50.value, p95.value)?,
        level: scope.level,
        parts: vec![
            ("p50_s", p50.value / MS_PER_S),
            ("p95_s", p95.value / MS_PER_S),
        ],
        interval: None,
        ..p50.clone()
    };
    value.evidence = Evidence::Description;
    value.method = "none";
    if let (Some(median), Some(tail)) = (p50.interval, p95.interval) {
        let interval = Interval {
            low: score(median.high, tail.high)?,
            high: score(median.low, tail.low)?,
        };
        let method = "both times at their limits";
        value.interval = Some(interval);
        value.method = method;
        value.evidence = Evidence::Limits { interval, method };
    }
    value.notes.insert(
        0,
        format!(
            "median {} s, 95% of calls within {} s",
            seconds(p50.value),
            seconds(p95.value)
        ),
    );
    Ok(value)
}

fn seconds(ms: f64) -> String {
    if ms.is_finite() {
        format!("{:.4}", ms / MS_PER_S)
    } else {
        "no number of".to_owned()
    }
}

/// The cost of 1,000 decisions as a score; it has no value where they are free.
pub(super) fn cost(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let dollars = cost::per_1000(scope)?;
    if dollars.value <= 0.0 {
        return Err(Unmeasurable::because(
            "these calls are free, and the scale of cost has no end",
        ));
    }
    let mut value = Value {
        value: jevbench::cost(dollars.value)?,
        parts: vec![("usd_per_1000", dollars.value)],
        ..dollars.clone()
    };
    if let Some(cents) = dollars.interval {
        let of = |usd: f64| {
            if usd > 0.0 {
                jevbench::cost(usd)
            } else {
                Ok(f64::INFINITY)
            }
        };
        let interval = Interval {
            low: of(cents.high)?,
            high: of(cents.low)?,
        };
        value.interval = Some(interval);
        value.evidence = Evidence::Limits {
            interval,
            method: value.method,
        };
    }
    value
        .notes
        .insert(0, format!("${:.6} per 1,000", dollars.value));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use crate::score::testing::Data;

    /// Calls of these times in milliseconds, each at this price.
    fn calls(times: impl IntoIterator<Item = f64>, cost: f64) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for ms in times {
            data.answered(0, 0);
            let measured = &mut data.answers.last_mut().expect("one").measured;
            measured.latency_ms = Some(ms);
            measured.cost_usd = Some(cost);
        }
        data
    }

    #[test]
    fn a_tenth_of_a_second_is_100_and_each_tenfold_is_20_less() {
        let times = (0..100).map(|at| if at < 80 { 100.0 } else { 1000.0 });
        let value = calls(times, 0.001).measure("speed_score").value.unwrap();
        assert!((value.value - 90.0).abs() < 1e-9, "{value:?}");
        assert_eq!(value.parts, [("p50_s", 0.1), ("p95_s", 1.0)]);
        let interval = value.interval.expect("a hundred calls");
        assert!(interval.low <= 90.0 && 90.0 <= interval.high);
    }

    #[test]
    fn calls_that_never_end_score_nothing_and_few_calls_have_no_proven_speed() {
        let mut data = calls([100.0; 30], 0.001);
        let value = data.measure("speed_score").value.unwrap();
        assert_eq!(value.value, 100.0);
        // Of 30 calls the 95% point has no upper limit: it may be endless.
        assert_eq!(value.interval.expect("limits").low, 50.0);
        for answer in &mut data.answers {
            answer.measured.latency_ms = None;
        }
        let none = data.measure("speed_score").value.unwrap_err();
        assert_eq!(none.reason, "no latency was measured");
    }

    #[test]
    fn a_tenth_of_a_cent_per_1000_is_100_and_what_is_free_has_no_place_on_the_scale() {
        let score = |usd_per_1000: f64| {
            let data = calls([100.0; 40], usd_per_1000 / 1000.0);
            data.measure("cost_score").value
        };
        assert!((score(0.001).unwrap().value - 100.0).abs() < 1e-9);
        let dear = score(10.0).unwrap();
        assert!((dear.value - -20.0).abs() < 1e-9, "not clipped");
        assert_eq!(dear.method, "constant");
        assert!(score(0.0).unwrap_err().reason.contains("free"));
    }
}
