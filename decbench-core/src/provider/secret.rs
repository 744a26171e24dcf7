//! A key that shows up nowhere.

use std::fmt;

use crate::decision::{Decided, Failure, FailureKind};

/// An API key. No way of printing it shows it; only the wire sees it.
///
/// ```
/// use decbench_core::provider::Secret;
/// let key = Secret::new("apikey_1234");
/// assert_eq!(format!("{key} {key:?}"), "[secret] Secret([secret])");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps this text secret; blanks and line ends around it (a key read from a file) are no part of it.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(text.as_ref().trim().to_owned())
    }

    /// Whether it can stand in a header: printable ASCII without blanks, and not empty.
    pub fn is_sendable(&self) -> bool {
        !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Whether `text` shows the key or a good part of it: any eight letters in a row, or all of a shorter key.
    pub fn is_shown_in(&self, text: &str) -> bool {
        let key = self.0.as_bytes();
        !key.is_empty()
            && key
                .windows(key.len().min(8))
                .any(|part| text.as_bytes().windows(part.len()).any(|seen| seen == part))
    }

    /// A text as it may be kept: never with the key.
    pub(crate) fn kept_out_of(&self, text: String) -> String {
        if self.is_shown_in(&text) {
            "the service's words hold the key and are not kept".to_owned()
        } else {
            text
        }
    }

    /// An answer as it may be kept: a message loses the key, a distribution over labels that hold it is none, and an open
    /// answer that holds it is a failure.
    pub(crate) fn keep_out_of(&self, answer: &mut Result<Decided, Failure>) {
        match answer {
            Err(failure) => {
                failure.message = self.kept_out_of(std::mem::take(&mut failure.message));
            }
            Ok(decided) => {
                let mut labels = decided.probabilities.iter().flatten();
                if labels.any(|(label, _)| self.is_shown_in(label)) {
                    decided.probabilities = Some(Vec::new());
                }
                let calls = decided
                    .written
                    .iter()
                    .flat_map(|written| &written.tool_calls);
                let mut calls = calls.map(|call| format!("{} {}", call.name, call.arguments));
                let in_calls = calls.any(|call| self.is_shown_in(&call));
                if let Some(written) = &decided.written
                    && (in_calls || self.is_shown_in(&written.text()))
                {
                    *answer = Err(Failure::new(
                        FailureKind::InvalidAnswer,
                        "the answer repeated the key, and is not kept",
                    ));
                }
            }
        }
    }

    /// The key itself, for the wire.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([secret])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_key_counts_as_the_key() {
        let key = Secret::new(" apikey_canary_51 \n");
        assert!(key.is_sendable());
        assert!(key.is_shown_in("bad key y_canary_5…"));
        assert!(!key.is_shown_in("bad key"));
        assert!(!Secret::new("").is_shown_in("anything"));
        assert!(!Secret::new("two words").is_sendable());
    }

    #[test]
    fn an_open_answer_that_repeats_the_key_is_not_kept() {
        use crate::decision::{ToolCall, Written};
        let key = Secret::new("apikey_canary_51");
        let kept = |written: Written| {
            let mut answer = Ok(Decided::written(written));
            key.keep_out_of(&mut answer);
            answer.is_ok()
        };
        assert!(kept(Written::new("Dear you")));
        assert!(!kept(Written::new("Your key is apikey_canary_51.")));
        assert!(!kept(Written {
            tool_calls: vec![ToolCall {
                name: "send".to_owned(),
                arguments: serde_json::json!({ "to": "apikey_canary_51" }),
            }],
            ..Written::new("Sent.")
        }));
    }
}
