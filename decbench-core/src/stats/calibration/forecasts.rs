//! Stated chances beside what happened.

use crate::stats::Undefined;

/// Forecasts in [0, 1] and whether the forecast event happened, checked once.
///
/// For top-answer calibration these are the probability of the answer given and whether it was right;
/// for the binary form P(yes) and whether yes was right.
///
/// ```
/// use decbench_core::stats::calibration::Forecasts;
///
/// let forecasts = Forecasts::new(&[0.9, 0.6], &[true, false])?;
/// assert_eq!(forecasts.len(), 2);
/// assert!(Forecasts::new(&[1.2], &[true]).is_err());
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Forecasts<'a> {
    chances: &'a [f64],
    happened: &'a [bool],
}

impl<'a> Forecasts<'a> {
    /// Pairs chances with outcomes.
    ///
    /// # Errors
    ///
    /// No items, lists of different length, or a chance that is not a number in [0, 1].
    pub fn new(chances: &'a [f64], happened: &'a [bool]) -> Result<Self, Undefined> {
        if chances.len() != happened.len() {
            return Err(Undefined::LengthMismatch);
        }
        check_chances(chances)?;
        Ok(Self { chances, happened })
    }

    /// The number of items, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "forecasts are never empty")]
    pub fn len(&self) -> usize {
        self.chances.len()
    }

    /// The chances in the order given.
    pub fn chances(&self) -> &'a [f64] {
        self.chances
    }

    /// The outcomes in the order given.
    pub fn happened(&self) -> &'a [bool] {
        self.happened
    }

    /// Chance and outcome (0 or 1) of each item.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        let outcomes = self
            .happened
            .iter()
            .map(|&happened| f64::from(u8::from(happened)));
        self.chances.iter().copied().zip(outcomes)
    }

    /// The pairs in an order that does not depend on the order given, so that sums round alike.
    pub(crate) fn sorted(&self) -> Vec<(f64, f64)> {
        let mut pairs: Vec<(f64, f64)> = self
            .pairs()
            .map(|(chance, outcome)| (chance + 0.0, outcome))
            .collect();
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        pairs
    }
}

/// Refuses an empty list and whatever is no chance.
pub(crate) fn check_chances(chances: &[f64]) -> Result<(), Undefined> {
    if chances.is_empty() {
        return Err(Undefined::NoItems);
    }
    if chances.iter().any(|chance| !chance.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    if chances.iter().any(|chance| !(0.0..=1.0).contains(chance)) {
        return Err(Undefined::OutOfRange {
            what: "probability",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_forecast_is_refused() {
        assert_eq!(Forecasts::new(&[], &[]).unwrap_err(), Undefined::NoItems);
        assert_eq!(
            Forecasts::new(&[0.5], &[]).unwrap_err(),
            Undefined::LengthMismatch
        );
        assert_eq!(
            Forecasts::new(&[f64::NAN], &[true]).unwrap_err(),
            Undefined::NotFinite
        );
        assert!(Forecasts::new(&[-0.1], &[true]).is_err());
        assert!(Forecasts::new(&[0.0, 1.0], &[true, false]).is_ok());
    }
}
