//! A measured value against a bound.

use super::limits::{UNEQUAL, limits};
use super::outcome::{Judgement, Outcome};
use super::size::more_cases;
use crate::metric::{Better, Bound, Metric, MetricId, Needs, Reading, Requirement, Side};
use crate::score::{Availability, Evidence, Measurement, Unmeasurable, Value};
use crate::stats::mcnemar::mcnemar_exact;

/// Judges one requirement by what was measured for it at its own level and selection.
pub fn judge(metric: &Metric, requirement: &Requirement, measurement: &Measurement) -> Judgement {
    let mut judgement = match blocked(metric, requirement, &measurement.availability) {
        Some(reason) => Judgement::could_not_run(reason),
        None => match &measurement.value {
            Err(Unmeasurable { reason }) => {
                Judgement::could_not_run(format!("not measurable: {reason}"))
            }
            Ok(value) => judge_value(metric, requirement, value),
        },
    };
    if judgement.outcome == Outcome::CouldNotRun
        && requirement.skip_unmeasurable
        && measurement.value.is_err()
    {
        judgement.skipped = true;
    }
    judgement
}

/// Why these answers may not be judged at all.
fn blocked(
    metric: &Metric,
    requirement: &Requirement,
    availability: &Availability,
) -> Option<String> {
    let Availability {
        expected,
        missing,
        unanswered,
        one_sided: (first, second),
        ..
    } = *availability;
    if expected == 0 {
        return Some("there are no cases to measure".to_owned());
    }
    if missing > 0 {
        return Some(format!("{missing} of {expected} answers are missing"));
    }
    // An error rate measures just what the limit would hide.
    if metric.info().needs == Needs::Calls {
        return None;
    }
    if mcnemar_exact(first, second) < UNEQUAL {
        return Some(format!(
            "the two views differ in unanswered calls: {first} cases only in the first, {second} only in the second"
        ));
    }
    let share = unanswered as f64 / expected as f64;
    (share > requirement.max_unanswered + 1e-12).then(|| {
        format!(
            "{unanswered} of {expected} calls ({:.1}%) were not answered, more than {:.1}% (max_unanswered)",
            share * 100.0,
            requirement.max_unanswered * 100.0
        )
    })
}

fn judge_value(metric: &Metric, requirement: &Requirement, value: &Value) -> Judgement {
    let bound = &requirement.bound;
    if requirement.reading == Reading::Point {
        return point(bound, value);
    }
    let limits = match limits(requirement.reading, value) {
        Ok(limits) => limits,
        Err(reason) => {
            return Judgement {
                value: Some(value.clone()),
                ..Judgement::could_not_run(reason)
            };
        }
    };
    let interval = limits.0;
    let limit = bound.value();
    let mut outcome = match bound.side {
        Side::AtLeast if interval.low >= limit => Outcome::Pass,
        Side::AtLeast if interval.high < limit => Outcome::Fail,
        Side::AtMost if interval.high <= limit => Outcome::Pass,
        Side::AtMost if interval.low > limit => Outcome::Fail,
        _ => Outcome::Inconclusive,
    };
    let mut reason = sides(outcome).to_owned();
    if let (Outcome::Fail, Evidence::Calibration { chance, .. }) = (outcome, &value.evidence)
        && value.value <= limit + chance
    {
        outcome = Outcome::Inconclusive;
        reason = format!(
            "a perfectly calibrated model would show up to {chance:.4} by chance on these confidences"
        );
    }
    let more = (outcome == Outcome::Inconclusive)
        .then(|| more_cases(bound, value, requirement.reading))
        .flatten();
    if outcome == Outcome::Inconclusive {
        reason = match more {
            Some(more) => format!("{reason}; about {more} more cases like these would settle it"),
            None => format!("{reason}; more cases alone may not settle it"),
        };
    }
    if metric.info().better == Better::Higher
        && bound.side == Side::AtMost
        && metric.id != MetricId::Coverage
    {
        reason.push_str("; note that more is better for this metric and the bound caps it");
    }
    Judgement {
        outcome,
        skipped: false,
        reason,
        value: Some(value.clone()),
        limits: Some(limits),
        more_cases: more,
    }
}

fn sides(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "the whole interval lies on the good side",
        Outcome::Fail => "the whole interval lies on the bad side",
        Outcome::Inconclusive | Outcome::CouldNotRun => "the interval straddles the bound",
    }
}

/// The value alone against the bound; shares of whole counts are compared as fractions.
fn point(bound: &Bound, value: &Value) -> Judgement {
    let (at_least, at_most) = match value.evidence {
        Evidence::Share {
            counts: Some((held, n)),
            ..
        } => {
            let order = bound.limit.compared_by(held, n);
            (order.is_ge(), order.is_le())
        }
        _ => (value.value >= bound.value(), value.value <= bound.value()),
    };
    let holds = match bound.side {
        Side::AtLeast => at_least,
        Side::AtMost => at_most,
    };
    let outcome = if holds { Outcome::Pass } else { Outcome::Fail };
    let reason = "read as a point: the value alone is compared, without its uncertainty".to_owned();
    Judgement {
        outcome,
        skipped: false,
        reason,
        value: Some(value.clone()),
        limits: None,
        more_cases: None,
    }
}
