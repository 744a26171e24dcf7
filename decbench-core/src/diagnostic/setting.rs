//! A value that only a later part can judge, kept with its positions.

use super::Span;

/// One setting of a provider, in a suite or in `decbench.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: serde_json::Value,
    /// Where the value stands.
    pub value_span: Span,
}
