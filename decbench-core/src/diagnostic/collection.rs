//! All mistakes found in one go.

use std::collections::BTreeMap;
use std::fmt;

use super::{Diagnostic, Severity};

/// How many mistakes of one kind in one file are shown; the rest is counted.
const SHOWN_OF_A_KIND: usize = 50;

/// Mistakes in the order of files and positions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No mistakes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, and returns it so that more can be said about it.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Adds all of another collection.
    pub fn extend(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// How many of this severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// One after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Orders them by file (in the order the files were first spoken of) and position.
    pub(crate) fn sort(&mut self) {
        let mut files: BTreeMap<String, usize> = BTreeMap::new();
        for diagnostic in &self.list {
            let next = files.len();
            files.entry(diagnostic.source.name.clone()).or_insert(next);
        }
        self.list.sort_by_key(|diagnostic| {
            (
                files.get(&diagnostic.source.name).copied(),
                diagnostic.span.start,
            )
        });
    }

    /// All messages as plain text, one blank line between them and a count at the end; of more than 50 alike in one
    /// file the rest is only counted.
    pub fn render(&self) -> String {
        let mut shown: BTreeMap<(&'static str, &str), usize> = BTreeMap::new();
        let mut parts = Vec::new();
        for diagnostic in &self.list {
            let seen = shown
                .entry((diagnostic.code, &diagnostic.source.name))
                .or_default();
            *seen += 1;
            if *seen <= SHOWN_OF_A_KIND {
                parts.push(diagnostic.render());
            }
        }
        for ((code, file), seen) in &shown {
            if let Some(more) = seen.checked_sub(SHOWN_OF_A_KIND).filter(|more| *more > 0) {
                parts.push(format!("and {more} more [{code}] in {file}"));
            }
        }
        if self.list.len() > 1 {
            parts.push(self.counts());
        }
        parts.join("\n\n")
    }

    fn counts(&self) -> String {
        let plural = |count: usize, word: &str| match count {
            0 => None,
            1 => Some(format!("1 {word}")),
            _ => Some(format!("{count} {word}s")),
        };
        let parts: Vec<String> = [Severity::Error, Severity::Warning]
            .into_iter()
            .filter_map(|severity| plural(self.count(severity), severity.name()))
            .collect();
        parts.join(", ")
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            list: vec![diagnostic],
        }
    }
}

impl From<Box<Diagnostic>> for Diagnostics {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::from(*diagnostic)
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        Self {
            list: diagnostics.into_iter().collect(),
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Source, Span};
    use super::*;

    fn many(count: usize) -> Diagnostics {
        let source = Arc::new(Source::new("a.yaml", "x\n".repeat(count)));
        (0..count)
            .rev()
            .map(|line| {
                Diagnostic::error(
                    "unknown-key",
                    Arc::clone(&source),
                    Span::new(2 * line, 2 * line + 1),
                    "unknown key `x`",
                )
            })
            .collect()
    }

    #[test]
    fn mistakes_are_ordered_by_position() {
        let mut diagnostics = many(3);
        diagnostics.sort();
        let lines: Vec<usize> = diagnostics.iter().map(|d| d.position().line).collect();
        assert_eq!(lines, [1, 2, 3]);
    }

    #[test]
    fn a_flood_of_one_kind_is_cut_and_counted() {
        let text = many(53).render();
        assert_eq!(text.matches("error[unknown-key]").count(), 50);
        assert!(
            text.ends_with("and 3 more [unknown-key] in a.yaml\n\n53 errors"),
            "{text}"
        );
    }
}
