//! Bootstrap means inside strata.

use super::means::resampled_means;
use super::replicates::{Replicates, Resampling};
use crate::stats::Undefined;
use crate::stats::random::Seed;
use crate::stats::sum::finite;

/// Means of resamples inside strata at each stratum's own size, joined by population shares.
///
/// `strata[i]` is the place of item i's stratum in `shares`, which are population shares up to a common
/// factor. Every stratum with a positive share needs at least one item.
///
/// # Errors
///
/// No items, lists of different length, a number that is not finite, a negative share or shares that
/// sum to zero, a stratum outside `shares` or without items, or no resamples.
pub fn resampled_stratified_means(
    values: &[f64],
    strata: &[usize],
    shares: &[f64],
    resamples: usize,
    seed: Seed,
) -> Result<Replicates, Undefined> {
    let groups = stratum_values(values, strata, shares)?;
    let whole: f64 = shares.iter().sum();
    let mut totals = vec![0.0; resamples];
    let mut resampling = Resampling::Multinomial;
    for (place, (group, &share)) in groups.iter().zip(shares).enumerate() {
        if share > 0.0 {
            let means = resampled_means(group, resamples, seed.derive(&place.to_string()))?;
            for (total, mean) in totals.iter_mut().zip(&means.values) {
                *total += share / whole * mean;
            }
            if means.resampling == Resampling::Indices {
                resampling = Resampling::Indices;
            }
        }
    }
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    Ok(Replicates {
        values: totals,
        undefined: 0,
        resampling,
    })
}

/// The values of each stratum, after all checks.
fn stratum_values(
    values: &[f64],
    strata: &[usize],
    shares: &[f64],
) -> Result<Vec<Vec<f64>>, Undefined> {
    finite(values)?;
    finite(shares)?;
    if values.len() != strata.len() {
        return Err(Undefined::LengthMismatch);
    }
    if shares.iter().any(|&share| share < 0.0) || shares.iter().sum::<f64>() <= 0.0 {
        return Err(Undefined::OutOfRange {
            what: "a population share",
        });
    }
    let mut groups = vec![Vec::new(); shares.len()];
    for (&value, &stratum) in values.iter().zip(strata) {
        groups
            .get_mut(stratum)
            .ok_or(Undefined::OutOfRange { what: "a stratum" })?
            .push(value);
    }
    Ok(groups)
}
