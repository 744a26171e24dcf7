//! Which lines of a text changed.

use std::fmt::Write;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 2;

/// Beyond this many pairs of lines no common lines are looked for, and everything between the first and the last
/// difference is shown as changed.
const MOST_PAIRS: usize = 4_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Change {
    Kept,
    Removed,
    Added,
}

/// The lines that only `old` (`-`) or only `new` (`+`) has, with two lines around them and `…` for what is left out.
pub(super) fn line_diff(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let lines = changes(&old, &new);
    let near_change = |index: usize| {
        lines[index.saturating_sub(CONTEXT)..lines.len().min(index + CONTEXT + 1)]
            .iter()
            .any(|(change, _)| *change != Change::Kept)
    };
    let mut text = String::new();
    let mut skipping = false;
    for (index, (change, line)) in lines.iter().enumerate() {
        if !near_change(index) {
            if !skipping {
                text.push_str("  …\n");
            }
            skipping = true;
            continue;
        }
        skipping = false;
        let mark = match change {
            Change::Kept => ' ',
            Change::Removed => '-',
            Change::Added => '+',
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", format!("{mark} {line}").trim_end());
    }
    text
}

fn changes<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Change, &'a str)> {
    let same_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (head, old) = old.split_at(same_start);
    let new = &new[same_start..];
    let same_end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, tail) = old.split_at(old.len() - same_end);
    let new = &new[..new.len() - same_end];

    let mut lines: Vec<(Change, &str)> = head.iter().map(|line| (Change::Kept, *line)).collect();
    let common = common_lengths(old, new);
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] && common.is_some() {
            lines.push((Change::Kept, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len()
                || common
                    .as_ref()
                    .is_none_or(|common| common[i + 1][j] >= common[i][j + 1]))
        {
            lines.push((Change::Removed, old[i]));
            i += 1;
        } else {
            lines.push((Change::Added, new[j]));
            j += 1;
        }
    }
    lines.extend(tail.iter().map(|line| (Change::Kept, *line)));
    lines
}

/// How many lines the rests from `[i]` and `[j]` have in common, in order; `None` where that is too much work.
fn common_lengths(old: &[&str], new: &[&str]) -> Option<Vec<Vec<u32>>> {
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return None;
    }
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_changed_line_is_shown_with_its_surroundings() {
        let old = "a\nb\nc\nd\ne\nf\ng\n";
        let new = "a\nb\nc\nD\ne\nf\ng\n";
        assert_eq!(
            line_diff(old, new),
            "  …\n  b\n  c\n- d\n+ D\n  e\n  f\n  …\n"
        );
    }

    #[test]
    fn a_new_text_is_all_added() {
        assert_eq!(line_diff("", "a\nb\n"), "+ a\n+ b\n");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back_from_the_changes(
            old in prop::collection::vec("[abc]", 0..12),
            new in prop::collection::vec("[abc]", 0..12),
        ) {
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let lines = changes(&old, &new);
            let read = |without: Change| -> Vec<&str> {
                lines.iter().filter(|(change, _)| *change != without).map(|(_, line)| *line).collect()
            };
            prop_assert_eq!(read(Change::Added), old);
            prop_assert_eq!(read(Change::Removed), new);
        }
    }
}
