//! The sign-flip test: a paired permutation test for "no difference".

use crate::stats::Undefined;
use crate::stats::lattice::multiples;
use crate::stats::random::{RandomStream, Seed};
use crate::stats::resample::checked;

/// Differences that are not zero, up to which all sign patterns are enumerated.
const ENUMERATED: usize = 20;

/// An exact law on a grid may cost this many steps.
const AFFORDABLE: f64 = 5e7;

/// Sums this close, as a share of Σ|d|, are equal.
const EQUAL: f64 = 1e-12;

/// How a sign-flip p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignFlipMethod {
    /// The exact law of the sum, for differences that are multiples of one step.
    Grid,
    /// All patterns of signs.
    Enumeration,
    /// Random patterns of signs, with the observed one added.
    Random,
}

/// P-values over all patterns of signs ±d. The observed pattern is one of them, so neither is ever 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// The share of patterns whose sum is at least the observed one: small when the first is better.
    pub p_greater: f64,
    /// The share of patterns whose |sum| is at least the observed one.
    pub p_two_sided: f64,
    /// How they were found.
    pub method: SignFlipMethod,
}

/// The sign-flip test of paired differences.
///
/// Under "no difference" each difference is as likely as its negative. On a common grid (0/1 outcomes,
/// decimal scores) the law of the sum is exact for any number of differences that the grid allows; off
/// a grid up to 20 differences are enumerated; beyond, `resamples` random patterns are drawn and
/// p = (b + 1)/(B + 1). Zero differences change nothing.
///
/// ```
/// use decbench_core::stats::Seed;
/// use decbench_core::stats::permutation::sign_flip;
///
/// let found = sign_flip(&[1.0, 1.0, 1.0, -1.0], 2_000, Seed(1))?;
/// assert_eq!(found.p_greater, 5.0 / 16.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No differences, one that is not finite or beyond 10^100, or no resamples.
pub fn sign_flip(differences: &[f64], resamples: usize, seed: Seed) -> Result<SignFlip, Undefined> {
    checked(differences, resamples)?;
    if let Some(multiples) = multiples(differences) {
        let nonzero = multiples.iter().filter(|&&multiple| multiple != 0).count();
        let reach: i64 = multiples.iter().map(|multiple| multiple.abs()).sum();
        if nonzero as f64 * reach as f64 <= AFFORDABLE {
            return Ok(on_grid(&multiples, reach));
        }
    }
    let nonzero: Vec<f64> = differences
        .iter()
        .copied()
        .filter(|&value| value != 0.0)
        .collect();
    Ok(if nonzero.len() <= ENUMERATED {
        enumerate(&nonzero)
    } else {
        draw(&nonzero, resamples, seed)
    })
}

/// The law of Σ ±m is that of 2 Σ(chosen |m|) − Σ|m|, each |m| chosen by a fair coin.
fn on_grid(multiples: &[i64], reach: i64) -> SignFlip {
    let mut chances = vec![0.0; reach as usize + 1];
    chances[0] = 1.0;
    let mut filled = 0;
    for multiple in multiples {
        let step = multiple.unsigned_abs() as usize;
        if step == 0 {
            continue;
        }
        filled += step;
        for place in (0..=filled).rev() {
            let without = if place <= filled - step {
                chances[place]
            } else {
                0.0
            };
            let with = if place >= step {
                chances[place - step]
            } else {
                0.0
            };
            chances[place] = 0.5 * (without + with);
        }
    }
    let sum: i64 = multiples.iter().sum();
    let chosen = |sum: i64| i64::midpoint(sum, reach) as usize;
    let upper = |from: i64| chances[chosen(from)..].iter().sum::<f64>().min(1.0);
    SignFlip {
        p_greater: upper(sum),
        p_two_sided: if sum == 0 {
            1.0
        } else {
            (2.0 * upper(sum.abs())).min(1.0)
        },
        method: SignFlipMethod::Grid,
    }
}

fn enumerate(differences: &[f64]) -> SignFlip {
    let tally = Tally::new(differences);
    let patterns = 1_u32 << differences.len();
    let (mut greater, mut beyond) = (0_u32, 0_u32);
    for pattern in 0..patterns {
        let signed = differences.iter().enumerate().map(|(place, &value)| {
            if pattern >> place & 1 == 1 {
                -value
            } else {
                value
            }
        });
        let (is_greater, is_beyond) = tally.compare(signed.sum());
        greater += u32::from(is_greater);
        beyond += u32::from(is_beyond);
    }
    SignFlip {
        p_greater: f64::from(greater) / f64::from(patterns),
        p_two_sided: f64::from(beyond) / f64::from(patterns),
        method: SignFlipMethod::Enumeration,
    }
}

fn draw(differences: &[f64], resamples: usize, seed: Seed) -> SignFlip {
    let tally = Tally::new(differences);
    let mut stream = RandomStream::new(seed);
    let (mut greater, mut beyond) = (1.0, 1.0);
    for _ in 0..resamples {
        let mut sum = 0.0;
        for chunk in differences.chunks(64) {
            let mut signs = stream.next_word();
            for value in chunk {
                // The lowest bit becomes the sign bit.
                sum += f64::from_bits(value.to_bits() ^ (signs << 63));
                signs >>= 1;
            }
        }
        let (is_greater, is_beyond) = tally.compare(sum);
        greater += f64::from(u8::from(is_greater));
        beyond += f64::from(u8::from(is_beyond));
    }
    let patterns = resamples as f64 + 1.0;
    SignFlip {
        p_greater: greater / patterns,
        p_two_sided: beyond / patterns,
        method: SignFlipMethod::Random,
    }
}

/// The observed sum and how near to it counts as equal.
struct Tally {
    observed: f64,
    slack: f64,
}

impl Tally {
    fn new(differences: &[f64]) -> Self {
        let magnitude: f64 = differences.iter().map(|value| value.abs()).sum();
        Self {
            observed: differences.iter().sum(),
            slack: EQUAL * magnitude,
        }
    }

    /// Whether a sum is at least the observed one, and whether it is at least as far from zero.
    fn compare(&self, sum: f64) -> (bool, bool) {
        (
            sum >= self.observed - self.slack,
            sum.abs() >= self.observed.abs() - self.slack,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_and_enumeration_agree() {
        let differences = [0.32, 0.56, -0.08, 0.14, 0.04, -0.02, -0.09, 0.14, 0.32];
        let grid = sign_flip(&differences, 10, Seed(1)).unwrap();
        let enumerated = enumerate(&differences);
        assert_eq!(grid.method, SignFlipMethod::Grid);
        assert!((grid.p_greater - enumerated.p_greater).abs() < 1e-12);
        assert!((grid.p_two_sided - enumerated.p_two_sided).abs() < 1e-12);
    }

    #[test]
    fn random_patterns_approach_the_exact_law() {
        let differences: Vec<f64> = (0..19).map(|i| f64::from(i).sqrt() - 1.7).collect();
        let exact = sign_flip(&differences, 10, Seed(1)).unwrap();
        assert_eq!(exact.method, SignFlipMethod::Enumeration);
        let drawn = draw(&differences, 40_000, Seed(1));
        assert!((exact.p_greater - drawn.p_greater).abs() < 0.01);
        assert!((exact.p_two_sided - drawn.p_two_sided).abs() < 0.0125);
    }

    #[test]
    fn many_differences_off_a_grid_are_drawn() {
        let differences: Vec<f64> = (0..50).map(|i| f64::from(i).sqrt() + 1.0).collect();
        let found = sign_flip(&differences, 999, Seed(1)).unwrap();
        assert_eq!(found.method, SignFlipMethod::Random);
        assert_eq!(found.p_greater, 0.001);
    }

    #[test]
    fn no_differences_are_refused() {
        assert_eq!(sign_flip(&[], 10, Seed(1)), Err(Undefined::NoItems));
        assert_eq!(
            sign_flip(&[f64::NAN], 10, Seed(1)),
            Err(Undefined::NotFinite)
        );
        assert!(sign_flip(&[1.0], 0, Seed(1)).is_err());
    }
}
