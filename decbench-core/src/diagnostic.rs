//! Located mistakes: code, message, file, span, help.

/// A range of bytes in one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One behind the last byte.
    pub end: usize,
}

/// A text that mistakes point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as a person would name it.
    pub name: String,
    /// Its whole text.
    pub text: String,
}
