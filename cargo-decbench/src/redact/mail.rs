//! Addresses of electronic mail.

use std::ops::Range;

/// Every address with a domain of at least two labels, the last of letters.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('@') {
        let from = found.last().map_or(0, |last| last.end);
        if at < from {
            continue;
        }
        let local = &text[from..at];
        let start = from + local.len() - run(local.chars().rev(), is_local);
        let start = start + run(text[start..at].chars(), |character| character == '.');
        let domain = &text[at + 1..];
        let domain = &domain[..run(domain.chars(), is_domain)];
        let domain = domain.trim_end_matches(['.', '-']);
        let last = domain.rsplit_once('.').map(|(_, last)| last);
        let sound = last.is_some_and(|last| {
            last.chars().count() >= 2
                && (last.starts_with("xn--") || last.chars().all(char::is_alphabetic))
        });
        if start < at && sound && !domain.starts_with(['.', '-']) {
            found.push(start..at + 1 + domain.len());
        }
    }
    found
}

/// The bytes of the characters that come first and fit.
fn run(characters: impl Iterator<Item = char>, fits: impl Fn(char) -> bool) -> usize {
    characters
        .take_while(|character| fits(*character))
        .map(char::len_utf8)
        .sum()
}

fn is_local(character: char) -> bool {
    character.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(character)
}

fn is_domain(character: char) -> bool {
    character.is_alphanumeric() || character == '.' || character == '-'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        assert_eq!(
            found("To <ada.l+x@mail.example.co.uk>, or jörg@müller.de."),
            ["ada.l+x@mail.example.co.uk", "jörg@müller.de"]
        );
        assert_eq!(found("mailto:a@b.org?x"), ["a@b.org"]);
    }

    #[test]
    fn what_has_no_domain_is_no_address() {
        for text in [
            "root@localhost",
            "3 @ 4.50",
            "@ada",
            "a@b.c",
            "a@.org",
            "x@1.2",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_address_is_found(address in "[a-z0-9]([a-z0-9._+-]{0,10}[a-z0-9])?@[a-z0-9]{1,8}(\\.[a-z0-9]{1,5})?\\.[a-z]{2,6}") {
            let text = format!("Mail {address}, please");
            prop_assert_eq!(found(&text), [address.as_str()]);
        }
    }
}
