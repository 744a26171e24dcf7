//! Two limits around an estimate.

/// A closed interval of the real line, both limits included.
///
/// `low <= high` holds for every interval this crate computes. A limit may be
/// infinite where a statistic says so (a percentile above the last observed
/// call, a cost without an upper limit); no limit is ever NaN.
///
/// ```
/// use decbench_core::stats::Interval;
///
/// let interval = Interval { low: 0.25, high: 0.75 };
/// assert!(interval.contains(0.75));
/// assert_eq!(interval.width(), 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies between the limits, which count as inside.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The distance between the limits, infinite where a limit is.
    pub fn width(&self) -> f64 {
        if self.low == self.high {
            // Two equal infinite limits would otherwise give NaN.
            0.0
        } else {
            self.high - self.low
        }
    }

    /// The same interval with both limits moved into `[least, most]`.
    #[must_use]
    pub fn cut(&self, least: f64, most: f64) -> Self {
        Self {
            low: self.low.max(least).min(most),
            high: self.high.min(most).max(least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;

    #[test]
    fn limits_are_inside() {
        let interval = Interval {
            low: -1.0,
            high: 2.0,
        };
        assert!(interval.contains(-1.0) && interval.contains(2.0));
        assert!(!interval.contains(2.1) && !interval.contains(f64::NAN));
    }

    #[test]
    fn equal_infinite_limits_have_no_width() {
        let interval = Interval {
            low: f64::INFINITY,
            high: f64::INFINITY,
        };
        assert_eq!(interval.width(), 0.0);
    }

    #[test]
    fn cutting_keeps_the_limits_in_order() {
        let interval = Interval {
            low: 1.2,
            high: 1.4,
        };
        assert_eq!(
            interval.cut(0.0, 1.0),
            Interval {
                low: 1.0,
                high: 1.0
            }
        );
    }
}
