//! The ingredients of capability, put together by a rule set.

use super::item::Item;
use super::{HARD, KINDS};
use crate::metric::CapabilityRules;
use crate::stats::calibration::Binning;
use crate::stats::capability::{CalibrationErrors, calibration, chance_corrected};
use crate::stats::jevbench;

/// How ingredients are put together.
#[derive(Clone, Copy)]
pub(super) struct Recipe {
    pub(super) rules: CapabilityRules,
    /// The gap between open and sealed cases of the median model, where the cases have both.
    pub(super) median_gap: Option<f64>,
}

/// Every ingredient; values by the rule set, from 0 to 100.
#[derive(Default)]
pub(super) struct Ingredients {
    /// The open cases, or all where there are no splits.
    pub(super) open: Split,
    pub(super) sealed: Option<Sealed>,
    pub(super) calibrations: [Option<f64>; 3],
    pub(super) eces: [Option<f64>; 3],
    pub(super) rps: Option<f64>,
    pub(super) intelligence: Option<f64>,
    pub(super) calibration: Option<f64>,
}

/// Intelligence on the cases of one split.
#[derive(Default)]
pub(super) struct Split {
    pub(super) tiers: [[Option<f64>; 4]; 3],
    pub(super) types: [Option<f64>; 3],
    pub(super) intelligence: Option<f64>,
}

/// The sealed cases, and what the gap to the open ones costs.
pub(super) struct Sealed {
    pub(super) split: Split,
    pub(super) gap: Option<f64>,
    /// What intelligence is multiplied by.
    pub(super) penalty: Option<f64>,
}

impl Ingredients {
    pub(super) fn capability(&self) -> Option<f64> {
        Some(f64::midpoint(self.intelligence?, self.calibration?))
    }
}

/// Weighted sums of one type and tier.
#[derive(Clone, Copy, Default)]
struct Cell {
    right: Mean,
    guess: Mean,
    error: Mean,
    middle: Mean,
}

/// A weighted mean under way.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
    }

    fn value(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

type Cells = [[Cell; 4]; 3];

impl Split {
    fn of(cells: &Cells, rules: CapabilityRules) -> Self {
        let mut split = Self::default();
        for (kind, cells) in cells.iter().enumerate() {
            split.tiers[kind] = cells.map(|cell| cell_value(&cell, kind, rules));
            split.types[kind] = jevbench::over_tiers(split.tiers[kind]).ok();
        }
        split.intelligence = jevbench::over_types(split.types).ok();
        split
    }
}

/// The ingredients with every item counting by its weight.
pub(super) fn ingredients(
    items: &[Item],
    weights: &[f64],
    bins: &Binning,
    recipe: Recipe,
) -> Ingredients {
    // One pass, as this is done for every resample.
    let mut splits: [Cells; 2] = [[[Cell::default(); 4]; 3]; 2];
    let mut gaps: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; bins.len()]);
    let mut forecasts = [0.0; 3];
    let mut rps = Mean::default();
    for (item, weight) in items.iter().zip(weights.iter().copied()) {
        let split = usize::from(item.sealed && recipe.median_gap.is_some());
        let cell = &mut splits[split][item.kind][item.tier];
        cell.right.add(item.right, weight);
        cell.guess.add(item.guess, weight);
        if let Some((error, middle)) = item.error {
            cell.error.add(error, weight);
            cell.middle.add(middle, weight);
        }
        // The hard tier is where a choice's confidence is put to the test.
        if let Some((bin, gap)) = item.gap.filter(|_| item.kind != 0 || item.tier == HARD) {
            gaps[item.kind][bin] += weight * gap;
            forecasts[item.kind] += weight;
        }
        if let Some(score) = item.rps {
            rps.add(score, weight);
        }
    }
    let mut found = Ingredients {
        open: Split::of(&splits[0], recipe.rules),
        rps: rps.value().map(|rps| rps.min(1.0)),
        ..Ingredients::default()
    };
    for kind in 0..KINDS.len() {
        let error: f64 = gaps[kind].iter().map(|gap| gap.abs()).sum();
        found.eces[kind] = (forecasts[kind] > 0.0).then(|| (error / forecasts[kind]).min(1.0));
    }
    let errors = CalibrationErrors {
        choice_ece_hard: found.eces[0],
        yes_no_ece: found.eces[1],
        score_ece: found.eces[2],
        score_rps_normalised: found.rps,
    };
    // Both rule sets turn calibration errors into values in the same way.
    let calibrations = calibration(&errors, [true; 3]).ok();
    found.calibrations = calibrations.map_or([None; 3], |all| {
        all.kinds.map(|kind| kind.map(|value| 100.0 * value))
    });
    found.calibration = jevbench::over_types(found.calibrations).ok();
    let mean = found.open.intelligence;
    found.intelligence = match (recipe.rules, recipe.median_gap) {
        (CapabilityRules::JevBench, Some(median_gap)) => {
            let split = Split::of(&splits[1], recipe.rules);
            let both = mean.zip(split.intelligence);
            let put = both
                .and_then(|(open, sealed)| jevbench::over_splits(open, sealed, median_gap).ok());
            found.sealed = Some(Sealed {
                split,
                gap: both.map(|(open, sealed)| open - sealed),
                penalty: put.map(|(_, penalty)| penalty),
            });
            put.map(|(value, _)| value)
        }
        (CapabilityRules::JevBench, None) => mean.map(|mean| mean.clamp(0.0, 100.0)),
        (CapabilityRules::Page, _) => mean,
    };
    found
}

/// Accuracy beyond chance of one type and tier.
fn cell_value(cell: &Cell, kind: usize, rules: CapabilityRules) -> Option<f64> {
    if rules == CapabilityRules::JevBench && kind == 2 {
        return jevbench::error_beyond_chance(
            cell.error.value()?.min(1.0),
            cell.middle.value()?.min(1.0),
        )
        .ok();
    }
    let (accuracy, guess) = (cell.right.value()?.min(1.0), cell.guess.value()?.min(1.0));
    match rules {
        CapabilityRules::JevBench => jevbench::beyond_chance(accuracy, guess).ok(),
        CapabilityRules::Page => chance_corrected(accuracy, guess)
            .ok()
            .map(|value| 100.0 * value),
    }
}
