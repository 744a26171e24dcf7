//! Addresses of the Internet Protocol.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

/// Every address of version 4 in four decimal parts, and of version 6 in any of its forms.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let fits =
        |character: char| character.is_ascii_hexdigit() || character == '.' || character == ':';
    let mut at = 0;
    while let Some(offset) = text[at..].find(fits) {
        let start = at + offset;
        let length = text[start..].find(|character| !fits(character));
        let end = length.map_or(text.len(), |length| start + length);
        at = end;
        let touches = |character: char| character.is_alphanumeric() || character == '_';
        let touched = text[..start].chars().next_back().is_some_and(touches)
            || text[end..].chars().next().is_some_and(touches);
        if !touched && let Some(range) = address(text, start..end) {
            found.push(range);
        }
    }
    found
}

/// The address in a run of its characters; the punctuation of a sentence around it is left out.
fn address(text: &str, run: Range<usize>) -> Option<Range<usize>> {
    let is_address = |range: &Range<usize>| {
        let part = &text[range.clone()];
        is_version_4(part)
            || part.bytes().any(|byte| byte.is_ascii_digit()) && part.parse::<Ipv6Addr>().is_ok()
    };
    let whole = &text[run.clone()];
    let dots = whole.trim_end_matches('.').len();
    let both = whole.trim_end_matches(['.', ':']).len();
    let colon = whole.len() - whole.trim_start_matches(':').len();
    // A port after version 4 is no part of the address.
    let port = whole
        .split_once(':')
        .map_or(whole.len(), |(address, _)| address.len());
    [
        (0, whole.len()),
        (0, dots),
        (0, both),
        (0, port),
        (colon, both),
    ]
    .into_iter()
    .filter(|(first, end)| first < end)
    .map(|(first, end)| run.start + first..run.start + end)
    .find(is_address)
}

/// Four numbers up to 255; some programs write them with leading zeros.
fn is_version_4(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let number = |part: &&str| {
        (1..=3).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u8>().is_ok()
    };
    text.parse::<Ipv4Addr>().is_ok() || parts.len() == 4 && parts.iter().all(number)
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
            found(
                "From 192.0.2.7, 198.51.100.023:8080 and (fe80::1). Also ::1: yes; ::ffff:192.0.2.9."
            ),
            [
                "192.0.2.7",
                "198.51.100.023",
                "fe80::1",
                "::1",
                "::ffff:192.0.2.9"
            ]
        );
    }

    #[test]
    fn times_versions_and_paths_are_none() {
        for text in [
            "10:30:15",
            "1.2.3",
            "256.1.1.1",
            "v1.2.3.4",
            "1.2.3.4.5",
            "std::fmt",
            "a::b",
            "::",
            "ab:cd",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_address_is_found(four in any::<u32>(), six in any::<u128>()) {
            let four = Ipv4Addr::from(four).to_string();
            let six = Ipv6Addr::from(six).to_string();
            let text = format!("ß {four}, [{six}]");
            let expected = if six.bytes().any(|byte| byte.is_ascii_digit()) { vec![four.as_str(), &six] } else { vec![four.as_str()] };
            prop_assert_eq!(found(&text), expected);
        }
    }
}
