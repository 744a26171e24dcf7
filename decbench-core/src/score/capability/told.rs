//! The ingredients of capability for people, in words, and for machines, by name.

use super::ingredients::{Ingredients, Recipe, Split};
use super::{KINDS, TIERS};
use crate::metric::CapabilityRules;

/// Names of the tiers of one split, then of its types.
macro_rules! names {
    ($split:literal) => {
        (
            [
                [
                    concat!($split, "choice.easy"),
                    concat!($split, "choice.standard"),
                    concat!($split, "choice.judge"),
                    concat!($split, "choice.hard"),
                ],
                [
                    concat!($split, "yes_no.easy"),
                    concat!($split, "yes_no.standard"),
                    concat!($split, "yes_no.judge"),
                    concat!($split, "yes_no.hard"),
                ],
                [
                    concat!($split, "score.easy"),
                    concat!($split, "score.standard"),
                    concat!($split, "score.judge"),
                    concat!($split, "score.hard"),
                ],
            ],
            [
                concat!($split, "choice"),
                concat!($split, "yes_no"),
                concat!($split, "score"),
            ],
        )
    };
}

type Names = ([[&'static str; 4]; 3], [&'static str; 3]);

const ALL: Names = names!("");
const OPEN: Names = names!("open.");
const SEALED: Names = names!("sealed.");

/// Every ingredient that there is, by name.
pub(super) fn parts(found: &Ingredients) -> Vec<(&'static str, f64)> {
    let mut named: Vec<(&'static str, Option<f64>)> = Vec::new();
    let mut split = |(tiers, types): Names, split: &Split| {
        for kind in 0..KINDS.len() {
            named.extend(tiers[kind].into_iter().zip(split.tiers[kind]));
            named.push((types[kind], split.types[kind]));
        }
    };
    match &found.sealed {
        None => split(ALL, &found.open),
        Some(sealed) => {
            split(OPEN, &found.open);
            split(SEALED, &sealed.split);
            named.extend([
                ("open", found.open.intelligence),
                ("sealed", sealed.split.intelligence),
                ("gap", sealed.gap),
                ("penalty", sealed.penalty),
            ]);
        }
    }
    named.extend([
        ("choice.ece_hard", found.eces[0]),
        ("yes_no.ece", found.eces[1]),
        ("score.ece", found.eces[2]),
        ("score.rps_normalised", found.rps),
        ("choice.calibration", found.calibrations[0]),
        ("yes_no.calibration", found.calibrations[1]),
        ("score.calibration", found.calibrations[2]),
        ("intelligence", found.intelligence),
        ("calibration", found.calibration),
        ("capability", found.capability()),
    ]);
    let known = named.into_iter();
    known
        .filter_map(|(name, part)| Some((name, part?)))
        .collect()
}

/// The ingredients in words.
pub(super) fn lines(found: &Ingredients, recipe: Recipe) -> Vec<String> {
    let mut lines: Vec<String> = (0..KINDS.len())
        .filter(|kind| {
            let sealed = found.sealed.as_ref();
            let sealed = sealed.and_then(|sealed| sealed.split.types[*kind]);
            found.open.types[*kind].or(sealed).is_some()
        })
        .map(|kind| of_type(found, kind))
        .collect();
    if let Some(sealed) = &found.sealed {
        lines.push(format!(
            "open {}, sealed {}, gap {} where the median model's is {}: penalty × {}",
            number(found.open.intelligence),
            number(sealed.split.intelligence),
            number(sealed.gap),
            number(recipe.median_gap),
            precise(sealed.penalty),
        ));
    }
    lines.push(format!(
        "intelligence {}, calibration {}",
        number(found.intelligence),
        number(found.calibration)
    ));
    let absent: Vec<&str> = KINDS
        .into_iter()
        .zip(found.open.types)
        .filter_map(|(name, value)| value.is_none().then_some(name))
        .collect();
    if recipe.rules == CapabilityRules::JevBench && !absent.is_empty() {
        lines.push(format!(
            "without questions of type {} the leaderboard would not rank this",
            absent.join(", ")
        ));
    }
    lines
}

fn of_type(found: &Ingredients, kind: usize) -> String {
    let intelligence = match &found.sealed {
        None => of_split(&found.open, kind),
        Some(sealed) => format!(
            "open {}; sealed {}",
            of_split(&found.open, kind),
            of_split(&sealed.split, kind)
        ),
    };
    let rps = if kind == 2 {
        format!(", nRPS {}", precise(found.rps))
    } else {
        String::new()
    };
    format!(
        "{}: intelligence {intelligence}, calibration {} (ECE {}{rps})",
        KINDS[kind],
        number(found.calibrations[kind]),
        precise(found.eces[kind]),
    )
}

fn of_split(split: &Split, kind: usize) -> String {
    let tiers: Vec<String> = TIERS
        .iter()
        .zip(split.tiers[kind])
        .map(|(tier, value)| format!("{tier} {}", number(value)))
        .collect();
    format!("{} ({})", number(split.types[kind]), tiers.join(", "))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

fn precise(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}
