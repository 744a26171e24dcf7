//! What a suite says of a type, compared with the type while the test is compiled.
//!
//! A panic in a constant is an error of the compiler at the place of the constant; its text must be made by constant
//! functions.

use crate::{AnswerKind, AnswerOption, Options};

/// What a suite says beside the type that it names.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// The type as the suite writes it.
    pub name: &'static str,
    /// The question's type, where the suite writes it.
    pub kind: Option<AnswerKind>,
    /// The wording, where it is written.
    pub question: Option<&'static str>,
    /// The version, where it is written.
    pub version: Option<u32>,
    /// The options, where they are listed.
    pub options: Option<&'static [AnswerOption]>,
}

/// Compares a suite with `T`.
///
/// # Panics
///
/// Where they differ, with both sides.
#[track_caller]
pub const fn check_type<T: Options>(said: &Said) {
    if let Some(kind) = said.kind
        && kind as u8 != T::KIND as u8
    {
        fail(
            &Text::new()
                .and("the question is of type `")
                .and(type_name(kind))
                .and("`, and `")
                .and(said.name)
                .and("` answers one of type `")
                .and(type_name(T::KIND))
                .and("`"),
        );
    }
    if let (Some(here), Some(there)) = (said.question, T::QUESTION)
        && !same(here.trim_ascii(), there.trim_ascii())
    {
        fail(
            &Text::new()
                .and("the question is put in other words than beside `")
                .and(said.name)
                .and("`\n  the suite: ")
                .and(here)
                .and("\n  the type:  ")
                .and(there),
        );
    }
    if let (Some(here), Some(there)) = (said.version, T::VERSION)
        && here != there
    {
        fail(
            &Text::new()
                .and("the suite is of version ")
                .number(here)
                .and(", and `")
                .and(said.name)
                .and("` of version ")
                .number(there),
        );
    }
    if let Some(here) = said.options {
        compare(
            here,
            T::OPTIONS,
            said.name,
            matches!(T::KIND, AnswerKind::Score),
        );
    }
}

/// Tells where an assertion names an option that `T` has not.
///
/// # Panics
///
/// Where there is none.
#[track_caller]
pub const fn check_option<T: Options>(name: &str, key: &str) {
    if position(T::OPTIONS, key).is_none() {
        fail(
            &Text::new()
                .and("`")
                .and(name)
                .and("` has no option `")
                .and(key)
                .and("`; it has ")
                .keys(T::OPTIONS, matches!(T::KIND, AnswerKind::Score)),
        );
    }
}

/// Tells where nobody says what is asked.
///
/// # Panics
///
/// Where `T` carries no question.
#[track_caller]
pub const fn check_question<T: Options>(name: &str) {
    if T::QUESTION.is_none() {
        fail(
            &Text::new()
                .and("nobody says what is asked: write `question = \"…\"` here, or `#[options(question = \"…\")]` on `")
                .and(name)
                .and("`"),
        );
    }
}

#[track_caller]
const fn compare(here: &[AnswerOption], there: &[AnswerOption], name: &str, levels: bool) {
    let mut at = 0;
    let mut same_order = here.len() == there.len();
    let mut same_set = same_order;
    while at < here.len() {
        match position(there, here[at].key) {
            None => same_set = false,
            Some(found) => {
                same_order = same_order && found == at;
                compare_one(&here[at], &there[found], name, levels);
            }
        }
        at += 1;
    }
    if same_set && same_order {
        return;
    }
    let what = match (levels, same_set) {
        (true, _) => "the levels differ from those of `",
        (false, true) => "the options stand in another order than in `",
        (false, false) => "the options differ from those of `",
    };
    fail(
        &Text::new()
            .and(what)
            .and(name)
            .and("`\n  the suite: ")
            .keys(here, levels)
            .and("\n  the type:  ")
            .keys(there, levels),
    );
}

#[track_caller]
const fn compare_one(here: &AnswerOption, there: &AnswerOption, name: &str, levels: bool) {
    let (ours, theirs) = (described(here), described(there));
    if !same(ours, theirs) {
        let what = if levels { "level `" } else { "`" };
        fail(
            &Text::new()
                .and(what)
                .and(here.key)
                .and("` is described in other words than in `")
                .and(name)
                .and("`\n  the suite: ")
                .and(ours)
                .and("\n  the type:  ")
                .and(theirs),
        );
    }
    if here.escape != there.escape {
        let is = if here.escape {
            "` is the way out in the suite and not in `"
        } else {
            "` is the way out in the type and not in the suite: `"
        };
        fail(
            &Text::new()
                .and("`")
                .and(here.key)
                .and(is)
                .and(name)
                .and("`"),
        );
    }
}

const fn described(option: &AnswerOption) -> &'static str {
    match option.description {
        Some(text) => text,
        None => "",
    }
}

const fn type_name(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Choice => "choice",
        AnswerKind::YesNo => "yes_no",
        AnswerKind::Score => "score",
    }
}

const fn position(options: &[AnswerOption], key: &str) -> Option<usize> {
    let mut at = 0;
    while at < options.len() {
        if same(options[at].key, key) {
            return Some(at);
        }
        at += 1;
    }
    None
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[track_caller]
const fn fail(text: &Text) -> ! {
    panic!("{}", text.as_str())
}

/// A text that is put together at compile time; what does not fit is left out.
struct Text {
    bytes: [u8; Self::MOST],
    len: usize,
}

impl Text {
    const MOST: usize = 2048;

    const fn new() -> Self {
        Self {
            bytes: [0; Self::MOST],
            len: 0,
        }
    }

    const fn and(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if text.len() > Self::MOST - self.len {
            return self;
        }
        let mut at = 0;
        while at < text.len() {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    const fn number(self, number: u32) -> Self {
        let mut power = 1;
        while number / power >= 10 {
            power *= 10;
        }
        let mut text = self;
        while power > 0 {
            let digit = [b'0' + (number / power % 10) as u8];
            text = match core::str::from_utf8(&digit) {
                Ok(digit) => text.and(digit),
                Err(_) => text,
            };
            power /= 10;
        }
        text
    }

    /// The keys of options, or the texts of levels.
    const fn keys(self, options: &[AnswerOption], levels: bool) -> Self {
        let mut text = self;
        let mut at = 0;
        while at < options.len() {
            let key = if levels {
                described(&options[at])
            } else {
                options[at].key
            };
            text = text.and(if at == 0 { "" } else { ", " }).and(key);
            at += 1;
        }
        text
    }

    const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "the suite and the type differ",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_put_together_and_never_cut_inside_a_letter() {
        let text = Text::new()
            .and("version ")
            .number(1_070)
            .and(", ")
            .number(0);
        assert_eq!(text.as_str(), "version 1070, 0");
        let long = "ä".repeat(Text::MOST);
        assert_eq!(Text::new().and("a").and(&long).and("b").as_str(), "ab");
    }

    #[test]
    #[should_panic(expected = "`bool` has no option `maybe`; it has yes, no")]
    fn an_unknown_option_is_told_with_the_known_ones() {
        check_option::<bool>("bool", "yes");
        check_option::<bool>("bool", "maybe");
    }
}
