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

/// Orders that need not be balanced, ready to tell what their items show of the slots.
///
/// The logarithm of a probability is taken for what its order adds, plus what its option adds, plus what its slot adds,
/// each by least squares. Orders that are balanced give [`item_prior`]. The slots can be told from the options where
/// chains of orders lead from every slot to every other; the declared and the reversed order of three options or more
/// are too few for that, and with a shuffle or two they most often are enough.
///
/// ```
/// use decbench_core::stats::slot_prior::OrderDesign;
///
/// // Options weigh 6 : 3 : 1 and slots 3 : 2 : 1, in three of the six orders.
/// let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
/// let (options, slots) = ([6.0, 3.0, 1.0], [3.0, 2.0, 1.0]);
/// let shown: Vec<Vec<f64>> = orders
///     .iter()
///     .map(|order| {
///         let weights: Vec<f64> = (0..3).map(|slot| options[order[slot]] * slots[slot]).collect();
///         let sum: f64 = weights.iter().sum();
///         weights.iter().map(|weight| weight / sum).collect()
///     })
///     .collect();
/// let prior = OrderDesign::of(&orders)?.prior(&shown)?;
/// assert!(prior.iter().zip(slots).all(|(found, slot)| (found - slot / 6.0).abs() < 1e-9));
/// assert!(OrderDesign::of(&orders[..2]).is_err());
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct OrderDesign {
    /// The option in each slot, by order.
    orders: Vec<Vec<usize>>,
    /// From what is left of the slots' sums to what each slot adds, by row.
    inverse: Vec<Vec<f64>>,
}

impl OrderDesign {
    /// The design of these orders, each a list of the options as shown.
    ///
    /// # Errors
    ///
    /// No orders, lists that are no orders of the same options, or too few orders to tell slots from options.
    pub fn of<O: AsRef<[usize]>>(orders: &[O]) -> Result<Self, Undefined> {
        let (times, slots) = times_in_slot(orders)?;
        let count = orders.len() as f64;
        // What the slots are determined by once the options are taken out, with their sum held at 0.
        let matrix: Vec<Vec<f64>> = (0..slots)
            .map(|row| {
                (0..slots)
                    .map(|column| {
                        let shared: usize = (0..slots)
                            .map(|option| {
                                times[row * slots + option] * times[column * slots + option]
                            })
                            .sum();
                        let own = if row == column { count } else { 0.0 };
                        own - shared as f64 / count + count / slots as f64
                    })
                    .collect()
            })
            .collect();
        Ok(Self {
            orders: orders.iter().map(|order| order.as_ref().to_vec()).collect(),
            inverse: inverse(matrix, 1e-9 * count).ok_or(Undefined::OutOfRange {
                what: "set of option orders",
            })?,
        })
    }

    /// The prior over slots that one item shows; `by_slot[v][s]` is the probability of the option in slot s of the
    /// order v.
    ///
    /// # Errors
    ///
    /// Lists of another length than the orders, or numbers that are no probabilities.
    pub fn prior<P: AsRef<[f64]>>(&self, by_slot: &[P]) -> Result<Vec<f64>, Undefined> {
        let slots = self.inverse.len();
        if by_slot.len() != self.orders.len()
            || by_slot.iter().any(|row| row.as_ref().len() != slots)
        {
            return Err(Undefined::LengthMismatch);
        }
        let count = self.orders.len() as f64;
        let (mut of_slots, mut of_options) = (vec![0.0; slots], vec![0.0; slots]);
        for (order, row) in self.orders.iter().zip(by_slot) {
            check_chances(row.as_ref())?;
            let logs: Vec<f64> = row.as_ref().iter().map(|p| p.max(FLOOR).ln()).collect();
            let level = mean(&logs)?;
            for (slot, (option, log)) in order.iter().zip(&logs).enumerate() {
                of_slots[slot] += log - level;
                of_options[*option] += log - level;
            }
        }
        for order in &self.orders {
            for (slot, option) in order.iter().enumerate() {
                of_slots[slot] -= of_options[*option] / count;
            }
        }
        let adds: Vec<f64> = self
            .inverse
            .iter()
            .map(|row| row.iter().zip(&of_slots).map(|(a, b)| a * b).sum())
            .collect();
        let most = adds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(normalised(
            adds.iter().map(|adds| (adds - most).exp()).collect(),
        ))
    }
}

/// The inverse of a symmetric matrix by Gauss and Jordan with the largest pivot of each column; `None` where a pivot
/// is no larger than `least`.
fn inverse(mut matrix: Vec<Vec<f64>>, least: f64) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == at))));
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| {
            matrix[*a][column]
                .abs()
                .total_cmp(&matrix[*b][column].abs())
        })?;
        matrix.swap(column, pivot);
        let by = matrix[column][column];
        if by.abs() <= least {
            return None;
        }
        matrix[column].iter_mut().for_each(|value| *value /= by);
        let row = matrix[column].clone();
        for (at, other) in matrix.iter_mut().enumerate() {
            let times = other[column];
            if at != column && times != 0.0 {
                for (value, pivot) in other.iter_mut().zip(&row) {
                    *value -= times * pivot;
                }
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
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

const UNBALANCED: Undefined = Undefined::OutOfRange {
    what: "set of option orders",
};

/// How often each option stood in each slot, slot by slot, and the number of slots.
fn times_in_slot<O: AsRef<[usize]>>(orders: &[O]) -> Result<(Vec<usize>, usize), Undefined> {
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
    Ok((times, slots))
}

fn check_balance<O: AsRef<[usize]>>(orders: &[O]) -> Result<(), Undefined> {
    let (times, slots) = times_in_slot(orders)?;
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

    /// Shares that the weights of options and slots make in each order.
    fn shares(orders: &[Vec<usize>], options: &[f64], slots: &[f64]) -> Vec<Vec<f64>> {
        let row = |order: &Vec<usize>| {
            let weights = order
                .iter()
                .zip(slots)
                .map(|(at, slot)| options[*at] * slot);
            normalised(weights.collect())
        };
        orders.iter().map(row).collect()
    }

    #[test]
    fn balanced_orders_give_the_balanced_prior() {
        let orders: Vec<Vec<usize>> = (0..4)
            .map(|by| (0..4).map(|at| (at + by) % 4).collect())
            .collect();
        // Nothing of this is a product of two weights.
        let by_slot = [
            [0.4, 0.3, 0.2, 0.1],
            [0.7, 0.1, 0.1, 0.1],
            [0.25, 0.35, 0.15, 0.25],
            [0.05, 0.05, 0.5, 0.4],
        ];
        let fitted = OrderDesign::of(&orders).unwrap().prior(&by_slot).unwrap();
        let balanced = item_prior(&orders, &by_slot).unwrap();
        for (one, other) in fitted.iter().zip(balanced) {
            assert!((one - other).abs() < 1e-12, "{fitted:?}");
        }
    }

    #[test]
    fn two_orders_and_shuffles_recover_the_slots_where_chains_join_them() {
        let orders = |count: usize| -> Vec<Vec<usize>> {
            crate::decision::orders_of(6, count)
                .iter()
                .map(|order| order.iter().map(|at| usize::from(*at)).collect())
                .collect()
        };
        let slots = normalised(vec![5.0, 2.0, 2.0, 1.0, 1.0, 3.0]);
        let options = [1.0, 8.0, 0.5, 2.0, 0.1, 4.0];
        let enough = (2..=7).find(|count| OrderDesign::of(&orders(*count)).is_ok());
        assert!(
            enough.is_some_and(|count| (3..=5).contains(&count)),
            "{enough:?}"
        );
        for count in [enough.unwrap_or(7), 7] {
            let orders = orders(count);
            assert!(item_prior(&orders, &shares(&orders, &options, &slots)).is_err());
            let found = OrderDesign::of(&orders)
                .unwrap()
                .prior(&shares(&orders, &options, &slots))
                .unwrap();
            for (found, slot) in found.iter().zip(&slots) {
                assert!((found - slot).abs() < 1e-9, "{count}: {found} {slot}");
            }
        }
        assert_eq!(OrderDesign::of(&orders(2)).unwrap_err(), UNBALANCED);
        assert_eq!(OrderDesign::of(&orders(1)).unwrap_err(), UNBALANCED);
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
