//! Sums that keep their digits.

use crate::stats::Undefined;

/// Refuses a list that holds NaN or an infinity.
pub(crate) fn finite(values: &[f64]) -> Result<(), Undefined> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Undefined::NotFinite)
    }
}

/// A running sum that carries what rounding drops (Neumaier 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        let total = self.total + value;
        self.lost += if self.total.abs() >= value.abs() {
            (self.total - total) + value
        } else {
            (value - total) + self.total
        };
        self.total = total;
    }

    pub(crate) fn value(self) -> f64 {
        self.total + self.lost
    }
}

/// The compensated sum of numbers.
pub(crate) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = Sum::default();
    values.into_iter().for_each(|value| sum.add(value));
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_survive_beside_large_ones() {
        assert_eq!(sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum(std::iter::repeat_n(0.1, 10)), 1.0);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        assert_eq!(finite(&[0.0, f64::NAN]), Err(Undefined::NotFinite));
        assert_eq!(finite(&[f64::INFINITY]), Err(Undefined::NotFinite));
        assert_eq!(finite(&[]), Ok(()));
    }
}
