//! Tables beside the metrics: confusion, reliability, coverage.

use super::calibration::{Forecasts, binning, doubts};
use super::classes::gold_and_answer;
use super::confused::{ConfusedPair, confused};
use super::flickering::{FlickeringCase, flickering};
use super::scope::Scope;
use super::sheet::Sheet;
use super::slots::{OrderTable, slots};
use crate::metric::{BinnedQuantity, Metric, MetricId, Selection};
use crate::stats::calibration::{Bin, equal_width};

/// The tables of one question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tables {
    /// Gold options as rows, answered options as columns, the last column for answers that are no option; `None` where options differ between cases.
    pub confusion: Option<Vec<Vec<u64>>>,
    /// What was taken for what, with the cases behind it, the most frequent first.
    pub confused: Vec<ConfusedPair>,
    /// One row per bin.
    pub reliability: Vec<ReliabilityRow>,
    /// One row per threshold, highest first.
    pub coverage: Vec<CoverageRow>,
    /// Cases whose repeats do not agree, those with the smallest margin first.
    pub flickering: Vec<FlickeringCase>,
    /// What option orders show; `None` where there was one.
    pub orders: Option<OrderTable>,
    /// Why confidences should not be trusted as they are, one sentence each.
    pub doubts: Vec<String>,
}

/// One bin of the reliability table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityRow {
    /// Lower edge.
    pub low: f64,
    /// Upper edge.
    pub high: f64,
    /// Answers in the bin.
    pub n: u64,
    /// Share that came true; `None` in an empty bin.
    pub accuracy: Option<f64>,
    /// Mean forecast; `None` in an empty bin.
    pub confidence: Option<f64>,
}

/// What a threshold keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverageRow {
    /// Answers at or above this confidence are kept.
    pub threshold: f64,
    /// Share kept.
    pub coverage: f64,
    /// Accuracy of those kept; `None` where none are.
    pub accuracy: Option<f64>,
}

/// The tables of these answers.
pub fn tables(sheet: &Sheet<'_>, selection: &Selection) -> Tables {
    if sheet.question.kind.is_open() {
        return Tables::default();
    }
    let metric = Metric::plain(MetricId::Ece);
    let mut rows = sheet.select(selection);
    rows.retain(|row| row.gold.is_some());
    let scope = Scope {
        sheet,
        rows,
        selection,
        metric: &metric,
        level: 0.95,
    };
    let mut tables = Tables {
        confusion: confusion(&scope),
        confused: confused(&scope),
        flickering: flickering(&scope),
        orders: slots(&scope),
        ..Tables::default()
    };
    let convention = sheet.conventions.ece;
    if let (Ok(forecasts), Ok(binning)) =
        (Forecasts::of(&scope, convention.of), binning(convention))
        && let Ok(given) = forecasts.as_given()
    {
        let row = |bin: &Bin| ReliabilityRow {
            low: bin.low,
            high: bin.high,
            n: bin.count,
            accuracy: bin.accuracy(),
            confidence: bin.confidence,
        };
        tables.reliability = equal_width(&given, &binning).bins.iter().map(row).collect();
    }
    if let Ok(forecasts) = Forecasts::of(&scope, BinnedQuantity::Top) {
        tables.doubts = doubts(&forecasts.chances);
    }
    if let Ok(forecasts) = Forecasts::of_confidence(&scope) {
        tables.coverage = super::selective::GRID
            .iter()
            .map(|threshold| keep(&forecasts, *threshold))
            .collect();
    }
    tables
}

fn keep(forecasts: &Forecasts<'_, '_>, threshold: f64) -> CoverageRow {
    let kept = forecasts
        .chances
        .iter()
        .zip(&forecasts.happened)
        .filter(|(chance, _)| **chance >= threshold);
    let (n, right) = kept.fold((0_u64, 0_u64), |(n, right), (_, held)| {
        (n + 1, right + u64::from(*held))
    });
    CoverageRow {
        threshold,
        coverage: n as f64 / forecasts.chances.len() as f64,
        accuracy: (n > 0).then(|| right as f64 / n as f64),
    }
}

fn confusion(scope: &Scope<'_, '_>) -> Option<Vec<Vec<u64>>> {
    scope.common_options().ok()?;
    let options = scope.sheet.question.options.len();
    let mut table = vec![vec![0; options + 1]; options];
    for (gold, answered) in scope.rows.iter().filter_map(|row| gold_and_answer(row)) {
        table[gold][answered.unwrap_or(options)] += 1;
    }
    Some(table)
}
