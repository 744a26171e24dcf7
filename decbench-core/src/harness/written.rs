//! Suites that are written in Rust.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::linked::{linked_policies, linked_types};
use crate::diagnostic::{Diagnostics, Source, Span};
use crate::suite::{FromRust, Loaded, Part, PartKey, RustType, Tree, check_with};

/// A suite that `#[decbench::test(question = …, options = Team, …)]` writes.
#[derive(Debug, Clone, Copy)]
pub struct WrittenSuite {
    /// The folder of the `Cargo.toml` of the package the attribute stands in.
    pub manifest_dir: &'static str,
    /// The source file the attribute stands in, as `file!()` names it.
    pub file: &'static str,
    /// The type of the answers.
    pub answers: RustType,
    /// The paths of the items that stand for it where a runner asks for one by name.
    pub items: &'static [&'static str],
    /// What the attribute says.
    pub parts: &'static [WrittenPart],
}

/// One part of a suite written in Rust.
#[derive(Debug, Clone, Copy)]
pub struct WrittenPart {
    /// What it is.
    pub key: PartKey,
    /// Its text.
    pub text: &'static str,
    /// Line and column of its first character, both from 1; line 0 where nobody knows.
    pub place: (u32, u32),
    /// How many bytes it takes in the source.
    pub length: usize,
}

inventory::collect!(WrittenSuite);

impl WrittenSuite {
    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        let mut parts = self.parts.iter();
        parts
            .find(|part| part.key == PartKey::Suite)
            .map_or("suite", |part| part.text)
    }

    /// Reads it with its cases. Files are looked for in the package's folder.
    pub(super) fn load(&self, package: &Path) -> Result<Loaded, Diagnostics> {
        let path = self.path(package);
        // Without its source a mistake is shown with the file's name alone.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let source = Arc::new(Source::new(self.file, text));
        let parts: Vec<Part<'_>> = self
            .parts
            .iter()
            .map(|part| Part {
                key: part.key,
                text: part.text,
                span: span(&source.text, part),
            })
            .collect();
        // The attribute's own type and no other of its name.
        let mut types = vec![&self.answers];
        types.extend(
            linked_types()
                .into_iter()
                .filter(|linked| linked.name() != self.answers.name()),
        );
        let rust = FromRust {
            functions: &[],
            types: Some(&types),
            policies: Some(&linked_policies()),
        };
        check_with(
            &Tree::from_rust(&source, &parts),
            &path,
            Some(package),
            &rust,
        )
    }

    /// The source file, which `file!()` names from where the compiler was started.
    fn path(&self, package: &Path) -> PathBuf {
        package
            .ancestors()
            .map(|folder| folder.join(self.file))
            .find(|path| path.is_file())
            .unwrap_or_else(|| package.join(self.file))
    }
}

fn span(source: &str, part: &WrittenPart) -> Span {
    let (line, column) = part.place;
    let Some(line) = line.checked_sub(1) else {
        return Span::default();
    };
    let mut lines = source.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line as usize).map(str::len).sum();
    let inside: usize = lines
        .next()
        .unwrap_or_default()
        .chars()
        .take(column.saturating_sub(1) as usize)
        .map(char::len_utf8)
        .sum();
    Span::new(before + inside, before + inside + part.length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_line_and_column() {
        let source = "fn a() {}\r\n#[t(\"é\", \"x\")]\r\n";
        let of = |place, length| {
            let part = WrittenPart {
                key: PartKey::Assert,
                text: "x",
                place,
                length,
            };
            let span = span(source, &part);
            source.get(span.start..span.end)
        };
        assert_eq!(of((2, 10), 3), Some("\"x\""));
        assert_eq!(of((1, 1), 2), Some("fn"));
        assert_eq!(of((0, 0), 3), Some(""));
        // A source that changed since has no such place, and nothing breaks.
        assert_eq!(of((9, 9), 3), None);
    }
}
