//! Numbers of telephones.

use std::ops::Range;

use super::digits::{Group, digits, is_space, runs, stretches};

/// Numbers with a country's code, those that begin with 0, and those of ten digits in the grouping of North America.
///
/// A telephone number has no check digit, so its form decides: what is shorter, a date or a decimal number stays.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    runs(text, between)
        .iter()
        .flat_map(|run| stretches(run, |groups| phone(text, groups)))
        .collect()
}

/// Up to three signs of those that people put between groups.
fn between(gap: &str) -> bool {
    let sign = |character: char| is_space(character) || "-–./()".contains(character);
    gap.chars().count() <= 3 && gap.chars().all(sign)
}

fn phone(text: &str, groups: &[Group]) -> Option<Range<usize>> {
    let (first, last) = (groups.first()?, groups.last()?);
    let number = digits(text, groups);
    let before = &text[first.before.clone()];
    let plus = before.ends_with('+') || before.ends_with("+(");
    let lengths: Vec<usize> = groups.iter().map(|group| group.range.len()).collect();
    let zeros = number.len() - number.trim_start_matches('0').len();
    let sound = if plus {
        (8..=15).contains(&number.len())
    } else {
        match zeros {
            0 => {
                matches!(lengths[..], [3, 3, 4])
                    || number.starts_with('1') && lengths == [1, 3, 3, 4]
            }
            1 => {
                (9..=12).contains(&number.len()) && !is_date(&lengths) && !is_decimal(text, groups)
            }
            2 => (10..=17).contains(&number.len()),
            _ => false,
        }
    };
    let opened = before.len() - before.trim_end_matches(['+', '(']).len();
    sound.then(|| first.range.start - opened..last.range.end)
}

/// Day, month and year, and perhaps an hour.
fn is_date(lengths: &[usize]) -> bool {
    lengths.starts_with(&[2, 2, 4])
}

fn is_decimal(text: &str, groups: &[Group]) -> bool {
    match groups {
        [whole, fraction, ..] => whole.range.len() == 1 && &text[fraction.before.clone()] == ".",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn numbers_are_found_as_people_write_them() {
        for number in [
            "+49 30 901820",
            "+49 (0)30 90 18 20",
            "0049 30 901820",
            "030 901820-12",
            "(030) 90 18 20",
            "0151/23456789",
            "(415) 555-0132",
            "415-555-0132",
            "1-415-555-0132",
            "+14155550132",
        ] {
            let text = format!("Größe 12, call {number}.");
            assert_eq!(found(&text), [number]);
        }
    }

    #[test]
    fn what_is_short_or_something_else_stays() {
        for text in [
            "order 10482233",
            "2026-11-30",
            "01.02.2026 10",
            "0.123456789",
            "room 0123",
            "1 000 000 000",
            "+1 234",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_international_number_is_found(number in "\\+[1-9][0-9]{7,14}") {
            let text = format!("ö {number} ok");
            prop_assert_eq!(found(&text), [number.as_str()]);
        }
    }
}
