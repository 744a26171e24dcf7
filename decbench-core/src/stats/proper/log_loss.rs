//! Logarithmic loss.

use super::truth::{Truth, mean};
use crate::stats::Undefined;

/// The log loss of one distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemLogLoss {
    /// −Σ y·ln max(p, floor), in nats.
    pub loss: f64,
    /// Whether a probability below the floor was raised to it.
    pub clipped: bool,
}

/// −ln max(p, floor) of the right option, or its mean over gold shares.
///
/// Probabilities are clipped from below only. The floor decides the result when a vendor rounds: a right
/// option at 0.00 costs 34.5 nats at 10⁻¹⁵ and 5.3 at 0.005. Report it with the number of clipped items.
///
/// # Errors
///
/// Numbers that are no probabilities, a truth over other options, or a floor outside (0, 1].
pub fn item_log_loss(
    probabilities: &[f64],
    truth: Truth<'_>,
    floor: f64,
) -> Result<ItemLogLoss, Undefined> {
    if floor.is_nan() || floor <= 0.0 || floor > 1.0 {
        return Err(Undefined::OutOfRange { what: "floor" });
    }
    truth.check(probabilities)?;
    let right = || {
        probabilities
            .iter()
            .enumerate()
            .filter(|(option, _)| truth.share(*option) > 0.0)
    };
    // Written so that certainty costs 0.0 rather than −0.0.
    let loss = right()
        .map(|(option, p)| truth.share(option) * (1.0 / p.max(floor)).ln())
        .sum();
    Ok(ItemLogLoss {
        loss,
        clipped: right().any(|(_, &p)| p < floor),
    })
}

/// The log loss of a list of distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLoss {
    /// The mean loss in nats.
    pub loss: f64,
    /// The floor used.
    pub floor: f64,
    /// How many items were clipped at it.
    pub clipped: u64,
}

/// The mean of [`item_log_loss`] and the number of clipped items.
///
/// ```
/// use decbench_core::stats::proper::{Truth, log_loss};
///
/// let found = log_loss(&[[0.5, 0.5], [1.0, 0.0]], &[Truth::Option(0), Truth::Option(1)], 1e-6)?;
/// assert_eq!(found.clipped, 1);
/// assert!((found.loss - (2.0_f64.ln() + 1e6_f64.ln()) / 2.0).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items, lists of different length, and as [`item_log_loss`].
pub fn log_loss<P: AsRef<[f64]>>(
    probabilities: &[P],
    truths: &[Truth<'_>],
    floor: f64,
) -> Result<LogLoss, Undefined> {
    if probabilities.len() != truths.len() {
        return Err(Undefined::LengthMismatch);
    }
    let items = probabilities
        .iter()
        .zip(truths)
        .map(|(row, &truth)| item_log_loss(row.as_ref(), truth, floor))
        .collect::<Result<Vec<_>, Undefined>>()?;
    let losses: Vec<f64> = items.iter().map(|item| item.loss).collect();
    let clipped = items.iter().filter(|item| item.clipped).count() as u64;
    Ok(LogLoss {
        loss: mean(&losses)?,
        floor,
        clipped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_costs_nothing_when_right_and_the_floor_when_wrong() {
        let right = item_log_loss(&[1.0, 0.0], Truth::Option(0), 1e-6).unwrap();
        assert_eq!(
            right,
            ItemLogLoss {
                loss: 0.0,
                clipped: false
            }
        );
        assert!(right.loss.is_sign_positive());
        let wrong = item_log_loss(&[1.0, 0.0], Truth::Option(1), 1e-6).unwrap();
        assert!(wrong.clipped && (wrong.loss - 6.0 * 10.0_f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn a_floor_that_is_none_is_refused() {
        for floor in [0.0, -1.0, 1.5, f64::NAN] {
            assert!(item_log_loss(&[1.0], Truth::Option(0), floor).is_err());
        }
    }
}
