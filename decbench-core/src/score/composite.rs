//! Composites of `JevBench` v1.6: intelligence, calibration, speed and cost as one number.

use super::scope::{Scope, VALUE_ALONE};
use super::value::{Evidence, Unmeasurable, Value};
use super::{capability, scales};
use crate::metric::{Composite, Metric, MetricArgument, MetricId};
use crate::stats::{Interval, jevbench};

/// The parts with their names, in the order of [`Composite::weights`].
const PARTS: [(MetricId, &str); 4] = [
    (MetricId::Intelligence, "intelligence"),
    (MetricId::Calibration, "calibration"),
    (MetricId::SpeedScore, "speed_score"),
    (MetricId::CostScore, "cost_score"),
];
/// Which parts below 50 lower composite A further: all but calibration.
const GATED: [bool; 4] = [true, false, true, true];

/// A composite with every part beside it.
///
/// It rises with each part, so that its limits are the composite at all lower and at all upper limits of the parts.
/// Each part's are taken at its share of what is left of the level, which makes them hold together.
pub(super) fn composite(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let MetricArgument::Composite(mix) = scope.metric.argument else {
        return Err(Unmeasurable::because("no composite named"));
    };
    let weights = mix.weights();
    let counted = weights.iter().filter(|weight| **weight > 0.0).count() as f64;
    let level = if scope.level == VALUE_ALONE {
        VALUE_ALONE
    } else {
        1.0 - (1.0 - scope.level) / counted
    };
    let mut parts: Vec<Option<Value>> = Vec::with_capacity(PARTS.len());
    for ((id, name), weight) in PARTS.into_iter().zip(weights) {
        if weight == 0.0 {
            parts.push(None);
            continue;
        }
        let part = part(scope, id, level)
            .map_err(|why| Unmeasurable::because(format!("no {name}: {why}; a part is missing")))?;
        parts.push(Some(part));
    }
    let at = |of: &dyn Fn(&Value) -> Option<f64>| -> Option<f64> {
        let values: Option<Vec<f64>> = parts
            .iter()
            .map(|part| part.as_ref().map_or(Some(0.0), of))
            .collect();
        mixed(&values?, mix)
    };
    let estimate = at(&|part| Some(part.value))
        .ok_or_else(|| Unmeasurable::because("undefined on these cases"))?;
    let leading = parts[0]
        .as_ref()
        .expect("intelligence is part of every composite");
    let mut value = Value {
        value: estimate,
        level: scope.level,
        interval: None,
        method: "none",
        evidence: Evidence::Description,
        parts: Vec::new(),
        notes: Vec::new(),
        drivers: Vec::new(),
        ..leading.clone()
    };
    let low = at(&|part| part.interval.map(|interval| interval.low));
    let high = at(&|part| part.interval.map(|interval| interval.high));
    if let (Some(low), Some(high)) = (low, high) {
        let interval = Interval { low, high };
        let method = "all parts at their limits";
        value.interval = Some(interval);
        value.method = method;
        value.evidence = Evidence::Limits { interval, method };
    }
    tell(&mut value, &parts, mix);
    Ok(value)
}

/// One part on the rows of the composite: the cases with gold.
fn part(scope: &Scope<'_, '_>, id: MetricId, level: f64) -> Result<Value, Unmeasurable> {
    let scope = Scope {
        rows: scope.rows.clone(),
        metric: &Metric::plain(id),
        level,
        ..*scope
    };
    match id {
        MetricId::SpeedScore => scales::speed(&scope),
        MetricId::CostScore => scales::cost(&scope),
        _ => capability::capability(&scope),
    }
}

fn mixed(values: &[f64], mix: Composite) -> Option<f64> {
    let parts: Vec<(f64, f64)> = values.iter().copied().zip(mix.weights()).collect();
    let mean = jevbench::composite(&parts).ok()?;
    let gates = values.iter().zip(GATED);
    Some(if mix.is_gated() {
        mean * gates
            .filter(|(_, gated)| *gated)
            .map(|(value, _)| jevbench::gate(*value))
            .product::<f64>()
    } else {
        mean
    })
}

/// Every part by name, what lowered the whole, and what went into the parts.
fn tell(value: &mut Value, parts: &[Option<Value>], mix: Composite) {
    let named = || {
        let named = PARTS.iter().zip(parts);
        named.filter_map(|((_, name), part)| Some((*name, part.as_ref()?)))
    };
    value.parts = named().map(|(name, part)| (name, part.value)).collect();
    let weights: Vec<String> = PARTS
        .iter()
        .zip(parts)
        .zip(mix.weights())
        .filter_map(|(((_, name), part), weight)| {
            Some(format!("{name} {:.2} × {weight}", part.as_ref()?.value))
        })
        .collect();
    value
        .notes
        .push(format!("harmonic mean of {}", weights.join(", ")));
    for ((name, part), gated) in named().zip(GATED) {
        if part.value <= 0.0 {
            value.notes.push(format!(
                "{name} is 0 or less, which leaves nothing of a harmonic mean"
            ));
        } else if mix.is_gated() && gated && part.value < 50.0 {
            value.notes.push(format!(
                "{name} below 50: × {:.4}",
                jevbench::gate(part.value)
            ));
        }
    }
    let notes = named().flat_map(|(name, part)| {
        let notes = part.notes.iter();
        notes.map(move |note| format!("{name}: {note}"))
    });
    let mut told: Vec<String> = Vec::new();
    for note in notes {
        // Intelligence and calibration list the same ingredients.
        let of_both = note.strip_prefix("calibration: ");
        let twice = of_both.is_some_and(|note| told.contains(&format!("intelligence: {note}")));
        if !twice {
            told.push(note);
        }
    }
    value.notes.extend(told);
}

#[cfg(test)]
mod tests {
    use crate::decision::QuestionKind;
    use crate::score::testing::Data;

    /// Yes/no cases of the hard tier, this many of 40 right at P = 0.9, calls of 0.1 s at a price.
    fn model(right: usize, usd_per_1000: Option<f64>) -> Data {
        let mut data = Data::of(QuestionKind::YesNo, &["yes", "no"]);
        for at in 0..40 {
            data.case(usize::from(at >= right)).tier = Some("hard".to_owned());
            data.say_shares(&[0.9, 0.1]);
            let measured = &mut data.answers[at].measured;
            measured.latency_ms = Some(100.0);
            measured.cost_usd = usd_per_1000.map(|usd| usd / 1000.0);
        }
        data
    }

    #[test]
    fn the_parts_are_mixed_by_their_weights() {
        // 36 of 40 right of two options: 80 beyond chance; P(yes) 0.9 comes true 90% of the time: calibration 100.
        let data = model(36, Some(0.01));
        let (i, c, s, k) = (80.0, 100.0, 100.0, 70.0);
        let a = 4.0 / (1.0 / i + 1.0 / c + 1.0 / s + 1.0 / k);
        let b = 1.0 / (0.4 / i + 0.2 / c + 0.2 / s + 0.2 / k);
        let balanced = 3.0 / (1.0 / i + 1.0 / s + 1.0 / k);
        let cost = 1.0 / (0.2 / i + 0.2 / s + 0.6 / k);
        for (name, wanted) in [("A", a), ("B", b), ("balanced", balanced), ("cost", cost)] {
            let found = data.value(&format!("composite[{name}]"));
            assert!((found - wanted).abs() < 1e-9, "{name}: {found}, {wanted}");
        }
        let value = data.measure("composite[B]").value.expect("all parts");
        let interval = value.interval.expect("forty cases");
        assert!(interval.low < b && b < interval.high);
        let names: Vec<&str> = value.parts.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            ["intelligence", "calibration", "speed_score", "cost_score"]
        );
    }

    #[test]
    fn a_weak_part_lowers_a_twice_and_one_at_0_leaves_nothing() {
        // 26 of 40: 30 beyond chance. P(yes) 0.9 against 65%: an error of 0.25, calibration 50, which is no gate.
        let data = model(26, Some(0.01));
        let (i, c, s, k) = (30.0, 50.0, 100.0, 70.0);
        let mean = 4.0 / (1.0 / i + 1.0 / c + 1.0 / s + 1.0 / k);
        assert!((data.value("composite[A]") - mean * 0.36).abs() < 1e-9);
        let b = 1.0 / (0.4 / i + 0.2 / c + 0.2 / s + 0.2 / k);
        assert!(
            (data.value("composite[B]") - b).abs() < 1e-9,
            "B has no gates"
        );
        let dear = model(36, Some(5000.0)).measure("composite[B]").value;
        let dear = dear.expect("all parts");
        assert_eq!(dear.value, 0.0);
        assert!(
            dear.notes
                .iter()
                .any(|note| note.contains("cost_score is 0 or less"))
        );
    }

    #[test]
    fn without_a_part_there_is_none_and_it_is_named() {
        let why = |data: Data, name: &str| {
            let value = data.measure(name).value;
            value.expect_err("a part is missing").reason
        };
        assert_eq!(
            why(model(36, None), "composite[A]"),
            "no cost_score: no price is known for these calls; a part is missing"
        );
        assert!(why(model(36, Some(0.0)), "composite[cost]").contains("free"));
    }
}
