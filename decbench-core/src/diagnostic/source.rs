//! A text that mistakes point into, and positions in it.

use std::path::Path;
use std::sync::Arc;

use super::Diagnostic;

/// A range of bytes in one source.
///
/// Checks pass spans on and never calculate with them, so that a source without bytes of its own (the tokens of a
/// macro) may number its positions as it likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One behind the last byte.
    pub end: usize,
}

impl Span {
    /// From `start` to just before `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A text that mistakes point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as a person would name it.
    pub name: String,
    /// Its whole text, without a byte-order mark.
    pub text: String,
}

impl Source {
    /// A source of this name; a byte-order mark in front is dropped, as editors do not show it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Self {
            name: name.into(),
            text,
        }
    }

    /// Reads bytes as UTF-8.
    ///
    /// # Errors
    /// A diagnostic that points at the first byte that is no UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok(Self::new(name, text)),
            Err(error) => error,
        };
        let start = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let byte = bytes.get(start).copied().unwrap_or_default();
        // The text in front is the same with and without replacement characters, so the offset stays right.
        let lossy = String::from_utf8_lossy(bytes);
        let dropped = if lossy.starts_with('\u{feff}') { 3 } else { 0 };
        let source = Arc::new(Self::new(name, lossy));
        let start = start - dropped.min(start);
        let shown = '\u{fffd}'.len_utf8();
        let mut diagnostic = Diagnostic::error(
            "not-utf8",
            source,
            Span::new(start, start + shown),
            format!("the file is not UTF-8: byte 0x{byte:02x} cannot stand here"),
        );
        diagnostic.help(if wide {
            "the file looks like UTF-16; save it as UTF-8"
        } else {
            "save the file as UTF-8"
        });
        Err(Box::new(diagnostic))
    }

    /// Reads a file; it is named as the path is written.
    ///
    /// # Errors
    /// A diagnostic when it cannot be read or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(error) => Err(Box::new(Diagnostic::error(
                "unreadable-file",
                Arc::new(Self::new(name, "")),
                Span::default(),
                format!("cannot read the file: {error}"),
            ))),
        }
    }

    /// Line and column of a byte; behind the end they are those of the end.
    pub fn position(&self, offset: usize) -> Position {
        let before = self
            .text
            .get(..self.floor(offset))
            .unwrap_or(self.text.as_str());
        let line_start = before.rfind('\n').map_or(0, |position| position + 1);
        Position {
            line: 1 + before.bytes().filter(|byte| *byte == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }

    /// The nearest character boundary at or before `offset`.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_survive_carriage_returns() {
        let source = Source::new("a", "\u{feff}é: ü\r\nß: x");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(4), Position { line: 1, column: 4 });
        let x = source.text.find('x').unwrap();
        assert_eq!(source.position(x), Position { line: 2, column: 4 });
        assert_eq!(source.position(999), Position { line: 2, column: 5 });
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_at_their_line() {
        let error =
            Source::from_bytes("a.yaml", b"\xef\xbb\xbfa: 1\nb: \xe4\n".to_vec()).unwrap_err();
        assert_eq!(error.position(), Position { line: 2, column: 4 });
        let error = Source::from_bytes("a.yaml", b"\xff\xfea\0".to_vec()).unwrap_err();
        assert_eq!(error.position(), Position { line: 1, column: 1 });
        assert!(error.render().contains("UTF-16"), "{}", error.render());
    }
}
