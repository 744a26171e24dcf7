//! The paired bootstrap: does a candidate do better than what is used today?

use crate::stats::Undefined;
use crate::stats::lattice::{Law, multiples};
use crate::stats::random::{IndexSource, Seed};
use crate::stats::resample::{
    Replicates, Resampling, resampled_means, resampled_means_from, resampled_means_of_each,
};
use crate::stats::sum::{finite, sum};

/// A mean within this share of the largest difference is zero: decimal differences do not cancel
/// exactly as doubles.
const ZERO: f64 = 1e-12;

/// An exact law may cost this many multiplications.
const AFFORDABLE: f64 = 4e8;

/// What a paired bootstrap found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedBootstrap {
    /// The mean difference of the items themselves.
    pub mean: f64,
    /// The one-sided p-value to judge by, (b + 1)/(B + 1) with b resampled means of B at or below zero
    /// (Phipson, Smyth 2010). Never 0.
    pub p: f64,
    /// The plain share b/B, for comparison with texts that use it. May be 0.
    pub p_share: f64,
    /// How many resampled means are at or below zero.
    pub at_or_below_zero: usize,
    /// How many resamples were drawn.
    pub resamples: usize,
    /// How they were drawn.
    pub resampling: Resampling,
}

/// The paired bootstrap p-value for "the mean difference is above zero".
///
/// `differences` are candidate minus today's model, one a unit of evidence: quality differences of
/// cases, or sums of them over clusters (the sign of a clustered mean is the sign of its sum). Resamples
/// draw as many units as there are, with replacement. A mean of zero counts as at or below zero, and so
/// does one within 10^-12 of the largest |difference|. The order of the differences does not matter.
///
/// With few units the p-value is too small (all differences equal and positive give the least p at any
/// n, even 1), so a verdict also needs a floor on n.
///
/// ```
/// use decbench_core::stats::Seed;
/// use decbench_core::stats::bootstrap::paired_bootstrap;
///
/// let mut differences = vec![0.0; 50];
/// differences.extend([1.0; 9]);
/// differences.push(-1.0);
/// let found = paired_bootstrap(&differences, 2_000, Seed(7))?;
/// assert!(found.p < 0.025);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No differences, one that is not finite, or no resamples.
pub fn paired_bootstrap(
    differences: &[f64],
    resamples: usize,
    seed: Seed,
) -> Result<PairedBootstrap, Undefined> {
    let means = resampled_means(differences, resamples, seed)?;
    Ok(judge(differences, &means))
}

/// [`paired_bootstrap`] of several candidates, each as if it were alone with the same seed.
///
/// Candidates compared on the same units share their indices, which costs a fraction of drawing them for
/// each. A candidate that has no result does not disturb the others.
pub fn paired_bootstraps<D: AsRef<[f64]>>(
    candidates: &[D],
    resamples: usize,
    seed: Seed,
) -> Vec<Result<PairedBootstrap, Undefined>> {
    let means = resampled_means_of_each(candidates, resamples, seed);
    let each = candidates.iter().zip(means);
    each.map(|(differences, means)| Ok(judge(differences.as_ref(), &means?)))
        .collect()
}

/// [`paired_bootstrap`] with indices from `source`, which name the differences in their order.
///
/// # Errors
///
/// As [`paired_bootstrap`], or a source that ends early.
pub fn paired_bootstrap_from<S: IndexSource>(
    differences: &[f64],
    resamples: usize,
    source: &mut S,
) -> Result<PairedBootstrap, Undefined> {
    let means = resampled_means_from(differences, resamples, source)?;
    Ok(judge(differences, &means))
}

fn judge(differences: &[f64], means: &Replicates) -> PairedBootstrap {
    let largest = differences
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let zero = ZERO * largest;
    let at_or_below_zero = means.values.iter().filter(|&&mean| mean <= zero).count();
    let resamples = means.values.len();
    PairedBootstrap {
        mean: sum(differences.iter().copied()) / differences.len() as f64,
        p: (at_or_below_zero + 1) as f64 / (resamples + 1) as f64,
        p_share: at_or_below_zero as f64 / resamples as f64,
        at_or_below_zero,
        resamples,
        resampling: means.resampling,
    }
}

/// What `p_share` of [`paired_bootstrap`] tends to as resamples grow, by exact convolution.
///
/// # Errors
///
/// No differences, one that is not finite, or [`Undefined::OutOfRange`] when the differences are not
/// whole multiples of a common step or lie on too wide a grid for their number.
pub fn paired_bootstrap_limit(differences: &[f64]) -> Result<f64, Undefined> {
    const OFF_GRID: Undefined = Undefined::OutOfRange {
        what: "the grid of differences",
    };
    if differences.is_empty() {
        return Err(Undefined::NoItems);
    }
    finite(differences)?;
    let multiples = multiples(differences).ok_or(OFF_GRID)?;
    let n = differences.len() as f64;
    let widest = (AFFORDABLE.sqrt() / n) as usize;
    let law = Law::of_items(&multiples, widest).ok_or(OFF_GRID)?;
    Ok(law.sum_of(differences.len()).at_most(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::random::ReplayedIndices;

    #[test]
    fn a_resampled_mean_of_exactly_zero_counts_against_the_candidate() {
        let differences = [0.1, -0.1, 0.2, -0.2, 0.3, -0.3];
        let indices = [0, 0, 5, 5, 2, 2];
        assert!(
            indices
                .map(|index| differences[index as usize])
                .iter()
                .sum::<f64>()
                != 0.0
        );
        let mut source = ReplayedIndices::new(&[0, 2, 5, 0, 2, 5]);
        assert_eq!(
            paired_bootstrap_from(&differences, 1, &mut source)
                .unwrap()
                .at_or_below_zero,
            1
        );
    }

    #[test]
    fn the_p_value_is_never_zero_and_the_share_may_be() {
        let found = paired_bootstrap(&[0.2; 30], 999, Seed(1)).unwrap();
        assert_eq!((found.p, found.p_share), (0.001, 0.0));
        assert_eq!(paired_bootstrap(&[0.0; 30], 999, Seed(1)).unwrap().p, 1.0);
    }

    #[test]
    fn shares_approach_the_exact_limit() {
        let mut differences = vec![0.0; 80];
        differences.extend([1.0; 12]);
        differences.extend([-1.0; 6]);
        let limit = paired_bootstrap_limit(&differences).unwrap();
        let found = paired_bootstrap(&differences, 100_000, Seed(4)).unwrap();
        assert!((found.p_share - limit).abs() < 5.0 * (limit * (1.0 - limit) / 1e5).sqrt());
    }

    #[test]
    fn both_paths_have_one_law() {
        let mut differences = vec![0.0; 40];
        differences.extend([0.5, 0.5, 1.0, 1.0, 0.5, -1.0]);
        let counted = paired_bootstrap(&differences, 50_000, Seed(4)).unwrap();
        let mut stream = crate::stats::random::RandomStream::new(Seed(5));
        let drawn = paired_bootstrap_from(&differences, 50_000, &mut stream).unwrap();
        assert_eq!(
            (counted.resampling, drawn.resampling),
            (Resampling::Multinomial, Resampling::Indices)
        );
        assert!((counted.p_share - drawn.p_share).abs() < 0.01);
    }

    #[test]
    fn differences_off_any_grid_have_no_exact_limit() {
        assert!(paired_bootstrap_limit(&[1.0, std::f64::consts::SQRT_2]).is_err());
        assert_eq!(paired_bootstrap_limit(&[]), Err(Undefined::NoItems));
    }
}
