//! Calibration error over bins of equal width, its chance level, and a refitted temperature.

use super::resampled::{Items, RESAMPLES, seed};
use super::scope::Scope;
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::{Gold, QuestionKind};
use crate::metric::{BinEdges, BinnedQuantity, ClosedSide, EceConvention, Sample};
use crate::stats::calibration::{self, BinnedError, Binning, Closed, Edges};
use crate::stats::temperature::fit_temperature;

/// Forecasts and what happened, by the quantity in use.
pub(super) struct Forecasts<'s, 'a> {
    pub(super) rows: Vec<&'s Row<'a>>,
    pub(super) chances: Vec<f64>,
    pub(super) happened: Vec<bool>,
    /// How many judged answers carry no usable distribution.
    without: usize,
}

impl<'s, 'a> Forecasts<'s, 'a> {
    pub(super) fn of(
        scope: &Scope<'s, 'a>,
        quantity: BinnedQuantity,
    ) -> Result<Self, Unmeasurable> {
        let mut forecasts = Self {
            rows: Vec::new(),
            chances: Vec::new(),
            happened: Vec::new(),
            without: 0,
        };
        for row in &scope.rows {
            let Some(base) = row.base() else { continue };
            let Some(right) = row.is_right(base) else {
                continue;
            };
            let pair = match quantity {
                BinnedQuantity::Top => base.top().map(|top| (top, right)),
                BinnedQuantity::Yes if row.question.kind == QuestionKind::YesNo => {
                    let yes = base
                        .probabilities
                        .as_ref()
                        .and_then(|shares| shares.first());
                    yes.and_then(|yes| Some((*yes, row.gold?.single()? == 0)))
                }
                BinnedQuantity::Yes => {
                    return Err(Unmeasurable::because(
                        "P(yes) exists for yes/no questions only",
                    ));
                }
            };
            match pair {
                Some((chance, happened)) => {
                    forecasts.rows.push(row);
                    // Rescaling may leave a sum of roundings above 1.
                    forecasts.chances.push(chance.min(1.0));
                    forecasts.happened.push(happened);
                }
                None => forecasts.without += 1,
            }
        }
        if forecasts.rows.is_empty() {
            Err(Unmeasurable::because("no probabilities"))
        } else {
            Ok(forecasts)
        }
    }

    /// Says on how many answers a value rests, where some carry no distribution.
    pub(super) fn note_share(&self, value: &mut Value) {
        if self.without > 0 {
            value.notes.push(format!(
                "measured on {} of {} answers",
                self.rows.len(),
                self.rows.len() + self.without
            ));
        }
    }

    pub(super) fn as_given(&self) -> Result<calibration::Forecasts<'_>, Unmeasurable> {
        Ok(calibration::Forecasts::new(&self.chances, &self.happened)?)
    }
}

pub(super) fn binning(convention: EceConvention) -> Result<Binning, Unmeasurable> {
    let closed = match convention.closed {
        ClosedSide::Left => Closed::Left,
        ClosedSide::Right => Closed::Right,
    };
    let edges = match convention.edges {
        BinEdges::Binary => Edges::Binary,
        BinEdges::Decimal => Edges::Decimal,
    };
    Ok(Binning::with(convention.bins as usize, closed, edges)?)
}

fn named(convention: EceConvention) -> Vec<(&'static str, String)> {
    let closed = if convention.closed == ClosedSide::Left {
        "left"
    } else {
        "right"
    };
    let of = if convention.of == BinnedQuantity::Top {
        "top"
    } else {
        "yes"
    };
    let edges = if convention.edges == BinEdges::Binary {
        "binary"
    } else {
        "decimal"
    };
    vec![
        ("bins", convention.bins.to_string()),
        ("closed", closed.to_owned()),
        ("of", of.to_owned()),
        ("edges", edges.to_owned()),
    ]
}

pub(super) fn ece(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    binned(scope, BinnedError::Expected)
}

pub(super) fn mce(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    binned(scope, BinnedError::Maximum)
}

/// A binned error with basic bootstrap limits, and what chance alone produces on these confidences.
fn binned(scope: &Scope<'_, '_>, error: BinnedError) -> Result<Value, Unmeasurable> {
    if scope.selection.sample == Sample::Population {
        return Err(Unmeasurable::because(
            "calibration error has no weighted form here; read it as taken",
        ));
    }
    let convention = scope.sheet.conventions.ece;
    let forecasts = Forecasts::of(scope, convention.of)?;
    let binning = binning(convention)?;
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    let given = forecasts.as_given()?;
    let clusters = (items.units < items.unit_of.len()).then_some(items.unit_of.as_slice());
    let found = calibration::error_interval(
        &given,
        clusters,
        &binning,
        error,
        scope.level,
        RESAMPLES,
        seed(&scope.name()),
    )?;
    let null = calibration::ece_null(&forecasts.chances, &binning)?;
    let mut value = items.described(found.estimate, scope.level);
    if !items.too_few(&mut value) {
        value.interval = Some(found.interval);
        value.method = "basic bootstrap, cut at 0";
        let chance = match error {
            BinnedError::Expected => null.ece_quantile(0.975)?,
            BinnedError::Maximum => null.mce_quantile(0.975)?,
        };
        value.evidence = Evidence::Calibration {
            interval: found.interval,
            chance,
        };
    }
    value.conventions = named(convention);
    if error == BinnedError::Expected {
        value.notes.push(format!(
            "chance alone gives {:.4} ± {:.4}",
            null.mean(),
            null.sd()
        ));
    }
    forecasts.note_share(&mut value);
    value.drivers = confident_and_wrong(&forecasts);
    Ok(value)
}

/// The wrong answers given with the highest probability, at most twenty.
fn confident_and_wrong(forecasts: &Forecasts<'_, '_>) -> Vec<usize> {
    let mut wrong: Vec<usize> = (0..forecasts.rows.len())
        .filter(|at| !forecasts.happened[*at])
        .collect();
    wrong.sort_by(|a, b| forecasts.chances[*b].total_cmp(&forecasts.chances[*a]));
    wrong
        .into_iter()
        .take(20)
        .map(|at| forecasts.rows[at].position)
        .collect()
}

pub(super) fn ece_null(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let convention = scope.sheet.conventions.ece;
    let forecasts = Forecasts::of(scope, convention.of)?;
    let null = calibration::ece_null(&forecasts.chances, &binning(convention)?)?;
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    let mut value = items.described(null.mean(), scope.level);
    value.conventions = named(convention);
    value
        .notes
        .push(format!("standard deviation {:.4}", null.sd()));
    forecasts.note_share(&mut value);
    Ok(value)
}

pub(super) fn temperature(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let mut rows = Vec::new();
    let mut probabilities: Vec<&[f64]> = Vec::new();
    let mut gold = Vec::new();
    for row in &scope.rows {
        let Some(shares) = row.base().and_then(|base| base.probabilities.as_deref()) else {
            continue;
        };
        if let Some(label) = row.gold.and_then(Gold::single) {
            rows.push(*row);
            probabilities.push(shares);
            gold.push(label);
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because("no probabilities"));
    }
    let floor = scope.sheet.conventions.log_loss_floor;
    let fit = fit_temperature(&probabilities, &gold, floor)?;
    let mut value =
        Items::of(&rows, scope.selection.sample).described(fit.temperature, scope.level);
    value.conventions.push(("floor", format!("{floor:e}")));
    if fit.at_bound {
        value
            .notes
            .push("no temperature between 0.05 and 20 minimises the log loss".to_owned());
    }
    Ok(value)
}
