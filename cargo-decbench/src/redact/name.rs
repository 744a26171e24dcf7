//! Names that somebody has listed.

use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;

/// A name, ready to be searched.
#[derive(Debug, Clone)]
pub(super) struct Name {
    /// Its small letters, their accents apart; a space stands for any white space.
    letters: Vec<char>,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        Self {
            letters: words.join(" ").chars().flat_map(folded).collect(),
        }
    }

    pub(super) fn length(&self) -> usize {
        self.letters.len()
    }

    /// How many bytes of the text's beginning are the name.
    fn length_in(&self, text: &str) -> Option<usize> {
        let mut wanted = self.letters.iter().copied().peekable();
        let mut characters = text.char_indices().peekable();
        while let Some(letter) = wanted.peek().copied() {
            let (_, character) = characters.next()?;
            if letter == ' ' && character.is_whitespace() {
                while characters
                    .next_if(|(_, next)| next.is_whitespace())
                    .is_some()
                {}
                wanted.next();
                continue;
            }
            for small in folded(character) {
                wanted.next_if_eq(&small)?;
            }
        }
        let end = characters.peek().map_or(text.len(), |(at, _)| *at);
        let goes_on = characters.peek().is_some_and(|(_, next)| is_of_word(*next));
        (!goes_on).then_some(end)
    }
}

/// A character's small letters, accents apart from what they stand on: some programs write them in one, some apart.
fn folded(character: char) -> Vec<char> {
    let small = character.to_lowercase();
    if character.is_ascii() {
        return small.collect();
    }
    DecomposingNormalizerBorrowed::new_nfd()
        .normalize_iter(small)
        .collect()
}

/// Whether a word goes on with it: a letter, a digit, or an accent of the letter before.
fn is_of_word(character: char) -> bool {
    character.is_alphanumeric()
        || (!character.is_ascii()
            && CanonicalCombiningClassMapBorrowed::new().get_u8(character) != 0)
}

/// Every name as a whole word, in any case of letters; names come longest first.
pub(super) fn find(text: &str, names: &[Name]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut free = 0;
    let mut before = None;
    for (start, character) in text.char_indices() {
        let within = before.is_some_and(is_of_word);
        before = Some(character);
        if start < free || within {
            continue;
        }
        let length = names
            .iter()
            .filter(|name| name.length() > 0)
            .find_map(|name| name.length_in(&text[start..]));
        if let Some(length) = length {
            found.push(start..start + length);
            free = start + length;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'t>(text: &'t str, names: &[&str]) -> Vec<&'t str> {
        let mut names: Vec<Name> = names.iter().map(|name| Name::new(name)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.length()));
        find(text, &names)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn names_are_whole_words_in_any_case_of_letters() {
        let names = ["Ada", "Ada Lovelace", "ÖZGÜR", "İpek"];
        assert_eq!(
            found(
                "ADA  lovelace's line, Özgür, Ada-Sofie; Adana, Canada, İPEK",
                &names
            ),
            ["ADA  lovelace", "Özgür", "Ada", "İPEK"]
        );
        assert!(found("nobody", &[" "]).is_empty());
    }

    #[test]
    fn accents_are_found_in_one_with_their_letter_and_apart_from_it() {
        let (one, apart) = ("Zoë", "Zoe\u{308}");
        for (name, written) in [(one, apart), (apart, one), (one, one), (apart, apart)] {
            let text = format!("von {written}, bitte");
            assert_eq!(found(&text, &[name]), [written]);
        }
        // An accent makes another name of it, and a word goes on behind one.
        assert!(found(apart, &["Zoe"]).is_empty());
        assert!(found("e\u{301}Ada", &["Ada"]).is_empty());
    }

    proptest! {
        #[test]
        fn every_listed_name_is_found(name in "[A-ZÄÖÜ][a-zäöüß]{1,9}( [A-ZÄÖÜ][a-zäöüß]{1,9})?") {
            for written in [name.clone(), name.to_lowercase()] {
                let text = format!("Frau {written}, bitte");
                prop_assert_eq!(found(&text, &[&name]), [written.as_str()]);
            }
        }
    }
}
