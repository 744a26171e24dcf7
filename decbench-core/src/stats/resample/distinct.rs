//! Few distinct values and their counts.

use super::DISTINCT_VALUES;

/// The distinct values of a sorted list and how often each occurs.
pub(super) struct Distinct<T> {
    pub(super) values: Vec<T>,
    pub(super) counts: Vec<u64>,
}

impl<T: PartialEq + Copy> Distinct<T> {
    /// `None` when there are more than [`DISTINCT_VALUES`].
    pub(super) fn of(sorted: impl Iterator<Item = T>) -> Option<Self> {
        let mut distinct = Self {
            values: Vec::new(),
            counts: Vec::new(),
        };
        for value in sorted {
            match distinct.counts.last_mut() {
                Some(count) if distinct.values.last() == Some(&value) => *count += 1,
                _ if distinct.values.len() == DISTINCT_VALUES => return None,
                _ => {
                    distinct.values.push(value);
                    distinct.counts.push(1);
                }
            }
        }
        Some(distinct)
    }
}
