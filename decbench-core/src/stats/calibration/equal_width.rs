//! Calibration error over bins of equal width.

use super::binning::Binning;
use super::forecasts::Forecasts;
use crate::stats::proportion::wilson;
use crate::stats::sum::{Sum, sum};
use crate::stats::{Interval, Undefined};

/// One bin of a reliability table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lower edge.
    pub low: f64,
    /// The upper edge.
    pub high: f64,
    /// The number of items.
    pub count: u64,
    /// How many of them happened (were right).
    pub happened: u64,
    /// The mean chance stated, `None` in an empty bin.
    pub confidence: Option<f64>,
}

impl Bin {
    /// Below this many items a bin is mostly noise and a report marks it.
    pub const THIN: u64 = 20;

    /// The share that happened, `None` in an empty bin.
    pub fn accuracy(&self) -> Option<f64> {
        (self.count > 0).then(|| self.happened as f64 / self.count as f64)
    }

    /// Wilson's interval for the share that happened.
    ///
    /// # Errors
    ///
    /// An empty bin or a level outside (0, 1).
    pub fn wilson(&self, level: f64) -> Result<Interval, Undefined> {
        wilson(self.happened, self.count, level)
    }

    /// Whether the bin holds items, but fewer than [`Self::THIN`].
    pub fn is_thin(&self) -> bool {
        (1..Self::THIN).contains(&self.count)
    }

    fn gap(&self) -> Option<f64> {
        Some((self.accuracy()? - self.confidence?).abs())
    }
}

/// How far stated chances are from what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Expected calibration error in [0, 1]: `Σ (n_b/n)·|accuracy_b − confidence_b|`.
    pub ece: f64,
    /// The largest gap of a bin that is not empty.
    pub mce: f64,
    /// Mean chance minus accuracy: above 0 the model promises more than it keeps.
    pub overconfidence: f64,
    /// The reliability table, empty bins included.
    pub bins: Vec<Bin>,
}

/// Expected calibration error over equal-width bins (Naeini et al. 2015; Guo et al. 2017).
///
/// The value depends on the binning, whose conventions a report prints, and is biased upwards: a perfect
/// model of 300 items shows about 0.05. Compare it with [`ece_null`](super::ece_null).
///
/// ```
/// use decbench_core::stats::calibration::{Binning, Forecasts, equal_width};
///
/// let forecasts = Forecasts::new(&[0.95, 0.95, 0.55, 0.55], &[true, true, true, false])?;
/// let found = equal_width(&forecasts, &Binning::new(10)?);
/// assert!((found.ece - 0.05).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
pub fn equal_width(forecasts: &Forecasts<'_>, binning: &Binning) -> Calibration {
    let n = forecasts.len() as f64;
    let mut tallies = vec![(0_u64, 0_u64, Sum::default()); binning.len()];
    for (&chance, &happened) in forecasts.chances().iter().zip(forecasts.happened()) {
        let (count, right, total) = &mut tallies[binning.bin_of(chance)];
        *count += 1;
        *right += u64::from(happened);
        total.add(chance);
    }
    let bins: Vec<Bin> = tallies
        .into_iter()
        .enumerate()
        .filter_map(|(place, (count, happened, total))| {
            let (low, high) = binning.edges_of(place)?;
            let confidence = (count > 0).then(|| total.value() / count as f64);
            Some(Bin {
                low,
                high,
                count,
                happened,
                confidence,
            })
        })
        .collect();
    let gaps = || {
        bins.iter()
            .filter_map(|bin| Some((bin.count as f64, bin.gap()?)))
    };
    let happened = bins.iter().map(|bin| bin.happened).sum::<u64>() as f64;
    Calibration {
        ece: sum(gaps().map(|(count, gap)| count / n * gap)),
        mce: gaps().fold(0.0, |most, (_, gap)| gap.max(most)),
        overconfidence: (sum(forecasts.chances().iter().copied()) - happened) / n,
        bins,
    }
}

/// Calibration error of every option's probability against "this option is right".
#[derive(Clone, Debug, PartialEq)]
pub struct ClasswiseCalibration {
    /// The mean over options.
    pub ece: f64,
    /// The binary calibration error of each option.
    pub options: Vec<f64>,
}

/// Classwise calibration error (Kull et al. 2019).
///
/// `probabilities[i]` holds one probability for each option, `gold[i]` the right option's place.
///
/// # Errors
///
/// No items, lists or rows of different length, a gold outside the options, or a number that is no
/// probability.
pub fn classwise<P: AsRef<[f64]>>(
    probabilities: &[P],
    gold: &[usize],
    binning: &Binning,
) -> Result<ClasswiseCalibration, Undefined> {
    let options = probabilities
        .first()
        .ok_or(Undefined::NoItems)?
        .as_ref()
        .len();
    if probabilities.len() != gold.len()
        || probabilities
            .iter()
            .any(|row| row.as_ref().len() != options)
    {
        return Err(Undefined::LengthMismatch);
    }
    if gold.iter().any(|&gold| gold >= options) {
        return Err(Undefined::OutOfRange { what: "gold" });
    }
    let each = (0..options)
        .map(|option| {
            let chances: Vec<f64> = probabilities
                .iter()
                .map(|row| row.as_ref()[option])
                .collect();
            let happened: Vec<bool> = gold.iter().map(|&gold| gold == option).collect();
            Ok(equal_width(&Forecasts::new(&chances, &happened)?, binning).ece)
        })
        .collect::<Result<Vec<f64>, Undefined>>()?;
    Ok(ClasswiseCalibration {
        ece: sum(each.iter().copied()) / options as f64,
        options: each,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_that_is_always_wrong_has_the_largest_error() {
        let forecasts = Forecasts::new(&[1.0; 4], &[false; 4]).unwrap();
        let found = equal_width(&forecasts, &Binning::new(10).unwrap());
        assert_eq!(
            (found.ece, found.mce, found.overconfidence),
            (1.0, 1.0, 1.0)
        );
    }

    #[test]
    fn thin_bins_are_marked_and_empty_ones_are_not() {
        let bin = Bin {
            low: 0.0,
            high: 0.1,
            count: 19,
            happened: 3,
            confidence: Some(0.05),
        };
        assert!(bin.is_thin());
        assert!(!Bin { count: 20, ..bin }.is_thin());
        let empty = Bin {
            count: 0,
            happened: 0,
            confidence: None,
            ..bin
        };
        assert!(!empty.is_thin() && empty.accuracy().is_none() && empty.wilson(0.95).is_err());
    }

    #[test]
    fn every_option_needs_a_probability() {
        let binning = Binning::new(10).unwrap();
        let rows = [vec![0.5, 0.5], vec![1.0]];
        assert_eq!(
            classwise(&rows, &[0, 0], &binning),
            Err(Undefined::LengthMismatch)
        );
        assert!(classwise(&[vec![0.5, 0.5]], &[2], &binning).is_err());
        assert_eq!(
            classwise::<Vec<f64>>(&[], &[], &binning),
            Err(Undefined::NoItems)
        );
    }
}
