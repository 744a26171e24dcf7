//! Calibration error over bins of equal mass, with its debiased square.

use super::forecasts::Forecasts;
use crate::stats::Undefined;
use crate::stats::sum::sum;

/// Calibration error over bins that hold about equally many items.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualMassCalibration {
    /// `Σ (n_b/n)·|accuracy_b − confidence_b|`.
    pub ece: f64,
    /// The root of `Σ (n_b/n)·gap²`, in [0, 1].
    pub l2: f64,
    /// The debiased square, which may be negative: each gap² less the variance that luck adds to it.
    pub l2_squared_debiased: f64,
    /// The upper edges; a value on an edge belongs to the bin below it.
    pub upper_edges: Vec<f64>,
}

impl EqualMassCalibration {
    /// The root of the debiased square, 0 where that is negative.
    pub fn l2_debiased(&self) -> f64 {
        self.l2_squared_debiased.max(0.0).sqrt()
    }
}

/// Items of one bin: how many, Σ chance, Σ outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MassBin {
    pub(crate) count: f64,
    pub(crate) expected: f64,
    pub(crate) observed: f64,
}

/// Calibration error over equal-mass bins (Kumar, Liang, Ma 2019).
///
/// Sorted chances are split into min(M, n) parts whose first n mod M have one more; an edge lies midway
/// between two parts, the last at 1, and equal edges are one. Ties share a bin, and the order of items
/// does not matter. The debiased square is `Σ(n_b/n)·[gap² − acc_b(1 − acc_b)/(n_b − 1)]`, where bins of
/// one item add 0.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for no bins.
pub fn equal_mass(
    forecasts: &Forecasts<'_>,
    bins: usize,
) -> Result<EqualMassCalibration, Undefined> {
    let (upper_edges, bins) = mass_bins(forecasts, bins)?;
    let n = forecasts.len() as f64;
    let filled = || bins.iter().filter(|bin| bin.count > 0.0);
    let gap = |bin: &MassBin| (bin.observed - bin.expected) / bin.count;
    let debiased = |bin: &MassBin| {
        if bin.count < 2.0 {
            return 0.0;
        }
        let accuracy = bin.observed / bin.count;
        gap(bin).powi(2) - accuracy * (1.0 - accuracy) / (bin.count - 1.0)
    };
    Ok(EqualMassCalibration {
        ece: sum(filled().map(|bin| bin.count / n * gap(bin).abs())),
        l2: sum(filled().map(|bin| bin.count / n * gap(bin).powi(2))).sqrt(),
        l2_squared_debiased: sum(filled().map(|bin| bin.count / n * debiased(bin))),
        upper_edges,
    })
}

/// Upper edges and bins, those without items included.
pub(crate) fn mass_bins(
    forecasts: &Forecasts<'_>,
    bins: usize,
) -> Result<(Vec<f64>, Vec<MassBin>), Undefined> {
    if bins == 0 {
        return Err(Undefined::OutOfRange {
            what: "number of bins",
        });
    }
    let pairs = forecasts.sorted();
    let parts = bins.min(pairs.len());
    let (share, larger) = (pairs.len() / parts, pairs.len() % parts);
    let mut edges: Vec<f64> = (1..parts)
        .map(|part| {
            let end = part * share + part.min(larger);
            0.5 * (pairs[end - 1].0 + pairs[end].0)
        })
        .collect();
    edges.push(1.0);
    edges.dedup();
    let mut filled = vec![MassBin::default(); edges.len()];
    let mut place = 0;
    for (chance, outcome) in pairs {
        while place + 1 < edges.len() && edges[place] < chance {
            place += 1;
        }
        filled[place].count += 1.0;
        filled[place].expected += chance;
        filled[place].observed += outcome;
    }
    Ok((edges, filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_bin() {
        let chances = [0.6, 0.6, 0.6, 0.6, 0.9, 0.9];
        let forecasts = Forecasts::new(&chances, &[true, false, true, false, true, true]).unwrap();
        let (edges, bins) = mass_bins(&forecasts, 6).unwrap();
        assert_eq!(edges, [0.6, 0.75, 0.9, 1.0]);
        let counts: Vec<f64> = bins.iter().map(|bin| bin.count).collect();
        assert_eq!(counts, [4.0, 0.0, 2.0, 0.0]);
    }

    #[test]
    fn no_bins_are_refused() {
        let forecasts = Forecasts::new(&[0.5], &[true]).unwrap();
        assert!(equal_mass(&forecasts, 0).is_err());
    }
}
