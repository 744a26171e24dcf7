//! Temperature scaling: one number that makes stated probabilities fit.

use crate::stats::Undefined;
use crate::stats::calibration::check_chances;
use crate::stats::sum::sum;

/// The temperatures tried.
const RANGE: (f64, f64) = (0.05, 20.0);

/// Log probabilities of a row that lie this close are equal.
const FLAT: f64 = 1e-12;

/// A fitted temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperature {
    /// T in [0.05, 20]: above 1 the model is overconfident, below 1 underconfident.
    pub temperature: f64,
    /// Whether the likelihood still rises at an end of the range, so that T is that end.
    pub at_bound: bool,
    /// Mean −ln of the right option's probability at T = 1, rows scaled to sum to 1.
    pub loss_before: f64,
    /// The same at the fitted T.
    pub loss_after: f64,
}

/// Fits q ∝ p^{1/T} to gold options by likelihood (Guo et al. 2017).
///
/// Solved in 1/T, in which the loss is convex, by bisection. Zeros are raised to `floor` before the
/// logarithm. Rows without any preference say nothing: T = 1. Fit on tuning cases and report on others;
/// labels and accuracy never change.
///
/// ```
/// use decbench_core::stats::temperature::fit_temperature;
///
/// // Right in three of four at a stated 90%.
/// let rows = [[0.9, 0.1]; 4];
/// let found = fit_temperature(&rows, &[0, 0, 0, 1], 1e-6)?;
/// assert!((found.temperature - 2.0).abs() < 1e-9);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items, lists of different length, a gold outside the options, numbers that are no probabilities,
/// or a floor outside (0, 1].
pub fn fit_temperature<P: AsRef<[f64]>>(
    probabilities: &[P],
    gold: &[usize],
    floor: f64,
) -> Result<Temperature, Undefined> {
    if floor.is_nan() || floor <= 0.0 || floor > 1.0 {
        return Err(Undefined::OutOfRange { what: "floor" });
    }
    if probabilities.len() != gold.len() {
        return Err(Undefined::LengthMismatch);
    }
    if probabilities.is_empty() {
        return Err(Undefined::NoItems);
    }
    let mut rows = Vec::with_capacity(gold.len());
    for (row, &gold) in probabilities.iter().zip(gold) {
        let row = row.as_ref();
        check_chances(row)?;
        if gold >= row.len() {
            return Err(Undefined::OutOfRange { what: "gold" });
        }
        rows.push(Row::new(row, gold, floor));
    }
    let (coldest, hottest) = RANGE;
    let flat = rows
        .iter()
        .all(|row| row.logs.iter().all(|log| log.abs() <= FLAT));
    let (inverse, at_bound) = if flat {
        (1.0, false)
    } else if slope(&rows, 1.0 / hottest) >= 0.0 {
        (1.0 / hottest, true)
    } else if slope(&rows, 1.0 / coldest) <= 0.0 {
        (1.0 / coldest, true)
    } else {
        (root(&rows, 1.0 / hottest, 1.0 / coldest), false)
    };
    let loss = |inverse: f64| sum(rows.iter().map(|row| row.loss(inverse))) / rows.len() as f64;
    Ok(Temperature {
        // The ends as written, not as the inverse of their inverse.
        temperature: match at_bound {
            true if inverse < 1.0 => hottest,
            true => coldest,
            false => 1.0 / inverse,
        },
        at_bound,
        loss_before: loss(1.0),
        loss_after: loss(inverse),
    })
}

fn root(rows: &[Row], mut low: f64, mut high: f64) -> f64 {
    // 60 halvings of a range of 20 reach the last bits.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(rows, middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The derivative of the mean loss in 1/T, which never falls.
fn slope(rows: &[Row], inverse: f64) -> f64 {
    sum(rows.iter().map(|row| row.slope(inverse)))
}

/// Log probabilities less the largest, and the right option.
struct Row {
    logs: Vec<f64>,
    gold: usize,
}

impl Row {
    fn new(probabilities: &[f64], gold: usize, floor: f64) -> Self {
        let log = |p: &f64| p.max(floor).ln();
        let most = probabilities
            .iter()
            .map(log)
            .fold(f64::NEG_INFINITY, f64::max);
        Self {
            logs: probabilities.iter().map(|p| log(p) - most).collect(),
            gold,
        }
    }

    fn slope(&self, inverse: f64) -> f64 {
        let (mut weights, mut weighted) = (0.0, 0.0);
        for log in &self.logs {
            let weight = (inverse * log).exp();
            weights += weight;
            weighted += weight * log;
        }
        weighted / weights - self.logs[self.gold]
    }

    fn loss(&self, inverse: f64) -> f64 {
        let weights: f64 = self.logs.iter().map(|log| (inverse * log).exp()).sum();
        weights.ln() - inverse * self.logs[self.gold]
    }
}

/// q ∝ p^{1/T} summing to 1; an option at 0 stays at 0.
///
/// # Errors
///
/// Numbers that are no probabilities, all of them 0, or a temperature that is not positive and finite.
pub fn apply_temperature(probabilities: &[f64], temperature: f64) -> Result<Vec<f64>, Undefined> {
    check_chances(probabilities)?;
    if !temperature.is_finite() || temperature <= 0.0 {
        return Err(Undefined::OutOfRange {
            what: "temperature",
        });
    }
    let most = probabilities.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return Err(Undefined::OutOfRange {
            what: "sum of probabilities",
        });
    }
    let weight = |p: &f64| {
        if *p == 0.0 {
            0.0
        } else {
            ((p / most).ln() / temperature).exp()
        }
    };
    let total: f64 = probabilities.iter().map(weight).sum();
    Ok(probabilities.iter().map(|p| weight(p) / total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihoods_without_a_peak_end_at_a_bound_or_stay_at_one() {
        let right = fit_temperature(&[[0.7, 0.3]; 3], &[0, 0, 0], 1e-6).unwrap();
        assert_eq!((right.temperature, right.at_bound), (0.05, true));
        let wrong = fit_temperature(&[[0.7, 0.3]; 3], &[1, 1, 1], 1e-6).unwrap();
        assert_eq!((wrong.temperature, wrong.at_bound), (20.0, true));
        let flat = fit_temperature(&[[0.5, 0.5]; 3], &[1, 0, 1], 1e-6).unwrap();
        assert_eq!((flat.temperature, flat.at_bound), (1.0, false));
    }

    #[test]
    fn a_fit_never_loses() {
        let rows = [[0.99, 0.01], [0.2, 0.8], [0.6, 0.4], [0.05, 0.95]];
        let found = fit_temperature(&rows, &[0, 1, 1, 0], 1e-6).unwrap();
        assert!(found.loss_after <= found.loss_before);
    }

    #[test]
    fn a_temperature_of_one_changes_nothing() {
        let same = apply_temperature(&[0.5, 0.3, 0.2], 1.0).unwrap();
        assert!(
            same.iter()
                .zip([0.5, 0.3, 0.2])
                .all(|(q, p)| (q - p).abs() < 1e-15)
        );
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(apply_temperature(&[0.0, 0.0], 1.0).is_err());
        assert!(apply_temperature(&[0.5, 0.5], 0.0).is_err());
        assert!(apply_temperature(&[0.5, f64::NAN], 1.0).is_err());
        assert!(fit_temperature(&[[0.5, 0.5]], &[2], 1e-6).is_err());
        assert!(fit_temperature(&[[0.5, 0.5]], &[0], 0.0).is_err());
    }
}
