//! Numbers of payment cards.

use std::ops::Range;

use super::digits::{Group, digits, is_space, runs, stretches};

/// Every number of 13 to 19 digits that does not begin with 0 and whose last digit is its check digit (Luhn).
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let between = |gap: &str| {
        let mut characters = gap.chars();
        let first = characters.next();
        characters.next().is_none()
            && first.is_some_and(|character| is_space(character) || "-.".contains(character))
    };
    runs(text, between)
        .iter()
        .flat_map(|run| stretches(run, |groups| card(text, groups)))
        .collect()
}

fn card(text: &str, groups: &[Group]) -> Option<Range<usize>> {
    let number = digits(text, groups);
    let sound = (13..=19).contains(&number.len()) && !number.starts_with('0') && luhn(&number);
    Some(groups.first()?.range.start..groups.last()?.range.end).filter(|_| sound)
}

/// Whether the last digit is the check digit of those before it.
fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0');
            match place % 2 {
                0 => digit,
                _ if digit > 4 => 2 * digit - 9,
                _ => 2 * digit,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The check digit by the definition: the one that makes the sum of digits a multiple of ten.
    fn with_check_digit(body: &str) -> String {
        let mut total = 0;
        for (place, digit) in body.chars().rev().enumerate() {
            let digit = digit.to_digit(10).unwrap();
            let doubled = if place % 2 == 0 { digit * 2 } else { digit };
            total += doubled / 10 + doubled % 10;
        }
        format!("{body}{}", (10 - total % 10) % 10)
    }

    fn grouped(number: &str, size: usize, between: &str) -> String {
        let digits: Vec<char> = number.chars().collect();
        let groups: Vec<String> = digits
            .chunks(size)
            .map(|group| group.iter().collect())
            .collect();
        groups.join(between)
    }

    #[test]
    fn published_test_numbers_are_found_in_any_grouping() {
        for number in [
            "4111111111111111",
            "3782 822463 10005",
            "5555-5555-5555-4444",
            "6011\u{a0}1111\u{a0}1111\u{a0}1117",
        ] {
            let text = format!("ü {number}, 12/27");
            let found: Vec<&str> = find(&text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, [number]);
        }
    }

    #[test]
    fn what_letters_touch_is_no_card() {
        assert!(find("x4111111111111111 4111111111111111x").is_empty());
        assert!(find("0000000000000000").is_empty());
        assert!(find("4111  1111  1111  1111").is_empty());
    }

    proptest! {
        #[test]
        fn every_valid_number_is_found_and_no_other(body in "[1-9][0-9]{11,17}", size in 3_usize..20, between in "[ -]", wrong in 1_u32..10) {
            let number = with_check_digit(&body);
            let text = format!("Karte: {}.", grouped(&number, size, &between));
            let found = find(&text);
            prop_assert_eq!(found.len(), 1);
            prop_assert_eq!(text[found[0].clone()].replace([' ', '-'], ""), number.clone());
            // With any other last digit the whole number is none.
            let last = number[body.len()..].parse::<u32>().unwrap();
            let other = format!("{body}{}", (last + wrong) % 10);
            prop_assert!(find(&other).is_empty());
        }
    }
}
