//! Questions that the tests of several dialects ask.

use crate::decision::{AnswerOption, Question, QuestionKind};

/// A question about its name.
pub(super) fn about(name: &str, kind: QuestionKind, options: Vec<AnswerOption>) -> Question {
    Question {
        name: name.to_owned(),
        kind,
        version: None,
        instructions: format!("About {name}?"),
        options,
    }
}

/// One question of each kind: a yes/no of this name of which only yes is described, a choice with keys that look like
/// numbers, and a score.
pub(super) fn one_of_each(yes_no: &str) -> [Question; 3] {
    let plain = AnswerOption::new;
    [
        about(
            yes_no,
            QuestionKind::YesNo,
            vec![plain("yes").described("arrived broken"), plain("no")],
        ),
        about(
            "queue",
            QuestionKind::Choice,
            vec![plain("10").described("delivery"), plain("2"), plain("1")],
        ),
        about(
            "severity",
            QuestionKind::Score,
            vec![
                plain("0").described("praise"),
                plain("1").described("threat"),
            ],
        ),
    ]
}
