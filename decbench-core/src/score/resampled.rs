//! Statistics whose interval comes from resampling whole units of evidence.

use super::one_more::{Added, Extremes, Table, with_one_more, without_each};
use super::scope::VALUE_ALONE;
use super::share::distinct;
use super::sheet::Row;
use super::value::{Evidence, ONE_MORE, Unmeasurable, Value};
use crate::metric::Sample;
use crate::stats::bootstrap_interval::{Jackknife, bca};
use crate::stats::one_more::{mean_limits, typical_size};
use crate::stats::resample::{Replicates, resampled_cells, resampled_ratios, resampled_units};
use crate::stats::{Interval, Seed, Undefined};

/// Resamples per interval.
pub(super) const RESAMPLES: usize = 2_000;
/// Fewest units a resampled interval may rest on.
const FEWEST_UNITS: usize = 10;
/// All seeds descend from this one, by the statistic's name.
const SEED: Seed = Seed(0x6465_6362_656e_6368);

/// The items a statistic is computed from: their cases' units and weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Items {
    /// Index of each item's unit, from 0, in the order of first appearance.
    pub(super) unit_of: Vec<usize>,
    /// How many units there are.
    pub(super) units: usize,
    /// Weight of each item.
    pub(super) weights: Vec<f64>,
    /// Position of each item's case.
    pub(super) positions: Vec<usize>,
}

impl Items {
    /// The items of these rows, one each.
    pub(super) fn of(rows: &[&Row<'_>], sample: Sample) -> Self {
        let units: Vec<usize> = rows.iter().map(|row| row.case.unit as usize).collect();
        let mut seen = std::collections::HashMap::new();
        let unit_of = units
            .iter()
            .map(|unit| {
                let next = seen.len();
                *seen.entry(*unit).or_insert(next)
            })
            .collect();
        Self {
            unit_of,
            units: distinct(&units),
            weights: rows
                .iter()
                .map(|row| {
                    if sample == Sample::Population {
                        row.case.weight
                    } else {
                        1.0
                    }
                })
                .collect(),
            positions: rows.iter().map(|row| row.position).collect(),
        }
    }

    fn is_plain(&self) -> bool {
        self.units == self.unit_of.len() && self.weights.iter().all(|weight| *weight == 1.0)
    }

    /// The weight of every item in a resample that draws each unit as often as `times` says.
    pub(super) fn spread(&self, times: &[u32], into: &mut Vec<f64>) {
        into.clear();
        into.extend(
            self.unit_of
                .iter()
                .zip(&self.weights)
                .map(|(unit, weight)| f64::from(times[*unit]) * weight),
        );
    }

    /// The mean of one number per item; `range` holds every such number, where it is known.
    pub(super) fn mean(
        &self,
        name: &str,
        values: &[f64],
        range: Option<Interval>,
        level: f64,
    ) -> Result<Value, Unmeasurable> {
        let (sums, sizes) = self.by_unit(values);
        let (total, size): (f64, f64) = (sums.iter().sum(), sizes.iter().sum());
        if values.is_empty() || size <= 0.0 {
            return Err(Unmeasurable::because("no items to measure"));
        }
        if level == VALUE_ALONE {
            return Ok(self.described(total / size, level));
        }
        let judged = range.map(|range| Ok(mean_limits(&sums, &sizes, range, level)?.interval));
        let drawn = || {
            Ok((
                resampled_ratios(&sums, &sizes, RESAMPLES, SEED.derive(name))?,
                Jackknife::of_ratio(&sums, &sizes)?,
            ))
        };
        Ok(self.finish(total / size, level, judged, drawn))
    }

    /// Any statistic of the weight of each item; `range` holds every value of it, where it is known. The statistic is
    /// also asked with one more item, for the limits by which it is judged where its range is known.
    pub(super) fn statistic(
        &self,
        name: &str,
        range: Option<Interval>,
        level: f64,
        statistic: impl Fn(&[f64], Added) -> Option<f64>,
    ) -> Result<Value, Unmeasurable> {
        let estimate = statistic(&self.weights, Added::Nothing)
            .ok_or_else(|| Unmeasurable::because("undefined on these cases"))?;
        if level == VALUE_ALONE {
            return Ok(self.described(estimate, level));
        }
        let mut weights = Vec::with_capacity(self.weights.len());
        let mut of_times = |times: &[u32], added: Added| {
            self.spread(times, &mut weights);
            statistic(&weights, added)
        };
        let judged = match range {
            Some(range) => {
                let (_, sizes) = self.by_unit(&vec![1.0; self.unit_of.len()]);
                let added = Extremes::of(typical_size(&sizes)?);
                let side = |added| with_one_more(self.units, added, &mut of_times);
                Some(added.limits(range, level, side))
            }
            None => None,
        };
        let mut plain = |times: &[u32]| of_times(times, Added::Nothing);
        let replicates = resampled_units(self.units, RESAMPLES, SEED.derive(name), &mut plain);
        let jackknife = Jackknife::of_units(self.units, &mut plain);
        Ok(self.finish(estimate, level, judged, || Ok((replicates?, jackknife?))))
    }

    /// A statistic of a table of counts: each item falls into one cell. Cheaper than [`Items::statistic`] where every item counts one.
    pub(super) fn table(
        &self,
        name: &str,
        table: &Table<'_>,
        level: f64,
        statistic: impl Fn(&[f64]) -> Option<f64>,
    ) -> Result<Value, Unmeasurable> {
        let seen = table.tabulate(&self.weights);
        let estimate =
            statistic(&seen).ok_or_else(|| Unmeasurable::because("undefined on these cases"))?;
        if level == VALUE_ALONE {
            return Ok(self.described(estimate, level));
        }
        let (_, sizes) = self.by_unit(&vec![1.0; self.unit_of.len()]);
        let size = typical_size(&sizes)?;
        let (lowest, highest) = table.extremes(&seen, size, &statistic);
        let with = |counts: &mut Vec<f64>, added: Added| match added {
            Added::Nothing => {}
            Added::Lowest(size) => counts[lowest] += size,
            Added::Highest(size) => counts[highest] += size,
        };
        if !self.is_plain() {
            return self.statistic(name, Some(table.range), level, |weights, added| {
                let mut counts = table.tabulate(weights);
                with(&mut counts, added);
                statistic(&counts)
            });
        }
        let side = |added| {
            let mut counts = seen.clone();
            with(&mut counts, added);
            without_each(&counts, &statistic)
        };
        let judged = Extremes::of(1.0).limits(table.range, level, side);
        let counts: Vec<u64> = seen.iter().map(|count| *count as u64).collect();
        let of_counts = |counts: &[u64]| {
            statistic(&counts.iter().map(|count| *count as f64).collect::<Vec<_>>())
        };
        let drawn = || {
            Ok((
                resampled_cells(&counts, RESAMPLES, SEED.derive(name), of_counts)?,
                Jackknife::of_cells(&counts, of_counts)?,
            ))
        };
        Ok(self.finish(estimate, level, Some(judged), drawn))
    }

    /// Weighted sums and weights of units.
    pub(super) fn by_unit(&self, values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut sums = vec![0.0; self.units];
        let mut sizes = vec![0.0; self.units];
        for ((value, weight), unit) in values.iter().zip(&self.weights).zip(&self.unit_of) {
            sums[*unit] += value * weight;
            sizes[*unit] += weight;
        }
        (sums, sizes)
    }

    /// A value without an interval.
    pub(super) fn described(&self, value: f64, level: f64) -> Value {
        Value {
            value,
            interval: None,
            level,
            n: self.unit_of.len(),
            units: self.units,
            method: "none",
            evidence: Evidence::Description,
            conventions: Vec::new(),
            parts: Vec::new(),
            notes: Vec::new(),
            drivers: Vec::new(),
        }
    }

    /// Whether the units are too few for a resampled interval; the value then says so.
    pub(super) fn too_few(&self, value: &mut Value) -> bool {
        let too_few = self.units < FEWEST_UNITS;
        if too_few {
            value.notes.push(format!(
                "no interval: {} independent units, fewer than {FEWEST_UNITS}",
                self.units
            ));
        }
        too_few
    }

    /// Puts the value together: what is printed comes from the resamples, what is judged from the limits given, where
    /// there are such.
    fn finish(
        &self,
        estimate: f64,
        level: f64,
        judged: Option<Result<Interval, Undefined>>,
        drawn: impl FnOnce() -> Result<(Replicates, Jackknife), Undefined>,
    ) -> Value {
        let mut value = self.described(estimate, level);
        if level == VALUE_ALONE || self.too_few(&mut value) {
            return value;
        }
        let printed = self.printed(&mut value, drawn);
        let judged = match judged {
            Some(judged) => judged.map(|interval| (interval, ONE_MORE)),
            None => printed,
        };
        match judged {
            Ok((interval, method)) => {
                let (shown, how) = printed.unwrap_or((interval, method));
                value.interval = Some(shown);
                value.method = how;
                value.evidence = Evidence::Limits { interval, method };
            }
            Err(reason) => value.notes.push(format!("no interval: {reason}")),
        }
        value
    }

    /// BCa limits of the resamples.
    fn printed(
        &self,
        value: &mut Value,
        drawn: impl FnOnce() -> Result<(Replicates, Jackknife), Undefined>,
    ) -> Result<(Interval, &'static str), Undefined> {
        let (replicates, jackknife) = drawn()?;
        if replicates.undefined > 0 {
            let undefined = replicates.undefined;
            value
                .notes
                .push(format!("undefined on {undefined} of {RESAMPLES} resamples"));
        }
        let found = bca(value.value, &replicates.values, &jackknife, value.level)?;
        if found.interval.width() <= 0.0 {
            return Err(Undefined::ZeroVariance);
        }
        let method = match (found.is_percentile, self.units < self.unit_of.len()) {
            (false, false) => "bca",
            (false, true) => "bca, clusters",
            (true, false) => "percentile bootstrap",
            (true, true) => "percentile bootstrap, clusters",
        };
        Ok((found.interval, method))
    }
}

/// The seed of the statistic with this name.
pub(super) fn seed(name: &str) -> Seed {
    SEED.derive(name)
}
