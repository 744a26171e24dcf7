//! A closed set of answers as a Rust type.

use std::fmt;

/// The kind of question that a type answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerKind {
    /// One of several named options.
    Choice,
    /// Yes or no.
    YesNo,
    /// One level of an ordered scale.
    Score,
}

/// One answer that a type allows, as a suite declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AnswerOption {
    /// The label: what is sent, recorded and written as gold. A level's label is its index, from `"0"`.
    pub key: &'static str,
    /// What the option means, as it is sent; for a level its text.
    pub description: Option<&'static str>,
    /// Whether this is the way out when no other option fits.
    pub escape: bool,
}

impl AnswerOption {
    /// An option without a description.
    pub const fn new(key: &'static str) -> Self {
        Self {
            key,
            description: None,
            escape: false,
        }
    }

    /// The same option with a description.
    #[must_use]
    pub const fn described(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The same option as the way out when no other fits.
    #[must_use]
    pub const fn escape(mut self) -> Self {
        self.escape = true;
        self
    }
}

/// A type whose values are the answers to a question, each exactly once.
///
/// `#[derive(decbench::Options)]` implements it for an enum, `#[derive(decbench::Levels)]` for the levels of a score,
/// and `bool` is yes or no. What production sends and reads is then what a suite says: keys, their order,
/// descriptions, and where the type carries them the wording and its version.
///
/// ```
/// use decbench::Options;
///
/// #[derive(Debug, PartialEq, Options)]
/// #[options(rename_all = "snake_case", question = "Which team should take this call?", version = 3)]
/// enum Team {
///     /// Invoices, charges and refunds.
///     Billing,
///     /// Something is broken or needs explaining.
///     Support,
///     /// The caller has not said why they call.
///     #[options(escape)]
///     NoReasonYet,
/// }
///
/// assert_eq!(Team::NoReasonYet.key(), "no_reason_yet");
/// assert_eq!(Team::from_key("billing"), Some(Team::Billing));
/// assert_eq!("support".parse(), Ok(Team::Support));
/// assert_eq!(Team::Billing.description(), Some("Invoices, charges and refunds."));
/// assert_eq!(Team::VERSION, Some(3));
/// let keys: Vec<String> = Team::ALL.iter().map(Team::to_string).collect();
/// assert_eq!(keys, ["billing", "support", "no_reason_yet"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a closed set of answers",
    label = "has no options",
    note = "write `#[derive(decbench::Options)]` on the enum, `#[derive(decbench::Levels)]` for the levels of a score, or take `bool` for yes and no"
)]
pub trait Options: Sized + 'static {
    /// The kind of question that the type answers.
    const KIND: AnswerKind;

    /// The options in the order in which they are sent.
    const OPTIONS: &'static [AnswerOption];

    /// Every value, in the same order.
    const ALL: &'static [Self];

    /// The text of the question, where the type carries it.
    const QUESTION: Option<&'static str> = None;

    /// The wording's version, where the type carries it: what to log beside an answer, so that logs, recordings and
    /// scorecards of one wording can be joined.
    const VERSION: Option<u32> = None;

    /// The position of this value among [`OPTIONS`](Self::OPTIONS).
    fn index(&self) -> usize;

    /// The value with this key; `None` where there is none.
    fn from_key(key: &str) -> Option<Self>;

    /// The value's key.
    fn key(&self) -> &'static str {
        Self::OPTIONS[self.index()].key
    }

    /// What the value means, as it is sent.
    fn description(&self) -> Option<&'static str> {
        Self::OPTIONS[self.index()].description
    }

    /// Whether the value is the way out when no other option fits.
    fn is_escape(&self) -> bool {
        Self::OPTIONS[self.index()].escape
    }
}

/// The levels of a score, lowest first.
///
/// A level's text, which is what services read, is its name by the rename rule; what a doc comment says of a level is
/// for the readers of the code.
///
/// ```
/// use decbench::{Levels, Options};
///
/// #[derive(Debug, PartialEq, PartialOrd, Levels)]
/// #[options(rename_all = "lowercase")]
/// enum Mood {
///     Calm,
///     Annoyed,
///     Furious,
/// }
///
/// assert_eq!((Mood::Annoyed.level(), Mood::Annoyed.text()), (1, "annoyed"));
/// // A level's key is its index; both it and the text are read back.
/// assert_eq!(Mood::Furious.key(), "2");
/// assert_eq!("2".parse(), Ok(Mood::Furious));
/// assert_eq!("calm".parse(), Ok(Mood::Calm));
/// ```
pub trait Levels: Options {
    /// The level, from 0.
    fn level(&self) -> usize {
        self.index()
    }

    /// The level's text.
    fn text(&self) -> &'static str {
        self.description().unwrap_or_default()
    }
}

impl Options for bool {
    const KIND: AnswerKind = AnswerKind::YesNo;
    const OPTIONS: &'static [AnswerOption] = &[AnswerOption::new("yes"), AnswerOption::new("no")];
    const ALL: &'static [Self] = &[true, false];

    fn index(&self) -> usize {
        usize::from(!*self)
    }

    fn from_key(key: &str) -> Option<Self> {
        match key {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        }
    }
}

/// A text that is no option of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOption {
    text: String,
    options: &'static [AnswerOption],
}

impl UnknownOption {
    /// This text, which is no option of `T`.
    pub fn of<T: Options>(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            options: T::OPTIONS,
        }
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for UnknownOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is none of ", self.text)?;
        for (position, option) in self.options.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}`{}`", option.key)?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownOption {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_comes_first_and_both_spellings_are_read() {
        assert_eq!((true.key(), false.key()), ("yes", "no"));
        for value in bool::ALL {
            assert_eq!(bool::from_key(value.key()), Some(*value));
            assert_eq!(bool::from_key(&value.to_string()), Some(*value));
        }
        assert_eq!(bool::from_key("maybe"), None);
    }

    #[test]
    fn an_unknown_option_names_the_known_ones() {
        assert_eq!(
            UnknownOption::of::<bool>("maybe").to_string(),
            "`maybe` is none of `yes`, `no`"
        );
    }
}
