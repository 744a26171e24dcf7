//! How many cases a metric will read, before anybody has answered.

use std::collections::{BTreeMap, BTreeSet};

use super::measure::reads_gold;
use super::sheet::{Row, Sheet};
use crate::decision::{Context, Gold, Relation};
use crate::metric::{Metric, MetricArgument, MetricId, Needs, Sample, Selection};

/// The cases that a metric will read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// How many items: cases, or families of cases.
    pub n: usize,
    /// How many independent units of evidence they form.
    pub units: usize,
    /// The number of independent cases of equal weight that they are worth at most: their units, or less where weights
    /// differ (Kish 1965).
    pub effective_n: f64,
    /// Whether the number depends on answers, and this is what perfect ones would give.
    pub guessed: bool,
}

/// Counts the cases of a sheet that needs no answers.
pub fn counted(sheet: &Sheet<'_>, metric: &Metric, selection: &Selection) -> Counted {
    let mut rows = sheet.select(selection);
    if reads_gold(metric.id, sheet.question.kind.is_open()) {
        rows.retain(|row| row.gold.is_some_and(|gold| gold.accepts(0).is_some()));
    }
    let least = sheet.least_view();
    rows.retain(|row| takes_part(row, metric, least));
    if metric.info().needs == Needs::Pairs {
        return families(&rows);
    }
    let units: BTreeSet<u32> = rows.iter().map(|row| row.case.unit).collect();
    let weighted =
        selection.sample == Sample::Population || metric.id == MetricId::WeightedAccuracy;
    let kish = || {
        let weights = || rows.iter().map(|row| row.case.weight);
        let squares: f64 = weights().map(|weight| weight * weight).sum();
        if squares > 0.0 {
            weights().sum::<f64>().powi(2) / squares
        } else {
            0.0
        }
    };
    let units = units.len();
    Counted {
        n: rows.len(),
        units,
        effective_n: if weighted {
            kish().min(units as f64)
        } else {
            units as f64
        },
        guessed: sheet.gate.is_some()
            || matches!(
                metric.id,
                MetricId::Precision
                    | MetricId::EscapePrecision
                    | MetricId::SelectiveAccuracy
                    | MetricId::Coverage
            ),
    }
}

/// Whether the metric reads this row at all.
fn takes_part(row: &Row<'_>, metric: &Metric, least: Context) -> bool {
    let gold = row.gold.and_then(Gold::single);
    let is_option = |key: &str| gold.is_some() && gold == row.question.index_of(key);
    let has = |context| row.case.state_in(context).is_some();
    match (metric.id, &metric.argument) {
        (MetricId::Recall | MetricId::Precision, MetricArgument::Option(key)) => is_option(key),
        (MetricId::EscapeRecall | MetricId::EscapePrecision, _) => {
            gold.is_some() && gold == row.question.escape()
        }
        (_, MetricArgument::Context(name)) => Context::from_name(name).is_some_and(has),
        (MetricId::DistractorDrop, _) => has(least) && has(Context::Padded),
        (MetricId::TrimGain, _) => has(Context::Minimal),
        _ => metric.info().needs != Needs::Pairs || row.case.pair.is_some(),
    }
}

/// Pairs and families count one each.
fn families(rows: &[&Row<'_>]) -> Counted {
    let mut members: BTreeMap<&str, (usize, Option<Relation>)> = BTreeMap::new();
    for row in rows {
        if let Some(pair) = &row.case.pair {
            let entry = members.entry(&pair.id).or_default();
            *entry = (entry.0 + 1, Some(pair.relation));
        }
    }
    let whole = members.values().filter(|(size, relation)| match relation {
        Some(Relation::Same) => *size >= 2,
        _ => *size == 2,
    });
    let n = whole.count();
    Counted {
        n,
        units: n,
        effective_n: n as f64,
        guessed: false,
    }
}
