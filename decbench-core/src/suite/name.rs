//! Names of suites, candidates, questions and trials.

use crate::metric::METRICS;

/// What is wrong with a suite's or candidate's name.
pub(super) fn name_problem(name: &str) -> Option<&'static str> {
    let mut letters = name.bytes();
    let Some(first) = letters.next() else {
        return Some("it is empty");
    };
    let inner = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'-')
    };
    if !(first.is_ascii_lowercase() || first.is_ascii_digit()) {
        Some("it must start with a small letter or a digit")
    } else if !letters.all(inner) {
        Some("it may hold only small letters, digits, `_`, `.` and `-`")
    } else if name.ends_with(".judges") {
        Some("what judges of a suite answer is recorded under such a name")
    } else if name.ends_with('.') {
        Some("it must not end with a point, which Windows drops from file names")
    } else if is_device(name) {
        Some("Windows keeps this name for a device")
    } else {
        None
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    matches!(stem, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || ["com", "lpt"].iter().any(|prefix| {
            stem.strip_prefix(prefix)
                .is_some_and(|digit| digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit())
        })
}

/// A name as near as possible to `name` that [`name_problem`] accepts.
pub(super) fn proposed_name(name: &str) -> Option<String> {
    if name
        .chars()
        .any(|letter| letter.is_alphabetic() && !letter.is_ascii())
    {
        return None;
    }
    let proposal: String = name
        .trim()
        .to_lowercase()
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.') {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let proposal = proposal.trim_matches(['-', '.', '_']).to_owned();
    (!proposal.is_empty() && name_problem(&proposal).is_none()).then_some(proposal)
}

/// What is wrong with a question's name.
pub(super) fn question_name_problem(name: &str) -> Option<&'static str> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    if name.is_empty() {
        Some("it is empty")
    } else if !name.bytes().all(letter) {
        Some("it may hold only letters, digits, `_`, `.` and `-`")
    } else if METRICS.iter().any(|info| {
        info.name == name
            || info
                .name
                .split_once('.')
                .is_some_and(|(first, _)| first == name)
    }) {
        Some("a metric has this name, and `question.metric` would be unclear")
    } else {
        None
    }
}

/// A text as it stands in the name of a trial: characters outside `[A-Za-z0-9_.\[\]-]` become `_`.
///
/// ```
/// assert_eq!(decbench_core::suite::trial_part("coverage[accuracy >= 98%]"), "coverage[accuracy____98_]");
/// ```
pub fn trial_part(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '[' | ']' | '-') {
                letter
            } else {
                '_'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_file_system_would_bend_are_refused() {
        for name in [
            "call-routing",
            "jev",
            "jev-1.13.0",
            "a_b",
            "7b",
            "console",
            "com10",
            "nullable",
        ] {
            assert_eq!(name_problem(name), None, "{name}");
        }
        for name in [
            "Jev",
            "-a",
            "a b",
            "ä",
            "con",
            "nul.jsonl",
            "com1",
            "lpt9.x",
            "a.",
            "a/b",
        ] {
            assert!(name_problem(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_proposed_name_is_a_good_name() {
        assert_eq!(
            proposed_name("Call Routing").as_deref(),
            Some("call-routing")
        );
        assert_eq!(proposed_name("Über uns"), None);
        assert_eq!(proposed_name("con"), None);
    }
}
