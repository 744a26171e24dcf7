//! Personal data in texts, and what is put in its place.
//!
//! Each kind is a finder that gives the ranges of what it knows by its form. Texts are searched until no finder finds
//! more, and what stands in brackets from an earlier pass is left alone; so a redacted text stays as it is when it is
//! redacted again.

mod card;
mod digits;
mod iban;
mod ip;
mod mail;
mod name;
mod phone;

use std::collections::BTreeMap;
use std::ops::Range;

use decbench_core::config::{Personal, Redact};
use serde_json::{Map, Value as Json};

/// How often each kind was replaced.
pub(crate) type Counts = BTreeMap<&'static str, usize>;

/// The name of what a list of names finds.
const NAME: &str = "name";

/// Replaces personal data.
#[derive(Debug, Clone)]
pub(crate) struct Redactor {
    kinds: Vec<Personal>,
    names: Vec<name::Name>,
    keep: Vec<String>,
}

impl Redactor {
    /// What `decbench.toml` says; all kinds where it says nothing.
    pub(crate) fn new(rules: &Redact) -> Self {
        let mut names: Vec<name::Name> = rules
            .names
            .iter()
            .map(|text| name::Name::new(text))
            .collect();
        // Of names that begin alike the longest is meant.
        names.sort_by_key(|name| std::cmp::Reverse(name.length()));
        let wanted = |kind: &Personal| {
            rules
                .kinds
                .as_ref()
                .is_none_or(|kinds| kinds.contains(kind))
        };
        Self {
            kinds: Personal::ALL.into_iter().filter(wanted).collect(),
            names,
            keep: rules.keep.iter().map(|text| text.to_lowercase()).collect(),
        }
    }

    /// The text with personal data replaced by its kind in brackets.
    pub(crate) fn text(&self, text: &str, counts: &mut Counts) -> String {
        let mut redacted = String::with_capacity(text.len());
        let mut done = 0;
        for (range, kind) in self.find(text) {
            if let Some(kind) = kind {
                redacted.push_str(&text[done..range.start]);
                redacted.push('[');
                redacted.push_str(kind);
                redacted.push(']');
                done = range.end;
                *counts.entry(kind).or_default() += 1;
            }
        }
        redacted.push_str(&text[done..]);
        redacted
    }

    /// The value with all its texts redacted, keys and whole numbers included.
    pub(crate) fn json(&self, value: Json, counts: &mut Counts) -> Json {
        match value {
            Json::String(text) => Json::String(self.text(&text, counts)),
            Json::Number(number) => {
                let written = number.to_string();
                let redacted = self.text(&written, counts);
                if redacted == written {
                    Json::Number(number)
                } else {
                    Json::String(redacted)
                }
            }
            Json::Array(items) => items
                .into_iter()
                .map(|item| self.json(item, counts))
                .collect(),
            Json::Object(fields) => {
                let mut redacted = Map::new();
                for (key, value) in fields {
                    let key = self.text(&key, counts);
                    let mut free = key.clone();
                    let mut nth = 1;
                    while redacted.contains_key(&free) {
                        nth += 1;
                        free = format!("{key} {nth}");
                    }
                    redacted.insert(free, self.json(value, counts));
                }
                Json::Object(redacted)
            }
            other => other,
        }
    }

    /// What is replaced and what stays, ascending and apart from each other; without a kind it stays.
    fn find(&self, text: &str) -> Vec<(Range<usize>, Option<&'static str>)> {
        let mut found = self.placeholders(text);
        loop {
            let before = found.len();
            for kind in &self.kinds {
                let finder: fn(&str) -> Vec<Range<usize>> = match kind {
                    Personal::Mail => mail::find,
                    Personal::Iban => iban::find,
                    Personal::Card => card::find,
                    Personal::Ip => ip::find,
                    Personal::Phone => phone::find,
                    _ => continue,
                };
                self.search(text, &mut found, kind.name(), &finder);
            }
            self.search(text, &mut found, NAME, &|gap| name::find(gap, &self.names));
            if found.len() == before {
                return found;
            }
        }
    }

    /// Searches what is not found yet.
    fn search(
        &self,
        text: &str,
        found: &mut Vec<(Range<usize>, Option<&'static str>)>,
        kind: &'static str,
        finder: &dyn Fn(&str) -> Vec<Range<usize>>,
    ) {
        let mut gaps = Vec::new();
        let mut end = 0;
        for (range, _) in found.iter() {
            gaps.push(end..range.start);
            end = range.end;
        }
        gaps.push(end..text.len());
        for gap in gaps {
            for range in finder(&text[gap.clone()]) {
                let range = gap.start + range.start..gap.start + range.end;
                let kept = self.keep.contains(&text[range.clone()].to_lowercase());
                found.push((range, (!kept).then_some(kind)));
            }
        }
        found.sort_by_key(|(range, _)| range.start);
    }

    /// What an earlier pass has put in place of something.
    fn placeholders(&self, text: &str) -> Vec<(Range<usize>, Option<&'static str>)> {
        let mut found = Vec::new();
        let kinds = self.kinds.iter().map(|kind| kind.name());
        for kind in kinds.chain([NAME]) {
            let written = format!("[{kind}]");
            found.extend(
                text.match_indices(&written)
                    .map(|(start, _)| (start..start + written.len(), None)),
            );
        }
        found.sort_by_key(|(range, _)| range.start);
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn redactor(names: &[&str], keep: &[&str]) -> Redactor {
        let mut rules = Redact::default();
        rules.names = names.iter().map(|name| (*name).to_owned()).collect();
        rules.keep = keep.iter().map(|text| (*text).to_owned()).collect();
        Redactor::new(&rules)
    }

    fn redacted(text: &str) -> (String, Counts) {
        let mut counts = Counts::new();
        let text =
            redactor(&["Ada Lovelace", "Zoë"], &["help@example.com"]).text(text, &mut counts);
        (text, counts)
    }

    #[test]
    fn each_kind_is_replaced_by_its_name() {
        let (text, counts) = redacted(
            "ZOË (ada@example.com, +49 30 901820) paid with 4111 1111 1111 1111 from 192.0.2.7 or 2001:db8::1, \
             refund to DE89 3704 0044 0532 0130 00. Ask help@example.com.",
        );
        assert_eq!(
            text,
            "[name] ([mail], [phone]) paid with [card] from [ip] or [ip], refund to [iban]. Ask help@example.com."
        );
        let counted: Vec<_> = counts.into_iter().collect();
        assert_eq!(
            counted,
            [
                ("card", 1),
                ("iban", 1),
                ("ip", 2),
                ("mail", 1),
                ("name", 1),
                ("phone", 1)
            ]
        );
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        for text in [
            "Order 10482233 of 2026-11-30, 10:30:15, 18.50 euros",
            "01.02.2026 10:15 and 0.123456789",
            "version 1.2.3 at std::fmt::Display, 12 @ home",
            "NO94 8601 1117 947 has other check digits",
            "4111 1111 1111 1112 has another check digit",
            "[mail] [name] [iban]",
            "Zoëtrope",
        ] {
            assert_eq!(redacted(text), (text.to_owned(), Counts::new()));
        }
    }

    #[test]
    fn a_number_beside_another_is_found_too() {
        assert_eq!(redacted("030 1234567 4111111111111111").0, "[phone] [card]");
    }

    #[test]
    fn kinds_that_are_not_wanted_stay() {
        let mut rules = Redact::default();
        rules.kinds = Some(vec![Personal::Ip]);
        let mut counts = Counts::new();
        let text = Redactor::new(&rules).text("ada@example.com 192.0.2.7", &mut counts);
        assert_eq!(text, "ada@example.com [ip]");
    }

    #[test]
    fn values_are_redacted_wherever_they_stand() {
        let mut counts = Counts::new();
        let value = json!({
            "from": ["ada@example.com", true, null], "ada@example.com": 1, "zoë@example.com": 2,
            "card": 4_111_111_111_111_111_u64, "order": 10_482_233, "price": 18.5,
        });
        let value = redactor(&[], &[]).json(value, &mut counts);
        let expected = json!({
            "from": ["[mail]", true, null], "[mail]": 1, "[mail] 2": 2, "card": "[card]", "order": 10_482_233,
            "price": 18.5,
        });
        assert_eq!(value, expected);
        assert_eq!(counts["mail"], 3);
    }

    proptest! {
        #[test]
        fn nothing_is_redacted_twice(text in "([0-9+() .:-]|[a-fA-F]|@|DE89|4111111111111111|ada@x\\.org|Zoë|\\[mail\\]|ü|\u{1F600}){0,40}") {
            let (once, _) = redacted(&text);
            let (twice, counts) = redacted(&once);
            prop_assert_eq!(&once, &twice);
            prop_assert!(counts.is_empty());
        }

        #[test]
        fn what_is_around_stays_as_it_was(before in "[a-zäöü ,;]{0,12}", after in "[a-zäöü ,;]{0,12}") {
            let (text, counts) = redacted(&format!("{before} ada@example.com {after}"));
            prop_assert_eq!(text, format!("{before} [mail] {after}"));
            prop_assert_eq!(counts.values().sum::<usize>(), 1);
        }
    }
}
