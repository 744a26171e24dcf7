//! The best of several by chance: how often the best of k that do not differ looks as good as the winner did.

use crate::stats::Undefined;
use crate::stats::random::Seed;
use crate::stats::resample::resampled_units;
use crate::stats::sum::{finite, sum};

/// The chance that the best of all candidates reaches the winner's standardised lead, if none differs from today's.
///
/// `differences` has one list per candidate: its difference to today's by unit of evidence, all in the same
/// order. Every candidate's differences are centred, so that none leads; whole units are drawn for all
/// candidates at once, which keeps what they have in common; and each lead is divided by its own standard
/// error. The result is (b + 1)/(B + 1) with b resamples of B whose largest lead reaches the winner's: the
/// single-step maximum test (Westfall, Young 1993). With a single candidate it is that candidate's own
/// one-sided p-value. `None` where the winner's differences do not vary.
///
/// ```
/// use decbench_core::stats::{Seed, selection_effect::best_of_many};
///
/// let one: Vec<f64> = (0..60).map(|i| f64::from(u8::from(i % 12 == 0))).collect();
/// let noise: Vec<f64> = (0..60).map(|i| f64::from(i % 3) - 1.0).collect();
/// let alone = best_of_many(&[one.clone()], 0, 2_000, Seed(1))?.unwrap();
/// let among = best_of_many(&[one, noise.clone(), noise], 0, 2_000, Seed(1))?.unwrap();
/// assert!(among > alone);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No units, lists of different length, a number that is not finite, a winner that is not in the list, or
/// no resamples.
pub fn best_of_many(
    differences: &[Vec<f64>],
    winner: usize,
    resamples: usize,
    seed: Seed,
) -> Result<Option<f64>, Undefined> {
    let Some(leader) = differences.get(winner) else {
        return Err(Undefined::OutOfRange { what: "winner" });
    };
    let n = leader.len();
    if differences.iter().any(|list| list.len() != n) {
        return Err(Undefined::LengthMismatch);
    }
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    let mut centred = Vec::with_capacity(differences.len());
    let mut lead = None;
    for (position, list) in differences.iter().enumerate() {
        finite(list)?;
        let total = sum(list.iter().copied());
        let mean = total / n as f64;
        let spread = sum(list.iter().map(|value| (value - mean) * (value - mean))).sqrt();
        if spread <= 1e-12 {
            // Who never varies has no chance variation to win by.
            continue;
        }
        if position == winner {
            lead = Some(total / spread);
        }
        centred.push(
            list.iter()
                .map(|value| (value - mean) / spread)
                .collect::<Vec<f64>>(),
        );
    }
    let Some(lead) = lead else {
        return Ok(None);
    };
    let mut reached = 0_usize;
    resampled_units(n, resamples, seed, |times| {
        let best = centred
            .iter()
            .map(|list| {
                let drawn = list.iter().zip(times);
                drawn.map(|(value, times)| value * f64::from(*times)).sum()
            })
            .fold(f64::NEG_INFINITY, f64::max);
        reached += usize::from(best >= lead - 1e-12);
        Some(best)
    })?;
    Ok(Some((reached + 1) as f64 / (resamples + 1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_winner_is_no_accident_and_a_slight_one_may_be() {
        let clear: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i % 4 == 0))).collect();
        let slight: Vec<f64> = (0..100).map(|i| f64::from(i % 2) - 0.45).collect();
        let chance = |lists: &[Vec<f64>]| best_of_many(lists, 0, 2_000, Seed(3)).unwrap().unwrap();
        assert!(chance(&[clear.clone(), slight.clone()]) < 0.001);
        assert!(chance(&[slight.clone(), slight]) > 0.1);
    }

    #[test]
    fn impossible_lists_are_refused() {
        assert!(best_of_many(&[], 0, 10, Seed(1)).is_err());
        assert!(best_of_many(&[vec![]], 0, 10, Seed(1)).is_err());
        assert!(best_of_many(&[vec![1.0], vec![1.0, 2.0]], 0, 10, Seed(1)).is_err());
        assert_eq!(best_of_many(&[vec![1.0; 9]], 0, 10, Seed(1)), Ok(None));
    }
}
