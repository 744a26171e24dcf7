//! The words in which a closed question is put to a language model.
//!
//! A recording is keyed by the question and the candidate, not by these words, so they are part of the candidate's
//! parameters by a version of the words: other words are other answers.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::decision::{Asked, QuestionKind, Request};

/// About how many bytes of words a request adds to the material and the question.
pub(super) const BYTES: u64 = 600;

/// Labels of one token each, for at most 26 options: digits, and letters where one digit is not enough, as
/// many models write larger numbers digit by digit.
pub(super) fn labels_of_one_token(options: usize) -> Vec<String> {
    if options <= 9 {
        labels_of_numbers(options)
    } else {
        ('A'..='Z')
            .map(|letter| letter.to_string())
            .take(options)
            .collect()
    }
}

/// `1`, `2`, `3`, …
pub(super) fn labels_of_numbers(options: usize) -> Vec<String> {
    (1..=options).map(|number| number.to_string()).collect()
}

/// Messages that ask for the label of one option and nothing else.
pub(super) fn messages_for_label(
    request: &Request<'_>,
    asked: &Asked<'_>,
    labels: &[String],
) -> Value {
    const TASK: &str = "You take one decision. Read the material and the question, then reply with the label of the \
        one option that fits best, and with nothing else.";
    let user = format!(
        "Material:\n{}\n\n{}\n\nReply with one of {} and nothing else.",
        request.state.as_text(),
        question_text(asked, labels),
        labels.join(", ")
    );
    json!([{"role": "system", "content": TASK}, {"role": "user", "content": user}])
}

/// Instructions and numbered options of one question.
pub(super) fn question_text(asked: &Asked<'_>, labels: &[String]) -> String {
    let instructions = asked.question.instructions.trim();
    let question = if instructions.is_empty() {
        String::new()
    } else {
        format!("Question: {instructions}\n\n")
    };
    format!("{question}Options:\n{}", options_text(asked, labels))
}

/// One line per option in the order shown: its label, its key, and what it means. Levels of a score stand for
/// themselves, as their keys are only their numbers.
pub(super) fn options_text(asked: &Asked<'_>, labels: &[String]) -> String {
    let mut text = String::new();
    for (option, label) in asked.shown().zip(labels) {
        let description = option.description.as_deref().unwrap_or_default().trim();
        let meaning = match (asked.question.kind, description) {
            (_, "") => option.key.clone(),
            (QuestionKind::Score, description) => description.to_owned(),
            (_, description) => format!("{}: {description}", option.key),
        };
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{label}. {meaning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Question, State};

    #[test]
    fn options_are_numbered_in_the_order_shown() {
        let question = Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: "Which team?".to_owned(),
            options: vec![
                AnswerOption::new("10").described("Invoices"),
                AnswerOption::new("2"),
            ],
        };
        let asked = Asked {
            question: &question,
            order: &[1, 0],
        };
        let request = Request {
            case: "never sent",
            state: &State::Text("I was charged twice".to_owned()),
            questions: &[asked],
        };
        let messages = messages_for_label(&request, &asked, &labels_of_one_token(2));
        assert_eq!(
            messages[1]["content"].as_str(),
            Some(
                "Material:\nI was charged twice\n\nQuestion: Which team?\n\nOptions:\n1. 2\n2. 10: Invoices\n\n\
                 Reply with one of 1, 2 and nothing else."
            )
        );
    }

    #[test]
    fn labels_are_one_token_each() {
        assert_eq!(labels_of_one_token(9).last().map(String::as_str), Some("9"));
        let letters = labels_of_one_token(20);
        assert_eq!((letters.len(), letters[19].as_str()), (20, "T"));
    }
}
