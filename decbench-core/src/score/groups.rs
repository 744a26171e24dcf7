//! Right and wrong by group: how far groups lie apart.

use std::collections::BTreeMap;

use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Evidence, Unmeasurable, Value};
use crate::metric::MetricArgument;
use crate::stats::Interval;
use crate::stats::proportion::wilson_effective;

/// The judged rows of a scope with the group each belongs to.
pub(super) struct Groups<'s, 'a> {
    pub(super) rows: Vec<&'s Row<'a>>,
    pub(super) right: Vec<bool>,
    /// Which group each row belongs to.
    pub(super) group_of: Vec<usize>,
    /// The groups' names, in the order of their numbers.
    pub(super) names: Vec<String>,
}

impl<'s, 'a> Groups<'s, 'a> {
    /// By the field that the metric's argument names; rows without one are left out.
    pub(super) fn of(scope: &Scope<'s, 'a>) -> Result<Self, Unmeasurable> {
        let MetricArgument::Field(field) = &scope.metric.argument else {
            return Err(Unmeasurable::because("no field named"));
        };
        let mut found = Self {
            rows: Vec::new(),
            right: Vec::new(),
            group_of: Vec::new(),
            names: Vec::new(),
        };
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        for row in &scope.rows {
            let right = row.base().and_then(|base| row.is_right(base));
            let (Some(name), Some(right)) = (row.field(field), right) else {
                continue;
            };
            let next = numbers.len();
            let number = *numbers.entry(name.clone()).or_insert(next);
            if number == next {
                found.names.push(name);
            }
            found.rows.push(row);
            found.right.push(right);
            found.group_of.push(number);
        }
        if found.names.is_empty() {
            return Err(Unmeasurable::because(format!("no case has a {field}")));
        }
        Ok(found)
    }

    /// Positions of the wrong ones.
    pub(super) fn wrong(&self) -> Vec<usize> {
        let judged = self.rows.iter().zip(&self.right);
        judged
            .filter(|(_, right)| !**right)
            .map(|(row, _)| row.position)
            .collect()
    }
}

/// One group's accuracy with limits at the level of one of all comparisons.
struct Group {
    accuracy: f64,
    limits: Interval,
}

/// The largest accuracy of a group less the smallest.
///
/// The limits hold for all pairs of groups at once (Bonferroni): each pair has Newcombe's interval for independent shares,
/// and the widest gap lies above the largest lower end and below the largest upper end of all.
pub(super) fn accuracy_gap(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let groups = Groups::of(scope)?;
    let count = groups.names.len();
    if count < 2 {
        return Err(Unmeasurable::because(
            "a gap lies between two groups at least",
        ));
    }
    let pairs = (count * (count - 1) / 2) as f64;
    let level = 1.0 - (1.0 - scope.level) / pairs;
    let mut shares = vec![Share::default(); count];
    for ((row, right), group) in groups.rows.iter().zip(&groups.right).zip(&groups.group_of) {
        shares[*group].push(row, *right);
    }
    let mut measured = Vec::with_capacity(count);
    for (share, name) in shares.iter().zip(&groups.names) {
        let found = share
            .value(scope.selection.sample, scope.level, false)
            .map_err(|why| Unmeasurable::because(format!("{name}: {why}")))?;
        let Evidence::Share { effective_n, .. } = found.evidence else {
            return Err(Unmeasurable::because("a group has no share"));
        };
        measured.push(Group {
            accuracy: found.value,
            limits: wilson_effective(found.value, effective_n, level)?,
        });
    }
    let ranked = |better: fn(f64, f64) -> bool| {
        (1..count).fold(0, |best, at| {
            if better(measured[at].accuracy, measured[best].accuracy) {
                at
            } else {
                best
            }
        })
    };
    let (best, worst) = (ranked(|a, b| a > b), ranked(|a, b| a < b));
    let mut interval = Interval {
        low: 0.0,
        high: 0.0,
    };
    for one in &measured {
        for other in &measured {
            let difference = one.accuracy - other.accuracy;
            let low = difference
                - (one.accuracy - one.limits.low).hypot(other.limits.high - other.accuracy);
            let high = difference
                + (one.limits.high - one.accuracy).hypot(other.accuracy - other.limits.low);
            interval.low = interval.low.max(low);
            interval.high = interval.high.max(high.min(1.0));
        }
    }
    let items = super::resampled::Items::of(&groups.rows, scope.selection.sample);
    let gap = measured[best].accuracy - measured[worst].accuracy;
    let mut value = items.described(gap, scope.level);
    value.interval = Some(interval);
    value.method = "Newcombe, all pairs of groups";
    value.evidence = Evidence::Limits {
        interval,
        method: "Newcombe's limits over all pairs of groups",
    };
    value.notes.push(format!(
        "best {} {:.1}%, worst {} {:.1}%, of {count} groups",
        groups.names[best],
        measured[best].accuracy * 100.0,
        groups.names[worst],
        measured[worst].accuracy * 100.0
    ));
    let wrong = groups.rows.iter().zip(&groups.right).zip(&groups.group_of);
    value.drivers = wrong
        .filter(|((_, right), group)| !**right && **group == worst)
        .map(|((row, _), _)| row.position)
        .collect();
    Ok(value)
}

#[cfg(test)]
mod tests {
    use crate::score::testing::Data;

    fn two_groups(right: [usize; 2], n: usize) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for (group, right) in right.into_iter().enumerate() {
            for at in 0..n {
                data.answered(0, usize::from(at >= right));
                let case = data.cases.last_mut().expect("just added");
                case.strata.insert("voice".into(), format!("g{group}"));
            }
        }
        data
    }

    #[test]
    fn the_gap_lies_between_the_best_and_the_worst_group() {
        let value = two_groups([90, 70], 100)
            .measure("accuracy_gap[strata.voice]")
            .value
            .expect("two groups");
        assert!((value.value - 0.2).abs() < 1e-12);
        let interval = value.interval.expect("limits");
        // Of one pair of groups it is Newcombe's interval.
        let expected =
            crate::stats::difference::newcombe_independent(90, 100, 70, 100, 0.95).expect("counts");
        assert!((interval.low - expected.low).abs() < 1e-12);
        assert!((interval.high - expected.high).abs() < 1e-12);
        assert_eq!(value.drivers.len(), 30);
    }

    #[test]
    fn equal_groups_have_a_gap_that_may_be_nothing() {
        let value = two_groups([80, 80], 100)
            .measure("accuracy_gap[strata.voice]")
            .value
            .expect("two groups");
        assert_eq!(value.value, 0.0);
        assert_eq!(value.interval.map(|interval| interval.low), Some(0.0));
    }

    #[test]
    fn one_group_has_no_gap() {
        let mut data = two_groups([5, 5], 10);
        data.cases
            .iter_mut()
            .for_each(|case| _ = case.strata.insert("voice".into(), "one".into()));
        assert!(data.measure("accuracy_gap[strata.voice]").value.is_err());
    }
}
