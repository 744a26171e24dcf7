//! A bound: a side and an exact decimal in the metric's unit.

use std::cmp::Ordering;
use std::fmt;

use super::Unit;

/// Which side of the bound is the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// `>=`: the bound and everything above it.
    AtLeast,
    /// `<=`: the bound and everything below it.
    AtMost,
}

/// An exact decimal: `digits` times ten to the power of minus `scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits as one integer.
    pub digits: i64,
    /// How many of them stand behind the point, at most 18.
    pub scale: u32,
}

impl Decimal {
    /// Reads `-12.50`; no exponent, at most 18 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = unsigned.len() + fraction.len();
        if digits == 0
            || digits > 18
            || !all_digits(unsigned)
            || !all_digits(fraction)
            || text.ends_with('.')
        {
            return None;
        }
        let scale = u32::try_from(fraction.len()).ok()?;
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { digits, scale })
    }

    /// The same value divided by ten to the power of `places`.
    #[must_use]
    pub fn shifted(self, places: u32) -> Self {
        Self {
            digits: self.digits,
            scale: self.scale + places,
        }
    }

    /// The nearest double.
    pub fn value(self) -> f64 {
        // Written and read as text, because dividing by a power of ten would round twice.
        format!("{}e-{}", self.digits, self.scale)
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// How `part` of `whole` compares with this decimal, exactly; `whole` must be positive.
    pub fn compared_by(self, part: u64, whole: u64) -> Ordering {
        let power = 10_i128.checked_pow(self.scale).unwrap_or(i128::MAX);
        let share = i128::from(part).saturating_mul(power);
        share.cmp(&i128::from(self.digits).saturating_mul(i128::from(whole)))
    }
}

/// What a metric must reach or keep below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Which side is good.
    pub side: Side,
    /// The limit in the metric's unit (shares as fractions, times in milliseconds).
    pub limit: Decimal,
    /// The limit as it was written, such as `90%` or `$0.50`.
    pub written: String,
}

impl Bound {
    /// The limit as a double, in the metric's unit.
    pub fn value(&self) -> f64 {
        self.limit.value()
    }

    /// Reads `>= 90%`, `<= 300ms`, `<= $0.50` or `<= 0.05` for a metric measured in `unit`.
    ///
    /// # Errors
    /// A [`BoundError`] that says what is wrong: no side, no number, or a unit that is not the metric's.
    pub fn parse(text: &str, unit: Unit) -> Result<Self, BoundError> {
        let trimmed = text.trim();
        let (side, rest) = if let Some(rest) = trimmed.strip_prefix(">=") {
            (Side::AtLeast, rest)
        } else if let Some(rest) = trimmed.strip_prefix("<=") {
            (Side::AtMost, rest)
        } else {
            return Err(BoundError::NoSide);
        };
        Self::parse_limit(side, rest, unit)
    }

    /// Reads the limit alone, as in `at_least: 90%`.
    ///
    /// # Errors
    /// As [`Bound::parse`], but for the side.
    pub fn parse_limit(side: Side, text: &str, unit: Unit) -> Result<Self, BoundError> {
        let written = text.trim().to_owned();
        let limit = parse_quantity(&written, unit)?;
        if unit == Unit::Share && !(0.0..=1.0).contains(&limit.value()) {
            return Err(BoundError::OutOfRange {
                low: "0%",
                high: "100%",
            });
        }
        if unit == Unit::Difference && !(-1.0..=1.0).contains(&limit.value()) {
            return Err(BoundError::OutOfRange {
                low: "-100%",
                high: "100%",
            });
        }
        Ok(Self {
            side,
            limit,
            written,
        })
    }
}

fn parse_quantity(text: &str, unit: Unit) -> Result<Decimal, BoundError> {
    let number = |text: &str| Decimal::parse(text.trim()).ok_or(BoundError::NoNumber);
    let wrong = Err(BoundError::WrongUnit { wanted: unit });
    if let Some(rest) = text.strip_suffix('%') {
        return if matches!(unit, Unit::Share | Unit::Difference) {
            Ok(number(rest)?.shifted(2))
        } else {
            wrong
        };
    }
    if let Some(rest) = text.strip_prefix('$') {
        return if unit == Unit::Dollars {
            number(rest)
        } else {
            wrong
        };
    }
    if let Some(rest) = text.strip_suffix("ms") {
        return if unit == Unit::Milliseconds {
            number(rest)
        } else {
            wrong
        };
    }
    if let Some(rest) = text.strip_suffix('s') {
        if unit != Unit::Milliseconds {
            return wrong;
        }
        let seconds = number(rest)?;
        let digits = seconds
            .digits
            .checked_mul(1000)
            .ok_or(BoundError::NoNumber)?;
        return Ok(Decimal {
            digits,
            scale: seconds.scale,
        });
    }
    let plain = number(text)?;
    // A bare number is a fraction or a plain number; for times and money the unit must stand there.
    if matches!(unit, Unit::Milliseconds | Unit::Dollars) {
        wrong
    } else {
        Ok(plain)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::AtLeast => ">=",
            Side::AtMost => "<=",
        };
        write!(f, "{side} {}", self.written)
    }
}

/// Why a text is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoundError {
    /// Neither `>=` nor `<=` in front.
    #[error("a bound starts with >= or <=")]
    NoSide,
    /// What follows is no decimal number.
    #[error("not a decimal number")]
    NoNumber,
    /// The unit belongs to another kind of metric.
    #[error("wrong unit: {}", unit_hint(*wanted))]
    WrongUnit {
        /// The metric's unit.
        wanted: Unit,
    },
    /// The metric cannot take this value.
    #[error("out of range: this metric lies between {low} and {high}")]
    OutOfRange {
        /// Smallest possible value.
        low: &'static str,
        /// Largest possible value.
        high: &'static str,
    },
}

fn unit_hint(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "this metric is a share, write 90% or 0.9",
        Unit::Difference => "this metric is a difference of shares, write 2% or 0.02",
        Unit::Number => "this metric is a plain number, write 0.25",
        Unit::Milliseconds => "this metric is a time, write 300ms or 1.5s",
        Unit::Dollars => "this metric is in US dollars, write $0.50",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_into_the_metrics_own() {
        let value = |text, unit| Bound::parse(text, unit).map(|bound| bound.value());
        assert_eq!(value(">= 90%", Unit::Share), Ok(0.9));
        assert_eq!(value(">=0.90", Unit::Share), Ok(0.9));
        assert_eq!(value("<= 1.5s", Unit::Milliseconds), Ok(1500.0));
        assert_eq!(value("<= $0.50", Unit::Dollars), Ok(0.5));
        assert_eq!(
            value("<= 300", Unit::Milliseconds),
            Err(BoundError::WrongUnit {
                wanted: Unit::Milliseconds
            })
        );
        assert_eq!(
            value("<= 5%", Unit::Number),
            Err(BoundError::WrongUnit {
                wanted: Unit::Number
            })
        );
        assert_eq!(value("90%", Unit::Share), Err(BoundError::NoSide));
        assert_eq!(value(">= ninety", Unit::Share), Err(BoundError::NoNumber));
        assert!(matches!(
            value(">= 90", Unit::Share),
            Err(BoundError::OutOfRange { .. })
        ));
    }

    #[test]
    fn shares_are_compared_exactly() {
        let ninety = Decimal::parse("0.9").unwrap();
        assert!(
            ninety.compared_by(27, 30).is_eq(),
            "27 of 30 is exactly 90%"
        );
        assert!(ninety.compared_by(26, 30).is_lt());
    }
}
