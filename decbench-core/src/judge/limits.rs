//! The limits that a bound is compared with.

use crate::metric::Reading;
use crate::score::{Evidence, ONE_MORE, Value};
use crate::stats::Interval;
use crate::stats::proportion::{clopper_pearson, clopper_pearson_effective};
use crate::stats::sequential::beta_mixture_effective;

/// Below this exact two-sided p, unanswered calls belong to one side of a comparison and not to chance.
pub(super) const UNEQUAL: f64 = 0.05;

/// The limits that a bound on this value would be compared with; `None` where nothing could be proven with it.
pub fn proven_limits(value: &Value) -> Option<Interval> {
    limits(Reading::Proven, value)
        .ok()
        .map(|(limits, _)| limits)
}

/// The limits that are compared with the bound.
///
/// # Errors
/// A reason when this evidence has none for this reading.
pub(super) fn limits(reading: Reading, value: &Value) -> Result<(Interval, &'static str), String> {
    match (&value.evidence, reading) {
        (
            Evidence::Share {
                limits: Some(interval),
                ..
            },
            Reading::Proven | Reading::Point,
        ) => Ok((*interval, ONE_MORE)),
        (
            Evidence::Share {
                share, effective_n, ..
            },
            Reading::Proven | Reading::Point,
        ) => {
            let exact = match value.evidence {
                Evidence::Share {
                    counts: Some((held, n)),
                    effective_n,
                    ..
                } if effective_n == n as f64 => clopper_pearson(held, n, value.level),
                _ => clopper_pearson_effective(*share, *effective_n, value.level),
            };
            exact
                .map(|interval| (interval, "exact limits"))
                .map_err(|undefined| undefined.to_string())
        }
        (
            Evidence::Share {
                share, effective_n, ..
            },
            Reading::Anytime,
        ) => beta_mixture_effective(*share, *effective_n, 1.0 - value.level)
            .map(|interval| (interval, "a confidence sequence"))
            .map_err(|undefined| undefined.to_string()),
        (_, Reading::Anytime) => Err(
            "`reading: anytime` exists for shares of cases only; use `proven` for this metric"
                .to_owned(),
        ),
        (Evidence::Limits { interval, method }, _) => Ok((*interval, method)),
        (Evidence::Calibration { interval, .. }, _) => Ok((
            *interval,
            "the basic bootstrap below, the noise of bins above",
        )),
        (
            Evidence::Coverage {
                certified_low,
                reachable,
                target,
            },
            _,
        ) => Ok((
            coverage(*certified_low, reachable, *target),
            "fixed-sequence testing",
        )),
        (Evidence::Description, _) => Err(value
            .notes
            .iter()
            .find(|note| note.starts_with("no interval"))
            .cloned()
            .unwrap_or_else(|| {
                "this value has no interval; `reading: point` compares it as it is".to_owned()
            })),
    }
}

/// Limits of coverage: below, what is certified; above, the largest coverage of a threshold that could still reach the accuracy.
fn coverage(certified_low: Option<f64>, reachable: &[(f64, f64)], target: f64) -> Interval {
    let possible = reachable
        .iter()
        .filter(|(_, upper)| *upper >= target)
        .map(|(coverage, _)| *coverage);
    Interval {
        low: certified_low.unwrap_or(0.0),
        high: possible.fold(0.0, f64::max),
    }
}
