//! An open question in the words of a conversation.

use crate::decision::QuestionKind;
use crate::decision::{Asked, Output};

/// The question, where it is a single open one.
pub(super) fn open_question<'q, 'a>(questions: &'q [Asked<'a>]) -> Option<(&'q Asked<'a>, Output)> {
    let [asked] = questions else {
        return None;
    };
    match asked.question.kind {
        QuestionKind::Open(output) => Some((asked, output)),
        _ => None,
    }
}

/// The system prompt: what is asked, and for JSON that nothing else may be said.
pub(super) fn system_text(asked: &Asked<'_>, output: Output) -> String {
    let task = asked.question.instructions.trim();
    match output {
        Output::Json => format!("{task}\n\nReply with one JSON document and nothing else."),
        _ => task.to_owned(),
    }
}
