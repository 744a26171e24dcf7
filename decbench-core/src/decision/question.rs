//! A question with its closed set of answers.

use super::possible_orders;

/// What kind of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuestionKind {
    /// One of several named options.
    Choice,
    /// Yes or no; the options are `yes` and `no`, in this order.
    YesNo,
    /// One level of an ordered scale; the options are `0`, `1`, … and their descriptions are the levels' texts.
    Score,
    /// No closed set of answers: the candidate's own words, and no options.
    Open(Output),
}

/// What an open question is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Output {
    /// A text.
    Text,
    /// A JSON document.
    Json,
}

impl QuestionKind {
    /// Whether there is no closed set of answers, so that there are no options.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// The name a suite uses: `choice`, `yes_no` or `score`, and of open questions `text` or `json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::YesNo => "yes_no",
            Self::Score => "score",
            Self::Open(Output::Text) => "text",
            Self::Open(Output::Json) => "json",
        }
    }
}

/// One answer that a question allows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AnswerOption {
    /// The label; any text for a choice, `yes`/`no`, or a level's index.
    pub key: String,
    /// What the option means, as it is sent; for a score the level's text.
    pub description: Option<String>,
    /// Whether this is the way out when no other option fits.
    pub escape: bool,
}

impl AnswerOption {
    /// An option without a description.
    pub fn new(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            description: None,
            escape: false,
        }
    }

    /// The same option with a description.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

/// A question as a suite declares it, options in the suite's order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Question {
    /// The name among the questions of one request; empty for a suite's single unnamed question.
    pub name: String,
    /// What kind of answer it wants.
    pub kind: QuestionKind,
    /// The wording's version, part of every recording's identity.
    pub version: Option<u32>,
    /// The text of the question.
    pub instructions: String,
    /// The allowed answers in the suite's order (level 0 first for a score).
    pub options: Vec<AnswerOption>,
}

impl Question {
    /// The position of the option with this key.
    pub fn index_of(&self, key: &str) -> Option<usize> {
        self.options.iter().position(|option| option.key == key)
    }

    /// In how many orders its options can be shown: all there are for a choice and for yes and no, and one for a score,
    /// whose levels mean what they mean by their place, and for an open question, which has none.
    ///
    /// ```
    /// use decbench_core::decision::{AnswerOption, Question, QuestionKind};
    /// let question = Question {
    ///     name: String::new(),
    ///     kind: QuestionKind::Choice,
    ///     version: None,
    ///     instructions: "Which team?".into(),
    ///     options: ["billing", "support", "sales"].map(AnswerOption::new).into(),
    /// };
    /// assert_eq!(question.orders(), 6);
    /// ```
    pub fn orders(&self) -> u32 {
        match self.kind {
            QuestionKind::Score | QuestionKind::Open(_) => 1,
            QuestionKind::Choice | QuestionKind::YesNo => possible_orders(self.options.len()),
        }
    }

    /// The position of the escape option, if one is declared.
    pub fn escape(&self) -> Option<usize> {
        self.options.iter().position(|option| option.escape)
    }

    /// The position of the option that a person means by `text`: its key; for yes/no also `true` and `false`; for a
    /// score also a level's text.
    ///
    /// ```
    /// use decbench_core::decision::{AnswerOption, Question, QuestionKind};
    /// let options = vec![AnswerOption::new("yes"), AnswerOption::new("no")];
    /// let question = Question {
    ///     name: String::new(),
    ///     kind: QuestionKind::YesNo,
    ///     version: None,
    ///     instructions: "Is it urgent?".into(),
    ///     options,
    /// };
    /// assert_eq!(question.index_of_label("false"), Some(1));
    /// ```
    pub fn index_of_label(&self, text: &str) -> Option<usize> {
        self.index_of(text).or_else(|| match self.kind {
            QuestionKind::Choice | QuestionKind::Open(_) => None,
            QuestionKind::YesNo => match text {
                "true" => self.index_of("yes"),
                "false" => self.index_of("no"),
                _ => None,
            },
            QuestionKind::Score => self
                .options
                .iter()
                .position(|option| option.description.as_deref() == Some(text)),
        })
    }
}
