//! Calibration error over bins of equal width, its chance level, and a refitted temperature.

use super::resampled::{Items, RESAMPLES, seed};
use super::scope::{Scope, VALUE_ALONE};
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::decision::QuestionKind;
use crate::metric::{BinEdges, BinnedQuantity, ClosedSide, EceConvention, Sample};
use crate::stats::Interval;
use crate::stats::calibration::{self, BinnedError, Binning, Closed, Edges, GapNoise};

/// Forecasts and what happened, by the quantity in use.
pub(super) struct Forecasts<'s, 'a> {
    pub(super) rows: Vec<&'s Row<'a>>,
    pub(super) chances: Vec<f64>,
    pub(super) happened: Vec<bool>,
    /// How many judged answers carry no usable distribution.
    without: usize,
    /// Whose agreement the chances are, where they are no probabilities.
    agreement: Option<&'s str>,
}

impl<'s, 'a> Forecasts<'s, 'a> {
    pub(super) fn of(
        scope: &Scope<'s, 'a>,
        quantity: BinnedQuantity,
    ) -> Result<Self, Unmeasurable> {
        Self::rescaled(scope, quantity, |shares| Some(shares.to_vec()))
    }

    /// As [`Forecasts::of`], of distributions that are changed first.
    pub(super) fn rescaled(
        scope: &Scope<'s, 'a>,
        quantity: BinnedQuantity,
        change: impl Fn(&[f64]) -> Option<Vec<f64>>,
    ) -> Result<Self, Unmeasurable> {
        let mut forecasts = Self {
            rows: Vec::new(),
            chances: Vec::new(),
            happened: Vec::new(),
            without: 0,
            agreement: None,
        };
        for row in &scope.rows {
            let Some(base) = row.base() else { continue };
            let Some(right) = row.is_right(base) else {
                continue;
            };
            let shares = base.probabilities.as_deref().and_then(&change);
            let pair = match quantity {
                BinnedQuantity::Top => {
                    shares.map(|shares| (shares.into_iter().fold(0.0, f64::max), right))
                }
                BinnedQuantity::Yes if row.question.kind == QuestionKind::YesNo => {
                    let yes = shares.and_then(|shares| shares.first().copied());
                    yes.and_then(|yes| Some((yes, row.gold?.single()? == 0)))
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

    /// The candidate's confidence and whether it was right: the top probability, or for a candidate that gives no
    /// probabilities, how far the candidate that it names agrees.
    pub(super) fn of_confidence(scope: &Scope<'s, 'a>) -> Result<Self, Unmeasurable> {
        let Some(name) = scope.sheet.confidence_from.as_deref() else {
            return Self::of(scope, BinnedQuantity::Top);
        };
        if scope.sheet.has_probabilities() {
            return Self::of(scope, BinnedQuantity::Top);
        }
        let mut forecasts = Self {
            rows: Vec::new(),
            chances: Vec::new(),
            happened: Vec::new(),
            without: 0,
            agreement: Some(name),
        };
        for row in &scope.rows {
            let Some(base) = row.base() else { continue };
            let Some(right) = row.is_right(base) else {
                continue;
            };
            match base.agreement {
                Some(agreement) => {
                    forecasts.rows.push(row);
                    forecasts.chances.push(agreement.clamp(0.0, 1.0));
                    forecasts.happened.push(right);
                }
                None => forecasts.without += 1,
            }
        }
        if forecasts.rows.is_empty() {
            return Err(Unmeasurable::because(format!(
                "no probabilities, and nothing is known of agreement with `{name}`"
            )));
        }
        Ok(forecasts)
    }

    /// Says where the confidence comes from, and on how many answers a value rests, where some carry none.
    pub(super) fn note_share(&self, value: &mut Value) {
        if let Some(name) = self.agreement {
            let source = format!("agreement with `{name}`");
            value.conventions.push(("confidence", source));
        }
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
    let forecasts = Forecasts::of(scope, scope.sheet.conventions.ece.of)?;
    let mut value = binned(scope, &forecasts, BinnedError::Expected)?;
    value.notes.extend(doubts(&forecasts.chances));
    Ok(value)
}

pub(super) fn mce(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let forecasts = Forecasts::of(scope, scope.sheet.conventions.ece.of)?;
    binned(scope, &forecasts, BinnedError::Maximum)
}

/// A binned error with basic bootstrap limits, and what chance alone produces on these confidences.
pub(super) fn binned(
    scope: &Scope<'_, '_>,
    forecasts: &Forecasts<'_, '_>,
    error: BinnedError,
) -> Result<Value, Unmeasurable> {
    if scope.selection.sample == Sample::Population {
        return Err(Unmeasurable::because(
            "calibration error has no weighted form here; read it as taken",
        ));
    }
    let convention = scope.sheet.conventions.ece;
    let binning = binning(convention)?;
    let items = Items::of(&forecasts.rows, scope.selection.sample);
    if scope.level == VALUE_ALONE {
        return Ok(items.described(error_alone(forecasts, &binning, error), scope.level));
    }
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
    let noise = GapNoise::of(&given, clusters, &binning)?;
    let mut value = items.described(found.estimate, scope.level);
    if !items.too_few(&mut value) {
        value.interval = Some(found.interval);
        value.method = "basic bootstrap, cut at 0";
        let upper_tail = f64::midpoint(1.0, scope.level);
        // Single cases have an exact law under perfect calibration; units make luck larger.
        let (high, chance) = match (error, clusters) {
            (BinnedError::Expected, None) => (
                noise.expected_upper(scope.level)?,
                null.ece_quantile(upper_tail)?,
            ),
            (BinnedError::Expected, Some(_)) => (
                noise.expected_upper(scope.level)?,
                noise.expected_chance(scope.level)?,
            ),
            (BinnedError::Maximum, None) => (
                noise.maximum_upper(scope.level)?,
                null.mce_quantile(upper_tail)?,
            ),
            (BinnedError::Maximum, Some(_)) => (
                noise.maximum_upper(scope.level)?,
                noise.maximum_chance(scope.level)?,
            ),
        };
        // Resampling noise raises the error once more, so that the basic interval ends too low.
        value.evidence = Evidence::Calibration {
            interval: Interval {
                low: found.interval.low,
                high: high.max(found.interval.high),
            },
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
    value.drivers = confident_and_wrong(forecasts);
    Ok(value)
}

/// What a reader should know of these confidences before trusting a calibration error: whether they tell anything.
pub(super) fn doubts(chances: &[f64]) -> Vec<String> {
    /// Of fewer answers any pattern may be chance.
    const FEWEST: usize = 20;
    let n = chances.len();
    if n < FEWEST {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    if chances.iter().all(|chance| *chance == chances[0]) {
        doubts.push(format!(
            "the confidence is {} on all {n} answers: it tells nothing about a single one",
            chances[0]
        ));
        return doubts;
    }
    let sure = chances.iter().filter(|chance| **chance >= 0.995).count();
    if sure * 2 >= n {
        doubts.push(format!(
            "confidences are saturated: {sure} of {n} answers are given at 0.995 or more"
        ));
    }
    let on_grid = |steps: f64| {
        let on = |chance: &&f64| (*chance * steps - (*chance * steps).round()).abs() < 1e-9;
        chances.iter().filter(on).count() * 20 >= n * 19
    };
    if let Some((_, step)) = [(10.0, "0.1"), (20.0, "0.05"), (100.0, "0.01")]
        .into_iter()
        .find(|(steps, _)| on_grid(*steps))
    {
        doubts.push(format!(
            "confidences are rounded to {step}: many lie on the edges of bins"
        ));
    }
    doubts
}

/// The error without any interval.
fn error_alone(forecasts: &Forecasts<'_, '_>, binning: &Binning, error: BinnedError) -> f64 {
    let mut bins = vec![(0.0, 0.0); binning.len()];
    for (chance, happened) in forecasts.chances.iter().zip(&forecasts.happened) {
        let bin = &mut bins[binning.bin_of(chance.min(1.0))];
        bin.0 += f64::from(u8::from(*happened)) - chance;
        bin.1 += 1.0;
    }
    let filled = || bins.iter().filter(|(_, size)| *size > 0.0);
    match error {
        BinnedError::Maximum => filled()
            .map(|(gap, size)| gap.abs() / size)
            .fold(0.0, f64::max),
        BinnedError::Expected => {
            let gaps: f64 = filled().map(|(gap, _)| gap.abs()).sum();
            gaps / forecasts.chances.len() as f64
        }
    }
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

#[cfg(test)]
mod tests {
    use super::doubts;

    #[test]
    fn confidences_that_tell_little_are_doubted() {
        let said = |chances: &[f64]| doubts(chances).join("; ");
        assert!(said(&[0.9; 30]).contains("all 30 answers"));
        let saturated: Vec<f64> = (0..30).map(|at| 1.0 - f64::from(at % 5) * 0.0013).collect();
        assert!(
            said(&saturated).contains("saturated"),
            "{}",
            said(&saturated)
        );
        let rounded: Vec<f64> = (0..30).map(|at| f64::from(50 + at) / 100.0).collect();
        assert!(said(&rounded).contains("rounded to 0.01"));
        let coarse: Vec<f64> = (0..30).map(|at| f64::from(5 + at % 5) / 10.0).collect();
        assert!(said(&coarse).contains("rounded to 0.1"));
    }

    #[test]
    fn confidences_of_full_precision_are_not() {
        let fine: Vec<f64> = (0..30).map(|at| 0.5 + f64::from(at) * 0.016_18).collect();
        assert!(doubts(&fine).is_empty());
        assert!(doubts(&[0.9; 19]).is_empty(), "too few to tell");
    }
}
