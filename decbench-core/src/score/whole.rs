//! A metric of all cases together, of two candidates on the same resamples.

use std::collections::{BTreeMap, HashMap};

use super::measure::value_alone;
use super::sheet::{Row, Sheet};
use super::value::Unmeasurable;
use crate::metric::{Better, Metric, Selection};
use crate::stats::Seed;
use crate::stats::resample::resampled_units;

/// The difference between two candidates in one metric, with more for better.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeDifference {
    /// The first one's value minus the other's, turned so that more is better.
    pub observed: f64,
    /// The same of every resample of units on which the metric exists for both.
    pub drawn: Vec<f64>,
    /// Cases that both were asked about.
    pub cases: u64,
    /// Their independent units of evidence.
    pub units: u64,
}

/// Measures both on their common cases, and on `resamples` resamples of whole units.
///
/// # Errors
/// Where the metric does not exist for one of them on these cases, or on one resample in twenty.
pub fn whole_difference(
    own: &Sheet<'_>,
    other: &Sheet<'_>,
    metric: &Metric,
    lockbox: bool,
    resamples: usize,
    seed: Seed,
) -> Result<WholeDifference, Unmeasurable> {
    let selection = Selection {
        lockbox,
        ..Selection::default()
    };
    let theirs: HashMap<(usize, &str), &Row<'_>> = other
        .select(&selection)
        .into_iter()
        .filter(|row| row.base().is_some())
        .map(|row| ((row.position, row.question.name.as_str()), row))
        .collect();
    let mut index = BTreeMap::new();
    let mut rows = Vec::new();
    for row in own.select(&selection) {
        let same = theirs.get(&(row.position, row.question.name.as_str()));
        if let (Some(theirs), true) = (same, row.base().is_some()) {
            let next = index.len();
            rows.push((*index.entry(row.case.unit).or_insert(next), row, *theirs));
        }
    }
    if rows.is_empty() {
        return Err(Unmeasurable::because("no cases that both answered"));
    }
    let sign = if metric.info().better == Better::Lower {
        -1.0
    } else {
        1.0
    };
    let difference = |times: &[u32]| -> Result<f64, Unmeasurable> {
        let drawn = || {
            rows.iter().flat_map(|(unit, own, other)| {
                std::iter::repeat_n((*own, *other), times[*unit] as usize)
            })
        };
        let own = value_alone(
            own,
            metric,
            &selection,
            drawn().map(|(own, _)| own).collect(),
        )?;
        let other = value_alone(
            other,
            metric,
            &selection,
            drawn().map(|(_, other)| other).collect(),
        )?;
        Ok(sign * (own - other))
    };
    let units = index.len();
    let observed = difference(&vec![1; units])?;
    let drawn = resampled_units(units, resamples, seed, |times| {
        difference(times).ok().filter(|value| value.is_finite())
    })?;
    if !observed.is_finite() || drawn.undefined * 20 > resamples {
        return Err(Unmeasurable::because(format!(
            "undefined on {} of {resamples} resamples of these cases",
            drawn.undefined
        )));
    }
    let cases: std::collections::BTreeSet<usize> =
        rows.iter().map(|(_, row, _)| row.position).collect();
    Ok(WholeDifference {
        observed,
        drawn: drawn.values,
        cases: cases.len() as u64,
        units: units as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::testing::Data;

    /// Sixty cases, of which every `wrong`-th is answered wrong.
    fn data(wrong: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..60 {
            let gold = usize::from(at % 4 == 0);
            data.case(gold);
            let said = if at % wrong == 0 { 1 - gold } else { gold };
            let mut shares = [0.2, 0.2];
            shares[said] = 0.8;
            data.say_shares(&shares);
        }
        data
    }

    #[test]
    fn a_difference_is_that_of_the_two_values() {
        let (good, bad) = (data(11), data(5));
        for name in [
            "macro_f1",
            "balanced_accuracy",
            "kappa",
            "ece",
            "precision[b]",
        ] {
            let metric = Metric::parse(name).unwrap();
            let found =
                whole_difference(&good.sheet(), &bad.sheet(), &metric, false, 50, Seed(1)).unwrap();
            let sign = if name == "ece" { -1.0 } else { 1.0 };
            let expected = sign * (good.value(name) - bad.value(name));
            assert!(
                (found.observed - expected).abs() < 1e-12,
                "{name} {found:?}"
            );
            assert_eq!((found.cases, found.units), (60, 60));
            let low = found.drawn.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(low < found.observed, "{name}");
        }
    }

    #[test]
    fn nothing_is_compared_where_nothing_is_common() {
        let metric = Metric::parse("macro_f1").unwrap();
        let (good, mut bad) = (data(11), data(5));
        bad.answers.clear();
        let told = whole_difference(&good.sheet(), &bad.sheet(), &metric, false, 50, Seed(1));
        assert!(told.unwrap_err().reason.contains("no cases that both"));
    }
}
