//! Calibration error without bins.

use std::f64::consts::PI;

use super::forecasts::Forecasts;
use crate::stats::Undefined;

/// Points of the unit interval at which the smoothed residual is taken.
const POINTS: usize = 2_000;

/// Points taken at once; divides their number.
const LANES: usize = 8;

/// The narrowest kernel tried.
const NARROWEST: f64 = 0.002;

/// Waves whose weight is below e^−40 are left out.
const FAINTEST: f64 = 40.0;

/// Smooth calibration error (Błasiok, Nakkiran 2023), in [0, 1].
///
/// Residuals chance − outcome are smoothed by a Gaussian of width σ that is reflected at 0 and 1; the
/// integral of the absolute value falls as σ grows, and the error is the σ that equals it. It needs no
/// choice of bins. Errors below 0.002 are given as 0. Accurate to 3·10⁻⁴.
///
/// ```
/// use decbench_core::stats::calibration::{Forecasts, smooth_ece};
///
/// let forecasts = Forecasts::new(&[0.8; 10], &[true; 10])?;
/// assert!((smooth_ece(&forecasts) - 0.2).abs() < 3e-4);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
pub fn smooth_ece(forecasts: &Forecasts<'_>) -> f64 {
    let waves = Waves::of(forecasts, NARROWEST);
    if waves.smoothed(1.0) >= 1.0 {
        return 1.0;
    }
    let (mut low, mut high) = (NARROWEST, 1.0);
    // 2^−17 is far below the accuracy of the integral.
    for _ in 0..17 {
        let middle = 0.5 * (low + high);
        if waves.smoothed(middle) < middle {
            high = middle;
        } else {
            low = middle;
        }
    }
    // The narrowest kernel costs the most, so it is asked only when nothing else decided.
    if low == NARROWEST && waves.smoothed(NARROWEST) < NARROWEST {
        return 0.0;
    }
    0.5 * (low + high)
}

/// The integral of the absolute smoothed residual at a fixed kernel width.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for a width outside [0.002, 1].
pub fn smooth_ece_at(forecasts: &Forecasts<'_>, width: f64) -> Result<f64, Undefined> {
    if !(NARROWEST..=1.0).contains(&width) {
        return Err(Undefined::OutOfRange {
            what: "kernel width",
        });
    }
    Ok(Waves::of(forecasts, width).smoothed(width))
}

/// The residuals as a sum of cosines.
///
/// A Gaussian reflected at both ends spreads like heat between insulated ends: the wave cos kπt keeps
/// its shape and shrinks by exp(−(kπσ)²/2). One pass over the items serves every width.
struct Waves {
    /// Mean of (chance − outcome)·cos kπ·chance, doubled for k > 0.
    weights: Vec<f64>,
}

impl Waves {
    fn of(forecasts: &Forecasts<'_>, narrowest: f64) -> Self {
        let mut weights = vec![0.0; count(narrowest)];
        let n = forecasts.len() as f64;
        for same in forecasts.sorted().chunk_by(|a, b| a.0 == b.0) {
            let chance = same[0].0;
            let residual = same
                .iter()
                .map(|(_, outcome)| chance - outcome)
                .sum::<f64>()
                / n;
            // cos (k+1)x = 2 cos x cos kx − cos (k−1)x.
            let twice = 2.0 * (PI * chance).cos();
            let (mut before, mut now) = (0.5 * twice, 1.0);
            for weight in &mut weights {
                *weight += residual * now;
                (before, now) = (now, twice * now - before);
            }
        }
        weights[1..].iter_mut().for_each(|weight| *weight *= 2.0);
        Self { weights }
    }

    /// ∫|r| by the trapezoid rule.
    fn smoothed(&self, width: f64) -> f64 {
        let waves = count(width).min(self.weights.len());
        let shrunk: Vec<f64> = self.weights[..waves]
            .iter()
            .enumerate()
            .map(|(k, weight)| weight * (-0.5 * (k as f64 * PI * width).powi(2)).exp())
            .collect();
        let step = 1.0 / POINTS as f64;
        let ends = at(&shrunk, [0.0, 1.0]).map(f64::abs);
        let inner: f64 = (0..POINTS / LANES)
            .map(|block| {
                let point = |lane: usize| (block * LANES + lane) as f64 * step;
                let values = at(&shrunk, std::array::from_fn::<f64, LANES, _>(point));
                values.into_iter().map(f64::abs).sum::<f64>()
            })
            .sum();
        // The blocks hold the left end in full and the right end not at all.
        step * (inner + 0.5 * (ends[1] - ends[0]))
    }
}

/// `Σ w_k cos kπt` by Clenshaw's recurrence, at several points so that they overlap.
fn at<const N: usize>(weights: &[f64], points: [f64; N]) -> [f64; N] {
    let cosines = points.map(|point| (PI * point).cos());
    let (mut now, mut after) = ([0.0; N], [0.0; N]);
    for &weight in weights[1..].iter().rev() {
        for lane in 0..N {
            let next = weight + 2.0 * cosines[lane] * now[lane] - after[lane];
            after[lane] = now[lane];
            now[lane] = next;
        }
    }
    std::array::from_fn(|lane| weights[0] + cosines[lane] * now[lane] - after[lane])
}

/// How many waves matter at a width.
fn count(width: f64) -> usize {
    ((2.0 * FAINTEST).sqrt() / (PI * width)) as usize + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_the_reflected_kernel() {
        let chances = [0.03, 0.4, 0.41, 0.97];
        let happened = [true, false, true, true];
        let forecasts = Forecasts::new(&chances, &happened).unwrap();
        let width = 0.07;
        let kernel = |t: f64, c: f64| -> f64 {
            (-4..=4)
                .flat_map(|fold| [2.0 * f64::from(fold) + c, 2.0 * f64::from(fold) - c])
                .map(|image| {
                    (-0.5 * ((t - image) / width).powi(2)).exp() / (width * (2.0 * PI).sqrt())
                })
                .sum()
        };
        let waves = Waves::of(&forecasts, width);
        for t in [0.0, 0.02, 0.4, 0.77, 1.0] {
            let direct: f64 = forecasts
                .pairs()
                .map(|(c, y)| kernel(t, c) * (c - y) / 4.0)
                .sum();
            let shrunk: Vec<f64> = waves
                .weights
                .iter()
                .enumerate()
                .map(|(k, weight)| weight * (-0.5 * (k as f64 * PI * width).powi(2)).exp())
                .collect();
            assert!((at(&shrunk, [t])[0] - direct).abs() < 1e-12, "at {t}");
        }
    }

    #[test]
    fn a_width_outside_its_range_is_refused() {
        let forecasts = Forecasts::new(&[0.5], &[true]).unwrap();
        assert!(smooth_ece_at(&forecasts, 0.0).is_err());
        assert!(smooth_ece_at(&forecasts, f64::NAN).is_err());
        assert!(smooth_ece_at(&forecasts, 1.0).is_ok());
    }

    #[test]
    fn calibrated_pairs_have_no_smooth_error() {
        let forecasts = Forecasts::new(&[0.5; 4], &[true, false, true, false]).unwrap();
        assert_eq!(smooth_ece(&forecasts), 0.0);
    }
}
