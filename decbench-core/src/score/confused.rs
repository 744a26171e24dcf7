//! What was taken for what, with the cases behind it.

use std::collections::BTreeMap;

use super::classes::gold_and_answer;
use super::scope::Scope;

/// Cases named per pair; the rest is counted.
const NAMED: usize = 20;

/// Two options that were confused: what was right and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfusedPair {
    /// Key of the right option.
    pub gold: String,
    /// Key of the option answered; `None` for answers that are no option.
    pub answered: Option<String>,
    /// How many cases.
    pub n: usize,
    /// The ids of the first twenty, sorted.
    pub cases: Vec<String>,
}

/// Every pair that was confused, the most frequent first, equal ones by their options. Options are told by key, so that
/// cases with questions of their own take part.
pub(super) fn confused(scope: &Scope<'_, '_>) -> Vec<ConfusedPair> {
    let mut found: BTreeMap<(String, Option<String>), Vec<String>> = BTreeMap::new();
    for row in &scope.rows {
        let Some((gold, answered)) = gold_and_answer(row) else {
            continue;
        };
        if answered != Some(gold) {
            let key = |option: usize| row.question.options[option].key.clone();
            found
                .entry((key(gold), answered.map(key)))
                .or_default()
                .push(row.case.id.clone());
        }
    }
    let mut pairs: Vec<ConfusedPair> = found
        .into_iter()
        .map(|((gold, answered), mut cases)| {
            let n = cases.len();
            cases.sort();
            cases.truncate(NAMED);
            ConfusedPair {
                gold,
                answered,
                n,
                cases,
            }
        })
        .collect();
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.n));
    pairs
}
