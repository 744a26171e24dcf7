//! Thresholds as the decimals their authors wrote.

use std::cmp::Ordering;

use crate::stats::Undefined;

/// A threshold as the decimal number a person wrote.
///
/// 0.9 is no double: 0.9 · 30 is 27.000000000000004, which would demand 28
/// right answers of 30. A `Decimal` holds 9/10 and compares counts with it in
/// whole numbers.
///
/// ```
/// use decbench_core::stats::Decimal;
///
/// let floor = Decimal::from_f64(0.9)?;
/// assert!(floor.is_met_by(27, 30));
/// assert!(!floor.is_met_by(26, 30));
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal {
    /// The digits as one whole number; the value is `digits / 10^places`.
    digits: i128,
    /// At most [`MOST_PLACES`].
    places: u32,
    value: f64,
}

/// 17 significant digits and a leading "0.0…" fit; products with a count stay below 2^127.
const MOST_PLACES: u32 = 18;

/// Values above this are no rates, counts or thresholds of any kind.
const LARGEST: f64 = 1e18;

impl Decimal {
    /// The shortest decimal that reads back as this double, which is what its author typed.
    ///
    /// Digits behind the 18th decimal place are cut off.
    ///
    /// # Errors
    ///
    /// [`Undefined::NotFinite`]; [`Undefined::OutOfRange`] beyond ±10^18.
    pub fn from_f64(value: f64) -> Result<Self, Undefined> {
        if !value.is_finite() {
            return Err(Undefined::NotFinite);
        }
        if value.abs() > LARGEST {
            return Err(Undefined::OutOfRange { what: "threshold" });
        }
        let text = format!("{}", value.abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((text.as_str(), ""));
        let mut digits: i128 = 0;
        let mut places = 0;
        let kept = fraction.bytes().take(MOST_PLACES as usize);
        for byte in whole.bytes() {
            digits = digits * 10 + i128::from(byte - b'0');
        }
        for byte in kept {
            digits = digits * 10 + i128::from(byte - b'0');
            places += 1;
        }
        if value < 0.0 {
            digits = -digits;
        }
        Ok(Self {
            digits,
            places,
            value,
        })
    }

    /// The double nearest to this number.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How the ratio k/n compares with this number, exactly; `None` when n = 0.
    ///
    /// Counts above 10^18 or so, which no run reaches, compare as doubles.
    pub fn compare_ratio(&self, k: u64, n: u64) -> Option<Ordering> {
        if n == 0 {
            return None;
        }
        let left = i128::from(k).checked_mul(10_i128.pow(self.places));
        let right = self.digits.checked_mul(i128::from(n));
        match (left, right) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => (k as f64 / n as f64).partial_cmp(&self.value),
        }
    }

    /// Whether k/n is at least this number; false when n = 0.
    pub fn is_met_by(&self, k: u64, n: u64) -> bool {
        self.compare_ratio(k, n).is_some_and(Ordering::is_ge)
    }

    /// The smallest k with k/n at least this number, or `None` when even n of n is less.
    pub fn smallest_count(&self, n: u64) -> Option<u64> {
        if n == 0 || !self.is_met_by(n, n) {
            return None;
        }
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.is_met_by(middle, n) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_compare_as_they_are_written() {
        for (value, k, n) in [(0.9, 27, 30), (0.1, 3, 30), (0.97, 97, 100), (0.7, 7, 10)] {
            let threshold = Decimal::from_f64(value).unwrap();
            assert_eq!(threshold.compare_ratio(k, n), Some(Ordering::Equal));
            assert_eq!(threshold.compare_ratio(k - 1, n), Some(Ordering::Less));
            assert_eq!(threshold.compare_ratio(k + 1, n), Some(Ordering::Greater));
        }
    }

    #[test]
    fn small_and_negative_thresholds_keep_their_order() {
        assert!(Decimal::from_f64(-0.5).unwrap().is_met_by(0, 3));
        assert!(Decimal::from_f64(1e-7).unwrap().is_met_by(1, 10_000_000));
        assert!(!Decimal::from_f64(1e-7).unwrap().is_met_by(0, 10_000_000));
        assert!(Decimal::from_f64(1e-30).unwrap().is_met_by(0, 1));
    }

    #[test]
    fn nothing_is_met_by_no_cases() {
        let floor = Decimal::from_f64(0.0).unwrap();
        assert_eq!(floor.compare_ratio(0, 0), None);
        assert_eq!(floor.smallest_count(0), None);
    }

    #[test]
    fn smallest_count_is_the_first_that_meets() {
        let floor = Decimal::from_f64(0.95).unwrap();
        assert_eq!(floor.smallest_count(900), Some(855));
        assert_eq!(Decimal::from_f64(1.1).unwrap().smallest_count(900), None);
        assert_eq!(Decimal::from_f64(-1.0).unwrap().smallest_count(5), Some(0));
    }

    #[test]
    fn what_is_no_threshold_is_refused() {
        assert_eq!(Decimal::from_f64(f64::NAN), Err(Undefined::NotFinite));
        assert!(Decimal::from_f64(1e300).is_err());
    }
}
