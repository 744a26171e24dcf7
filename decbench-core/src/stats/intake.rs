//! Which stated distributions can be used.

use crate::stats::proper::top_option;

/// Sums this close to one are left as they are.
const EXACT: f64 = 1.5e-6;

/// Decimals that sum to the limit exactly miss it by a rounding as doubles.
const ROUNDING: f64 = 1e-12;

/// A distribution over all options, fit for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// A probability for every option, in their order.
    pub probabilities: Vec<f64>,
    /// The place of the largest, the first of equals.
    pub top_option: usize,
    /// The sum before any scaling.
    pub sum_before: f64,
    /// Whether the probabilities were divided by their sum, which a report counts.
    pub renormalised: bool,
}

impl Distribution {
    /// The largest probability.
    pub fn top(&self) -> f64 {
        self.probabilities
            .get(self.top_option)
            .copied()
            .unwrap_or(0.0)
    }
}

/// Why a distribution is unusable. An answer with a label then stays as a label alone.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// There are no options.
    #[error("there are no options")]
    Empty,
    /// An option has no probability.
    #[error("option {option} has no probability")]
    Missing {
        /// The option's place.
        option: usize,
    },
    /// An option's number is outside [0, 1], or no number.
    #[error("the probability {value} of option {option} is outside [0, 1]")]
    NoProbability {
        /// The option's place.
        option: usize,
        /// What was stated.
        value: f64,
    },
    /// The sum is too far from one.
    #[error("the probabilities sum to {sum}")]
    Sum {
        /// The sum.
        sum: f64,
    },
}

/// How far from one the sum may be for k options whose vendor rounds to two decimals:
/// max(0.02, 0.005·k + 0.001).
pub fn auto_sum_tolerance(options: usize) -> f64 {
    (0.005 * options as f64 + 0.001).max(0.02)
}

/// Checks stated probabilities, one for each option; `None` stands for an option left out.
///
/// Within 1.5·10⁻⁶ of one the numbers are used as they are, within `tolerance` they are divided by their
/// sum, and beyond it (all zeros included) they are unusable.
///
/// ```
/// use decbench_core::stats::intake::{auto_sum_tolerance, distribution};
///
/// let found = distribution(&[Some(0.33), Some(0.33), Some(0.33)], auto_sum_tolerance(3))?;
/// assert!(found.renormalised && (found.top() - 1.0 / 3.0).abs() < 1e-12);
/// assert!(distribution(&[Some(0.5), Some(0.3)], auto_sum_tolerance(2)).is_err());
/// # Ok::<(), decbench_core::stats::intake::Unusable>(())
/// ```
///
/// # Errors
///
/// [`Unusable`], with the first reason found.
pub fn distribution(stated: &[Option<f64>], tolerance: f64) -> Result<Distribution, Unusable> {
    let mut probabilities = Vec::with_capacity(stated.len());
    for (option, value) in stated.iter().enumerate() {
        let value = value.ok_or(Unusable::Missing { option })?;
        if !(0.0..=1.0).contains(&value) {
            return Err(Unusable::NoProbability { option, value });
        }
        probabilities.push(value);
    }
    let top_option = top_option(&probabilities).ok_or(Unusable::Empty)?;
    let sum: f64 = probabilities.iter().sum();
    let distance = (sum - 1.0).abs();
    let renormalised = distance > EXACT;
    // Written so that a tolerance of NaN accepts nothing.
    let near = distance <= tolerance + ROUNDING;
    if renormalised && (!near || sum <= 0.0) {
        return Err(Unusable::Sum { sum });
    }
    if renormalised {
        for probability in &mut probabilities {
            *probability /= sum;
        }
    }
    Ok(Distribution {
        probabilities,
        top_option,
        sum_before: sum,
        renormalised,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(values: &[f64]) -> Vec<Option<f64>> {
        values.iter().copied().map(Some).collect()
    }

    #[test]
    fn sums_at_the_limit_are_inside_it() {
        assert!(
            distribution(&stated(&[0.5, 0.48]), 0.02)
                .unwrap()
                .renormalised
        );
        assert!(
            distribution(&stated(&[0.5, 0.52]), 0.02)
                .unwrap()
                .renormalised
        );
        assert!(distribution(&stated(&[0.5, 0.4799]), 0.02).is_err());
    }

    #[test]
    fn many_rounded_options_get_more_room() {
        assert_eq!(auto_sum_tolerance(2), 0.02);
        assert!((auto_sum_tolerance(77) - 0.386).abs() < 1e-12);
    }

    #[test]
    fn zeros_are_unusable_under_any_tolerance() {
        assert_eq!(
            distribution(&stated(&[0.0, 0.0]), 5.0),
            Err(Unusable::Sum { sum: 0.0 })
        );
        assert!(distribution(&stated(&[0.5, 0.4]), f64::NAN).is_err());
        assert_eq!(distribution(&[], 0.02), Err(Unusable::Empty));
    }

    #[test]
    fn each_reason_names_its_option() {
        assert_eq!(
            distribution(&[Some(0.7), None], 0.02),
            Err(Unusable::Missing { option: 1 })
        );
        let found = distribution(&stated(&[1.1, -0.1]), 0.02);
        assert_eq!(
            found,
            Err(Unusable::NoProbability {
                option: 0,
                value: 1.1
            })
        );
    }
}
