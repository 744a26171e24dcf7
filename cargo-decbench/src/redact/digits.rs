//! Groups of digits with something between them, as people write long numbers.

use std::ops::Range;

/// Digits in a row, and what stands before them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) range: Range<usize>,
    /// What stands between the group before and this one, or a sign directly before the first.
    pub(super) before: Range<usize>,
}

/// Runs of groups: between two groups of a run stands only what `between` takes, and no letter touches a group.
pub(super) fn runs(text: &str, between: impl Fn(&str) -> bool) -> Vec<Vec<Group>> {
    let mut runs: Vec<Vec<Group>> = Vec::new();
    let mut end = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let length = bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let range = at..at + length;
        at = range.end;
        let before = end..range.start;
        let touched = text[..range.start]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
            || text[range.end..]
                .chars()
                .next()
                .is_some_and(char::is_alphanumeric);
        end = range.end;
        if touched {
            // Not even what comes next goes on from here.
            runs.push(Vec::new());
            continue;
        }
        match runs.last_mut() {
            Some(run) if !run.is_empty() && between(&text[before.clone()]) => {
                run.push(Group { range, before });
            }
            _ => runs.push(vec![Group { range, before }]),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The longest stretches of a run that `fits` takes, from left to right and apart from each other.
pub(super) fn stretches(
    run: &[Group],
    fits: impl Fn(&[Group]) -> Option<Range<usize>>,
) -> Vec<Range<usize>> {
    // No number has more groups than digits.
    const LONGEST: usize = 19;
    let mut found = Vec::new();
    let mut first = 0;
    while first < run.len() {
        let longest = run.len().min(first + LONGEST);
        let hit = (first + 1..=longest)
            .rev()
            .find_map(|end| Some((end, fits(&run[first..end])?)));
        match hit {
            Some((end, range)) => {
                found.push(range);
                first = end;
            }
            None => first += 1,
        }
    }
    found
}

/// The digits of some groups.
pub(super) fn digits(text: &str, groups: &[Group]) -> String {
    groups
        .iter()
        .map(|group| &text[group.range.clone()])
        .collect()
}

/// A space, also one that breaks no line.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '\u{202f}')
}
