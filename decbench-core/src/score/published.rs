//! What candidates measure here beside figures that others published of them.

use std::collections::{BTreeMap, HashMap};

use super::measure::value_alone;
use super::sheet::{Row, Sheet};
use super::value::Unmeasurable;
use crate::metric::{Metric, Selection};
use crate::stats::bootstrap_interval::{basic, percentile};
use crate::stats::correlation::{Line, spearman};
use crate::stats::resample::resampled_units;
use crate::stats::{Interval, Seed, Undefined};

/// Every candidate is measured anew on each resample, which is what takes the time.
const RESAMPLES: usize = 500;
/// Fewer units of evidence give no interval.
const FEWEST_UNITS: usize = 10;
/// Two-sided level of the intervals.
const LEVEL: f64 = 0.95;

/// Measured values and published figures of the same candidates, in their order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BesidePublished {
    /// What each measures here, in the metric's unit.
    pub measured: Vec<f64>,
    /// What the line through the others says of a candidate that is left out; `None` for one the line goes through.
    pub predicted: Vec<Option<f64>>,
    /// The rank correlation, from -1 to 1.
    pub spearman: Result<Estimate, Undefined>,
    /// The mean distance between predicted and published figures, in the metric's unit.
    pub error: Result<Estimate, Undefined>,
    /// Cases that all were asked about.
    pub cases: usize,
    /// Their independent units of evidence.
    pub units: usize,
}

/// A number with its 95% interval over units of evidence; `None` where they are too few. The candidates are fixed: it
/// says nothing of other ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its interval: percentiles and their reflection, the wider, as resampling mixes up ranks.
    pub interval: Option<Interval>,
}

/// Measures all candidates on the cases that each of them answered, and compares with their published figures.
///
/// A straight line is fitted from measured to published through the candidates that are not `left_out`, and the others
/// are predicted by it; where none is, each is left out in turn.
///
/// # Errors
/// Where the candidates have no case in common, or the metric does not exist for one of them.
pub fn beside_published(
    sheets: &[&Sheet<'_>],
    metric: &Metric,
    published: &[f64],
    left_out: &[bool],
    lockbox: bool,
    seed: Seed,
) -> Result<BesidePublished, Unmeasurable> {
    let selection = Selection {
        lockbox,
        ..Selection::default()
    };
    let common = common_rows(sheets, &selection);
    if common.is_empty() {
        return Err(Unmeasurable::because("no cases that all answered"));
    }
    let mut index = BTreeMap::new();
    let unit_of: Vec<usize> = common
        .iter()
        .map(|rows| {
            let next = index.len();
            *index.entry(rows[0].case.unit).or_insert(next)
        })
        .collect();
    let units = index.len();
    let values = |times: &[u32]| -> Result<Vec<f64>, Unmeasurable> {
        let of = |(at, sheet): (usize, &&Sheet<'_>)| {
            let drawn = common
                .iter()
                .zip(&unit_of)
                .flat_map(|(rows, unit)| std::iter::repeat_n(rows[at], times[*unit] as usize));
            value_alone(sheet, metric, &selection, drawn.collect())
        };
        sheets.iter().enumerate().map(of).collect()
    };
    let measured = values(&vec![1; units])?;
    let error_of = |measured: &[f64]| {
        predictions(measured, published, left_out)
            .and_then(|predicted| distance(&predicted, published))
    };
    let mut errors = Vec::with_capacity(RESAMPLES);
    let ranks = if units < FEWEST_UNITS {
        Vec::new()
    } else {
        let drawn = resampled_units(units, RESAMPLES, seed, |times| {
            let values = values(times).ok()?;
            errors.extend(error_of(&values));
            spearman(&values, published).ok()
        })?;
        drawn.values
    };
    let predicted = predictions(&measured, published, left_out);
    Ok(BesidePublished {
        spearman: spearman(&measured, published).map(|value| estimate(value, &ranks, (-1.0, 1.0))),
        error: error_of(&measured).map(|value| estimate(value, &errors, (0.0, f64::INFINITY))),
        predicted: predicted.unwrap_or_else(|_| vec![None; published.len()]),
        measured,
        cases: common.len(),
        units,
    })
}

/// The rows of every case that all answered, one per candidate.
fn common_rows<'s, 'a>(sheets: &[&'s Sheet<'a>], selection: &Selection) -> Vec<Vec<&'s Row<'a>>> {
    let Some((first, others)) = sheets.split_first() else {
        return Vec::new();
    };
    let by_case = |sheet: &&'s Sheet<'a>| -> HashMap<(usize, &'s str), &'s Row<'a>> {
        let rows = sheet.select(selection).into_iter();
        rows.filter(|row| row.base().is_some())
            .map(|row| ((row.position, row.question.name.as_str()), row))
            .collect()
    };
    let others: Vec<_> = others.iter().map(by_case).collect();
    let mut common = Vec::new();
    for row in first.select(selection) {
        let key = (row.position, row.question.name.as_str());
        let theirs: Option<Vec<&Row<'a>>> =
            others.iter().map(|rows| rows.get(&key).copied()).collect();
        if let (Some(theirs), true) = (theirs, row.base().is_some()) {
            common.push([vec![row], theirs].concat());
        }
    }
    common
}

/// What the line through the others says of each one that is left out.
fn predictions(
    measured: &[f64],
    published: &[f64],
    left_out: &[bool],
) -> Result<Vec<Option<f64>>, Undefined> {
    let through = |is_fitted: &dyn Fn(usize) -> bool| {
        let (x, y): (Vec<f64>, Vec<f64>) = measured
            .iter()
            .zip(published)
            .enumerate()
            .filter(|(at, _)| is_fitted(*at))
            .map(|(_, (x, y))| (*x, *y))
            .unzip();
        Line::fit(&x, &y)
    };
    if left_out.contains(&true) {
        let line = through(&|at| !left_out[at])?;
        let each = measured.iter().zip(left_out);
        return Ok(each.map(|(x, left)| left.then(|| line.at(*x))).collect());
    }
    (0..measured.len())
        .map(|left| Ok(Some(through(&|at| at != left)?.at(measured[left]))))
        .collect()
}

fn distance(predicted: &[Option<f64>], published: &[f64]) -> Result<f64, Undefined> {
    let distances: Vec<f64> = predicted
        .iter()
        .zip(published)
        .filter_map(|(predicted, published)| Some(((*predicted)? - published).abs()))
        .collect();
    if distances.is_empty() {
        return Err(Undefined::NoItems);
    }
    Ok(distances.iter().sum::<f64>() / distances.len() as f64)
}

fn estimate(value: f64, drawn: &[f64], (lowest, highest): (f64, f64)) -> Estimate {
    // Where one resample in twenty has no value, the others are no picture of what could have been.
    let enough = drawn.len() * 20 >= RESAMPLES * 19;
    let both = || {
        Some((
            percentile(drawn, LEVEL).ok()?,
            basic(value, drawn, LEVEL).ok()?,
        ))
    };
    let interval = if enough { both() } else { None }.map(|(plain, reflected)| Interval {
        low: plain.low.min(reflected.low).max(lowest),
        high: plain.high.max(reflected.high).min(highest),
    });
    Estimate { value, interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::testing::Data;

    /// A candidate with so many of 60 cases right, the first ones.
    fn model(right: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..60 {
            data.answered(0, usize::from(at >= right));
        }
        data
    }

    fn beside(models: &[Data], published: &[f64], left_out: &[bool]) -> BesidePublished {
        let sheets: Vec<Sheet<'_>> = models.iter().map(Data::sheet).collect();
        let sheets: Vec<&Sheet<'_>> = sheets.iter().collect();
        let metric = Metric::parse("accuracy").unwrap();
        beside_published(&sheets, &metric, published, left_out, false, Seed(1)).unwrap()
    }

    #[test]
    fn each_left_out_in_turn_is_the_residual_over_what_its_own_leverage_leaves() {
        let models = [model(30), model(42), model(45), model(57)];
        let published = [0.48, 0.75, 0.69, 0.97];
        let found = beside(&models, &published, &[false; 4]);
        let x = [0.5, 0.7, 0.75, 0.95];
        assert_eq!(found.measured, x);
        // The ranks are 1, 2, 3, 4 against 1, 3, 2, 4: 1 − 6·2/(4·15).
        assert!((found.spearman.unwrap().value - 0.8).abs() < 1e-12);
        let (mean_x, mean_y) = (
            x.iter().sum::<f64>() / 4.0,
            published.iter().sum::<f64>() / 4.0,
        );
        let sxx: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
        let sxy: f64 = x
            .iter()
            .zip(published)
            .map(|(x, y)| (x - mean_x) * (y - mean_y))
            .sum();
        let wanted = x
            .iter()
            .zip(published)
            .map(|(x, y)| {
                let residual = y - mean_y - sxy / sxx * (x - mean_x);
                let leverage = 0.25 + (x - mean_x).powi(2) / sxx;
                (residual / (1.0 - leverage)).abs()
            })
            .sum::<f64>()
            / 4.0;
        let error = found.error.unwrap();
        assert!((error.value - wanted).abs() < 1e-12, "{error:?}, {wanted}");
        let interval = error.interval.expect("sixty cases");
        assert!(interval.low <= error.value && error.value <= interval.high);
    }

    #[test]
    fn named_ones_are_predicted_by_the_line_of_the_others() {
        let models = [model(30), model(42), model(45), model(60)];
        // The line through the first two rises by 2 and passes 0 at 0.4.
        let published = [0.2, 0.6, 0.8, 1.0];
        let found = beside(&models, &published, &[false, false, true, true]);
        let predicted: Vec<Option<f64>> = found.predicted.clone();
        assert_eq!(predicted[..2], [None, None]);
        assert!((predicted[2].unwrap() - 0.7).abs() < 1e-12);
        assert!((predicted[3].unwrap() - 1.2).abs() < 1e-12);
        assert!((found.error.unwrap().value - 0.15).abs() < 1e-12);
    }

    #[test]
    fn equal_candidates_have_no_ranking_and_strangers_nothing_in_common() {
        let same = [model(30), model(30), model(30)];
        let found = beside(&same, &[0.2, 0.6, 0.8], &[false; 3]);
        assert_eq!(found.spearman, Err(Undefined::ZeroVariance));
        assert!(found.error.is_err());
        let mut mute = model(30);
        mute.answers.clear();
        let (speaks, mute) = (&model(30), &mute);
        let (one, other) = (speaks.sheet(), mute.sheet());
        let metric = Metric::parse("accuracy").unwrap();
        let told = beside_published(
            &[&one, &other],
            &metric,
            &[0.1, 0.2],
            &[false; 2],
            false,
            Seed(1),
        );
        assert_eq!(told.unwrap_err().reason, "no cases that all answered");
    }
}
