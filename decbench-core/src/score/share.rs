//! A share of items that hold, with units of evidence and weights in its effective number of items.

use std::collections::BTreeMap;

use super::scope::VALUE_ALONE;
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::metric::Sample;
use crate::stats::Interval;
use crate::stats::clusters::weighted_clustered_proportion;
use crate::stats::one_more::{OneMore, mean_limits};
use crate::stats::proportion::wilson_effective;
use crate::stats::weighted::stratified_accuracy;

/// The range of a share.
pub(super) const SHARE: Interval = Interval {
    low: 0.0,
    high: 1.0,
};

/// Items that hold or do not, each of a unit of evidence and with a weight.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    holds: Vec<bool>,
    units: Vec<usize>,
    weights: Vec<f64>,
    positions: Vec<usize>,
    strata: Vec<String>,
}

impl Share {
    /// Adds one item about a row's case.
    pub(super) fn push(&mut self, row: &Row<'_>, holds: bool) {
        self.holds.push(holds);
        self.units.push(row.case.unit as usize);
        self.weights.push(row.case.weight);
        self.positions.push(row.position);
        let parts = row.case.strata.iter();
        let parts: Vec<String> = parts
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        self.strata.push(parts.join(";"));
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// The items of all rows for which `holds` says something.
    pub(super) fn of<'a>(rows: &[&Row<'a>], holds: impl Fn(&Row<'a>) -> Option<bool>) -> Self {
        let mut share = Self::default();
        for row in rows {
            if let Some(held) = holds(row) {
                share.push(row, held);
            }
        }
        share
    }

    /// The share with its intervals; `drivers` are the items that do (`true`) or do not (`false`) hold.
    pub(super) fn value(
        &self,
        sample: Sample,
        level: f64,
        drivers: bool,
    ) -> Result<Value, Unmeasurable> {
        let n = self.holds.len();
        if n == 0 {
            return Err(Unmeasurable::because("no items to measure"));
        }
        let held = self.holds.iter().filter(|held| **held).count();
        if level == VALUE_ALONE {
            return Ok(self.alone(sample, held));
        }
        let units = distinct(&self.units);
        let mut notes = Vec::new();
        let (share, effective_n, method) = match sample {
            Sample::Population => match self.stratified(level) {
                Some((share, effective_n, strata)) if units == n => {
                    notes.push(format!(
                        "weighted by {strata} strata, effective n {effective_n:.1}"
                    ));
                    (share, effective_n, "wilson, stratified")
                }
                _ => {
                    let found = weighted_clustered_proportion(
                        &self.holds,
                        &self.weights,
                        &self.units,
                        level,
                    )?;
                    notes.push(format!("weighted, effective n {:.1}", found.n_eff));
                    (found.estimate, found.n_eff, "wilson, effective n")
                }
            },
            Sample::AsTaken if units < n => {
                let ones = vec![1.0; n];
                let found = weighted_clustered_proportion(&self.holds, &ones, &self.units, level)?;
                notes.push(format!(
                    "{units} units of evidence, effective n {:.1}",
                    found.n_eff
                ));
                (found.estimate, found.n_eff, "wilson, effective n")
            }
            Sample::AsTaken => (held as f64 / n as f64, n as f64, "wilson"),
        };
        let judged = if method == "wilson" {
            None
        } else {
            Some(self.one_more(sample, level)?)
        };
        Ok(Value {
            value: share,
            interval: Some(wilson_effective(share, effective_n, level)?),
            level,
            n,
            units,
            method,
            evidence: Evidence::Share {
                share,
                effective_n: judged
                    .map_or(effective_n, |judged| effective_n.min(judged.effective_n)),
                counts: (sample == Sample::AsTaken).then_some((held as u64, n as u64)),
                limits: judged.map(|judged| judged.interval),
            },
            conventions: Vec::new(),
            parts: Vec::new(),
            notes,
            drivers: self
                .holds
                .iter()
                .zip(&self.positions)
                .filter(|(held, _)| **held == drivers)
                .map(|(_, at)| *at)
                .collect(),
        })
    }

    /// The share without any interval.
    fn alone(&self, sample: Sample, held: usize) -> Value {
        let share = if sample == Sample::Population {
            let weighted = self.holds.iter().zip(&self.weights);
            let held: f64 = weighted.filter(|(held, _)| **held).map(|(_, w)| w).sum();
            held / self.weights.iter().sum::<f64>()
        } else {
            held as f64 / self.holds.len() as f64
        };
        Value {
            value: share,
            interval: None,
            level: VALUE_ALONE,
            n: self.holds.len(),
            units: 0,
            method: "none",
            evidence: Evidence::Description,
            conventions: Vec::new(),
            notes: Vec::new(),
            parts: Vec::new(),
            drivers: Vec::new(),
        }
    }

    /// The limits by which units of evidence and weights are judged.
    fn one_more(&self, sample: Sample, level: f64) -> Result<OneMore, Unmeasurable> {
        let mut units: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for ((held, unit), weight) in self.holds.iter().zip(&self.units).zip(&self.weights) {
            let weight = if sample == Sample::Population {
                *weight
            } else {
                1.0
            };
            let unit = units.entry(*unit).or_default();
            unit.0 += if *held { weight } else { 0.0 };
            unit.1 += weight;
        }
        let (sums, sizes): (Vec<f64>, Vec<f64>) = units.into_values().unzip();
        Ok(mean_limits(&sums, &sizes, SHARE, level)?)
    }

    /// Share, effective n and number of strata, where weights are constant within at least two declared strata.
    fn stratified(&self, level: f64) -> Option<(f64, f64, usize)> {
        let mut names: Vec<&str> = self.strata.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() < 2 {
            return None;
        }
        let mut weights: Vec<Option<f64>> = vec![None; names.len()];
        let mut totals = vec![0.0; names.len()];
        let mut strata = Vec::with_capacity(self.holds.len());
        for (name, weight) in self.strata.iter().zip(&self.weights) {
            let stratum = names.binary_search(&name.as_str()).ok()?;
            if weights[stratum].is_some_and(|seen| seen != *weight) {
                return None;
            }
            weights[stratum] = Some(*weight);
            totals[stratum] += weight;
            strata.push(stratum);
        }
        let found = stratified_accuracy(&self.holds, &strata, &totals, level).ok()?;
        Some((found.estimate, found.gate_n_eff, names.len()))
    }
}

/// How many different units there are.
pub(super) fn distinct(units: &[usize]) -> usize {
    let mut seen = units.to_vec();
    seen.sort_unstable();
    seen.dedup();
    seen.len()
}
