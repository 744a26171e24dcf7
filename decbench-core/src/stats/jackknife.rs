//! Intervals of statistics that have no formula of their own: leave a group out, and see how far the value moves.

use crate::stats::distribution::two_sided_t;
use crate::stats::sum::sum;
use crate::stats::weighted::around;
use crate::stats::{Interval, Undefined};

/// Most groups: more of them cost more and change little.
pub const GROUPS: usize = 50;

/// The standard error of a statistic by the delete-a-group jackknife, and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jackknife {
    /// √((G−1)/G · Σ(θ₍g₎ − θ̄)²).
    pub standard_error: f64,
    /// The estimate ± t standard errors with G − 1 degrees of freedom, not cut.
    pub interval: Interval,
}

/// The delete-a-group jackknife (Kott 2001) over independent units.
///
/// Units are dealt to at most [`GROUPS`] groups in turn: `without(group)` is the statistic of everything but the units
/// whose number leaves the remainder `group` on division by the number of groups, which is `min(units, GROUPS)` and
/// passed second; units belong in an order without a rhythm of its own. With as many groups as units it is the ordinary jackknife, which for a mean gives s/√n exactly.
///
/// ```
/// use decbench_core::stats::jackknife::delete_a_group;
///
/// let values = [1.0, 2.0, 4.0, 5.0];
/// let mean = |left_out: usize| {
///     let kept = values.iter().enumerate().filter(|(at, _)| *at != left_out);
///     Ok(kept.map(|(_, value)| value).sum::<f64>() / 3.0)
/// };
/// let found = delete_a_group(3.0, 4, 0.95, |group, _| mean(group))?;
/// assert!((found.standard_error - (10.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::TooFew`] for fewer than two units, [`Undefined::OutOfRange`] for a level outside (0, 1), and what
/// `without` says.
pub fn delete_a_group(
    estimate: f64,
    units: usize,
    level: f64,
    mut without: impl FnMut(usize, usize) -> Result<f64, Undefined>,
) -> Result<Jackknife, Undefined> {
    if units < 2 {
        return Err(Undefined::TooFew {
            needed: 2,
            what: "units",
        });
    }
    let groups = units.min(GROUPS);
    let values: Vec<f64> = (0..groups)
        .map(|group| without(group, groups))
        .collect::<Result<_, _>>()?;
    let g = groups as f64;
    let mean = sum(values.iter().copied()) / g;
    let spread = sum(values.iter().map(|value| (value - mean) * (value - mean)));
    let standard_error = ((g - 1.0) / g * spread).sqrt();
    let t = two_sided_t(level, g - 1.0)?;
    Ok(Jackknife {
        standard_error,
        interval: around(estimate, t * standard_error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Seed;
    use crate::stats::random::RandomStream;

    #[test]
    fn the_error_of_a_mean_over_many_units_is_near_the_formula() {
        let mut stream = RandomStream::new(Seed(7));
        let values: Vec<f64> = (0..1000).map(|_| stream.next_unit()).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let formula =
            (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
        let found = delete_a_group(mean, values.len(), 0.95, |group, groups| {
            let kept: Vec<f64> = (0..values.len())
                .filter(|at| at % groups != group)
                .map(|at| values[at])
                .collect();
            Ok(kept.iter().sum::<f64>() / kept.len() as f64)
        })
        .unwrap();
        assert!(
            (found.standard_error / formula - 1.0).abs() < 0.3,
            "{found:?} {formula}"
        );
        assert!(found.interval.contains(mean));
    }

    #[test]
    fn one_unit_says_nothing_and_equal_values_have_no_error() {
        assert!(delete_a_group(1.0, 1, 0.95, |_, _| Ok(1.0)).is_err());
        let flat = delete_a_group(1.0, 9, 0.95, |_, _| Ok(1.0)).unwrap();
        assert_eq!(flat.standard_error, 0.0);
    }
}
