//! How long calls take: warm ones, with cold ones told beside them.

use super::resampled::Items;
use super::scope::{Scope, VALUE_ALONE};
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::FailureKind;
use crate::stats::clustered_quantile::clustered_quantile_limits;
use crate::stats::latency::{Latencies, calls_for_upper_limit};

/// A 99% point of fewer calls rests on a handful of them.
const RELIABLE_P99: u64 = 1_000;
/// The first calls of a candidate, while caches fill and services start.
const WARM_UP: usize = 20;

/// One call that was measured.
pub(super) struct Timed<'s, 'a> {
    pub(super) row: &'s Row<'a>,
    /// Infinite for a call that ran out of time.
    pub(super) ms: f64,
    at: Option<&'s str>,
    /// Whether it needed a new connection.
    cold: bool,
}

/// Every call that was measured, each once, in the order in which they were made as far as that is known.
///
/// Other views and orders are other requests; production makes the base call, repeats of it included.
pub(super) fn timed<'s, 'a>(scope: &Scope<'s, 'a>) -> Vec<Timed<'s, 'a>> {
    let mut calls = Vec::new();
    for row in &scope.rows {
        for observed in row.plain() {
            let ms = match observed.failure {
                Some(FailureKind::Timeout) => Some(f64::INFINITY),
                Some(_) => None,
                None => observed.measured.latency_ms,
            };
            calls.extend(ms.map(|ms| Timed {
                row,
                ms,
                at: observed.measured.at.as_deref(),
                cold: observed.measured.cold == Some(true),
            }));
        }
    }
    // RFC 3339 in one zone sorts as text.
    calls.sort_by(|a, b| a.at.cmp(&b.at));
    calls
}

/// The warm calls: all after the first twenty of the candidate that needed no new connection; with what is to be said where
/// they could not be told apart.
pub(super) fn warm<'c, 's, 'a>(
    calls: &'c [Timed<'s, 'a>],
) -> (Vec<&'c Timed<'s, 'a>>, Vec<String>) {
    let mut notes = Vec::new();
    let in_order = calls.iter().all(|call| call.at.is_some());
    let first = if in_order && calls.len() > WARM_UP {
        WARM_UP
    } else {
        notes.push(if in_order {
            format!("no more than {WARM_UP} calls: the first ones, which warm up, are among them")
        } else {
            "when calls were made is unknown: the first ones, which warm up, are among them"
                .to_owned()
        });
        0
    };
    let mut warm: Vec<&Timed<'s, 'a>> = calls[first..].iter().filter(|call| !call.cold).collect();
    if warm.iter().all(|call| call.ms.is_infinite()) {
        notes.push("no call was warm: all are read".to_owned());
        warm = calls.iter().collect();
    }
    (warm, notes)
}

/// A percentile over the warm calls; calls that ran out of time are slower than any other.
///
/// Warm are all calls after the first twenty of the candidate that needed no new connection. Where the times of calls are
/// unknown, or there are no more than these, nothing is left out as warming up.
pub(super) fn latency(scope: &Scope<'_, '_>, q: f64) -> Result<Value, Unmeasurable> {
    let calls = timed(scope);
    if calls.iter().all(|call| call.ms.is_infinite()) {
        return Err(Unmeasurable::because("no latency was measured"));
    }
    let (warm, mut notes) = warm(&calls);
    let times: Vec<f64> = warm.iter().map(|call| call.ms).collect();
    let rows: Vec<&Row<'_>> = warm.iter().map(|call| call.row).collect();
    let items = Items::of(&rows, scope.selection.sample);
    let latencies = Latencies::new(times.clone())?;
    if scope.level == VALUE_ALONE {
        return Ok(items.described(latencies.quantile(q)?, scope.level));
    }
    // Repeats of one case say little that is new.
    let (limits, method) = if items.units < times.len() {
        let limits = clustered_quantile_limits(&times, &items.unit_of, q, scope.level)?;
        (limits, "order statistics, clusters")
    } else {
        let limits = latencies.quantile_limits(q, scope.level)?;
        (limits, "order statistics")
    };
    // No time lies below 0, so a lower limit is never missing altogether.
    let interval = limits.interval().cut(0.0, f64::INFINITY);
    let mut value = items.described(latencies.quantile(q)?, scope.level);
    value.interval = Some(interval);
    value.method = method;
    value.evidence = Evidence::Limits { interval, method };
    value.notes.extend(days(&calls));
    value.notes.append(&mut notes);
    tell_cold(&mut value, &calls, q)?;
    if limits.high.is_none() {
        let needed = calls_for_upper_limit(q, scope.level)?;
        value.notes.push(format!(
            "no upper limit: {} independent calls, of {needed} needed",
            value.units
        ));
    }
    if q >= 0.99 && latencies.calls() < RELIABLE_P99 {
        value.notes.push(format!(
            "unreliable from fewer than {RELIABLE_P99} warm calls"
        ));
    }
    Ok(value)
}

/// The same percentile of the calls that needed a new connection.
fn tell_cold(value: &mut Value, calls: &[Timed<'_, '_>], q: f64) -> Result<(), Unmeasurable> {
    value.parts.push(("warm_calls", value.n as f64));
    let cold: Vec<f64> = calls
        .iter()
        .filter(|call| call.cold)
        .map(|call| call.ms)
        .collect();
    if !cold.is_empty() {
        let n = cold.len();
        let slow = Latencies::new(cold)?.quantile(q)?;
        value.notes.push(format!(
            "cold, on a new connection: {slow:.0} ms over {n} calls"
        ));
        value.parts.push(("cold_calls", n as f64));
        value.parts.push(("cold", slow));
    }
    Ok(())
}

/// On which days calls were made.
fn days(calls: &[Timed<'_, '_>]) -> Option<String> {
    let days = || calls.iter().filter_map(|call| call.at?.get(..10));
    let (first, last) = (days().min()?, days().max()?);
    let until = if first == last {
        String::new()
    } else {
        format!(" to {last}")
    };
    Some(format!("measured {first}{until}"))
}

#[cfg(test)]
mod tests {
    use crate::score::testing::Data;

    /// A call a second: the first twenty slow, and every tenth of the others on a new connection.
    fn day(calls: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..calls {
            data.answered(0, 0);
            let measured = &mut data.answers[at].measured;
            measured.at = Some(format!(
                "2026-11-02T{:02}:{:02}:{:02}Z",
                at / 3600,
                at / 60 % 60,
                at % 60
            ));
            measured.cold = Some(at >= 20 && at % 10 == 0);
            measured.latency_ms = Some(match at {
                0..20 => 900.0,
                at if at % 10 == 0 => 500.0,
                _ => 100.0,
            });
        }
        data
    }

    #[test]
    fn the_first_calls_and_new_connections_are_apart() {
        let value = day(120).measure("latency.p95").value.expect("calls");
        assert_eq!((value.value, value.n), (100.0, 90));
        let part = |name| value.parts.iter().find(|(known, _)| *known == name);
        assert_eq!(part("cold_calls"), Some(&("cold_calls", 10.0)));
        assert_eq!(part("cold"), Some(&("cold", 500.0)));
    }

    #[test]
    fn few_calls_are_all_read_and_that_is_said() {
        let value = day(20).measure("latency.p50").value.expect("calls");
        assert_eq!((value.value, value.n), (900.0, 20));
        assert!(value.notes.iter().any(|note| note.contains("warm up")));
    }

    #[test]
    fn p99_is_reliable_from_a_thousand_warm_calls() {
        let doubted = |calls| {
            let value = day(calls).measure("latency.p99").value.expect("calls");
            value
                .notes
                .iter()
                .any(|note| note.starts_with("unreliable"))
        };
        assert!(doubted(1_100), "a tenth is cold");
        assert!(!doubted(1_200));
    }
}
