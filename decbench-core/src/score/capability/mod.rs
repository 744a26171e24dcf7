//! Intelligence by type and tier, calibration by type, and capability: one number of what a model can do.

mod ingredients;
mod item;
mod told;

use self::ingredients::{Ingredients, Recipe, ingredients};
use self::item::{Item, item};
use super::calibration::binning;
use super::resampled::{Items, RESAMPLES, seed};
use super::scope::{Scope, VALUE_ALONE};
use super::value::{Evidence, Unmeasurable, Value};
use crate::metric::{CapabilityRules, MetricId};
use crate::stats::Interval;
use crate::stats::bootstrap_interval::{Jackknife, bca, percentile};
use crate::stats::jevbench::MEDIAN_GAP;
use crate::stats::resample::resampled_units;

/// Names of the tiers, easy to hard.
const TIERS: [&str; 4] = ["easy", "standard", "judge", "hard"];
const KINDS: [&str; 3] = ["choice", "yes_no", "score"];
const HARD: usize = 3;
/// The stratum that says to which split a case belongs, and its value for the sealed one; all others are open.
const SPLIT: &str = "split";
const SEALED: &str = "sealed";

pub(super) fn capability(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let conventions = scope.sheet.conventions;
    let bins = binning(conventions.ece)?;
    let mut rows = Vec::new();
    let mut items: Vec<Item> = Vec::new();
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
    let rules = conventions.capability;
    let sealed = items.iter().filter(|item| item.sealed).count();
    // The page knows no splits, and one alone has nothing to be compared with.
    let has_splits = rules == CapabilityRules::JevBench && sealed > 0 && sealed < items.len();
    let recipe = Recipe {
        rules,
        median_gap: has_splits.then(|| conventions.median_gap.unwrap_or(MEDIAN_GAP)),
    };
    let chosen = |found: &Ingredients| match scope.metric.id {
        MetricId::Intelligence => found.intelligence,
        MetricId::Calibration => found.calibration,
        _ => found.capability(),
    };
    let of = |weights: &[f64]| ingredients(&items, weights, &bins, recipe);
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
    value.parts.extend(told::parts(&found));
    value.notes.extend(told::lines(&found, recipe));
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
    if scope.level == VALUE_ALONE || items.too_few(&mut value) {
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

    /// Cases of two splits with these shares right, of two options in the hard tier, all sure.
    fn of_two_splits(open: usize, sealed: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for (split, right) in [("open", open), ("sealed", sealed)] {
            for at in 0..20 {
                let case = data.case(0);
                case.tier = Some("hard".to_owned());
                case.strata.insert("split".to_owned(), split.to_owned());
                data.say_shares(if at < right { &[1.0, 0.0] } else { &[0.0, 1.0] });
            }
        }
        data
    }

    fn parts(data: &Data) -> impl Fn(&str) -> f64 {
        let value = data.measure("intelligence").value.expect("tiers");
        move |name| {
            let mut parts = value.parts.iter();
            parts.find(|(known, _)| *known == name).expect(name).1
        }
    }

    #[test]
    fn doing_better_on_open_cases_than_on_sealed_ones_is_a_penalty() {
        // 90% and 70% right of two options are 80 and 40: a gap of 40, of which the median's and 8 more are free.
        let data = of_two_splits(18, 14);
        let part = parts(&data);
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}");
        near(part("open"), 80.0);
        near(part("sealed"), 40.0);
        near(part("gap"), 40.0);
        let excess = 40.0 - 2.573_387_642_438_244 - 8.0;
        let penalty = 1.0 - excess / 100.0;
        near(part("penalty"), penalty);
        near(data.value("intelligence"), 60.0 * penalty);
        near(part("open.choice.hard"), 80.0);
        near(part("sealed.choice.hard"), 40.0);
        let mut usual = of_two_splits(18, 14);
        usual.conventions.median_gap = Some(32.5);
        near(usual.value("intelligence"), 60.0);
        near(of_two_splits(16, 16).value("intelligence"), 60.0);
    }

    #[test]
    fn one_split_alone_and_the_page_know_no_gap() {
        let mut data = of_two_splits(18, 14);
        data.conventions.capability = CapabilityRules::Page;
        assert!((data.value("intelligence") - 60.0).abs() < 1e-9);
        let mut sealed = of_two_splits(18, 14);
        for case in &mut sealed.cases {
            case.strata.insert("split".to_owned(), "sealed".to_owned());
        }
        let value = sealed.measure("intelligence").value.expect("tiers");
        assert!((value.value - 60.0).abs() < 1e-9);
        assert!(value.parts.iter().all(|(name, _)| *name != "penalty"));
        assert!(
            value
                .notes
                .iter()
                .any(|note| note.contains("yes_no, score")),
            "{:?}",
            value.notes
        );
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
