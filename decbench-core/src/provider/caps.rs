//! What a service can be asked at most, so that what it would refuse is told before anything is asked.

use super::contract::SettingError;
use crate::decision::{AnswerOption, Question, QuestionKind};

/// What a service can be asked in one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Most questions, where a limit is published.
    pub questions: Option<usize>,
    /// Fewest and most options of a choice.
    pub options: (usize, usize),
    /// Fewest and most levels of a score.
    pub levels: (usize, usize),
    /// Whether every question needs instructions.
    pub instructions: bool,
    /// Whether yes and no are both described or neither.
    pub both_outcomes: bool,
    /// Whether it answers open questions, in its own words.
    pub open: bool,
}

impl Default for Caps {
    /// Nothing is limited.
    fn default() -> Self {
        Self {
            questions: None,
            options: (1, usize::MAX),
            levels: (1, usize::MAX),
            instructions: false,
            both_outcomes: false,
            open: false,
        }
    }
}

impl Caps {
    /// What the service would refuse of these questions, which are asked together.
    pub fn mistakes(&self, provider: &str, questions: &[Question]) -> Vec<SettingError> {
        let wrong = |message: String, help: &str| SettingError {
            key: None,
            message,
            help: Some(help.to_owned()),
        };
        let mut mistakes = Vec::new();
        if let Some(most) = self.questions.filter(|most| questions.len() > *most) {
            mistakes.push(wrong(
                format!(
                    "`{provider}` takes at most {most} questions in a request, and there are {}",
                    questions.len()
                ),
                "divide the questions among several suites",
            ));
        }
        for question in questions {
            let name = if question.name.is_empty() {
                "the question".to_owned()
            } else {
                format!("the question `{}`", question.name)
            };
            // Who only writes has no options at all.
            if self.options.1 == 0 && !question.kind.is_open() {
                mistakes.push(wrong(
                    format!("`{provider}` writes answers of its own, and {name} has options"),
                    "ask a provider that decides, such as system-one, chat-logprobs or verbalized",
                ));
                continue;
            }
            let (what, (fewest, most)) = match question.kind {
                QuestionKind::Choice => ("options", self.options),
                QuestionKind::Score => ("levels", self.levels),
                QuestionKind::YesNo => ("answers", (2, 2)),
                QuestionKind::Open(_) if self.open => ("options", (0, 0)),
                QuestionKind::Open(_) => {
                    mistakes.push(wrong(
                        format!(
                            "`{provider}` decides among options, and `output: {}` has none",
                            question.kind.name()
                        ),
                        "ask a provider that writes: chat, anthropic-messages, command, http or rust",
                    ));
                    continue;
                }
            };
            let there_are = question.options.len();
            if !(fewest..=most).contains(&there_are) {
                mistakes.push(wrong(
                    format!(
                        "`{provider}` takes {fewest} to {most} {what}, and {name} has {there_are}"
                    ),
                    "ask another service, or declare fewer",
                ));
            }
            if self.instructions && question.instructions.trim().is_empty() {
                mistakes.push(wrong(
                    format!("`{provider}` wants a text with every question, and {name} has none"),
                    "write `instructions:`",
                ));
            }
            let described = |option: &&AnswerOption| option.description.is_some();
            if self.both_outcomes
                && question.kind == QuestionKind::YesNo
                && question.options.iter().filter(described).count() == 1
            {
                mistakes.push(wrong(
                    format!("`{provider}` wants both outcomes described or neither, and {name} describes one"),
                    "write `yes:` and `no:`",
                ));
            }
        }
        mistakes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_beyond_a_limit_is_told_with_the_limit() {
        let question = |name: &str, kind, options: usize, instructions: &str| Question {
            name: name.to_owned(),
            kind,
            version: None,
            instructions: instructions.to_owned(),
            options: (0..options)
                .map(|key| AnswerOption::new(key.to_string()))
                .collect(),
        };
        let mut questions = [
            question("queue", QuestionKind::Choice, 27, "Which?"),
            question("urgent", QuestionKind::YesNo, 2, " "),
            question("severity", QuestionKind::Score, 1, "How bad?"),
        ];
        questions[1].options[0].description = Some("at once".to_owned());
        let caps = Caps {
            questions: Some(2),
            options: (2, 26),
            levels: (2, 10),
            instructions: true,
            both_outcomes: true,
            open: false,
        };
        let told: Vec<String> = caps
            .mistakes("some-service", &questions)
            .into_iter()
            .map(|mistake| mistake.message)
            .collect();
        assert_eq!(
            told,
            [
                "`some-service` takes at most 2 questions in a request, and there are 3",
                "`some-service` takes 2 to 26 options, and the question `queue` has 27",
                "`some-service` wants a text with every question, and the question `urgent` has none",
                "`some-service` wants both outcomes described or neither, and the question `urgent` describes one",
                "`some-service` takes 2 to 10 levels, and the question `severity` has 1",
            ]
        );
        assert_eq!(Caps::default().mistakes("any", &questions), []);
    }
}
