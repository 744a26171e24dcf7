//! Pairs and families of cases whose answers should agree or be opposite; the unit is the family.

use std::collections::BTreeMap;

use super::scope::Scope;
use super::share::Share;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::{QuestionKind, Relation};

/// The members of every pair or family; those with a single member, or with more than two that should be opposite, are
/// counted.
fn families<'s, 'a>(scope: &Scope<'s, 'a>) -> (Vec<(Vec<&'s Row<'a>>, Relation)>, usize) {
    let mut members: BTreeMap<&str, Vec<&'s Row<'a>>> = BTreeMap::new();
    for row in &scope.rows {
        if let Some(pair) = &row.case.pair {
            members.entry(&pair.id).or_default().push(row);
        }
    }
    let mut whole = Vec::new();
    let mut broken = 0;
    for rows in members.into_values() {
        match rows[0].case.pair.as_ref().map(|pair| pair.relation) {
            Some(Relation::Same) if rows.len() >= 2 => whole.push((rows, Relation::Same)),
            Some(Relation::Opposite) if rows.len() == 2 => whole.push((rows, Relation::Opposite)),
            _ => broken += 1,
        }
    }
    (whole, broken)
}

fn share_of(
    scope: &Scope<'_, '_>,
    holds: impl Fn(&[&Row<'_>], Relation) -> Option<bool>,
) -> Result<Value, Unmeasurable> {
    let (families, broken) = families(scope);
    let mut share = Share::default();
    for (members, relation) in &families {
        if let Some(held) = holds(members, *relation) {
            share.push(members[0], held);
        }
    }
    if families.is_empty() {
        return Err(Unmeasurable::because("no pairs of two cases"));
    }
    let mut value = share.value(scope.selection.sample, scope.level, false)?;
    let larger = families.iter().filter(|(rows, _)| rows.len() > 2).count();
    if larger > 0 {
        value.notes.push(format!(
            "{larger} families of more than two count as one each"
        ));
    }
    if broken > 0 {
        value.notes.push(format!(
            "{broken} pairs without their members left out: two, or more than two of relation `same`"
        ));
    }
    Ok(value)
}

/// All labels the same, or two different ones where the relation is `opposite`; a failed member makes the family
/// inconsistent.
pub(super) fn agreement(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |members, relation| {
        let mut said = Vec::with_capacity(members.len());
        for row in members {
            let base = row.base()?;
            base.said?;
            said.push(base.option());
        }
        let Some(options) = said.into_iter().collect::<Option<Vec<usize>>>() else {
            return Some(false);
        };
        // Members may list their options in different orders, so keys are compared.
        let key = |at: usize| &members[at].question.options[options[at]].key;
        Some(match relation {
            Relation::Same => (1..members.len()).all(|at| key(at) == key(0)),
            Relation::Opposite => {
                let question = members[0].question;
                key(0) != key(1)
                    || question.kind == QuestionKind::Score
                        && options[0] + options[1] + 1 == question.options.len()
            }
        })
    })
}

/// Every member right; an unanswered or failed member is wrong.
pub(super) fn both_right(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    share_of(scope, |members, _| {
        for row in members {
            row.gold?.accepts(0)?;
        }
        let right = |row: &&Row<'_>| {
            row.base()
                .and_then(|base| row.is_right(base))
                .unwrap_or(false)
        };
        Some(members.iter().all(right))
    })
}

#[cfg(test)]
mod tests {
    use crate::decision::{Pair, Relation};
    use crate::score::testing::Data;

    /// Families of these sizes, whose members all have gold `a`; what each said follows.
    fn families(relation: Relation, families: &[&[usize]]) -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for (number, family) in families.iter().enumerate() {
            for said in *family {
                data.answered(0, *said);
                data.cases.last_mut().expect("just added").pair = Some(Pair {
                    id: format!("p-{number}"),
                    relation,
                });
            }
        }
        data
    }

    #[test]
    fn a_family_agrees_when_all_members_do() {
        let data = families(
            Relation::Same,
            &[&[0, 0, 0], &[0, 0, 1], &[1, 1], &[0, 0], &[1]],
        );
        let agreement = data.measure("pair_agreement").value.expect("families");
        assert_eq!((agreement.value, agreement.n), (0.75, 4));
        assert!(
            agreement
                .notes
                .iter()
                .any(|note| note.starts_with("1 pairs without"))
        );
        assert_eq!(data.value("pair_both_right"), 0.5);
    }

    #[test]
    fn opposites_are_two() {
        let data = families(Relation::Opposite, &[&[0, 1], &[0, 0], &[0, 1, 1]]);
        let agreement = data.measure("pair_agreement").value.expect("pairs");
        assert_eq!((agreement.value, agreement.n), (0.5, 2));
    }
}
