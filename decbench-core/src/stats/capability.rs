//! One number for what a model can do: intelligence and calibration, half each.
//!
//! The published score states neither how chance is set nor how calibration
//! errors become a score. Here chance is the mean of 1/options of a cell, an
//! ECE scores max(0, 1 − ECE/0.5), and an RPS scores one minus itself,
//! normalised. A missing tier or kind is left out and the rest reweighted.

use crate::stats::Undefined;
use crate::stats::sum::sum;

/// The ECE at which calibration scores nothing.
const WORST_ECE: f64 = 0.5;

/// The kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One of several options.
    Choice,
    /// Yes or no.
    YesNo,
    /// A level of an ordered scale.
    Score,
}

impl Kind {
    /// All kinds, in the order of per-kind results.
    pub const ALL: [Self; 3] = [Self::Choice, Self::YesNo, Self::Score];
}

/// How hard a case is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// The easiest tier.
    Easy,
    /// The tier of everyday cases.
    Standard,
    /// Cases that take judgement.
    Judge,
    /// The hardest tier.
    Hard,
}

impl Tier {
    /// All tiers, easy to hard: the order of tier weights.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Standard, Self::Judge, Self::Hard];
}

/// The published tier weights, easy to hard.
pub const TIER_WEIGHTS: [f64; 4] = [0.1, 0.2, 0.3, 0.4];

/// One answered case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapabilityItem {
    /// The kind of its question.
    pub kind: Kind,
    /// How hard it is.
    pub tier: Tier,
    /// The number of options (2 for yes/no, the number of levels for a score).
    pub options: u32,
    /// Whether the answer was right.
    pub correct: bool,
}

/// The calibration errors that enter the score; `None` where one was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrationErrors {
    /// Top-answer ECE of choice questions on the hard tier.
    pub choice_ece_hard: Option<f64>,
    /// Binary ECE of P(yes).
    pub yes_no_ece: Option<f64>,
    /// Top-answer ECE of score questions.
    pub score_ece: Option<f64>,
    /// Normalised RPS of score questions, in `[0, 1]`.
    pub score_rps_normalised: Option<f64>,
}

/// A value per kind, in the order of [`Kind::ALL`], and their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByKind {
    /// `None` for a kind that was not measured.
    pub kinds: [Option<f64>; 3],
    /// The mean over the measured kinds.
    pub value: f64,
}

/// The capability score and its halves, all in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capability {
    /// Chance-corrected accuracy.
    pub intelligence: ByKind,
    /// Calibration.
    pub calibration: ByKind,
    /// The mean of the two.
    pub value: f64,
}

/// Accuracy beyond chance, (a−c)/(1−c), and 0 below chance.
///
/// # Errors
///
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] for what is no share,
/// [`Undefined::ChanceIsCertain`] at a chance of 1.
pub fn chance_corrected(accuracy: f64, chance: f64) -> Result<f64, Undefined> {
    check_share(accuracy, "accuracy")?;
    check_share(chance, "chance")?;
    if chance == 1.0 {
        return Err(Undefined::ChanceIsCertain);
    }
    Ok(((accuracy - chance) / (1.0 - chance)).clamp(0.0, 1.0))
}

/// Chance-corrected accuracy per kind × tier, tiers weighted, kinds equal.
///
/// # Errors
///
/// [`Undefined::NoItems`] when no kind has an item in a tier of positive
/// weight, [`Undefined::OutOfRange`] for an item without options or a negative
/// weight, [`Undefined::ChanceIsCertain`] for a cell of one-option questions.
pub fn intelligence(items: &[CapabilityItem], tier_weights: [f64; 4]) -> Result<ByKind, Undefined> {
    if !tier_weights.iter().all(|weight| weight.is_finite()) {
        return Err(Undefined::NotFinite);
    }
    if tier_weights
        .iter()
        .any(|&weight| !(0.0..=1e100).contains(&weight))
    {
        return Err(Undefined::OutOfRange { what: "weight" });
    }
    if items.iter().any(|item| item.options == 0) {
        return Err(Undefined::OutOfRange { what: "options" });
    }
    let mut kinds = [None; 3];
    for (kind, slot) in Kind::ALL.into_iter().zip(&mut kinds) {
        let (mut value, mut weight) = (0.0, 0.0);
        for (tier, tier_weight) in Tier::ALL.into_iter().zip(tier_weights) {
            let cell = || {
                items
                    .iter()
                    .filter(|item| item.kind == kind && item.tier == tier)
            };
            let n = cell().count();
            if n == 0 || tier_weight == 0.0 {
                continue;
            }
            let right = cell().filter(|item| item.correct).count();
            let chance = sum(cell().map(|item| 1.0 / f64::from(item.options))) / n as f64;
            value += tier_weight * chance_corrected(right as f64 / n as f64, chance.min(1.0))?;
            weight += tier_weight;
        }
        *slot = (weight > 0.0).then(|| value / weight);
    }
    mean_of(kinds)
}

/// Calibration per kind, among the kinds that `wanted` marks.
///
/// Choice and yes/no take their ECE, a score the mean of its ECE part and one
/// minus its normalised RPS; a score with only one of the two is not measured.
///
/// # Errors
///
/// [`Undefined::NoItems`] when no wanted kind is measured,
/// [`Undefined::NotFinite`] and [`Undefined::OutOfRange`] for errors outside `[0, 1]`.
pub fn calibration(errors: &CalibrationErrors, wanted: [bool; 3]) -> Result<ByKind, Undefined> {
    let part = |ece: Option<f64>| -> Result<Option<f64>, Undefined> {
        ece.map(|ece| {
            check_share(ece, "calibration error")?;
            Ok((1.0 - ece / WORST_ECE).max(0.0))
        })
        .transpose()
    };
    if let Some(rps) = errors.score_rps_normalised {
        check_share(rps, "ranked probability score")?;
    }
    let score = part(errors.score_ece)?
        .zip(errors.score_rps_normalised)
        .map(|(ece, rps)| f64::midpoint(ece, 1.0 - rps));
    let mut kinds = [
        part(errors.choice_ece_hard)?,
        part(errors.yes_no_ece)?,
        score,
    ];
    for (kind, wanted) in kinds.iter_mut().zip(wanted) {
        *kind = kind.filter(|_| wanted);
    }
    mean_of(kinds)
}

/// The capability score: the mean of [`intelligence`] and [`calibration`] over the kinds that have items.
///
/// # Errors
///
/// As the two.
pub fn capability(
    items: &[CapabilityItem],
    errors: &CalibrationErrors,
    tier_weights: [f64; 4],
) -> Result<Capability, Undefined> {
    let intelligence = intelligence(items, tier_weights)?;
    let calibration = calibration(errors, intelligence.kinds.map(|kind| kind.is_some()))?;
    Ok(Capability {
        intelligence,
        calibration,
        value: f64::midpoint(intelligence.value, calibration.value),
    })
}

fn mean_of(kinds: [Option<f64>; 3]) -> Result<ByKind, Undefined> {
    let measured: Vec<f64> = kinds.into_iter().flatten().collect();
    if measured.is_empty() {
        return Err(Undefined::NoItems);
    }
    let value = sum(measured.iter().copied()) / measured.len() as f64;
    Ok(ByKind { kinds, value })
}

fn check_share(share: f64, what: &'static str) -> Result<(), Undefined> {
    if share.is_nan() {
        Err(Undefined::NotFinite)
    } else if (0.0..=1.0).contains(&share) {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: Kind, tier: Tier, correct: bool) -> CapabilityItem {
        CapabilityItem {
            kind,
            tier,
            options: 2,
            correct,
        }
    }

    #[test]
    fn missing_tiers_and_kinds_are_reweighted() {
        let items = [
            item(Kind::Choice, Tier::Hard, true),
            item(Kind::YesNo, Tier::Easy, true),
            item(Kind::YesNo, Tier::Hard, false),
        ];
        let found = intelligence(&items, TIER_WEIGHTS).unwrap();
        assert_eq!(found.kinds, [Some(1.0), Some(0.1 / 0.5), None]);
        assert!((found.value - 0.6).abs() < 1e-15);
    }

    #[test]
    fn calibration_needs_a_measured_kind() {
        let items = [item(Kind::Choice, Tier::Hard, true)];
        let errors = CalibrationErrors {
            yes_no_ece: Some(0.1),
            ..CalibrationErrors::default()
        };
        assert_eq!(
            capability(&items, &errors, TIER_WEIGHTS),
            Err(Undefined::NoItems)
        );
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(intelligence(&[], TIER_WEIGHTS), Err(Undefined::NoItems));
        assert!(chance_corrected(1.0, 1.0).is_err());
        assert!(chance_corrected(f64::NAN, 0.5).is_err());
        let mut bad = item(Kind::Score, Tier::Easy, true);
        bad.options = 0;
        assert!(intelligence(&[bad], TIER_WEIGHTS).is_err());
    }
}
