//! The empirical-Bernstein confidence sequence.

use super::betting::bets;
use crate::stats::{Interval, Undefined};

/// The confidence sequence of Waudby-Smith and Ramdas (2024) after all of `x`,
/// by predictable plug-in, for scores in `[0, 1]` at error `alpha` over all n.
///
/// Closed form and wider than [`hedged_sequence`](super::hedged_sequence). No
/// running intersection; limits are cut to `[0, 1]`.
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::NotFinite`], [`Undefined::OutOfRange`]
/// for a score outside `[0, 1]` or alpha outside (0, 1).
pub fn empirical_bernstein_sequence(x: &[f64], alpha: f64) -> Result<Interval, Undefined> {
    let low = lower(x, alpha)?;
    let mirrored: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
    let high = 1.0 - lower(&mirrored, alpha)?;
    Ok(Interval {
        low: low.min(high),
        high: high.max(low),
    })
}

fn lower(x: &[f64], alpha: f64) -> Result<f64, Undefined> {
    let bets = bets(x, alpha)?;
    let (mut staked, mut won, mut penalty) = (0.0, 0.0, (2.0 / alpha).ln());
    let mut total = 0.0;
    for (before, (&x, bet)) in x.iter().zip(bets).enumerate() {
        // A bet of 1 would cost an infinite penalty.
        let bet = bet.min(0.5);
        let mean = if before == 0 {
            0.0
        } else {
            total / before as f64
        };
        let gap = x - mean;
        staked += bet;
        won += bet * x;
        penalty += gap * gap * (-(-bet).ln_1p() - bet);
        total += x;
    }
    Ok(((won - penalty) / staked).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_enclose_the_mean_of_steady_scores() {
        let x = [0.7; 400];
        let interval = empirical_bernstein_sequence(&x, 0.05).unwrap();
        assert!(
            interval.contains(0.7) && interval.width() < 0.1,
            "{interval:?}"
        );
    }

    #[test]
    fn one_score_says_nothing() {
        let interval = empirical_bernstein_sequence(&[1.0], 0.05).unwrap();
        assert_eq!((interval.low, interval.high), (0.0, 1.0));
    }
}
