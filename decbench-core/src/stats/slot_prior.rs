//! How much a slot is preferred whatever stands in it (PriDe; Zheng et al. 2024).

use crate::stats::Undefined;
use crate::stats::calibration::check_chances;
use crate::stats::option_order::is_order;
use crate::stats::proper::mean;

/// Probabilities are raised to this before their logarithm.
const FLOOR: f64 = 1e-6;

/// The prior over slots that one item shows: the softmax of the mean log probability of each slot.
///
/// `orders[v]` lists the options as shown and `by_slot[v][s]` is the probability of the option in slot s.
/// The orders must be balanced, every option in every slot equally often (all orders, or all rotations),
/// so that the options themselves cancel.
///
/// ```
/// use decbench_core::stats::slot_prior::item_prior;
///
/// // The first slot gets 0.8 whichever option stands in it.
/// let prior = item_prior(&[[0, 1], [1, 0]], &[[0.8, 0.2], [0.8, 0.2]])?;
/// assert!((prior[0] - 0.8).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No orders, lists of different length, orders that are not balanced, or numbers that are no
/// probabilities.
pub fn item_prior<O: AsRef<[usize]>, P: AsRef<[f64]>>(
    orders: &[O],
    by_slot: &[P],
) -> Result<Vec<f64>, Undefined> {
    check_balance(orders)?;
    let slots = orders[0].as_ref().len();
    if by_slot.len() != orders.len() || by_slot.iter().any(|row| row.as_ref().len() != slots) {
        return Err(Undefined::LengthMismatch);
    }
    by_slot
        .iter()
        .try_for_each(|row| check_chances(row.as_ref()))?;
    let logs = (0..slots)
        .map(|slot| {
            let logs = by_slot.iter().map(|row| row.as_ref()[slot].max(FLOOR).ln());
            mean(&logs.collect::<Vec<_>>())
        })
        .collect::<Result<Vec<f64>, _>>()?;
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(normalised(
        logs.iter().map(|log| (log - most).exp()).collect(),
    ))
}

/// The mean of item priors: the slot prior of a model, estimated on some items and used on others.
///
/// # Errors
///
/// No priors, priors over different slots, or numbers that are no probabilities.
pub fn slot_prior<P: AsRef<[f64]>>(item_priors: &[P]) -> Result<Vec<f64>, Undefined> {
    let slots = item_priors
        .first()
        .ok_or(Undefined::NoItems)?
        .as_ref()
        .len();
    if item_priors
        .iter()
        .any(|prior| prior.as_ref().len() != slots)
    {
        return Err(Undefined::LengthMismatch);
    }
    item_priors
        .iter()
        .try_for_each(|prior| check_chances(prior.as_ref()))?;
    (0..slots)
        .map(|slot| {
            mean(
                &item_priors
                    .iter()
                    .map(|prior| prior.as_ref()[slot])
                    .collect::<Vec<_>>(),
            )
        })
        .collect()
}

/// Probabilities by slot with the slot prior divided out, summing to 1.
///
/// A prior below 10⁻⁶, which no estimate reaches, is taken as that.
///
/// # Errors
///
/// Lists of different length, numbers that are no probabilities, a prior of 0, or all probabilities 0.
pub fn debiased(by_slot: &[f64], prior: &[f64]) -> Result<Vec<f64>, Undefined> {
    if by_slot.len() != prior.len() {
        return Err(Undefined::LengthMismatch);
    }
    check_chances(by_slot)?;
    check_chances(prior)?;
    if prior.iter().any(|&prior| prior < f64::MIN_POSITIVE) {
        return Err(Undefined::OutOfRange { what: "slot prior" });
    }
    if by_slot.iter().all(|&probability| probability == 0.0) {
        return Err(Undefined::OutOfRange {
            what: "sum of probabilities",
        });
    }
    let ratios = by_slot
        .iter()
        .zip(prior)
        .map(|(p, prior)| p / prior.max(FLOOR));
    Ok(normalised(ratios.collect()))
}

fn normalised(weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

fn check_balance<O: AsRef<[usize]>>(orders: &[O]) -> Result<(), Undefined> {
    const UNBALANCED: Undefined = Undefined::OutOfRange {
        what: "set of option orders",
    };
    let slots = orders.first().ok_or(Undefined::NoItems)?.as_ref().len();
    if orders
        .iter()
        .any(|order| !is_order(order.as_ref()) || order.as_ref().len() != slots)
    {
        return Err(UNBALANCED);
    }
    let mut times = vec![0_usize; slots * slots];
    for order in orders {
        for (slot, option) in order.as_ref().iter().enumerate() {
            times[slot * slots + option] += 1;
        }
    }
    if times.iter().all(|&count| count * slots == orders.len()) {
        Ok(())
    } else {
        Err(UNBALANCED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_balanced_orders_give_a_prior() {
        let rows = [[0.5, 0.5]; 2];
        assert!(item_prior(&[[0, 1], [1, 0]], &rows).is_ok());
        assert!(item_prior(&[[0, 1], [0, 1]], &rows).is_err());
        assert!(item_prior(&[[0, 0], [1, 1]], &rows).is_err());
    }

    #[test]
    fn dividing_by_the_prior_undoes_it() {
        let honest = [0.7, 0.2, 0.1];
        let prior = [0.5, 0.3, 0.2];
        let seen = normalised(
            honest
                .iter()
                .zip(prior)
                .map(|(p, prior)| p * prior)
                .collect(),
        );
        let undone = debiased(&seen, &prior).unwrap();
        assert!(
            undone
                .iter()
                .zip(honest)
                .all(|(a, b)| (a - b).abs() < 1e-12)
        );
    }

    #[test]
    fn a_prior_of_zero_is_refused() {
        assert!(debiased(&[0.5, 0.5], &[1.0, 0.0]).is_err());
        assert!(debiased(&[0.0, 0.0], &[0.5, 0.5]).is_err());
        assert!(slot_prior::<[f64; 2]>(&[]).is_err());
    }
}
