//! The cases on which all entrants are compared, and what stands in the way of comparing them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::limits::UNEQUAL;
use super::entrant::Contest;
use crate::score::Qualities;
use crate::stats::mcnemar::mcnemar_exact;

/// The largest share of unanswered calls a comparison may stand on.
const MOST_UNANSWERED: f64 = 0.02;

/// The common cases.
pub(super) struct Field {
    /// Qualities of each entrant on the common cases alone, in one order.
    pub(super) qualities: Vec<Qualities>,
    /// Index of each case's unit, from 0.
    pub(super) unit_of: Vec<usize>,
    pub(super) units: usize,
    pub(super) gold: u64,
    pub(super) unjudged: u64,
    pub(super) left_out: u64,
    /// Whether qualities are shares from 0 to 1.
    pub(super) shares: bool,
}

impl Field {
    /// The cases that every entrant was judged on.
    pub(super) fn of(contest: &Contest) -> Self {
        let mut common: Option<BTreeSet<usize>> = None;
        let mut all: BTreeSet<usize> = BTreeSet::new();
        for entrant in &contest.entrants {
            let own: BTreeSet<usize> = entrant
                .qualities
                .cases
                .iter()
                .map(|case| case.position)
                .collect();
            all.extend(&own);
            common = Some(match common {
                None => own,
                Some(common) => common.intersection(&own).copied().collect(),
            });
        }
        let common = common.unwrap_or_default();
        let qualities: Vec<Qualities> = contest
            .entrants
            .iter()
            .map(|entrant| {
                let mut own = entrant.qualities.clone();
                own.retain(&common);
                own
            })
            .collect();
        let first = qualities.first().map_or(&[][..], |first| &first.cases);
        let mut index = BTreeMap::new();
        let unit_of: Vec<usize> = first
            .iter()
            .map(|case| {
                let next = index.len();
                *index.entry(case.unit).or_insert(next)
            })
            .collect();
        let unjudged = contest.entrants.iter().map(|one| one.qualities.unjudged);
        Self {
            gold: first.iter().filter(|case| case.approved).count() as u64,
            units: index.len(),
            unit_of,
            unjudged: unjudged.max().unwrap_or(0) as u64,
            left_out: (all.len() - common.len()) as u64,
            qualities,
            shares: contest.shares,
        }
    }

    pub(super) fn cases(&self) -> u64 {
        self.unit_of.len() as u64
    }

    /// One number per case, summed by unit.
    pub(super) fn by_unit(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.units];
        for (value, unit) in values.zip(&self.unit_of) {
            sums[*unit] += value;
        }
        sums
    }

    /// How many cases each unit has.
    pub(super) fn sizes(&self) -> Vec<f64> {
        self.by_unit(std::iter::repeat_n(1.0, self.unit_of.len()))
    }
}

/// Why nothing may be compared: missing answers, and unanswered calls that are many or unequal.
pub(super) fn obstacles(contest: &Contest, field: &Field) -> Vec<String> {
    let mut found = Vec::new();
    for entrant in &contest.entrants {
        if let Some(reason) = &entrant.failed {
            found.push(format!("`{}`: {reason}", entrant.name));
        } else if entrant.qualities.missing > 0 {
            found.push(format!(
                "`{}`: {} answers are missing",
                entrant.name, entrant.qualities.missing
            ));
        }
    }
    if found.is_empty() && field.cases() == 0 {
        found.push(
            "there are no cases with gold or a reference that all candidates answered".into(),
        );
    }
    if !found.is_empty() {
        return found;
    }
    let silent: Vec<Vec<bool>> = field
        .qualities
        .iter()
        .map(|own| own.cases.iter().map(|case| case.unanswered).collect())
        .collect();
    for (entrant, silent) in contest.entrants.iter().zip(&silent) {
        let count = silent.iter().filter(|silent| **silent).count();
        if count as f64 > MOST_UNANSWERED * silent.len() as f64 + 1e-12 {
            found.push(format!(
                "`{}`: {count} of {} calls were not answered, more than 2%",
                entrant.name,
                silent.len()
            ));
        }
    }
    // A case without any answer is one that was not answered, though assertions may pass over it.
    for entrant in &contest.entrants {
        let all = entrant.skipped + entrant.qualities.cases.len();
        if entrant.skipped as f64 > MOST_UNANSWERED * all as f64 + 1e-12 {
            found.push(format!(
                "`{}`: {} of {all} cases have no answer, more than 2%; `missing: skip` leaves them out of assertions, and of no comparison",
                entrant.name, entrant.skipped
            ));
        }
    }
    let Some(today) = contest.entrants.iter().position(|entrant| entrant.today) else {
        return found;
    };
    for entrant in &contest.entrants {
        let others = contest.entrants[today].skipped;
        if mcnemar_exact(entrant.skipped as u64, others as u64) < UNEQUAL {
            found.push(format!(
                "`{}` and `{}` differ in cases without an answer: {} and {others}",
                entrant.name, contest.entrants[today].name, entrant.skipped
            ));
        }
    }
    for (entrant, own) in contest.entrants.iter().zip(&silent) {
        let pairs = || own.iter().zip(&silent[today]);
        let more = pairs().filter(|(own, today)| **own && !**today).count() as u64;
        let fewer = pairs().filter(|(own, today)| !**own && **today).count() as u64;
        if mcnemar_exact(more, fewer) < UNEQUAL {
            found.push(format!(
                "`{}` and `{}` differ in unanswered calls: {more} cases only the one, {fewer} only the other",
                entrant.name, contest.entrants[today].name
            ));
        }
    }
    found
}
