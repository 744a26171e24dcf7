//! "Did you mean": the nearest known name.

/// The known name nearest to `wanted`, when it is near enough to be a slip of the fingers.
///
/// The distance counts inserted, dropped, replaced and swapped neighbouring characters; letter case, `-` and `_` make
/// no difference. A name counts as near up to a quarter of its length, at least one.
///
/// ```
/// use decbench_core::diagnostic::nearest;
/// assert_eq!(nearest("recal", ["recall", "precision"]), Some("recall"));
/// assert_eq!(nearest("xyz", ["recall", "precision"]), None);
/// ```
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(wanted);
    // Nobody mistypes a text this long, and the cost grows with the product of the lengths.
    if wanted.len() > 200 {
        return None;
    }
    known
        .into_iter()
        .filter(|name| name.len() <= 400)
        .map(|name| (distance(&wanted, &folded(name)), name))
        .filter(|(distance, name)| *distance <= (name.chars().count().max(wanted.len()) / 4).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn folded(text: &str) -> Vec<char> {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| {
            if letter == '-' || letter == ' ' {
                '_'
            } else {
                letter
            }
        })
        .collect()
}

/// Optimal string alignment: edits and swaps of neighbours, no character touched twice.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, left) in a.iter().enumerate() {
        let mut current = vec![row + 1; b.len() + 1];
        for (column, right) in b.iter().enumerate() {
            let replaced = last[column] + usize::from(left != right);
            let mut best = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *left == b[column - 1] && a[row - 1] == *right {
                best = best.min(before_last[column - 1] + 1);
            }
            current[column + 1] = best;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_drops_and_case_are_near() {
        let known = ["accuracy", "ece", "order_flip_rate", "options"];
        assert_eq!(nearest("acuracy", known), Some("accuracy"));
        assert_eq!(nearest("optoins", known), Some("options"));
        assert_eq!(nearest("Order-Flip-Rate", known), Some("order_flip_rate"));
        assert_eq!(nearest("cee", known), Some("ece"));
        assert_eq!(nearest("banana", known), None);
        assert_eq!(nearest("functions", ["questions"]), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn the_distance_is_that_of_the_textbook() {
        let between = |a: &str, b: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            distance(&letters(a), &letters(b))
        };
        assert_eq!(between("kitten", "sitting"), 3);
        assert_eq!(between("ca", "abc"), 3);
        assert_eq!(between("ab", "ba"), 1);
        assert_eq!(between("", "abc"), 3);
    }
}
