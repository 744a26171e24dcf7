//! Small suites for the tests of this module.

use std::sync::Arc;

use crate::diagnostic::Source;
use crate::suite::{Suite, check_text};

pub(super) const CHOICE: &str = "question: { type: choice, instructions: Which team?, options: { billing: Money, support: Help, other: { description: Else, escape: true } } }\n";

/// A suite with this text of `cases:` (a flow list) and of `data:` (a flow map).
pub(super) fn suite(cases: &str, data: &str) -> Suite {
    suite_of(&format!(
        "{CHOICE}cases: {cases}\ndata: {data}\ncandidates: {{ x: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 80%' }}\n"
    ))
}

pub(super) fn suite_of(text: &str) -> Suite {
    check_text(&Arc::new(Source::new("data.yaml", text)))
        .map_err(|mistakes| mistakes.render())
        .unwrap()
        .suite
}
