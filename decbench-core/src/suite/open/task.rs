//! `output:`, `task:`, `prompt:`, `checks:` and `judge:` of a suite.

use std::path::Path;

use super::super::candidate::ReadCandidate;
use super::super::question::ReadQuestion;
use super::super::read::{Fields, Reader};
use super::checks::checks;
use super::judging as jury;
use super::model::{Judging, OpenTask};
use crate::decision::{Output, Question, QuestionKind};
use crate::diagnostic::Span;

/// The keys that belong to open suites alone.
const OPEN_KEYS: [&str; 4] = ["task", "prompt", "checks", "judge"];

/// An open question as far as it is known before candidates are.
pub(in super::super) struct ReadTask {
    pub(in super::super) question: Question,
    pub(in super::super) task: OpenTask,
    /// Where `output` stands.
    span: Span,
}

impl ReadTask {
    /// The question as others read it.
    pub(in super::super) fn as_read<'n>(&self) -> ReadQuestion<'n> {
        ReadQuestion {
            question: self.question.clone(),
            sound: true,
            assert: None,
            conventions: None,
            gate: None,
            named_type: None,
            span: self.span,
        }
    }
}

/// Reads the open question of a suite; `None` where its questions are closed.
pub(in super::super) fn task(
    reader: &mut Reader,
    fields: &Fields<'_>,
    folder: Option<&Path>,
) -> Option<ReadTask> {
    let Some(field) = fields.get("output") else {
        for name in OPEN_KEYS {
            if let Some(field) = fields.get(name) {
                reader
                    .error(
                        "foreign-key",
                        field.key_span,
                        format!("`{name}` belongs to a suite of open answers, and this one has no `output`"),
                    )
                    .help("write `output: text` or `output: json` in place of the question");
            }
        }
        return None;
    };
    let output = match reader.one_of(&field) {
        Some("json") => Output::Json,
        _ => Output::Text,
    };
    for name in ["question", "questions"] {
        if let Some(closed) = fields.get(name) {
            reader
                .error(
                    "two-forms",
                    closed.key_span,
                    format!(
                        "`output` stands in place of a closed question, and here is `{name}` too"
                    ),
                )
                .also(field.key_span, "`output`")
                .help("keep one of them; two kinds of answers are two suites");
        }
    }
    let text = |reader: &mut Reader, name: &str| {
        let field = fields.get(name)?;
        reader.words(&field).map(str::to_owned)
    };
    let (prompt, task) = (text(reader, "prompt"), text(reader, "task"));
    if fields.get("prompt").is_none() && fields.get("task").is_none() {
        reader
            .error(
                "missing-key",
                field.key_span,
                "the suite does not say what is asked: it has neither `task` nor `prompt`",
            )
            .help("write `task:` and what candidates are to do with a case's state");
    }
    let checks = match fields.get("checks") {
        Some(field) => checks(reader, &field, folder),
        None => Vec::new(),
    };
    let task = OpenTask {
        prompt,
        task,
        checks,
        judging: None,
    };
    Some(ReadTask {
        question: Question {
            name: String::new(),
            kind: QuestionKind::Open(output),
            version: None,
            instructions: task.asked(),
            options: Vec::new(),
        },
        task,
        span: field.key_span,
    })
}

/// Reads who judges, once the candidates are known.
pub(in super::super) fn judging(
    reader: &mut Reader,
    fields: &Fields<'_>,
    task: &OpenTask,
    candidates: &[ReadCandidate<'_>],
) -> Option<Judging> {
    let field = fields.get("judge")?;
    let judging = jury::judging(reader, &field, candidates)?;
    jury::check(reader, &judging, task, candidates);
    Some(judging)
}
