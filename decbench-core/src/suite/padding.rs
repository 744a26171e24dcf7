//! Padded views made of other cases, for suites that measure distraction and bring no padding of their own.
//!
//! What is put around a state is two to four times as long as it, and comes from cases of `dev` that are no part of the
//! same cluster, pair or family. Cases lie on a ring by the digests of their states, and each takes what follows its
//! own place on it: a case that is added elsewhere changes the padding of the few that lie before it alone, and what
//! was recorded of all others stays.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::model::{Assertion, Candidate};
use crate::decision::{Case, Context, Digest, Split, State};
use crate::metric::{MetricArgument, MetricId};

/// Material around a state is at least so many times as long as it.
const LEAST: f64 = 2.0;
/// And at most so many times.
const MOST: f64 = 4.0;
const OTHER: &str = "Other material:";
const OWN: &str = "The material to decide on:";
const OTHER_KEY: &str = "other_material";
const OWN_KEY: &str = "material";

/// The cases, with padded views where something reads them and no case brings any.
pub(super) fn padded<'a>(
    assertions: impl IntoIterator<Item = &'a Assertion>,
    candidates: &[Candidate],
    mut cases: Vec<Case>,
) -> Vec<Case> {
    if is_wanted(assertions, candidates, &cases) {
        build(&mut cases);
    }
    cases
}

/// Whether padding has to be made: something reads it, somebody can be asked, and no case brings any.
fn is_wanted<'a>(
    assertions: impl IntoIterator<Item = &'a Assertion>,
    candidates: &[Candidate],
    cases: &[Case],
) -> bool {
    let reads = |assertion: &Assertion| {
        let padded = Context::Padded.name();
        assertion.metric.id == MetricId::DistractorDrop
            || matches!(&assertion.metric.argument, MetricArgument::Context(name) if *name == padded)
    };
    let can_be_asked = |candidate: &Candidate| candidate.provider != "recorded";
    assertions.into_iter().any(reads)
        && candidates.iter().any(can_be_asked)
        && !cases
            .iter()
            .any(|case| case.states.contains_key(&Context::Padded))
}

/// Gives every case a padded view for which there is enough other material.
fn build(cases: &mut [Case]) {
    let ring = Ring::of(cases);
    let padded: Vec<Option<State>> = cases.iter().map(|case| ring.padded(cases, case)).collect();
    for (case, padded) in cases.iter_mut().zip(padded) {
        if let Some(padded) = padded {
            case.states.insert(Context::Padded, padded);
            case.built_padding = true;
        }
    }
}

/// Positions of cases to take from by the places of their states, one for each unit of evidence.
struct Ring(Vec<(Digest, usize)>);

impl Ring {
    fn of(cases: &[Case]) -> Self {
        let mut units: BTreeMap<u32, (Digest, usize)> = BTreeMap::new();
        for (position, case) in cases.iter().enumerate() {
            let usable = case.split == Split::Dev
                && case.state.as_ref().is_some_and(|state| !state.is_empty());
            if let (true, Some(state)) = (usable, case.state_digest(Context::Production)) {
                let at = (place(b"ring", state), position);
                let kept = units.entry(case.unit).or_insert(at);
                *kept = at.min(*kept);
            }
        }
        let mut ring: Vec<(Digest, usize)> = units.into_values().collect();
        ring.sort_unstable();
        Self(ring)
    }

    /// The cases from a place on, around the ring.
    fn from<'c>(&self, start: Digest, cases: &'c [Case]) -> impl Iterator<Item = &'c Case> {
        let first = self.0.partition_point(|(at, _)| *at < start);
        let (before, after) = self.0.split_at(first);
        after
            .iter()
            .chain(before)
            .map(|(_, position)| &cases[*position])
    }

    /// The padded view of a case; `None` where too little other material is there.
    fn padded(&self, cases: &[Case], case: &Case) -> Option<State> {
        let view = if case.states.contains_key(&Context::Minimal) {
            Context::Minimal
        } else {
            Context::Production
        };
        let own = case.state_in(view).filter(|state| !state.is_empty())?;
        let drawn = case.state_digest(view)?;
        let length = own.as_text().len() as f64;
        let wanted = (LEAST + (MOST - LEAST) * fraction(place(b"length", drawn))) * length;
        let mut taken: Vec<State> = Vec::new();
        let mut sum = 0.0;
        for other in self.from(place(b"start", drawn), cases) {
            let related = other.unit == case.unit
                || other.pair.as_ref().is_some_and(|pair| {
                    let own = case.pair.as_ref();
                    own.is_some_and(|own| own.id == pair.id)
                });
            let Some(state) = other.state.as_ref().filter(|_| !related) else {
                continue;
            };
            let text = state.as_text();
            if sum + text.len() as f64 <= MOST * length {
                sum += text.len() as f64;
                taken.push(state.clone());
            } else {
                let piece = cut(
                    &text,
                    (wanted - sum).ceil() as usize,
                    (MOST * length - sum) as usize,
                );
                sum += piece.len() as f64;
                taken.push(State::Text(piece.to_owned()));
            }
            if sum >= wanted.floor() {
                break;
            }
        }
        if sum < LEAST * length {
            return None;
        }
        let before = (fraction(place(b"before", drawn)) * (taken.len() + 1) as f64) as usize;
        Some(around(own, &taken, before))
    }
}

/// Where something that is drawn for a state lies.
fn place(what: &[u8], state: Digest) -> Digest {
    Digest::of([b"padding/1".as_slice(), what, state.as_bytes()])
}

/// The digest as a fraction in [0, 1).
fn fraction(digest: Digest) -> f64 {
    digest.as_bytes()[..6]
        .iter()
        .rev()
        .fold(0.0, |fraction, byte| (fraction + f64::from(*byte)) / 256.0)
}

/// The beginning of a text: to the end of a word from `least` bytes on, where that is no more than `most`.
fn cut(text: &str, least: usize, most: usize) -> &str {
    let letter = |at: &usize| text.is_char_boundary(*at);
    let end = (least..=most.min(text.len()))
        .find(|at| letter(at) && text[*at..].chars().next().is_none_or(char::is_whitespace));
    let end = end.or_else(|| (least..=text.len()).find(letter));
    &text[..end.unwrap_or(text.len())]
}

/// A state among others, of which so many stand before it.
fn around(own: &State, others: &[State], before: usize) -> State {
    let value = match own {
        State::Text(own) => {
            let other = |state: &State| format!("{OTHER}\n{}", state.as_text());
            let mut blocks: Vec<String> = others.iter().map(other).collect();
            blocks.insert(before, format!("{OWN}\n{own}"));
            return State::Text(blocks.join("\n\n"));
        }
        State::Json(value) => value,
        // What an agent is told is never a view that is padded.
        State::Agent(_) => return own.clone(),
    };
    let others: Vec<Json> = others.iter().map(State::as_json).collect();
    let own: Map<String, Json> = match value {
        Json::Object(fields) => fields.clone(),
        other => Map::from_iter([(OWN_KEY.to_owned(), other.clone())]),
    };
    let mut key = OTHER_KEY.to_owned();
    while own.contains_key(&key) {
        key.push('_');
    }
    let mut fields = Map::new();
    let others = (key, Json::from(others));
    if before > 0 {
        fields.extend([others]);
        fields.extend(own);
    } else {
        fields.extend(own);
        fields.extend([others]);
    }
    State::Json(Json::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::super::unit::number_units;
    use super::*;
    use crate::decision::{Pair, Relation};

    fn cases(count: usize) -> Vec<Case> {
        let words = ["bill", "line", "move", "slow", "card", "router"];
        let mut cases: Vec<Case> = (0..count)
            .map(|number| {
                let word = |at: usize| words[(number / 6_usize.pow(at as u32) + at) % 6];
                let text = format!("case {number}: {} {} {}", word(0), word(1), word(2));
                Case::new(format!("c-{number}"), State::Text(text))
            })
            .collect();
        number_units(&mut cases);
        cases
    }

    fn views(cases: &[Case]) -> Vec<Option<String>> {
        let mut cases = cases.to_vec();
        build(&mut cases);
        let text = |case: &Case| Some(case.states.get(&Context::Padded)?.as_text().into_owned());
        cases.iter().map(text).collect()
    }

    /// The material around the own, without the headings.
    fn added(padded: &str) -> Vec<&str> {
        padded
            .split("\n\n")
            .filter_map(|block| block.strip_prefix("Other material:\n"))
            .collect()
    }

    /// Which case a text is the beginning of, where enough of it is left.
    fn number(text: &str) -> Option<usize> {
        text.strip_prefix("case ")?.split_once(':')?.0.parse().ok()
    }

    #[test]
    fn what_is_added_is_two_to_four_times_as_long_and_of_other_units() {
        let mut cases = cases(200);
        for (number, case) in cases.iter_mut().take(40).enumerate() {
            case.cluster = Some(format!("k-{}", number / 8));
        }
        cases[50].pair = Some(Pair {
            id: "p".to_owned(),
            relation: Relation::Same,
        });
        cases[51].pair = cases[50].pair.clone();
        number_units(&mut cases);
        let mut places = [0; 2];
        for (case, padded) in cases.iter().zip(views(&cases)) {
            let padded = padded.expect("there is enough");
            let own = case.state.as_ref().expect("a state").as_text().into_owned();
            assert!(padded.contains(&format!("The material to decide on:\n{own}")));
            let added = added(&padded);
            let length: usize = added.iter().map(|text| text.len()).sum();
            let times = length as f64 / own.len() as f64;
            assert!((2.0..=4.0).contains(&times), "{times}: {padded}");
            for text in added {
                let Some(number) = number(text) else {
                    continue;
                };
                assert_ne!(cases[number].unit, case.unit, "{padded}");
                assert!(!(number == 50 && case.id == "c-51" || number == 51 && case.id == "c-50"));
            }
            places[usize::from(padded.starts_with(OTHER))] += 1;
        }
        assert!(places.iter().all(|count| *count > 20), "{places:?}");
    }

    #[test]
    fn cases_of_the_lock_box_are_padded_from_dev_and_pad_nobody() {
        let mut cases = cases(100);
        for case in cases.iter_mut().step_by(2) {
            case.split = Split::Lockbox;
        }
        for padded in views(&cases) {
            for text in added(&padded.expect("there is enough")) {
                let Some(number) = number(text) else {
                    continue;
                };
                assert_eq!(number % 2, 1, "{text}");
            }
        }
    }

    #[test]
    fn a_case_that_is_added_changes_the_padding_of_few() {
        let before = views(&cases(300));
        let after = views(&cases(301));
        let changed = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!((1..=12).contains(&changed), "{changed}");
        let mut turned = cases(300);
        turned.reverse();
        let mut turned = views(&turned);
        turned.reverse();
        assert_eq!(before, turned, "the order of the file makes no difference");
    }

    #[test]
    fn too_little_other_material_makes_no_padding() {
        assert_eq!(views(&cases(2)), [None, None]);
    }

    #[test]
    fn minimal_views_are_padded_and_json_stays_json() {
        let mut cases = cases(60);
        cases[0]
            .states
            .insert(Context::Minimal, State::Text("bill".to_owned()));
        cases[1].state = Some(State::Json(
            serde_json::json!({"turn": "hello there", OTHER_KEY: 1}),
        ));
        build(&mut cases);
        let text = cases[0].states[&Context::Padded].as_text().into_owned();
        assert!(text.contains("The material to decide on:\nbill") && !text.contains("case 0:"));
        let State::Json(value) = &cases[1].states[&Context::Padded] else {
            panic!("it stays JSON");
        };
        assert_eq!(value["turn"], "hello there");
        assert!(value["other_material_"].is_array(), "{value}");
    }

    #[test]
    fn the_padding_of_today_is_that_of_the_first_release() {
        let padded = views(&cases(20));
        assert_eq!(
            padded[7].as_deref().unwrap_or_default(),
            "Other material:\ncase 19: line card move\n\nOther material:\ncase 0: bill line move\n\nOther material:\ncase 16: card slow move\n\nThe material to decide on:\ncase 7: line move move"
        );
    }

    #[test]
    fn a_cut_ends_with_a_word_where_one_ends_in_time() {
        assert_eq!(cut("one two three", 2, 12), "one");
        assert_eq!(cut("one two three", 4, 12), "one two");
        assert_eq!(cut("one two three", 4, 5), "one ");
        assert_eq!(cut("für", 2, 3), "fü");
        assert_eq!(cut("für", 2, 4), "für");
        assert_eq!(cut("one", 7, 9), "one");
    }
}
