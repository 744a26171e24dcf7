//! Several tests at once.
//!
//! All functions keep the order of their input. An undefined p (`None`) counts
//! as 1: what could not be tested was not shown, and it still counts as tested.

use crate::stats::Undefined;

/// Room for decimals that doubles cannot hold: 0.0125 · 2 against 0.025.
const SLACK: f64 = 1e-12;

/// Holm's adjusted p-values (1979): the running maximum of min(1, (m−i+1) p₍ᵢ₎).
///
/// Holm holds the chance of any wrong rejection at its level, whatever the
/// dependence between the tests.
///
/// # Errors
///
/// [`Undefined::NotFinite`] or [`Undefined::OutOfRange`] for a p outside `[0, 1]`.
pub fn holm(p: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    step_down(p, |p, _, left| p * left)
}

/// Which hypotheses Holm's procedure rejects at `alpha`: sorted, while
/// p₍ᵢ₎ ≤ alpha/(m−i+1), where equality rejects, stopping at the first that is not.
///
/// ```
/// use decbench_core::stats::multiplicity::holm_rejections;
///
/// let rejected = holm_rejections(&[Some(0.02), Some(0.0125), None], 0.0375)?;
/// assert_eq!(rejected, [false, true, false]);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// As [`holm`], for the p-values and for `alpha`.
pub fn holm_rejections(p: &[Option<f64>], alpha: f64) -> Result<Vec<bool>, Undefined> {
    check(alpha)?;
    let values = checked(p)?;
    let mut rejected = vec![false; values.len()];
    for (rank, index) in ascending(&values).into_iter().enumerate() {
        let left = (values.len() - rank) as f64;
        if values[index] * left > alpha * (1.0 + SLACK) {
            break;
        }
        rejected[index] = true;
    }
    Ok(rejected)
}

/// Bonferroni's adjusted p-values: min(1, m p).
///
/// # Errors
///
/// As [`holm`].
pub fn bonferroni(p: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    let values = checked(p)?;
    let m = values.len() as f64;
    Ok(values.into_iter().map(|p| (m * p).min(1.0)).collect())
}

/// Hochberg's adjusted p-values (1988): the running minimum, from the largest, of (m−i+1) p₍ᵢ₎.
///
/// Needs independence or positive dependence of the tests.
///
/// # Errors
///
/// As [`holm`].
pub fn hochberg(p: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    step_up(p, |p, rank, m| p * (m - rank + 1.0))
}

/// Benjamini's and Hochberg's adjusted p-values (1995): the running minimum of m p₍ᵢ₎/i.
///
/// Controls the share of wrong rejections, not their presence: for exploratory
/// tables only.
///
/// # Errors
///
/// As [`holm`].
pub fn benjamini_hochberg(p: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    step_up(p, |p, rank, m| p * m / rank)
}

fn step_down(
    p: &[Option<f64>],
    factor: impl Fn(f64, f64, f64) -> f64,
) -> Result<Vec<f64>, Undefined> {
    let values = checked(p)?;
    let mut adjusted = vec![1.0; values.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in ascending(&values).into_iter().enumerate() {
        let left = (values.len() - rank) as f64;
        largest = largest.max(factor(values[index], (rank + 1) as f64, left).min(1.0));
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

fn step_up(
    p: &[Option<f64>],
    factor: impl Fn(f64, f64, f64) -> f64,
) -> Result<Vec<f64>, Undefined> {
    let values = checked(p)?;
    let mut adjusted = vec![1.0; values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, index) in ascending(&values).into_iter().enumerate().rev() {
        let found = factor(values[index], (rank + 1) as f64, values.len() as f64);
        smallest = smallest.min(found);
        adjusted[index] = smallest;
    }
    Ok(adjusted)
}

fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    order
}

fn checked(p: &[Option<f64>]) -> Result<Vec<f64>, Undefined> {
    let values: Vec<f64> = p.iter().map(|p| p.unwrap_or(1.0)).collect();
    values.iter().try_for_each(|&p| check(p))?;
    Ok(values)
}

fn check(p: f64) -> Result<(), Undefined> {
    if p.is_nan() {
        Err(Undefined::NotFinite)
    } else if (0.0..=1.0).contains(&p) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange {
            what: "probability",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_rejects_in_decimals() {
        let p = [Some(0.025 / 3.0), Some(0.0125), Some(0.025)];
        assert_eq!(holm_rejections(&p, 0.025), Ok(vec![true; 3]));
    }

    #[test]
    fn an_undefined_p_counts_as_one_more_test() {
        let alone = holm_rejections(&[Some(0.02)], 0.025).unwrap();
        let beside = holm_rejections(&[Some(0.02), None], 0.025).unwrap();
        assert_eq!((alone, beside), (vec![true], vec![false, false]));
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        assert_eq!(holm(&[Some(f64::NAN)]), Err(Undefined::NotFinite));
        assert!(bonferroni(&[Some(1.1)]).is_err());
        assert!(holm_rejections(&[Some(0.1)], -0.1).is_err());
    }
}
