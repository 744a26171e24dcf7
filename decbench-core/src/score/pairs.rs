//! Pairs of cases whose answers should agree or be opposite; the unit is the pair.

use std::collections::BTreeMap;

use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::{QuestionKind, Relation};

/// The two rows of every pair with two members; others are counted.
fn pairs<'s, 'a>(scope: &Scope<'s, 'a>) -> (Vec<(&'s Row<'a>, &'s Row<'a>, Relation)>, usize) {
    let mut members: BTreeMap<&str, Vec<&'s Row<'a>>> = BTreeMap::new();
    for row in &scope.rows {
        if let Some(pair) = &row.case.pair {
            members.entry(&pair.id).or_default().push(row);
        }
    }
    let mut whole = Vec::new();
    let mut broken = 0;
    for rows in members.values() {
        match (rows.as_slice(), rows[0].case.pair.as_ref()) {
            ([a, b], Some(pair)) => whole.push((*a, *b, pair.relation)),
            _ => broken += 1,
        }
    }
    (whole, broken)
}

fn share_of(
    scope: &Scope<'_, '_>,
    holds: impl Fn(&Row<'_>, &Row<'_>, Relation) -> Option<bool>,
) -> Result<Value, Unmeasurable> {
    let (pairs, broken) = pairs(scope);
    let mut share = Share::default();
    for (a, b, relation) in &pairs {
        if let Some(held) = holds(a, b, *relation) {
            share.push(a, held);
        }
    }
    if pairs.is_empty() {
        return Err(Unmeasurable::because("no pairs of two cases"));
    }
    let mut value = share.value(scope.selection.sample, scope.level, false)?;
    if broken > 0 {
        value.notes.push(format!(
            "{broken} pairs without exactly two members left out"
        ));
    }
    Ok(value)
}

/// Same labels, or different ones where the relation is `opposite`; a failed member makes the pair inconsistent.
pub(super) fn agreement(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |a, b, relation| {
        let (a_said, b_said) = (a.base()?, b.base()?);
        a_said.said?;
        b_said.said?;
        let (Some(first), Some(second)) = (a_said.option(), b_said.option()) else {
            return Some(false);
        };
        // Members may list their options in different orders, so keys are compared.
        let same = a.question.options[first].key == b.question.options[second].key;
        Some(match relation {
            Relation::Same => same,
            Relation::Opposite => {
                !same
                    || a.question.kind == QuestionKind::Score
                        && first + second + 1 == a.question.options.len()
            }
        })
    })
}

/// Both members right; an unanswered or failed member is wrong.
pub(super) fn both_right(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |a, b, _| {
        a.gold?.accepts(0)?;
        b.gold?.accepts(0)?;
        let right = |row: &Row<'_>| {
            row.base()
                .and_then(|base| row.is_right(base))
                .unwrap_or(false)
        };
        Some(right(a) && right(b))
    })
}
