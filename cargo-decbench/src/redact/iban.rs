//! International account numbers (ISO 13616).

use std::ops::Range;

use super::digits::is_space;

/// How many characters an account number has, by country.
const LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];

/// Every account number whose check digits are right, in small or capital letters, with or without spaces.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut free = 0;
    let mut before = None;
    for (start, character) in text.char_indices() {
        let touched = before.is_some_and(char::is_alphanumeric);
        before = Some(character);
        if start < free || touched || !character.is_ascii_alphabetic() {
            continue;
        }
        if let Some(length) = number_at(&text[start..]) {
            found.push(start..start + length);
            free = start + length;
        }
    }
    found
}

/// How many bytes the account number at the beginning of a text has.
fn number_at(text: &str) -> Option<usize> {
    let country = text.get(..2)?.to_ascii_uppercase();
    let (_, wanted) = LENGTHS.iter().find(|(code, _)| *code == country)?;
    let mut number = String::with_capacity(*wanted);
    let mut gap = false;
    let mut end = 0;
    for (at, character) in text.char_indices() {
        if number.len() == *wanted {
            break;
        }
        if character.is_ascii_alphanumeric() {
            number.push(character.to_ascii_uppercase());
            end = at + 1;
            gap = false;
        } else if !gap && number.len() >= 4 && (is_space(character) || character == '-') {
            gap = true;
        } else {
            return None;
        }
    }
    let touched = text[end..]
        .chars()
        .next()
        .is_some_and(char::is_alphanumeric);
    let checked = number.get(2..4)?.bytes().all(|byte| byte.is_ascii_digit());
    (number.len() == *wanted && !touched && checked && remainder(&number) == 1).then_some(end)
}

/// The remainder modulo 97 of the number with its first four characters last and letters as 10 to 35.
fn remainder(number: &str) -> u32 {
    let (head, body) = number.split_at(4);
    body.chars()
        .chain(head.chars())
        .filter_map(|character| character.to_digit(36))
        .fold(0, |rest, value| {
            let shift = if value < 10 { 10 } else { 100 };
            (rest * shift + value) % 97
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The number with its check digits, by long division over the decimal text.
    fn checked(country: &str, body: &str) -> String {
        let decimal: String = format!("{body}{country}00")
            .chars()
            .map(|character| character.to_digit(36).unwrap().to_string())
            .collect();
        let rest = decimal
            .bytes()
            .fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
        format!("{country}{:02}{body}", 98 - rest)
    }

    #[test]
    fn published_examples_are_found() {
        for number in [
            "DE89 3704 0044 0532 0130 00",
            "GB29NWBK60161331926819",
            "fr14 2004 1010 0505 0001 3m02 606",
            "NO93-8601-1117-947",
            "MT84 MALT 0110 0001 2345 MTLC AST0 01S",
        ] {
            let text = format!("Überweisung an {number}.");
            let found: Vec<&str> = find(&text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, [number]);
        }
    }

    #[test]
    fn what_letters_touch_is_none() {
        assert!(find("XDE89370400440532013000").is_empty());
        assert!(find("DE893704004405320130001").is_empty());
        assert!(find("DE89  3704 0044 0532 0130 00").is_empty());
    }

    proptest! {
        #[test]
        fn every_valid_number_is_found_and_no_other(
            country in 0..LENGTHS.len(), body in "[0-9A-Z]{29}", spaced in any::<bool>(), place in 4_usize..15, shift in 1_u32..10,
        ) {
            let (code, length) = LENGTHS[country];
            let number = checked(code, &body[..length - 4]);
            let written = if spaced {
                number.as_bytes().chunks(4).map(|part| String::from_utf8_lossy(part).into_owned()).collect::<Vec<_>>().join(" ")
            } else {
                number.clone()
            };
            let text = format!("An: {written}, ok");
            let found: Vec<&str> = find(&text).into_iter().map(|range| &text[range]).collect();
            prop_assert_eq!(found, [written.as_str()]);
            // One digit that is another makes the check digits wrong: 97 is prime and greater than any difference.
            let mut wrong: Vec<char> = number.chars().collect();
            if let Some(digit) = wrong[place].to_digit(10) {
                wrong[place] = char::from_digit((digit + shift) % 10, 10).unwrap();
                let wrong: String = wrong.into_iter().collect();
                prop_assert!(find(&wrong).is_empty());
            }
        }
    }
}
