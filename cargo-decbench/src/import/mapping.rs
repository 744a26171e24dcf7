//! `--map`: where the parts of a case stand in a record.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::ending::Unusable;

/// The parts that may be placed.
const PARTS: [&str; 11] = [
    "id",
    "state",
    "gold",
    "reference",
    "production_answer",
    "answer",
    "p_yes",
    "cluster",
    "tier",
    "language",
    "at",
];

/// Places by part.
#[derive(Debug, Default)]
pub(super) struct Mapping {
    places: Vec<(String, String)>,
    /// Places that some record has.
    seen: RefCell<BTreeSet<String>>,
}

impl Mapping {
    /// Reads `part=field` pairs.
    pub(super) fn parse(pairs: &[String]) -> Result<Self, Unusable> {
        let mut mapping = Self::default();
        for pair in pairs {
            let (part, place) = pair
                .split_once('=')
                .map(|(part, place)| (part.trim(), place.trim()))
                .filter(|(part, place)| !part.is_empty() && !place.is_empty())
                .ok_or_else(|| {
                    Unusable::new(format!(
                        "`--map {pair}` is no pair; write `--map state=text`"
                    ))
                })?;
            let known = PARTS.contains(&part)
                || part
                    .strip_prefix("strata.")
                    .is_some_and(|name| !name.is_empty());
            if !known {
                return Err(Unusable::new(format!(
                    "a case has no part `{part}`; there are {} and strata.<name>",
                    PARTS.join(", ")
                )));
            }
            if mapping.places.iter().any(|(other, _)| other == part) {
                return Err(Unusable::new(format!("`--map` places `{part}` twice")));
            }
            mapping.places.push((part.to_owned(), place.to_owned()));
        }
        Ok(mapping)
    }

    /// Whether a place is given for the part.
    pub(super) fn has(&self, part: &str) -> bool {
        self.places.iter().any(|(name, _)| name == part)
    }

    /// What stands at the part's place in a record; null is nothing.
    pub(super) fn get<'r>(&self, record: &'r Json, part: &str) -> Option<&'r Json> {
        let (_, place) = self.places.iter().find(|(name, _)| name == part)?;
        let value = at(record, place)?;
        self.seen.borrow_mut().insert(place.clone());
        Some(value)
    }

    /// The same where a place is given, else what stands at `usual`.
    pub(super) fn get_or<'r>(&self, record: &'r Json, part: &str, usual: &str) -> Option<&'r Json> {
        if self.has(part) {
            self.get(record, part)
        } else {
            at(record, usual)
        }
    }

    /// The strata of a record.
    pub(super) fn strata(&self, record: &Json) -> Vec<(String, String)> {
        self.places
            .iter()
            .filter_map(|(part, _)| {
                let value = self.get(record, part)?;
                Some((part.strip_prefix("strata.")?.to_owned(), text(value)?))
            })
            .collect()
    }

    /// Complains of a place that no record has.
    pub(super) fn check(&self) -> Result<(), Unusable> {
        let seen = self.seen.borrow();
        match self.places.iter().find(|(_, place)| !seen.contains(place)) {
            None => Ok(()),
            Some((part, place)) => Err(Unusable::new(format!(
                "no record has the field `{place}` that `--map {part}={place}` names"
            ))),
        }
    }
}

/// What stands at a place: a field of that name, or a path of names with dots between; null is nothing.
pub(super) fn at<'r>(record: &'r Json, place: &str) -> Option<&'r Json> {
    let found = match (record.get(place), record) {
        (Some(value), _) => Some(value),
        (None, Json::Object(_)) => place
            .match_indices('.')
            .find_map(|(dot, _)| at(record.get(&place[..dot])?, &place[dot + 1..])),
        (None, Json::Array(items)) => {
            let (index, rest) = place.split_once('.').unwrap_or((place, ""));
            let item = items.get(index.parse::<usize>().ok()?)?;
            if rest.is_empty() {
                Some(item)
            } else {
                at(item, rest)
            }
        }
        _ => None,
    };
    found.filter(|value| !value.is_null())
}

/// A scalar as text; what is empty is nothing.
pub(super) fn text(value: &Json) -> Option<String> {
    let text = match value {
        Json::String(text) => text.trim().to_owned(),
        Json::Number(number) => number.to_string(),
        Json::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(pairs: &[&str]) -> Result<Mapping, Unusable> {
        let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        Mapping::parse(&pairs)
    }

    #[test]
    fn places_lead_into_maps_and_lists() {
        let record = json!({"a.b": 1, "a": {"c": [{"d": "x"}, null]}});
        assert_eq!(at(&record, "a.b"), Some(&json!(1)));
        assert_eq!(at(&record, "a.c.0.d"), Some(&json!("x")));
        assert_eq!(at(&record, "a.c.1"), None);
        assert_eq!(at(&record, "a.d"), None);
    }

    #[test]
    fn a_place_that_no_record_has_is_a_slip() {
        let mapping = parsed(&["state=text", "gold=lable"]).unwrap();
        let record = json!({"text": "Hello", "label": "x"});
        assert_eq!(mapping.get(&record, "state"), Some(&json!("Hello")));
        assert_eq!(mapping.get(&record, "gold"), None);
        let message = mapping.check().unwrap_err().to_string();
        assert!(message.contains("`lable`"), "{message}");
    }

    #[test]
    fn pairs_that_cannot_be_meant_are_refused() {
        for (pairs, says) in [
            (&["state"][..], "is no pair"),
            (&["stat=x"], "no part `stat`"),
            (&["strata.=x"], "no part"),
            (&["state=a", "state=b"], "twice"),
        ] {
            let message = parsed(pairs).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
    }
}
