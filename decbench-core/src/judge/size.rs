//! How many more cases would settle an inconclusive outcome.

use super::limits::limits;
use crate::metric::{Bound, Reading, Side};
use crate::score::{Evidence, Value};
use crate::stats::Interval;

/// No answer beyond this many cases.
const MOST: f64 = 10_000_000.0;

/// About how many more cases, alike those seen, would move the whole interval to the side of the bound where the
/// value lies; `None` when the value meets the bound exactly, has no interval, or needs more than ten million.
pub fn more_cases(bound: &Bound, value: &Value, reading: Reading) -> Option<u64> {
    let limit = bound.value();
    let gap = (value.value - limit).abs();
    if gap <= 1e-12 || !value.value.is_finite() {
        return None;
    }
    let n = value.n as f64;
    let needed = if let Evidence::Share { limits: None, .. } = value.evidence {
        let settled = |factor: f64| {
            let grown = grown(value, factor);
            limits(reading, &grown).is_ok_and(|(interval, _)| settles(bound.side, limit, interval))
        };
        smallest_factor(settled)? * n
    } else {
        let (interval, _) = limits(reading, value).ok()?;
        let half = if value.value > limit {
            value.value - interval.low
        } else {
            interval.high - value.value
        };
        if !half.is_finite() {
            return None;
        }
        // The width of such intervals falls with the square root of the number of cases.
        n * (half / gap).powi(2)
    };
    (needed <= MOST).then(|| (needed - n).ceil().max(1.0) as u64)
}

fn settles(side: Side, limit: f64, interval: Interval) -> bool {
    match side {
        Side::AtLeast => interval.low >= limit || interval.high < limit,
        Side::AtMost => interval.high <= limit || interval.low > limit,
    }
}

/// The same share on `factor` times as many cases.
fn grown(value: &Value, factor: f64) -> Value {
    let mut grown = value.clone();
    if let Evidence::Share {
        effective_n,
        counts,
        ..
    } = &mut grown.evidence
    {
        *effective_n *= factor;
        *counts = None;
    }
    grown
}

/// The smallest factor, to one part in a thousand, at which `holds` becomes true; at most [`MOST`].
fn smallest_factor(holds: impl Fn(f64) -> bool) -> Option<f64> {
    let mut high = 1.0;
    while !holds(high) {
        high *= 2.0;
        if high > MOST {
            return None;
        }
    }
    let mut low = high / 2.0;
    while high - low > high * 1e-3 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}
