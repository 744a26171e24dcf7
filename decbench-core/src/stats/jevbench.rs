//! The Capability score of `JevBench` v1.6, from its published ingredients; all values on its scale of 0 to 100.
//!
//! Intelligence is accuracy beyond chance by type and tier, calibration one value per type, capability their
//! mean. Tier values are not clipped: a tier answered worse than chance is negative. How a score question's
//! chance is set is not published; here it is the error of the middle level.

use crate::stats::Undefined;
use crate::stats::capability::TIER_WEIGHTS;
use crate::stats::sum::sum;

/// The gap between open and sealed intelligence of the median entry in v1.6.2.
pub const MEDIAN_GAP: f64 = 2.573_387_642_438_244;
/// A gap this much above the median's costs nothing.
const FREE_GAP: f64 = 8.0;
/// Below this a part lowers composite A further.
const GATED_BELOW: f64 = 50.0;
/// The calibration error that scores nothing.
const WORST_ECE: f64 = 0.5;

/// A share of right answers beyond chance: 100 (a − c)/(1 − c). Negative below chance.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for what is no share, [`Undefined::ChanceIsCertain`] at a chance of 1.
pub fn beyond_chance(accuracy: f64, chance: f64) -> Result<f64, Undefined> {
    share(accuracy, "accuracy")?;
    share(chance, "chance")?;
    if chance >= 1.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok(100.0 * (accuracy - chance) / (1.0 - chance))
}

/// A mean normalised error of score questions beyond chance: 100 (1 − error/chance error).
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for what is no error from 0 to 1, [`Undefined::ChanceIsCertain`] where chance makes none.
pub fn error_beyond_chance(error: f64, chance: f64) -> Result<f64, Undefined> {
    share(error, "error")?;
    share(chance, "chance")?;
    if chance == 0.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok(100.0 * (1.0 - error / chance))
}

/// One type's value from its tiers (easy, standard, judge, hard): weights 0.1, 0.2, 0.3, 0.4, over the tiers there are.
///
/// # Errors
///
/// [`Undefined::NoItems`] without a tier.
pub fn over_tiers(tiers: [Option<f64>; 4]) -> Result<f64, Undefined> {
    let present = || {
        let pairs = tiers.iter().zip(TIER_WEIGHTS);
        pairs.filter_map(|(value, weight)| Some((value.as_ref()?, weight)))
    };
    let weight = sum(present().map(|(_, weight)| weight));
    if weight == 0.0 {
        return Err(Undefined::NoItems);
    }
    Ok(sum(present().map(|(value, weight)| value * weight)) / weight)
}

/// The mean over the types (choice, yes/no, score) that there are.
///
/// # Errors
///
/// [`Undefined::NoItems`] without a type.
pub fn over_types(types: [Option<f64>; 3]) -> Result<f64, Undefined> {
    let present: Vec<f64> = types.into_iter().flatten().collect();
    if present.is_empty() {
        return Err(Undefined::NoItems);
    }
    Ok(sum(present.iter().copied()) / present.len() as f64)
}

/// Intelligence over both splits, and the penalty factor for doing better on open questions than on sealed ones.
///
/// (open + sealed)/2 times max(0, 1 − max(0, gap − median gap − 8)/100), within 0 and 100.
///
/// # Errors
///
/// [`Undefined::NotFinite`].
pub fn over_splits(open: f64, sealed: f64, median_gap: f64) -> Result<(f64, f64), Undefined> {
    if ![open, sealed, median_gap]
        .iter()
        .all(|value| value.is_finite())
    {
        return Err(Undefined::NotFinite);
    }
    let excess = open - sealed - median_gap;
    let penalty = (1.0 - (excess - FREE_GAP).max(0.0) / 100.0).max(0.0);
    let value = f64::midpoint(open, sealed) * penalty;
    Ok((value.clamp(0.0, 100.0), penalty))
}

/// A calibration error as a value: 100 max(0, 1 − ECE/0.5).
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for what is no error from 0 to 1.
pub fn calibration_of(ece: f64) -> Result<f64, Undefined> {
    share(ece, "calibration error")?;
    Ok(100.0 * (1.0 - ece / WORST_ECE).max(0.0))
}

/// The calibration of score questions: the mean of their top-answer ECE as a value and 100 (1 − normalised RPS).
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for what is no error from 0 to 1.
pub fn score_calibration(top_ece: f64, rps_normalised: f64) -> Result<f64, Undefined> {
    share(rps_normalised, "ranked probability score")?;
    Ok(f64::midpoint(
        calibration_of(top_ece)?,
        100.0 * (1.0 - rps_normalised),
    ))
}

/// Speed from the median and the 95th percentile in seconds: the mean of 100 − 20 log10(s/0.1), each within 0 and 100.
///
/// No time at all is 100, and a call that never ends 0.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] for negative times, [`Undefined::NotFinite`] for what is no number.
pub fn speed(p50: f64, p95: f64) -> Result<f64, Undefined> {
    let of = |seconds: f64| {
        if seconds.is_nan() {
            Err(Undefined::NotFinite)
        } else if seconds < 0.0 {
            Err(Undefined::OutOfRange { what: "time" })
        } else {
            Ok((100.0 - 20.0 * (seconds / 0.1).log10()).clamp(0.0, 100.0))
        }
    };
    Ok(f64::midpoint(of(p50)?, of(p95)?))
}

/// Cost from US dollars per 1,000 decisions: 100 − 30 log10(usd/0.001), not clipped.
///
/// # Errors
///
/// [`Undefined::OutOfRange`] unless positive.
pub fn cost(usd_per_1000: f64) -> Result<f64, Undefined> {
    positive(usd_per_1000, "cost").map(|usd| 100.0 - 30.0 * (usd / 0.001).log10())
}

/// A weighted harmonic mean, as the composites and views are: intelligence, calibration, speed and cost at equal
/// weights (A) or 0.4, 0.2, 0.2, 0.2 (B); views over intelligence, speed and cost alone.
///
/// ```
/// let composite = decbench_core::stats::jevbench::harmonic(&[(50.0, 1.0), (100.0, 1.0)])?;
/// assert!((composite - 200.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`], [`Undefined::OutOfRange`] unless values and weights are positive.
pub fn harmonic(parts: &[(f64, f64)]) -> Result<f64, Undefined> {
    if parts.is_empty() {
        return Err(Undefined::NoItems);
    }
    for (value, weight) in parts {
        positive(*value, "value")?;
        positive(*weight, "weight")?;
    }
    let weights = sum(parts.iter().map(|(_, weight)| *weight));
    Ok(weights / sum(parts.iter().map(|(value, weight)| weight / value)))
}

/// What a part below 50 multiplies composite A by: (x/50)², and nothing from 50 on.
pub fn gate(value: f64) -> f64 {
    (value / GATED_BELOW).clamp(0.0, 1.0).powi(2)
}

/// A weighted harmonic mean of scores that may fall to 0 and below: then it is 0, which is where it goes as a part
/// goes to 0. Scores of weight 0 are no part of it; an infinite one only leaves the others.
///
/// ```
/// use decbench_core::stats::jevbench::composite;
///
/// assert!((composite(&[(50.0, 1.0), (100.0, 1.0)])? - 200.0 / 3.0).abs() < 1e-12);
/// assert_eq!(composite(&[(50.0, 1.0), (-3.0, 1.0)])?, 0.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] without a part, [`Undefined::NotFinite`] for what is no number, [`Undefined::OutOfRange`] for
/// a negative weight, or where every part is infinite.
pub fn composite(parts: &[(f64, f64)]) -> Result<f64, Undefined> {
    if parts
        .iter()
        .any(|(value, weight)| value.is_nan() || weight.is_nan())
    {
        return Err(Undefined::NotFinite);
    }
    let counted: Vec<(f64, f64)> = parts
        .iter()
        .copied()
        .filter(|(_, weight)| *weight != 0.0)
        .collect();
    if counted.iter().any(|(value, _)| *value <= 0.0) {
        return Ok(0.0);
    }
    let weights = sum(counted.iter().map(|(_, weight)| *weight));
    let finite: Vec<(f64, f64)> = counted
        .iter()
        .copied()
        .filter(|(value, _)| value.is_finite())
        .collect();
    let of_finite = sum(finite.iter().map(|(_, weight)| *weight));
    if !counted.is_empty() && finite.is_empty() {
        return Err(Undefined::OutOfRange { what: "value" });
    }
    // An infinite part adds nothing to the sum of reciprocals.
    Ok(harmonic(&finite)? * (weights / of_finite))
}

fn share(value: f64, what: &'static str) -> Result<(), Undefined> {
    if value.is_nan() {
        Err(Undefined::NotFinite)
    } else if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

fn positive(value: f64, what: &'static str) -> Result<f64, Undefined> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_below_chance_is_negative_and_missing_ones_are_reweighted() {
        assert_eq!(beyond_chance(0.25, 0.5), Ok(-50.0));
        assert_eq!(
            over_tiers([None, Some(10.0), None, Some(40.0)]),
            Ok((0.2 * 10.0 + 0.4 * 40.0) / (0.2 + 0.4))
        );
        assert_eq!(over_tiers([None; 4]), Err(Undefined::NoItems));
    }

    #[test]
    fn only_a_gap_beyond_the_free_one_costs() {
        assert_eq!(over_splits(70.0, 62.0, 0.0), Ok((66.0, 1.0)));
        let (value, penalty) = over_splits(80.0, 62.0, 0.0).unwrap();
        assert!((penalty - 0.9).abs() < 1e-12 && (value - 63.9).abs() < 1e-12);
        assert_eq!(over_splits(-10.0, -20.0, 0.0).unwrap().0, 0.0);
    }

    #[test]
    fn errors_score_nothing_from_one_half_on() {
        assert_eq!(calibration_of(0.75), Ok(0.0));
        assert_eq!(score_calibration(0.5, 0.5), Ok(25.0));
        assert!(calibration_of(1.5).is_err() && harmonic(&[(0.0, 1.0)]).is_err());
        assert!(error_beyond_chance(0.1, 0.0).is_err());
    }

    #[test]
    fn a_part_of_nothing_leaves_nothing_and_an_infinite_one_the_others() {
        assert_eq!(composite(&[(80.0, 0.5), (0.0, 0.5)]), Ok(0.0));
        assert_eq!(composite(&[(80.0, 0.5), (-1.0, 0.0)]), Ok(80.0));
        // 1/(0.5/80 + 0.5/∞) is 160: the limit of larger and larger second parts.
        assert_eq!(composite(&[(80.0, 0.5), (f64::INFINITY, 0.5)]), Ok(160.0));
        assert_eq!(composite(&[]), Err(Undefined::NoItems));
        assert_eq!(composite(&[(f64::NAN, 1.0)]), Err(Undefined::NotFinite));
        assert!(composite(&[(f64::INFINITY, 1.0)]).is_err());
        assert_eq!((gate(25.0), gate(50.0), gate(-5.0)), (0.25, 1.0, 0.0));
    }

    #[test]
    fn times_from_none_to_endless_have_a_speed() {
        assert_eq!(speed(0.0, 0.1), Ok(100.0));
        assert_eq!(speed(0.1, f64::INFINITY), Ok(50.0));
        assert!(speed(-1.0, 1.0).is_err() && speed(f64::NAN, 1.0).is_err());
    }
}
