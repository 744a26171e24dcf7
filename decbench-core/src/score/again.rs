//! The same answers once more, as another sample of cases or another run would have had them.

use std::collections::{BTreeMap, HashMap};

use super::sheet::Sheet;
use crate::decision::{Case, State};
use crate::stats::random::RandomStream;

/// What is drawn together: cases of one unit of evidence, and pairs that belong to each other.
#[derive(Debug, Clone)]
pub struct Blocks(Vec<Vec<usize>>);

impl Blocks {
    /// The blocks of these cases, each a list of positions.
    pub fn of(cases: &[Case]) -> Self {
        // A unit stands for itself until a pair ties it to an earlier one.
        let mut stands_for: BTreeMap<u32, u32> = BTreeMap::new();
        let mut by_pair: HashMap<&str, u32> = HashMap::new();
        for case in cases {
            let own = root(&stands_for, case.unit);
            stands_for.entry(case.unit).or_insert(own);
            if let Some(pair) = &case.pair {
                let other = *by_pair.entry(&pair.id).or_insert(own);
                let (a, b) = (own, root(&stands_for, other));
                stands_for.insert(a.max(b), a.min(b));
            }
        }
        let mut blocks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (position, case) in cases.iter().enumerate() {
            let block = blocks.entry(root(&stands_for, case.unit)).or_default();
            block.push(position);
        }
        Self(blocks.into_values().collect())
    }

    /// As many blocks as there are, drawn with replacement: which cases came up, and as which case each counts now.
    pub fn draw(&self, cases: &[Case], stream: &mut RandomStream) -> Draw {
        let mut draw = Draw {
            positions: Vec::with_capacity(cases.len()),
            cases: Vec::with_capacity(cases.len()),
        };
        let mut next = 0;
        for time in 0..self.0.len() {
            let mut units: BTreeMap<u32, u32> = BTreeMap::new();
            for &position in &self.0[stream.next_index(self.0.len())] {
                let mut case = light(&cases[position]);
                // What is drawn twice is two pieces of evidence.
                case.unit = *units.entry(case.unit).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
                case.id = format!("{}#{time}", case.id);
                if let Some(pair) = &mut case.pair {
                    pair.id = format!("{}#{time}", pair.id);
                }
                draw.positions.push(position);
                draw.cases.push(case);
            }
        }
        draw
    }
}

fn root(stands_for: &BTreeMap<u32, u32>, unit: u32) -> u32 {
    let mut unit = unit;
    while let Some(&next) = stands_for.get(&unit).filter(|next| **next != unit) {
        unit = next;
    }
    unit
}

/// A case without what no metric reads: of its views only which there are, and whether an agent is told one.
fn light(case: &Case) -> Case {
    let nothing = || State::Text(String::new());
    let told = |state: &State| match state {
        State::Agent(_) => state.clone(),
        _ => nothing(),
    };
    let mut light = Case::new(case.id.clone(), nothing());
    light.state = case.state.as_ref().map(told);
    light.states = case.states.keys().map(|view| (*view, nothing())).collect();
    light.weight = case.weight;
    light.strata.clone_from(&case.strata);
    light.tier.clone_from(&case.tier);
    light.family.clone_from(&case.family);
    light.language.clone_from(&case.language);
    light.split = case.split;
    light.pair.clone_from(&case.pair);
    light.origin = case.origin;
    light.questions.clone_from(&case.questions);
    light.unit = case.unit;
    light
}

/// Another sample of the same cases.
#[derive(Debug, Clone)]
pub struct Draw {
    positions: Vec<usize>,
    cases: Vec<Case>,
}

impl<'a> Sheet<'a> {
    /// The answers as this sample would have had them.
    pub fn drawn<'d>(&self, draw: &'d Draw) -> Sheet<'d>
    where
        'a: 'd,
    {
        let mut by_position: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            by_position.entry(row.position).or_default().push(at);
        }
        let mut rows = Vec::with_capacity(self.rows.len());
        for (now, (position, case)) in draw.positions.iter().zip(&draw.cases).enumerate() {
            for at in by_position.get(position).into_iter().flatten() {
                let mut row = self.rows[*at].clone();
                row.position = now;
                row.case = case;
                rows.push(row);
            }
        }
        Sheet {
            question: self.question,
            conventions: self.conventions,
            rows,
            gate: self.gate,
            confidence_from: self.confidence_from.clone(),
            skipped: self.skipped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Pair, Relation};
    use crate::stats::Seed;

    fn case(id: &str, unit: u32, pair: Option<&str>) -> Case {
        let mut case = Case::new(id, State::Text(id.to_owned()));
        case.unit = unit;
        case.pair = pair.map(|id| Pair {
            id: id.to_owned(),
            relation: Relation::Same,
        });
        case
    }

    #[test]
    fn units_and_pairs_stay_together() {
        let cases = [
            case("a", 0, None),
            case("b", 1, Some("p")),
            case("c", 0, None),
            case("d", 2, Some("p")),
            case("e", 3, None),
        ];
        assert_eq!(Blocks::of(&cases).0, [vec![0, 2], vec![1, 3], vec![4]]);
    }

    #[test]
    fn what_is_drawn_twice_counts_twice() {
        let cases = [case("a", 0, None), case("b", 0, None), case("c", 1, None)];
        let blocks = Blocks::of(&cases);
        let mut stream = RandomStream::new(Seed(5));
        for _ in 0..50 {
            let draw = blocks.draw(&cases, &mut stream);
            let units: std::collections::BTreeSet<u32> =
                draw.cases.iter().map(|case| case.unit).collect();
            assert_eq!(units.len(), 2, "two blocks are drawn: {draw:?}");
            let ids: std::collections::BTreeSet<&str> =
                draw.cases.iter().map(|case| case.id.as_str()).collect();
            assert_eq!(ids.len(), draw.cases.len());
            for (position, case) in draw.positions.iter().zip(&draw.cases) {
                assert!(case.id.starts_with(&format!("{}#", cases[*position].id)));
            }
        }
    }
}
