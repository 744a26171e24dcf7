//! How much of a binned calibration error luck may hide, and how much it may show, units of evidence included.

use std::collections::BTreeMap;

use super::binning::Binning;
use super::forecasts::Forecasts;
use crate::stats::distribution::{normal_cdf, normal_quantile, two_sided_z};
use crate::stats::one_more::mean_limits;
use crate::stats::sum::sum;
use crate::stats::{Interval, Undefined};

const SHARE: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

/// The gaps of bins and their standard errors.
///
/// The share of right items in a bin has the variance of a binomial, with two right and two wrong items added
/// (Agresti and Coull 1998) so that a bin without an error has one too, times the design effect of units pooled
/// over bins.
#[derive(Clone, Debug)]
pub struct GapNoise {
    bins: Vec<NoisyBin>,
    error: f64,
}

#[derive(Clone, Debug)]
struct NoisyBin {
    /// Its share of all items.
    share: f64,
    /// Mean chance less the share that happened.
    gap: f64,
    /// Standard error of the gap.
    noise: f64,
    /// Standard error of the gap of a perfectly calibrated model whose units speak with one voice.
    luck: f64,
    /// Mean chance.
    chance: f64,
    /// How many items happened, by unit, and the items of that unit.
    units: Vec<(f64, f64)>,
}

impl GapNoise {
    /// Bins the forecasts; `clusters[i]` names item i's unit, and without them every item is one.
    ///
    /// # Errors
    ///
    /// [`Undefined::LengthMismatch`].
    pub fn of(
        forecasts: &Forecasts<'_>,
        clusters: Option<&[usize]>,
        binning: &Binning,
    ) -> Result<Self, Undefined> {
        if clusters.is_some_and(|clusters| clusters.len() != forecasts.len()) {
            return Err(Undefined::LengthMismatch);
        }
        // By bin and unit: items, Σ chance, Σ outcome.
        let mut tallies: BTreeMap<(usize, usize), (f64, f64, f64)> = BTreeMap::new();
        for (item, (chance, outcome)) in forecasts.pairs().enumerate() {
            let unit = clusters.map_or(item, |clusters| clusters[item]);
            let tally = tallies.entry((binning.bin_of(chance), unit)).or_default();
            tally.0 += 1.0;
            tally.1 += chance;
            tally.2 += outcome;
        }
        let n = forecasts.len() as f64;
        let mut bins: Vec<NoisyBin> = Vec::new();
        let (mut between, mut within) = (0.0, 0.0);
        let tallies: Vec<_> = tallies.into_iter().collect();
        for bin in tallies.chunk_by(|a, b| a.0.0 == b.0.0) {
            let total = |part: fn(&(f64, f64, f64)) -> f64| sum(bin.iter().map(|(_, of)| part(of)));
            let (items, chance, happened) = (total(|t| t.0), total(|t| t.1), total(|t| t.2));
            let smoothed = (happened + 2.0) / (items + 4.0);
            if bin.len() > 1 {
                let gap = (chance - happened) / items;
                let residual = |t: &(f64, f64, f64)| t.1 - t.2 - gap * t.0;
                let units = bin.len() as f64;
                between += units / (units - 1.0)
                    * sum(bin.iter().map(|(_, tally)| residual(tally).powi(2)));
                within += items * items / (items - 1.0) * smoothed * (1.0 - smoothed);
            }
            bins.push(NoisyBin {
                share: items / n,
                gap: (chance - happened) / items,
                noise: (smoothed * (1.0 - smoothed) / items).sqrt(),
                luck: sum(bin.iter().map(|(_, t)| t.1 * (t.0 - t.1).max(0.0))).sqrt() / items,
                chance: chance / items,
                units: bin.iter().map(|(_, tally)| (tally.2, tally.0)).collect(),
            });
        }
        if clusters.is_some() && within > 0.0 {
            let design_effect = (between / within).max(1.0).sqrt();
            for bin in &mut bins {
                bin.noise *= design_effect;
            }
        }
        let error = sum(bins.iter().map(|bin| bin.share * bin.gap.abs()));
        Ok(Self { bins, error })
    }

    /// The largest expected calibration error that these gaps do not refute, at a two-sided level of which this is one side.
    ///
    /// Noise raises the error of a bin more where the bin has none, so that the noise hides most of an error that is
    /// spread evenly: the limit is the common gap at which an error as small as the one seen is just too rare, and
    /// never below the error itself. The sum of folded normal gaps is taken as normal.
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] for a level outside (0, 1).
    pub fn expected_upper(&self, level: f64) -> Result<f64, Undefined> {
        let z = two_sided_z(level)?;
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-9 {
            let gap = f64::midpoint(low, high);
            let (mean, deviation) = self.law(gap, |bin| bin.noise)?;
            if mean - z * deviation > self.error {
                high = gap;
            } else {
                low = gap;
            }
        }
        Ok(high.max(self.error))
    }

    /// What the expected calibration error of a perfectly calibrated model reaches by luck at the upper end of a two-sided level.
    ///
    /// All items of a unit in one bin are taken to come out together: how far they do cannot be told from few units,
    /// and a model is not to fail for it.
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] for a level outside (0, 1).
    pub fn expected_chance(&self, level: f64) -> Result<f64, Undefined> {
        let (mean, deviation) = self.law(0.0, |bin| bin.luck)?;
        Ok((mean + two_sided_z(level)? * deviation).min(1.0))
    }

    /// The largest gap of a bin that is not refuted: the furthest exact limit of any bin from its mean chance.
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] for a level outside (0, 1).
    pub fn maximum_upper(&self, level: f64) -> Result<f64, Undefined> {
        let mut upper = 0.0_f64;
        for bin in &self.bins {
            let (happened, items): (Vec<f64>, Vec<f64>) = bin.units.iter().copied().unzip();
            let limits = mean_limits(&happened, &items, SHARE, level)?.interval;
            upper = upper
                .max(bin.chance - limits.low)
                .max(limits.high - bin.chance);
        }
        Ok(upper)
    }

    /// What the largest gap of a perfectly calibrated model reaches by luck at the upper end of a two-sided level, with
    /// units as in [`GapNoise::expected_chance`].
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] for a level outside (0, 1).
    pub fn maximum_chance(&self, level: f64) -> Result<f64, Undefined> {
        two_sided_z(level)?;
        // Each bin may reach its share of the chance to err, on either side.
        let tail = (1.0 - level) / (4.0 * self.bins.len() as f64);
        let z = -normal_quantile(tail)?;
        Ok(self
            .bins
            .iter()
            .fold(0.0_f64, |most, bin| most.max(z * bin.luck))
            .min(1.0))
    }

    /// Mean and standard deviation of the expected calibration error where every bin has this true gap and noise.
    fn law(&self, gap: f64, noise_of: impl Fn(&NoisyBin) -> f64) -> Result<(f64, f64), Undefined> {
        let (mut mean, mut variance) = (0.0, 0.0);
        for bin in &self.bins {
            let noise = noise_of(bin);
            let folded = folded_mean(gap, noise)?;
            let rest = (gap * gap + noise * noise - folded * folded).max(0.0);
            mean += bin.share * folded;
            variance += bin.share * bin.share * rest;
        }
        Ok((mean, variance.sqrt()))
    }
}

/// The mean of |X| for a normal X.
fn folded_mean(mean: f64, deviation: f64) -> Result<f64, Undefined> {
    if deviation <= 0.0 {
        return Ok(mean.abs());
    }
    let ratio = mean / deviation;
    let density = (2.0 / std::f64::consts::PI).sqrt() * (-0.5 * ratio * ratio).exp();
    Ok(deviation * density + mean * (1.0 - 2.0 * normal_cdf(-ratio)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::calibration::ece_null;
    use crate::stats::proportion::clopper_pearson;

    fn forecasts(n: usize) -> (Vec<f64>, Vec<bool>) {
        let chances: Vec<f64> = (0..n).map(|at| [0.55, 0.75, 0.95][at % 3]).collect();
        let happened = (0..n)
            .map(|at| (at / 3) % 20 < [10, 14, 18][at % 3])
            .collect();
        (chances, happened)
    }

    fn noise(n: usize, clusters: Option<&[usize]>) -> GapNoise {
        let (chances, happened) = forecasts(n);
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        GapNoise::of(&forecasts, clusters, &Binning::new(10).unwrap()).unwrap()
    }

    #[test]
    fn luck_reaches_about_what_the_exact_law_says() {
        let (chances, _) = forecasts(600);
        let exact = ece_null(&chances, &Binning::new(10).unwrap()).unwrap();
        let close = noise(600, None).expected_chance(0.95).unwrap();
        assert!((close / exact.ece_quantile(0.975).unwrap() - 1.0).abs() < 0.08);
        let largest = noise(600, None).maximum_chance(0.95).unwrap();
        assert!((largest / exact.mce_quantile(0.975).unwrap() - 1.0).abs() < 0.15);
    }

    #[test]
    fn more_items_hide_less() {
        let upper: Vec<f64> = [60, 240, 960, 3_840]
            .map(|n| noise(n, None).expected_upper(0.95).unwrap())
            .to_vec();
        assert!(
            upper
                .windows(2)
                .all(|pair| pair[1] - 0.05 < 0.7 * (pair[0] - 0.05)),
            "{upper:?}"
        );
        assert!(upper[3] > 0.05);
    }

    #[test]
    fn copies_hide_as_much_as_one() {
        let (chances, happened) = forecasts(120);
        let thrice = |at: usize| at / 3;
        let chances: Vec<f64> = (0..360).map(|at| chances[thrice(at)]).collect();
        let happened: Vec<bool> = (0..360).map(|at| happened[thrice(at)]).collect();
        let clusters: Vec<usize> = (0..360).map(thrice).collect();
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let binning = Binning::new(10).unwrap();
        let units = GapNoise::of(&forecasts, Some(&clusters), &binning).unwrap();
        let one = noise(120, None);
        let ratio = units.expected_upper(0.95).unwrap() / one.expected_upper(0.95).unwrap();
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
        let single = GapNoise::of(&forecasts, None, &binning).unwrap();
        assert!(single.expected_chance(0.95).unwrap() < 0.7 * one.expected_chance(0.95).unwrap());
    }

    #[test]
    fn the_largest_gap_is_limited_by_the_exact_limits_of_a_bin() {
        let chances = [0.9; 100];
        let happened: Vec<bool> = (0..100).map(|at| at < 90).collect();
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let noise = GapNoise::of(&forecasts, None, &Binning::new(10).unwrap()).unwrap();
        let exact = clopper_pearson(90, 100, 0.95).unwrap();
        assert!((noise.maximum_upper(0.95).unwrap() - (0.9 - exact.low)).abs() < 1e-9);
    }

    #[test]
    fn lists_of_different_length_are_refused() {
        let forecasts = Forecasts::new(&[0.5], &[true]).unwrap();
        let binning = Binning::new(10).unwrap();
        assert!(GapNoise::of(&forecasts, Some(&[]), &binning).is_err());
        let one = GapNoise::of(&forecasts, None, &binning).unwrap();
        assert!(one.expected_upper(1.0).is_err() && one.maximum_chance(0.0).is_err());
    }
}
