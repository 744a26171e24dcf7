//! A value that only a later part can judge, kept with its positions.

use super::Span;
use super::mask::is_secret;

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

impl Setting {
    /// Where a mistake in it is shown: at its value, unless that may hold a secret.
    pub fn shown_at(&self) -> Span {
        if is_secret(&self.key, &self.value) {
            self.key_span
        } else {
            self.value_span
        }
    }
}
