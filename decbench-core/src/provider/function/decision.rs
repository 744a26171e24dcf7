//! What a function decided about one question, and its reading against that question.

use std::borrow::Cow;

use crate::decision::{Decided, Failure, FailureKind, Output, Question, QuestionKind, Written};

/// One decision: a label, yes or no, a level, or a probability for every label.
///
/// Most functions return a plain value (see [`IntoDecision`]); this type is for saying more, such as a confidence
/// beside the label.
///
/// ```
/// use decbench_core::provider::function::{Decision, Distribution};
/// let sure = Decision::label("billing").with_confidence(0.9);
/// let shares = Decision::from(Distribution::new([("billing", 0.75), ("support", 0.25)]));
/// assert_ne!(sure, shares);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    choice: Option<Choice>,
    distribution: Option<Distribution>,
    confidence: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Label(String),
    YesNo(bool),
    Number(i128),
    Written(Written),
}

impl Decision {
    /// The option with this key; for a score the level with this index or text.
    pub fn label(label: impl Into<String>) -> Self {
        Self::chosen(Choice::Label(label.into()))
    }

    /// Yes or no.
    pub fn yes_no(yes: bool) -> Self {
        Self::chosen(Choice::YesNo(yes))
    }

    /// A level of a score, from 0; for a choice the option whose key is this number.
    pub fn level(level: impl Into<i128>) -> Self {
        Self::chosen(Choice::Number(level.into()))
    }

    fn chosen(choice: Choice) -> Self {
        Self {
            choice: Some(choice),
            distribution: None,
            confidence: None,
        }
    }

    /// The same decision with a probability for every label.
    ///
    /// Say so when the function's own choice need not be the most probable label.
    #[must_use]
    pub fn with_distribution(mut self, distribution: impl Into<Distribution>) -> Self {
        self.distribution = Some(distribution.into());
        self
    }

    /// The same decision with the function's own confidence, from 0 to 1, in its own meaning.
    #[must_use]
    pub fn with_confidence(mut self, confidence: f64) -> Self {
        self.confidence = Some(confidence);
        self
    }

    /// The decision as an answer to `question`.
    ///
    /// # Errors
    ///
    /// An `invalid_answer` that keeps what was returned: a label that is no option, a yes or no to another kind of
    /// question, a level outside the scale, a label twice in a distribution, a probability that is negative or no
    /// number. Whether probabilities sum to one is judged where they are used.
    pub(crate) fn read_for(self, question: &Question) -> Result<Decided, Failure> {
        if let Some(confidence) = self.confidence
            && !(0.0..=1.0).contains(&confidence)
        {
            return Err(invalid(format!(
                "confidence {confidence} is not between 0 and 1"
            )));
        }
        if let QuestionKind::Open(output) = question.kind {
            return self.written_for(output);
        }
        Ok(Decided {
            label: self
                .choice
                .map(|choice| choice.read_for(question))
                .transpose()?,
            probabilities: self
                .distribution
                .map(|distribution| distribution.read_for(question))
                .transpose()?,
            confidence: self.confidence,
            format_mass: None,
            written: None,
        })
    }

    /// The decision as the answer to an open question: what was returned, in its own words.
    fn written_for(self, output: Output) -> Result<Decided, Failure> {
        let (value, tool_calls) = match self.choice {
            Some(Choice::Label(text)) => (text.into(), Vec::new()),
            Some(Choice::Written(written)) => (written.output, written.tool_calls),
            Some(Choice::YesNo(yes)) => (yes.into(), Vec::new()),
            Some(Choice::Number(number)) => (number.to_string().into(), Vec::new()),
            None => {
                return Err(invalid(format!(
                    "a distribution answers no question with `output: {}`",
                    QuestionKind::Open(output).name()
                )));
            }
        };
        let written = Written::of_value(&value, output).map_err(invalid)?;
        Ok(Decided::written(Written {
            tool_calls,
            ..written
        }))
    }
}

impl From<Distribution> for Decision {
    fn from(distribution: Distribution) -> Self {
        Self {
            choice: None,
            distribution: Some(distribution),
            confidence: None,
        }
    }
}

impl Choice {
    fn read_for(self, question: &Question) -> Result<String, Failure> {
        match self {
            Self::Label(label) => key_of(&label, question)
                .map(str::to_owned)
                .ok_or_else(|| no_option(&label, question)),
            Self::YesNo(yes) if question.kind == QuestionKind::YesNo => {
                Ok(if yes { "yes" } else { "no" }.to_owned())
            }
            Self::YesNo(yes) => Err(invalid(format!(
                "`{yes}` answers a yes_no question, and {} is a {} question",
                named(question),
                question.kind.name()
            ))),
            Self::Written(written) => key_of(&written.text(), question)
                .map(str::to_owned)
                .ok_or_else(|| no_option(&written.text(), question)),
            Self::Number(number) => {
                let key = number.to_string();
                if question.index_of(&key).is_some() {
                    Ok(key)
                } else {
                    Err(no_option(&key, question))
                }
            }
        }
    }
}

/// Probabilities by label.
///
/// Labels that are left out have probability 0; their order does not matter.
///
/// ```
/// use decbench_core::provider::function::Distribution;
/// let teams = Distribution::new([("billing", 0.75), ("support", 0.25)]);
/// let refund = Distribution::yes(0.94);
/// let mood = Distribution::levels([0.1, 0.7, 0.2]);
/// assert_eq!(refund, Distribution::new([("yes", 0.94), ("no", 1.0 - 0.94)]));
/// # assert_ne!(teams, mood);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    pairs: Vec<(String, f64)>,
}

impl Distribution {
    /// From pairs of label and probability.
    pub fn new<L: Into<String>>(pairs: impl IntoIterator<Item = (L, f64)>) -> Self {
        pairs.into_iter().collect()
    }

    /// For a yes/no question, from the probability of yes.
    pub fn yes(probability: f64) -> Self {
        Self::new([("yes", probability), ("no", 1.0 - probability)])
    }

    /// For a score, from the probabilities of its levels, level 0 first.
    pub fn levels(probabilities: impl IntoIterator<Item = f64>) -> Self {
        probabilities
            .into_iter()
            .enumerate()
            .map(|(level, probability)| (level.to_string(), probability))
            .collect()
    }

    /// The pairs as given.
    pub fn pairs(&self) -> &[(String, f64)] {
        &self.pairs
    }

    fn read_for(self, question: &Question) -> Result<Vec<(String, f64)>, Failure> {
        let mut probabilities: Vec<(String, f64)> = question
            .options
            .iter()
            .map(|option| (option.key.clone(), 0.0))
            .collect();
        let mut given = vec![false; probabilities.len()];
        for (label, probability) in self.pairs {
            let index = key_of(&label, question)
                .and_then(|key| question.index_of(key))
                .ok_or_else(|| no_option(&label, question))?;
            if std::mem::replace(&mut given[index], true) {
                return Err(invalid(format!("`{label}` has two probabilities")));
            }
            if !(probability >= 0.0 && probability.is_finite()) {
                return Err(invalid(format!(
                    "the probability of `{label}` is {probability}"
                )));
            }
            probabilities[index].1 = probability;
        }
        Ok(probabilities)
    }
}

impl<L: Into<String>> FromIterator<(L, f64)> for Distribution {
    fn from_iter<I: IntoIterator<Item = (L, f64)>>(pairs: I) -> Self {
        Self {
            pairs: pairs
                .into_iter()
                .map(|(label, probability)| (label.into(), probability))
                .collect(),
        }
    }
}

/// The option that `label` names: by its key, and for a score by the level's text where only one level has it.
fn key_of<'a>(label: &str, question: &'a Question) -> Option<&'a str> {
    if let Some(index) = question.index_of(label) {
        return Some(&question.options[index].key);
    }
    if question.kind != QuestionKind::Score {
        return None;
    }
    let mut levels = question
        .options
        .iter()
        .filter(|option| option.description.as_deref() == Some(label));
    match (levels.next(), levels.next()) {
        (Some(level), None) => Some(&level.key),
        _ => None,
    }
}

fn named(question: &Question) -> String {
    if question.name.is_empty() {
        "this".to_owned()
    } else {
        format!("`{}`", question.name)
    }
}

fn no_option(label: &str, question: &Question) -> Failure {
    let question = if question.name.is_empty() {
        "the question".to_owned()
    } else {
        format!("`{}`", question.name)
    };
    invalid(format!("`{label}` is no option of {question}"))
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidAnswer, message)
}

/// A value that answers one question.
///
/// Text is a label, `bool` is yes or no, an integer is a level (or the option with this key), a [`Distribution`]
/// is a probability for every label. Implement it for a type of your own, so that production code returns what it
/// means:
///
/// ```
/// use decbench_core::provider::function::{Decision, IntoDecision};
///
/// enum Team {
///     Billing,
///     Support,
/// }
///
/// impl IntoDecision for Team {
///     fn into_decision(self) -> Decision {
///         Decision::label(match self {
///             Team::Billing => "billing",
///             Team::Support => "support",
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decision",
    label = "cannot be read as an answer",
    note = "return a label (`&str` or `String`), `bool` for yes/no, an integer for a level, a `Distribution`, or an enum with `#[derive(decbench::Options)]`, or implement `decbench::IntoDecision`"
)]
pub trait IntoDecision {
    /// The decision this value stands for.
    fn into_decision(self) -> Decision;
}

impl IntoDecision for Decision {
    fn into_decision(self) -> Decision {
        self
    }
}

impl IntoDecision for Distribution {
    fn into_decision(self) -> Decision {
        self.into()
    }
}

/// An answer to an open question, with the tools that were called for it.
impl From<Written> for Decision {
    fn from(written: Written) -> Self {
        Self::chosen(Choice::Written(written))
    }
}

impl IntoDecision for bool {
    fn into_decision(self) -> Decision {
        Decision::yes_no(self)
    }
}

macro_rules! labels {
    ($($text:ty),*) => {$(
        impl IntoDecision for $text {
            fn into_decision(self) -> Decision {
                Decision::label(self)
            }
        }
    )*};
}

labels!(&str, &String, String, Box<str>, Cow<'_, str>);

macro_rules! levels {
    ($($integer:ty as $wide:ty),*) => {$(
        impl IntoDecision for $integer {
            fn into_decision(self) -> Decision {
                Decision::level(self as $wide)
            }
        }
    )*};
}

// No platform's `usize` is wider than 64 bits.
levels!(i8 as i8, i16 as i16, i32 as i32, i64 as i64, isize as i64);
levels!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, usize as u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::AnswerOption;

    fn question(kind: QuestionKind, options: &[(&str, &str)]) -> Question {
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "Which?".into(),
            options: options
                .iter()
                .map(|(key, text)| AnswerOption::new(*key).described(*text))
                .collect(),
        }
    }

    fn teams() -> Question {
        question(
            QuestionKind::Choice,
            &[("billing", "invoices"), ("support", "faults")],
        )
    }

    fn mood() -> Question {
        question(
            QuestionKind::Score,
            &[("0", "calm"), ("1", "annoyed"), ("2", "furious")],
        )
    }

    fn refund() -> Question {
        question(QuestionKind::YesNo, &[("yes", ""), ("no", "")])
    }

    fn label(value: impl IntoDecision, question: &Question) -> Result<String, String> {
        match value.into_decision().read_for(question) {
            Ok(decided) => Ok(decided.label.expect("these decisions name a label")),
            Err(failure) => {
                assert_eq!(failure.kind, FailureKind::InvalidAnswer);
                Err(failure.message)
            }
        }
    }

    #[test]
    fn open_questions_are_answered_in_words_or_documents() {
        use crate::decision::ToolCall;
        let open = |output| Question {
            kind: QuestionKind::Open(output),
            options: Vec::new(),
            ..teams()
        };
        let read = |value: Decision, output| value.read_for(&open(output));
        let words = read(Decision::label(" Dear you \n"), Output::Text).expect("a text");
        assert_eq!(words.written.expect("words").text(), "Dear you");
        let total = read(Decision::label("{\"total\": 3}"), Output::Json).expect("a document");
        assert_eq!(total.written.expect("words").output["total"], 3);
        let call = ToolCall {
            name: "find_order".to_owned(),
            arguments: serde_json::Value::Null,
        };
        let agent = Decision::from(Written {
            tool_calls: vec![call.clone()],
            ..Written::new("sent")
        });
        let agent = read(agent, Output::Text).expect("a text");
        assert_eq!(agent.written.expect("words").tool_calls, [call]);
        for (value, output) in [
            (Decision::label("{"), Output::Json),
            (Decision::label(" "), Output::Text),
            (Decision::from(Distribution::yes(0.5)), Output::Text),
        ] {
            let failure = read(value, output).expect_err("no answer");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
        }
    }

    #[test]
    fn plain_values_become_option_keys() {
        assert_eq!(label("support", &teams()).as_deref(), Ok("support"));
        assert_eq!(
            label(String::from("billing"), &teams()).as_deref(),
            Ok("billing")
        );
        assert_eq!(label(true, &refund()).as_deref(), Ok("yes"));
        assert_eq!(label("no", &refund()).as_deref(), Ok("no"));
        assert_eq!(label(2_u8, &mood()).as_deref(), Ok("2"));
        assert_eq!(label("furious", &mood()).as_deref(), Ok("2"));
    }

    #[test]
    fn what_is_no_option_is_refused_and_kept() {
        assert_eq!(
            label("Billing", &teams()),
            Err("`Billing` is no option of the question".into())
        );
        // The text of an option is not its key, except on a scale.
        assert!(label("invoices", &teams()).is_err());
        assert_eq!(
            label(-1, &mood()),
            Err("`-1` is no option of the question".into())
        );
        assert_eq!(
            label(true, &teams()),
            Err("`true` answers a yes_no question, and this is a choice question".into())
        );
    }

    #[test]
    fn a_level_text_that_two_levels_share_names_neither() {
        let scale = question(QuestionKind::Score, &[("0", "low"), ("1", "low")]);
        assert!(label("low", &scale).is_err());
    }

    #[test]
    fn a_distribution_lists_every_option_in_the_questions_order() {
        let decided = Distribution::new([("support", 0.25)])
            .into_decision()
            .read_for(&teams())
            .expect("a known label with a usable probability");
        assert_eq!(decided.label, None);
        assert_eq!(
            decided.probabilities,
            Some(vec![("billing".into(), 0.0), ("support".into(), 0.25)])
        );
        let by_text = Distribution::new([("furious", 1.0)])
            .into_decision()
            .read_for(&mood());
        let by_level = Distribution::levels([0.0, 0.0, 1.0])
            .into_decision()
            .read_for(&mood());
        assert_eq!(by_text, by_level);
    }

    #[test]
    fn an_unusable_distribution_says_which_label() {
        let read = |pairs: &[(&str, f64)]| {
            Distribution::new(pairs.iter().copied())
                .into_decision()
                .read_for(&teams())
                .expect_err("none of these is usable")
                .message
        };
        assert_eq!(
            read(&[("sales", 1.0)]),
            "`sales` is no option of the question"
        );
        assert_eq!(
            read(&[("billing", 0.5), ("billing", 0.5)]),
            "`billing` has two probabilities"
        );
        assert_eq!(
            read(&[("billing", f64::NAN)]),
            "the probability of `billing` is NaN"
        );
        assert_eq!(
            read(&[("billing", -0.1)]),
            "the probability of `billing` is -0.1"
        );
    }

    #[test]
    fn a_confidence_outside_zero_to_one_is_refused() {
        let sure = Decision::label("billing").with_confidence(0.9);
        assert_eq!(
            sure.clone().read_for(&teams()).map(|read| read.confidence),
            Ok(Some(0.9))
        );
        assert!(sure.with_confidence(f64::NAN).read_for(&teams()).is_err());
    }
}
