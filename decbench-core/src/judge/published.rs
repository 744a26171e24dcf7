//! Agreement with a published table against bounds.

use crate::metric::{Bound, Outcome, Side};
use crate::score::{BesidePublished, Estimate, Unmeasurable};
use crate::stats::Undefined;

/// Which number of the agreement is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PublishedMeasure {
    /// The rank correlation between measured and published.
    Spearman,
    /// The mean distance of left-out models from the line of the others.
    Error,
}

impl PublishedMeasure {
    /// The word in suites and trial names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spearman => "spearman",
            Self::Error => "error",
        }
    }
}

/// What the evidence says of a bound on one of them: proven by the whole interval, as any assertion is.
pub fn judge_published(
    found: &Result<BesidePublished, Unmeasurable>,
    measure: PublishedMeasure,
    bound: &Bound,
) -> (Outcome, String) {
    let found = match found {
        Ok(found) => found,
        Err(why) => return (Outcome::CouldNotRun, format!("not measurable: {why}")),
    };
    let estimate: &Result<Estimate, Undefined> = match measure {
        PublishedMeasure::Spearman => &found.spearman,
        PublishedMeasure::Error => &found.error,
    };
    let estimate = match estimate {
        Ok(estimate) => estimate,
        Err(why) => return (Outcome::CouldNotRun, format!("not measurable: {why}")),
    };
    let Some(interval) = estimate.interval else {
        let why = format!("{} units of evidence give no interval", found.units);
        return (Outcome::Inconclusive, why);
    };
    let limit = bound.value();
    let (good, bad) = match bound.side {
        Side::AtLeast => (interval.low >= limit, interval.high < limit),
        Side::AtMost => (interval.high <= limit, interval.low > limit),
    };
    let (outcome, reason) = match (good, bad) {
        (true, _) => (Outcome::Pass, "the whole interval lies on the good side"),
        (_, true) => (Outcome::Fail, "the whole interval lies on the bad side"),
        _ => (Outcome::Inconclusive, "the interval straddles the bound"),
    };
    (outcome, reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Unit;
    use crate::stats::Interval;

    fn judged(interval: Option<(f64, f64)>, bound: &str) -> Outcome {
        let estimate = Ok(Estimate {
            value: 0.8,
            interval: interval.map(|(low, high)| Interval { low, high }),
        });
        let mut found = crate::score::testing::beside_published();
        found.spearman = estimate;
        let bound = Bound::parse(bound, Unit::Number).expect("a bound");
        judge_published(&Ok(found), PublishedMeasure::Spearman, &bound).0
    }

    #[test]
    fn the_whole_interval_decides() {
        assert_eq!(judged(Some((0.8, 1.0)), ">= 0.8"), Outcome::Pass);
        assert_eq!(judged(Some((0.1, 0.7)), ">= 0.8"), Outcome::Fail);
        assert_eq!(judged(Some((0.1, 0.8)), ">= 0.8"), Outcome::Inconclusive);
        assert_eq!(judged(None, ">= 0.8"), Outcome::Inconclusive);
        let bound = Bound::parse("<= 3", Unit::Number).expect("a bound");
        let mute = Err(Unmeasurable::because("no cases"));
        let told = judge_published(&mute, PublishedMeasure::Error, &bound);
        assert_eq!(
            told,
            (Outcome::CouldNotRun, "not measurable: no cases".to_owned())
        );
        let mut same = crate::score::testing::beside_published();
        same.error = Err(Undefined::ZeroVariance);
        let told = judge_published(&Ok(same), PublishedMeasure::Error, &bound);
        assert_eq!(told.0, Outcome::CouldNotRun);
    }
}
