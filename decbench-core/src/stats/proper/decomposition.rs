//! What a binary Brier score is made of.

use super::brier::binary_brier;
use super::isotonic::isotonic;
use crate::stats::calibration::{Binning, Forecasts};
use crate::stats::sum::sum;

/// Murphy's parts of a binary Brier score.
///
/// score = reliability − resolution + uncertainty + within-group variance − within-group covariance. The
/// last two are 0 when every group holds equal forecasts; with bins, three terms alone do not add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MurphyParts {
    /// `Σ(n_g/n)(p̄_g − ȳ_g)²`: miscalibration, less is better.
    pub reliability: f64,
    /// `Σ(n_g/n)(ȳ_g − ȳ)²`: how much groups differ, more is better.
    pub resolution: f64,
    /// ȳ(1 − ȳ): how hard the event is to tell.
    pub uncertainty: f64,
    /// `Σ(n_g/n)·var(p)` inside groups.
    pub within_variance: f64,
    /// `Σ(n_g/n)·2·mean((y − ȳ_g)(p − p̄_g))` inside groups.
    pub within_covariance: f64,
}

impl MurphyParts {
    /// The Brier score that the parts add up to.
    pub fn brier(&self) -> f64 {
        self.reliability - self.resolution + self.uncertainty + self.within_variance
            - self.within_covariance
    }
}

/// The decomposition over groups of equal forecasts (Murphy 1973).
pub fn murphy(forecasts: &Forecasts<'_>) -> MurphyParts {
    parts(&forecasts.sorted(), |a, b| a == b)
}

/// The decomposition over bins, with the two terms for what happens inside them
/// (Stephenson, Coelho, Jolliffe 2008).
pub fn murphy_binned(forecasts: &Forecasts<'_>, binning: &Binning) -> MurphyParts {
    parts(&forecasts.sorted(), |a, b| {
        binning.bin_of(a) == binning.bin_of(b)
    })
}

fn parts(pairs: &[(f64, f64)], same: impl Fn(f64, f64) -> bool) -> MurphyParts {
    let n = pairs.len() as f64;
    let rate = sum(pairs.iter().map(|(_, y)| *y)) / n;
    let groups: Vec<Group> = pairs
        .chunk_by(|a, b| same(a.0, b.0))
        .map(|group| Group::of(group, rate))
        .collect();
    let over =
        |part: fn(&Group) -> f64| sum(groups.iter().map(|group| group.size / n * part(group)));
    MurphyParts {
        reliability: over(|group| group.miss.powi(2)),
        resolution: over(|group| group.lift.powi(2)),
        uncertainty: rate * (1.0 - rate),
        within_variance: over(|group| group.variance),
        within_covariance: over(|group| 2.0 * group.covariance),
    }
}

/// Forecasts that are taken together.
struct Group {
    size: f64,
    /// Mean forecast less the share that happened.
    miss: f64,
    /// The share that happened less that of all items.
    lift: f64,
    /// Variance of the forecasts, and their covariance with the outcomes; both divide by the size.
    variance: f64,
    covariance: f64,
}

impl Group {
    fn of(pairs: &[(f64, f64)], rate: f64) -> Self {
        let size = pairs.len() as f64;
        let forecast = sum(pairs.iter().map(|(p, _)| *p)) / size;
        let observed = sum(pairs.iter().map(|(_, y)| *y)) / size;
        let products = pairs.iter().map(|(p, y)| (y - observed) * (p - forecast));
        Self {
            size,
            miss: forecast - observed,
            lift: observed - rate,
            variance: sum(pairs.iter().map(|(p, _)| (p - forecast).powi(2))) / size,
            covariance: sum(products) / size,
        }
    }
}

/// The parts of a Brier score against its isotonic recalibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorpParts {
    /// How much recalibration would gain, at least 0.
    pub miscalibration: f64,
    /// How much the recalibrated forecast beats the base rate, at least 0.
    pub discrimination: f64,
    /// ȳ(1 − ȳ).
    pub uncertainty: f64,
}

/// The CORP decomposition (Dimitriadis, Gneiting, Jordan 2021): no bins to choose.
///
/// score = miscalibration − discrimination + uncertainty.
pub fn corp(forecasts: &Forecasts<'_>) -> CorpParts {
    let pairs = forecasts.sorted();
    let n = pairs.len() as f64;
    let rate = sum(pairs.iter().map(|(_, y)| *y)) / n;
    let recalibrated = sum(isotonic(&pairs).iter().map(|block| {
        // Inside a block of mean m the outcomes add n·m(1 − m).
        block.weight * block.mean * (1.0 - block.mean)
    })) / n;
    let uncertainty = rate * (1.0 - rate);
    CorpParts {
        miscalibration: (binary_brier(forecasts) - recalibrated).max(0.0),
        discrimination: (uncertainty - recalibrated).max(0.0),
        uncertainty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> (Vec<f64>, Vec<bool>) {
        let chance = |i: u32| f64::from(i * 37 % 100) / 100.0;
        (
            (0..300).map(chance).collect(),
            (0..300).map(|i| i * 53 % 97 < 40).collect(),
        )
    }

    #[test]
    fn parts_add_up_to_the_score() {
        let (chances, happened) = data();
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let brier = binary_brier(&forecasts);
        let plain = murphy(&forecasts);
        assert!((plain.brier() - brier).abs() < 1e-13);
        assert!(plain.within_variance.abs() < 1e-15 && plain.within_covariance.abs() < 1e-15);
        let binned = murphy_binned(&forecasts, &Binning::new(10).unwrap());
        assert!((binned.brier() - brier).abs() < 1e-13);
        let corp = corp(&forecasts);
        let whole = corp.miscalibration - corp.discrimination + corp.uncertainty;
        assert!((whole - brier).abs() < 1e-13);
    }

    #[test]
    fn recalibrated_forecasts_have_no_miscalibration() {
        let forecasts = Forecasts::new(&[0.5, 0.5, 1.0, 0.0], &[true, false, true, false]).unwrap();
        assert_eq!(corp(&forecasts).miscalibration, 0.0);
    }
}
