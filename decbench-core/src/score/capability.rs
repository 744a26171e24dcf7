//! Intelligence by type and tier, calibration by type, and capability: one number of what a model can do.

use super::calibration::binning;
use super::observed::Observed;
use super::resampled::{Items, RESAMPLES, seed};
use super::scope::Scope;
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::QuestionKind;
use crate::metric::{CapabilityRules, MetricId};
use crate::stats::Interval;
use crate::stats::bootstrap_interval::{Jackknife, bca, percentile};
use crate::stats::calibration::Binning;
use crate::stats::capability::{CalibrationErrors, calibration, chance_corrected};
use crate::stats::jevbench;
use crate::stats::ordinal;
use crate::stats::proper::Truth;
use crate::stats::resample::resampled_units;

/// Names of the tiers, easy to hard.
const TIERS: [&str; 4] = ["easy", "standard", "judge", "hard"];
const KINDS: [&str; 3] = ["choice", "yes_no", "score"];
const HARD: usize = 3;

/// What one answer says to the ingredients.
struct Item {
    kind: usize,
    tier: usize,
    right: f64,
    /// How often a guess is right.
    guess: f64,
    /// A score's distance from gold and that of the middle level, each over the number of steps.
    error: Option<(f64, f64)>,
    /// The bin of the top answer's chance, or of P(yes), and by how much it was too low.
    gap: Option<(usize, f64)>,
    rps: Option<f64>,
}

/// Every ingredient; values by the rule set, from 0 to 100.
#[derive(Default)]
struct Ingredients {
    tiers: [[Option<f64>; 4]; 3],
    types: [Option<f64>; 3],
    calibrations: [Option<f64>; 3],
    eces: [Option<f64>; 3],
    rps: Option<f64>,
    intelligence: Option<f64>,
    calibration: Option<f64>,
}

pub(super) fn capability(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let bins = binning(scope.sheet.conventions.ece)?;
    let mut rows = Vec::new();
    let mut items = Vec::new();
    let mut elsewhere = 0_usize;
    for row in &scope.rows {
        let Some(tier) = row
            .case
            .tier
            .as_deref()
            .and_then(|tier| TIERS.iter().position(|name| *name == tier))
        else {
            elsewhere += 1;
            continue;
        };
        if let Some(item) = item(row, tier, &bins) {
            rows.push(*row);
            items.push(item);
        }
    }
    if items.is_empty() {
        return Err(Unmeasurable::because(
            "no case has one of the tiers easy, standard, judge, hard",
        ));
    }
    let rules = scope.sheet.conventions.capability;
    let chosen = |found: &Ingredients| match scope.metric.id {
        MetricId::Intelligence => found.intelligence,
        MetricId::Calibration => found.calibration,
        _ => Some(f64::midpoint(found.intelligence?, found.calibration?)),
    };
    let of = |weights: &[f64]| ingredients(&items, weights, &bins, rules);
    let drawn = Items::of(&rows, scope.selection.sample);
    let found = of(&drawn.weights);
    if chosen(&found).is_none() {
        return Err(Unmeasurable::because(if found.calibration.is_none() {
            "no probabilities"
        } else {
            "undefined on these cases"
        }));
    }
    let mut value = measured(scope, &drawn, |weights| chosen(&of(weights)))?;
    value.conventions.push(("rules", rules.name().to_owned()));
    value.notes.extend(told(&found));
    if elsewhere > 0 {
        value
            .notes
            .push(format!("{elsewhere} cases of other tiers are left out"));
    }
    Ok(value)
}

/// The value with an interval over units.
///
/// Resampling makes a calibration error larger, so that percentiles lie too low and their correction may lie too
/// high; limits that should hold against both are the wider of the two.
fn measured(
    scope: &Scope<'_, '_>,
    items: &Items,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Result<Value, Unmeasurable> {
    let estimate = statistic(&items.weights)
        .ok_or_else(|| Unmeasurable::because("undefined on these cases"))?;
    let mut value = items.described(estimate, scope.level);
    if items.too_few(&mut value) {
        return Ok(value);
    }
    let mut weights = Vec::with_capacity(items.weights.len());
    let mut of_times = |times: &[u32]| {
        items.spread(times, &mut weights);
        statistic(&weights)
    };
    let drawn = resampled_units(items.units, RESAMPLES, seed(&scope.name()), &mut of_times)?;
    let plain = percentile(&drawn.values, scope.level)?;
    let jackknife = Jackknife::of_units(items.units, &mut of_times)?;
    let corrected = bca(estimate, &drawn.values, &jackknife, scope.level)?.interval;
    let interval = Interval {
        low: plain.low.min(corrected.low).min(estimate),
        high: plain.high.max(corrected.high).max(estimate),
    };
    if interval.high <= interval.low {
        value
            .notes
            .push("no interval: nothing varies between these cases".to_owned());
        return Ok(value);
    }
    let method = "bca and percentile, the wider";
    value.interval = Some(interval);
    value.method = method;
    value.evidence = Evidence::Limits { interval, method };
    Ok(value)
}

fn item(row: &Row<'_>, tier: usize, bins: &Binning) -> Option<Item> {
    let base = row.base()?;
    let right = row.is_right(base)?;
    let options = row.question.options.len();
    let kind = match row.question.kind {
        QuestionKind::Choice => 0,
        QuestionKind::YesNo => 1,
        QuestionKind::Score => 2,
        QuestionKind::Open(_) => return None,
    };
    let gold = row.gold?.single();
    let as_number = |holds: bool| f64::from(u8::from(holds));
    let forecast = if kind == 1 {
        base.probabilities
            .as_ref()
            .and_then(|shares| Some((*shares.first()?, as_number(gold? == 0))))
    } else {
        base.top().map(|top| (top, as_number(right)))
    };
    let scored = (kind == 2 && options > 1).then_some(gold).flatten();
    Some(Item {
        kind,
        tier,
        right: as_number(right),
        guess: 1.0 / options.max(1) as f64,
        error: scored.map(|gold| errors(base, gold, options)),
        gap: forecast.map(|(chance, came)| (bins.bin_of(chance.min(1.0)), came - chance)),
        rps: scored.and_then(|gold| {
            let shares = base.probabilities.as_ref()?;
            ordinal::rps_normalised(shares, Truth::Option(gold)).ok()
        }),
    })
}

/// A score's normalised distance from gold, the largest possible where nothing was said, and the middle level's.
fn errors(base: &Observed, gold: usize, levels: usize) -> (f64, f64) {
    let steps = (levels - 1) as f64;
    let gold = gold as f64;
    let said = base
        .expected_level()
        .or_else(|| base.option().map(|level| level as f64));
    let error = said.map_or(gold.max(steps - gold), |level| (level - gold).abs());
    (error / steps, (steps / 2.0 - gold).abs() / steps)
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

fn ingredients(
    items: &[Item],
    weights: &[f64],
    bins: &Binning,
    rules: CapabilityRules,
) -> Ingredients {
    // One pass, as this is done for every resample.
    let mut cells = [[Cell::default(); 4]; 3];
    let mut gaps: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; bins.len()]);
    let mut forecasts = [0.0; 3];
    let mut rps = Mean::default();
    for (item, weight) in items.iter().zip(weights.iter().copied()) {
        let cell = &mut cells[item.kind][item.tier];
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
        rps: rps.value().map(|rps| rps.min(1.0)),
        ..Ingredients::default()
    };
    for kind in 0..KINDS.len() {
        found.tiers[kind] = cells[kind].map(|cell| cell_value(&cell, kind, rules));
        found.types[kind] = jevbench::over_tiers(found.tiers[kind]).ok();
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
    let mean = jevbench::over_types(found.types).ok();
    found.intelligence = match rules {
        CapabilityRules::JevBench => mean.map(|mean| mean.clamp(0.0, 100.0)),
        CapabilityRules::Page => mean,
    };
    found.calibration = jevbench::over_types(found.calibrations).ok();
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

/// The ingredients in words.
fn told(found: &Ingredients) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}"));
    let mut lines: Vec<String> = KINDS
        .iter()
        .enumerate()
        .filter(|(kind, _)| found.types[*kind].is_some())
        .map(|(kind, name)| {
            let tiers: Vec<String> = TIERS
                .iter()
                .zip(found.tiers[kind])
                .map(|(tier, value)| format!("{tier} {}", number(value)))
                .collect();
            let rps = if kind == 2 {
                format!(
                    ", nRPS {}",
                    found
                        .rps
                        .map_or_else(|| "–".to_owned(), |v| format!("{v:.4}"))
                )
            } else {
                String::new()
            };
            format!(
                "{name}: intelligence {} ({}), calibration {} (ECE {}{rps})",
                number(found.types[kind]),
                tiers.join(", "),
                number(found.calibrations[kind]),
                found.eces[kind].map_or_else(|| "–".to_owned(), |v| format!("{v:.4}")),
            )
        })
        .collect();
    lines.push(format!(
        "intelligence {}, calibration {}",
        number(found.intelligence),
        number(found.calibration)
    ));
    lines
}

#[cfg(test)]
mod tests {
    use crate::metric::{CapabilityRules, MetricId};
    use crate::score::testing::Data;

    fn tiered() -> Data {
        let mut data = Data::choice(&["a", "b", "c", "d"]);
        for at in 0..80 {
            let right = at % 4 != 0;
            data.case(0).tier = Some(if at < 40 { "easy" } else { "hard" }.to_owned());
            let other = usize::from(!right);
            let mut shares = [0.1; 4];
            shares[other] = 0.7;
            data.say_shares(&shares);
        }
        data
    }

    #[test]
    fn a_hand_computed_capability() {
        let data = tiered();
        // 75% right of four options in both tiers: (0.75 − 0.25)/0.75. Confidence 0.7 at 75%: an ECE of 0.05.
        let intelligence = 100.0 * (2.0 / 3.0);
        let calibration = 100.0 * (1.0 - 0.05 / 0.5);
        assert!((data.value("intelligence") - intelligence).abs() < 1e-9);
        assert!((data.value("calibration") - calibration).abs() < 1e-9);
        let capability = f64::midpoint(intelligence, calibration);
        assert!((data.value("capability") - capability).abs() < 1e-9);
        let measured = data.measure("capability").value.unwrap();
        let interval = measured.interval.unwrap();
        assert!(interval.low < capability && capability < interval.high);
        assert!(
            measured.notes[0].contains("easy 66.67"),
            "{:?}",
            measured.notes
        );
    }

    #[test]
    fn the_rule_sets_differ_below_chance() {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..40 {
            data.case(0).tier = Some("easy".to_owned());
            data.say_shares(if at < 30 { &[0.2, 0.8] } else { &[0.8, 0.2] });
        }
        for _ in 0..40 {
            data.case(0).tier = Some("hard".to_owned());
            data.say_shares(&[0.9, 0.1]);
        }
        // A quarter right at a chance of one half is −50 by the benchmark's rules, and 0 by the page's.
        let by = |rules| {
            let mut data = Data {
                questions: data.questions.clone(),
                conventions: data.conventions,
                cases: data.cases.clone(),
                answers: data.answers.clone(),
            };
            data.conventions.capability = rules;
            data.value("intelligence")
        };
        assert!((by(CapabilityRules::JevBench) - (0.1 * -50.0 + 0.4 * 100.0) / 0.5).abs() < 1e-9);
        assert!((by(CapabilityRules::Page) - 80.0).abs() < 1e-9);
    }

    #[test]
    fn without_tiers_or_probabilities_there_is_none() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        let why = |data: &Data| data.measure("capability").value.unwrap_err().reason;
        assert!(why(&data).contains("tiers"));
        data.cases[0].tier = Some("hard".to_owned());
        assert_eq!(why(&data), "no probabilities");
        assert_eq!(MetricId::Capability.info().name, "capability");
    }
}
