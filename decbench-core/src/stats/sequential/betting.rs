//! Confidence sequences by betting, for scores in `[0, 1]`.
//!
//! Waudby-Smith and Ramdas (2024), "Estimating means of bounded random
//! variables by betting". Against each candidate mean m two gamblers bet, one
//! on higher and one on lower scores; a mean is kept while neither multiplies
//! its capital 2/alpha-fold.

use crate::stats::{Interval, Undefined};

/// The confidence sequence after all of `x`, in order, with running intersection.
///
/// The true mean leaves the sequence, ever, with chance at most alpha. The
/// value depends on the order of the scores, which must be that of sampling.
///
/// ```
/// let interval = decbench_core::stats::sequential::hedged_sequence(&[0.5; 30], 0.05)?;
/// assert!(interval.contains(0.5) && interval.width() < 0.21);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::NotFinite`], [`Undefined::OutOfRange`]
/// for a score outside `[0, 1]` or alpha outside (0, 1).
pub fn hedged_sequence(x: &[f64], alpha: f64) -> Result<Interval, Undefined> {
    let bets = bets(x, alpha)?;
    let bound = (2.0 / alpha).ln();
    let rising = |m: f64| reaches(x, &bets, m, bound, Side::Higher);
    let falling = |m: f64| reaches(x, &bets, m, bound, Side::Lower);
    // The first gambler's capital falls in m and the second's rises, so the means that
    // either ever ruled out end where halving finds them.
    let low = last(0.0, 1.0, rising);
    let high = last(1.0, 0.0, falling);
    Ok(if low <= high {
        Interval { low, high }
    } else {
        // Each has ruled out what the other kept, which happens with chance at most alpha.
        let middle = f64::midpoint(low, high);
        Interval {
            low: middle,
            high: middle,
        }
    })
}

/// ln of half the larger capital against the mean m, after each score.
///
/// # Errors
///
/// As [`hedged_sequence`], and [`Undefined::OutOfRange`] for a mean outside `[0, 1]`.
pub fn hedged_log_capital(x: &[f64], m: f64, alpha: f64) -> Result<Vec<f64>, Undefined> {
    if m.is_nan() {
        return Err(Undefined::NotFinite);
    }
    if !(0.0..=1.0).contains(&m) {
        return Err(Undefined::OutOfRange { what: "mean" });
    }
    let bets = bets(x, alpha)?;
    let (mut higher, mut lower) = (0.0, 0.0);
    Ok(x.iter()
        .zip(bets)
        .map(|(&x, bet)| {
            higher += Side::Higher.growth(x, m, bet);
            lower += Side::Lower.growth(x, m, bet);
            f64::max(higher, lower) - std::f64::consts::LN_2
        })
        .collect())
}

#[derive(Clone, Copy)]
enum Side {
    Higher,
    Lower,
}

impl Side {
    /// ln of the factor by which the capital grows. A bet is cut so that no factor is below ½.
    fn growth(self, x: f64, m: f64, bet: f64) -> f64 {
        let stake = match self {
            Self::Higher => bet.min(0.5 / m) * (x - m),
            Self::Lower => bet.min(0.5 / (1.0 - m)) * (m - x),
        };
        // At m = 0 or 1 the cut is infinite and the stake not negative.
        stake.ln_1p()
    }
}

fn reaches(x: &[f64], bets: &[f64], m: f64, bound: f64, side: Side) -> bool {
    let mut capital = 0.0;
    x.iter().zip(bets).any(|(&x, &bet)| {
        capital += side.growth(x, m, bet);
        capital > bound
    })
}

/// The last point from `out` towards `kept` at which a condition holds; `out` where it never does.
fn last(out: f64, kept: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if !holds(out) {
        return out;
    }
    if holds(kept) {
        return kept;
    }
    let (mut out, mut kept) = (out, kept);
    for _ in 0..60 {
        let middle = f64::midpoint(out, kept);
        if middle == out || middle == kept {
            break;
        }
        if holds(middle) {
            out = middle;
        } else {
            kept = middle;
        }
    }
    out
}

/// The predictable bets λ, before they are cut: each sees only the scores before it.
pub(super) fn bets(x: &[f64], alpha: f64) -> Result<Vec<f64>, Undefined> {
    if x.is_empty() {
        return Err(Undefined::NoItems);
    }
    if alpha.is_nan() || x.iter().any(|x| x.is_nan()) {
        return Err(Undefined::NotFinite);
    }
    if x.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return Err(Undefined::OutOfRange { what: "score" });
    }
    if alpha <= 0.0 || alpha >= 1.0 {
        return Err(Undefined::OutOfRange { what: "alpha" });
    }
    let reward = 2.0 * (2.0 / alpha).ln();
    // One imagined score of ½ with variance ¼ starts both running means.
    let (mut total, mut squares) = (0.5, 0.25);
    let mut variance: f64 = 0.25;
    Ok(x.iter()
        .enumerate()
        .map(|(before, &x)| {
            let t = before as f64 + 1.0;
            let bet = (reward / (t * (1.0 + t).ln() * variance)).sqrt();
            total += x;
            let gap = x - total / (t + 1.0);
            squares += gap * gap;
            variance = squares / (t + 1.0);
            bet
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_only_narrows() {
        let x: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i % 7 != 0))).collect();
        let mut before = Interval {
            low: 0.0,
            high: 1.0,
        };
        for n in (1..=200).step_by(20) {
            let now = hedged_sequence(&x[..n], 0.05).unwrap();
            assert!(before.low <= now.low && now.high <= before.high, "{n}");
            before = now;
        }
        assert!(before.contains(6.0 / 7.0));
    }

    #[test]
    fn kept_means_are_those_neither_gambler_rules_out() {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i % 4) / 3.0).collect();
        let interval = hedged_sequence(&x, 0.1).unwrap();
        for m in [interval.low + 1e-9, interval.high - 1e-9, 0.5] {
            let path = hedged_log_capital(&x, m, 0.1).unwrap();
            assert!(path.iter().all(|&log| log <= 10_f64.ln()), "{m}");
        }
        for m in [interval.low - 1e-9, interval.high + 1e-9] {
            let path = hedged_log_capital(&x, m, 0.1).unwrap();
            assert!(path.iter().any(|&log| log > 10_f64.ln()), "{m}");
        }
    }

    #[test]
    fn scores_outside_the_unit_interval_are_refused() {
        assert!(hedged_sequence(&[0.5, 1.1], 0.05).is_err());
        assert_eq!(
            hedged_sequence(&[f64::NAN], 0.05),
            Err(Undefined::NotFinite)
        );
        assert_eq!(hedged_sequence(&[], 0.05), Err(Undefined::NoItems));
        assert!(hedged_sequence(&[0.5], 0.0).is_err());
    }
}
