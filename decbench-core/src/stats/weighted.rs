//! Accuracy of weighted and stratified samples.
//!
//! A weight is the population share an item stands for over its share of the
//! sample. Its scale does not matter; an item of weight zero is dropped.

use crate::stats::distribution::two_sided_z;
use crate::stats::proportion::{clopper_pearson_effective, wilson_effective};
use crate::stats::sum::{finite, sum};
use crate::stats::{Interval, Undefined};

/// A weighted mean and how much its sample is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedMean {
    /// The Hájek estimate Σwy/Σw.
    pub mean: f64,
    /// Items of positive weight.
    pub items: u64,
    /// Kish's effective sample size (Σw)²/Σw² (1965), from 1 to the number of items.
    pub kish: f64,
    /// Kish's design effect: items over effective items, at least 1.
    pub design_effect: f64,
    /// The linearised standard error √(n/(n−1) Σ(w(y−mean))²)/Σw; `None` for a single item.
    pub standard_error: Option<f64>,
}

/// The weighted mean of any finite values.
///
/// # Errors
///
/// [`Undefined::LengthMismatch`], [`Undefined::NotFinite`],
/// [`Undefined::OutOfRange`] for a negative weight, [`Undefined::NoItems`]
/// when no item has a positive weight.
pub fn weighted_mean(values: &[f64], weights: &[f64]) -> Result<WeightedMean, Undefined> {
    if values.len() != weights.len() {
        return Err(Undefined::LengthMismatch);
    }
    finite(values)?;
    let weights = scaled(weights)?;
    let total = sum(weights.iter().copied());
    let square = sum(weights.iter().map(|w| w * w));
    let products = values.iter().zip(&weights).map(|(y, w)| y * w);
    let mean = within(values, sum(products) / total);
    let items = weights.iter().filter(|&&w| w > 0.0).count();
    let kish = (total * total / square).clamp(1.0, items as f64);
    let residuals = sum(values.iter().zip(&weights).map(|(y, w)| {
        let residual = w * (y - mean);
        residual * residual
    }));
    let n = items as f64;
    let standard_error = (items > 1).then(|| (n / (n - 1.0) * residuals).sqrt() / total);
    if !mean.is_finite() || standard_error.is_some_and(|error| !error.is_finite()) {
        return Err(Undefined::OutOfRange { what: "value" });
    }
    Ok(WeightedMean {
        mean,
        items: items as u64,
        kish,
        design_effect: n / kish,
        standard_error,
    })
}

/// Weighted accuracy with its intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedAccuracy {
    /// The estimate, its effective sample size and its standard error.
    pub mean: WeightedMean,
    /// Wilson's interval at Kish's effective sample size: the one to print.
    pub wilson: Interval,
    /// The exact interval at Kish's effective sample size: the one to judge by.
    pub exact: Interval,
    /// Estimate ± z standard errors, not cut to `[0, 1]`; `None` for a single item.
    pub wald: Option<Interval>,
}

/// Accuracy under weights, by Hájek's estimate and Kish's effective sample size.
///
/// Kish ignores the link between weight and outcome: where weights are constant
/// within declared strata, [`stratified_accuracy`] is the better form.
///
/// ```
/// use decbench_core::stats::weighted::weighted_accuracy;
///
/// let found = weighted_accuracy(&[true, true, false], &[1.0, 1.0, 2.0], 0.95)?;
/// assert_eq!(found.mean.mean, 0.5);
/// assert!((found.mean.kish - 16.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// As [`weighted_mean`]; [`Undefined::OutOfRange`] for a level outside (0, 1).
pub fn weighted_accuracy(
    correct: &[bool],
    weights: &[f64],
    level: f64,
) -> Result<WeightedAccuracy, Undefined> {
    let z = two_sided_z(level)?;
    let mean = weighted_mean(&as_numbers(correct), weights)?;
    Ok(WeightedAccuracy {
        mean,
        wilson: wilson_effective(mean.mean, mean.kish, level)?,
        exact: clopper_pearson_effective(mean.mean, mean.kish, level)?,
        wald: mean
            .standard_error
            .map(|error| around(mean.mean, z * error)),
    })
}

/// Stratified accuracy with its intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StratifiedAccuracy {
    /// `Σ W_h p̂_h` over the strata with a population share.
    pub estimate: f64,
    /// Items in these strata.
    pub items: u64,
    /// `√Σ W_h² p̂_h(1−p̂_h)/(n_h−1)`.
    pub standard_error: f64,
    /// p̂(1−p̂)/variance; the number of items where the variance is 0.
    pub n_eff: f64,
    /// What a gate takes: as `n_eff`, but Kish's size where the variance is 0.
    pub gate_n_eff: f64,
    /// Wilson's interval at `n_eff`: the one to print.
    pub wilson: Interval,
    /// The exact interval at `gate_n_eff`: the one to judge by.
    pub exact: Interval,
    /// Estimate ± z standard errors, not cut to `[0, 1]`.
    pub wald: Interval,
}

/// Accuracy of a sample that was drawn stratum by stratum ("100 of each class").
///
/// `stratum` gives each item's index into `population_share`. Shares are
/// scaled to sum to 1; a stratum of share 0 is dropped.
///
/// # Errors
///
/// [`Undefined::LengthMismatch`], [`Undefined::NotFinite`],
/// [`Undefined::OutOfRange`] for an unknown stratum, a negative share or a
/// level outside (0, 1), [`Undefined::NoItems`] without a positive share, and
/// [`Undefined::TooFew`] when a stratum with a share has fewer than two items,
/// which leaves its variance unknown.
pub fn stratified_accuracy(
    correct: &[bool],
    stratum: &[usize],
    population_share: &[f64],
    level: f64,
) -> Result<StratifiedAccuracy, Undefined> {
    let z = two_sided_z(level)?;
    if correct.len() != stratum.len() {
        return Err(Undefined::LengthMismatch);
    }
    let shares = scaled(population_share)?;
    let whole = sum(shares.iter().copied());
    let mut counts = vec![(0_u64, 0_u64); shares.len()];
    for (&correct, &stratum) in correct.iter().zip(stratum) {
        let cell = counts
            .get_mut(stratum)
            .ok_or(Undefined::OutOfRange { what: "stratum" })?;
        cell.0 += u64::from(correct);
        cell.1 += 1;
    }
    let used = || {
        let strata = shares.iter().zip(&counts);
        strata
            .filter(|(share, _)| **share > 0.0)
            .map(|(share, &(k, n))| (share / whole, k as f64 / n as f64, n as f64))
    };
    if used().any(|(_, _, n)| n < 2.0) {
        return Err(Undefined::TooFew {
            needed: 2,
            what: "items in each stratum",
        });
    }
    let estimate = sum(used().map(|(share, p, _)| share * p)).clamp(0.0, 1.0);
    let variance = sum(used().map(|(share, p, n)| share * share * p * (1.0 - p) / (n - 1.0)));
    let items = sum(used().map(|(_, _, n)| n));
    // All items of a stratum weigh W_h/n_h.
    let kish = 1.0 / sum(used().map(|(share, _, n)| share * share / n));
    let (n_eff, gate_n_eff) = if variance > 0.0 {
        let n_eff = estimate * (1.0 - estimate) / variance;
        (n_eff, n_eff)
    } else {
        (items, kish)
    };
    let standard_error = variance.sqrt();
    Ok(StratifiedAccuracy {
        estimate,
        items: items as u64,
        standard_error,
        n_eff,
        gate_n_eff,
        wilson: wilson_effective(estimate, n_eff, level)?,
        exact: clopper_pearson_effective(estimate, gate_n_eff, level)?,
        wald: around(estimate, z * standard_error),
    })
}

/// Weights over the largest, so that their squares stay in the range of doubles.
pub(crate) fn scaled(weights: &[f64]) -> Result<Vec<f64>, Undefined> {
    finite(weights)?;
    if weights.iter().any(|&w| w < 0.0) {
        return Err(Undefined::OutOfRange { what: "weight" });
    }
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return Err(Undefined::NoItems);
    }
    Ok(weights.iter().map(|w| w / largest).collect())
}

pub(crate) fn as_numbers(correct: &[bool]) -> Vec<f64> {
    correct
        .iter()
        .map(|&correct| f64::from(u8::from(correct)))
        .collect()
}

/// A mean moved back between the least and the largest value, where rounding left them.
pub(crate) fn within(values: &[f64], mean: f64) -> f64 {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    mean.max(least).min(most)
}

pub(crate) fn around(estimate: f64, half: f64) -> Interval {
    Interval {
        low: estimate - half,
        high: estimate + half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_are_no_weights() {
        let correct = [true, true, true, false];
        let found = weighted_accuracy(&correct, &[3.0; 4], 0.95).unwrap();
        assert_eq!(found.mean.mean, 0.75);
        assert_eq!(found.mean.kish, 4.0);
        assert_eq!(found.mean.design_effect, 1.0);
    }

    #[test]
    fn items_of_weight_zero_are_dropped() {
        let found = weighted_accuracy(&[true, false], &[2.0, 0.0], 0.95).unwrap();
        assert_eq!((found.mean.mean, found.mean.items), (1.0, 1));
        assert_eq!(found.mean.standard_error, None);
    }

    #[test]
    fn weights_that_mean_nothing_are_refused() {
        let correct = [true, false];
        let refusal = |weights: &[f64]| weighted_accuracy(&correct, weights, 0.95).unwrap_err();
        assert_eq!(
            refusal(&[1.0, -1.0]),
            Undefined::OutOfRange { what: "weight" }
        );
        assert_eq!(refusal(&[1.0, f64::NAN]), Undefined::NotFinite);
        assert_eq!(refusal(&[0.0, 0.0]), Undefined::NoItems);
        assert_eq!(refusal(&[1.0]), Undefined::LengthMismatch);
    }

    #[test]
    fn a_stratum_of_one_has_no_variance() {
        let found = stratified_accuracy(&[true, false, true], &[0, 0, 1], &[0.5, 0.5], 0.95);
        assert!(matches!(found, Err(Undefined::TooFew { needed: 2, .. })));
        // Without a share in the population it does not matter.
        let found = stratified_accuracy(&[true, false, true], &[0, 0, 1], &[1.0, 0.0], 0.95);
        assert_eq!(found.unwrap().estimate, 0.5);
    }

    #[test]
    fn a_gate_on_strata_without_errors_takes_kish() {
        let correct = [true; 22];
        let stratum: Vec<usize> = (0..22).map(|i| usize::from(i >= 20)).collect();
        let found = stratified_accuracy(&correct, &stratum, &[0.1, 0.9], 0.95).unwrap();
        assert_eq!(found.n_eff, 22.0);
        assert!(found.gate_n_eff < 2.5);
        assert!(found.exact.low < found.wilson.low);
    }
}
