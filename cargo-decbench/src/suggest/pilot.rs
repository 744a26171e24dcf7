//! Floors and a threshold from a pilot.

use std::fmt::Write as _;

use decbench_core::metric::{Better, Metric, MetricId, Unit};
use decbench_core::report::format_value;
use decbench_core::stats::distribution::binomial_sf;
use decbench_core::stats::proportion::clopper_pearson;
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use crate::report::card::{Candidate, Question};

/// Two-sided level of the limits by which shares are judged.
const LEVEL: f64 = 0.95;
/// How often a candidate as good as the pilot's is to pass.
const POWER: f64 = 0.8;
/// Fewer cases than this suggest nothing.
const FEWEST: u64 = 10;

/// The last run of a suite, taken for one.
pub(super) struct Pilot<'a> {
    pub(super) suite: &'a Suite,
    pub(super) candidate: &'a Candidate,
    /// How many cases there are going to be.
    pub(super) cases: Option<u64>,
    /// How often the answers above the threshold should be right.
    pub(super) accuracy: f64,
}

/// An assertion with what it rests on.
pub(super) struct Suggestion {
    pub(super) key: String,
    pub(super) bound: String,
    /// What was observed, and what it means.
    pub(super) because: String,
}

impl Suggestion {
    pub(super) fn in_json(&self) -> Json {
        json!({ "metric": self.key, "bound": self.bound, "because": self.because })
    }
}

/// So many of so many.
#[derive(Debug, Clone, Copy)]
struct Count {
    right: u64,
    of: u64,
}

impl Count {
    fn share(self) -> f64 {
        self.right as f64 / self.of as f64
    }
}

impl Pilot<'_> {
    /// What the pilot suggests to assert; nothing where it is too small.
    pub(super) fn floors(&self) -> Vec<Suggestion> {
        let mut found = Vec::new();
        let named = self.candidate.questions.len() > 1;
        for question in &self.candidate.questions {
            let prefix = if named {
                format!("{}.", question.name)
            } else {
                String::new()
            };
            for (name, value) in &question.metrics {
                if let Some(suggestion) = self.of_metric(&prefix, name, value) {
                    found.push(suggestion);
                }
            }
            found.extend(self.threshold(&prefix, question));
        }
        found
    }

    fn of_metric(&self, prefix: &str, name: &str, value: &Json) -> Option<Suggestion> {
        let metric = Metric::parse(name).ok()?;
        let number = |key: &str| value.get(key)?.as_f64();
        let (observed, n) = (number("value")?, number("n")? as u64);
        let key = format!("{prefix}{name}");
        let seen = |unit| format!("{} of {n}", format_value(observed, unit));
        match metric.id {
            MetricId::Accuracy | MetricId::Recall | MetricId::EscapeRecall | MetricId::FlipRate => {
                // Cases of one unit are fewer pieces of evidence than they are cases.
                let units = number("units").map_or(n, |units| units as u64).min(n);
                if units < FEWEST {
                    return None;
                }
                let count = Count {
                    right: (observed * units as f64).round() as u64,
                    of: units,
                };
                let planned = self.planned(units);
                let (share, sign) = match metric.info().better {
                    Better::Lower => {
                        let wrong = Count {
                            right: units - count.right,
                            of: units,
                        };
                        (1.0 - floor(wrong, planned)?, "<=")
                    }
                    _ => (floor(count, planned)?, ">="),
                };
                Some(Suggestion {
                    key,
                    bound: format!("{sign} {}%", (share * 100.0).round()),
                    because: format!(
                        "{}; as good a candidate passes four times of five on {planned}",
                        seen(Unit::Share)
                    ),
                })
            }
            MetricId::Ece | MetricId::LatencyP95 | MetricId::CostPer1000 if n >= FEWEST => {
                // What a bound is compared with; for a calibration error more than what is printed beside it.
                let limits = ["limits", "interval"].map(|name| value.get(name)?.get(1)?.as_f64());
                let upper = limits.into_iter().flatten().next()?;
                let unit = metric.info().unit;
                Some(Suggestion {
                    key,
                    bound: format!("<= {}", above(upper, unit)?),
                    because: format!(
                        "{}, at most {} at 95%; as good a candidate passes about half of the time",
                        seen(unit),
                        format_value(upper, unit)
                    ),
                })
            }
            _ => None,
        }
    }

    /// So many cases there are going to be, where the pilot has so many.
    fn planned(&self, of_pilot: u64) -> u64 {
        let all = self.suite.cases.len().max(1) as f64;
        self.cases.map_or(of_pilot, |cases| {
            // A metric of a part of the cases keeps its part.
            ((of_pilot as f64 / all) * cases as f64).round().max(1.0) as u64
        })
    }

    /// The lowest confidence above which answers are right as often as they should be.
    fn threshold(&self, prefix: &str, question: &Question) -> Option<Suggestion> {
        let all = question.metrics.get("accuracy")?.get("n")?.as_u64()? as f64;
        let mut steps: Vec<_> = question.tables.coverage.iter().collect();
        steps.sort_by(|a, b| a.threshold.total_cmp(&b.threshold));
        let step = steps
            .into_iter()
            .find(|step| step.accuracy.is_some_and(|share| share >= self.accuracy))?;
        let of = (step.coverage * all).round() as u64;
        if of < FEWEST {
            return None;
        }
        let right = (step.accuracy? * of as f64).round() as u64;
        let share = floor(Count { right, of }, self.planned(of))?;
        Some(Suggestion {
            key: format!(
                "{prefix}selective_accuracy[confidence >= {}]",
                step.threshold
            ),
            bound: format!(">= {}%", (share * 100.0).round()),
            because: format!(
                "{right} of {of}, {} of all cases; the threshold was chosen on these cases and looks better on them than it is: confirm it on others",
                format_value(step.coverage, Unit::Share)
            ),
        })
    }

    pub(super) fn yaml(&self, floors: &[Suggestion]) -> String {
        let mut out = format!(
            "# From the last run of {}: `{}` on {} cases.\n",
            self.suite.name,
            self.candidate.name,
            self.suite.cases.len()
        );
        if floors.is_empty() {
            let _ = writeln!(
                out,
                "# Nothing is suggested: it takes at least {FEWEST} cases with gold, better 100."
            );
            return out;
        }
        out.push_str("assert:\n");
        for floor in floors {
            let _ = writeln!(
                out,
                "  {}: \"{}\"  # {}",
                quoted(&floor.key),
                floor.bound,
                floor.because
            );
        }
        out
    }
}

/// A key as YAML reads it.
fn quoted(key: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_.[]-".contains(character);
    if key.chars().all(plain) {
        key.to_owned()
    } else {
        format!("{key:?}")
    }
}

/// The largest whole percentage that the pilot proves, and that a candidate of the same quality proves again with [`POWER`]
/// on `planned` cases; none where that is nothing.
fn floor(pilot: Count, planned: u64) -> Option<f64> {
    let proven = clopper_pearson(pilot.right, pilot.of, LEVEL).ok()?.low;
    let mut percent = (proven * 100.0 + 1e-9).floor();
    while percent >= 1.0 {
        if passes(percent / 100.0, pilot.share(), planned)? >= POWER {
            return Some(percent / 100.0);
        }
        percent -= 1.0;
    }
    None
}

/// How often a candidate that is right with this share proves the floor on so many cases.
fn passes(floor: f64, share: f64, cases: u64) -> Option<f64> {
    let proves = |right: u64| {
        clopper_pearson(right, cases, LEVEL).is_ok_and(|interval| interval.low >= floor)
    };
    if !proves(cases) {
        return Some(0.0);
    }
    let (mut fails, mut holds) = (0, cases);
    if proves(0) {
        return Some(1.0);
    }
    while holds - fails > 1 {
        let middle = fails.midpoint(holds);
        if proves(middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    binomial_sf(fails, cases, share).ok()
}

/// A bound a little above this, with its unit.
fn above(value: f64, unit: Unit) -> Option<String> {
    if !(value.is_finite() && value > 0.0) {
        return None;
    }
    Some(match unit {
        Unit::Milliseconds => format!("{}ms", (value / 10.0).ceil() * 10.0),
        Unit::Dollars => format!("${}", up(value)),
        _ => format!("{}", (value * 100.0).ceil() / 100.0),
    })
}

/// Rounded up to two significant digits.
fn up(value: f64) -> String {
    let decimals = (1.0 - value.log10().floor()).clamp(0.0, 12.0);
    let scale = 10_f64.powf(decimals);
    let decimals = decimals as usize;
    format!("{:.decimals$}", (value * scale - 1e-9).ceil() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_is_proven_and_proven_again_four_times_of_five() {
        // 90 of 100: Clopper–Pearson from 82.4%. On 100 cases 78% needs 87 right: P(X >= 87 | 0.9) = 0.876;
        // 79% needs 88 right with 0.802, and 80% needs 89 with 0.703.
        let pilot = Count { right: 90, of: 100 };
        let low = clopper_pearson(90, 100, LEVEL).expect("limits").low;
        let on_hundred = floor(pilot, 100).expect("a floor");
        assert!(on_hundred < low);
        let chance = passes(on_hundred, 0.9, 100).expect("a chance");
        let next = passes(on_hundred + 0.01, 0.9, 100).expect("a chance");
        assert!(
            chance >= POWER && next < POWER,
            "{on_hundred} {chance} {next}"
        );
        // More cases prove more, but never more than the pilot itself does.
        let on_thousand = floor(pilot, 1000).expect("a floor");
        assert!(on_thousand > on_hundred && on_thousand <= low);
    }

    #[test]
    fn nothing_is_suggested_of_nothing() {
        assert!(floor(Count { right: 0, of: 100 }, 100).is_none());
        assert_eq!(passes(0.99, 1.0, 10), Some(0.0));
    }

    #[test]
    fn bounds_are_rounded_to_the_safe_side() {
        assert_eq!(above(212.4, Unit::Milliseconds).as_deref(), Some("220ms"));
        assert_eq!(above(0.0421, Unit::Dollars).as_deref(), Some("$0.043"));
        assert_eq!(above(0.0312, Unit::Number).as_deref(), Some("0.04"));
        assert_eq!(above(f64::INFINITY, Unit::Number), None);
    }
}
