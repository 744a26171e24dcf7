//! What a function returned: one decision, several by question, or a failure.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use crate::decision::{Asked, Decided, Failure, FailureKind};

use super::{Decision, IntoDecision};

/// What a function returned.
///
/// A function that answers several questions returns a map by question name, or builds this:
///
/// ```
/// use decbench_core::provider::function::Answers;
/// let answers = Answers::new().and("queue", "billing").and("urgent", true);
/// # assert_ne!(answers, Answers::new());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Answers(Returned);

#[derive(Debug, Clone, PartialEq)]
enum Returned {
    One(Result<Decision, Failure>),
    Named(Vec<(String, Result<Decision, Failure>)>),
}

impl Answers {
    /// No answers by name yet.
    pub fn new() -> Self {
        Self(Returned::Named(Vec::new()))
    }

    /// A failure of the whole call.
    pub fn failed(failure: Failure) -> Self {
        Self(Returned::One(Err(failure)))
    }

    /// The same answers and one to the question `name`: a decision, or a `Result` of one.
    ///
    /// Nothing can be added to a failed call.
    #[must_use]
    pub fn and(mut self, name: impl Into<String>, answer: impl IntoAnswers) -> Self {
        if let Returned::Named(named) = &mut self.0 {
            let answer = match answer.into_answers().0 {
                Returned::One(answer) => answer,
                Returned::Named(_) => Err(invalid("answers by name inside answers by name")),
            };
            named.push((name.into(), answer));
        }
        self
    }

    /// The failure of the whole call, if it failed.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.0 {
            Returned::One(Err(failure)) => Some(failure),
            _ => None,
        }
    }

    /// One answer per asked question, in the request's order; `only` is the one question the function answers.
    pub(super) fn read_for(
        &self,
        asked: &[Asked<'_>],
        only: Option<&str>,
    ) -> Vec<Result<Decided, Failure>> {
        let read = |asked: &Asked<'_>| match (&self.0, only) {
            (_, Some(only)) if asked.question.name != only => Err(Failure::new(
                FailureKind::Refused,
                format!("the function answers only the question `{only}`"),
            )),
            (Returned::One(Err(failure)), _) => Err(failure.clone()),
            (Returned::One(Ok(decision)), Some(_)) => decision.clone().read_for(asked.question),
            (Returned::One(Ok(decision)), None) if asked.question.name.is_empty() => {
                decision.clone().read_for(asked.question)
            }
            (Returned::One(Ok(_)), None) => Err(invalid(
                "one answer without a name; return a map by question name, or add `question = \"…\"` to the function's attribute",
            )),
            (Returned::Named(named), _) => answer_named(named, asked),
        };
        // A lone question needs no name to be told from others.
        if let ([lone], Returned::One(Ok(decision)), None) = (asked, &self.0, only) {
            return vec![decision.clone().read_for(lone.question)];
        }
        asked.iter().map(read).collect()
    }
}

impl Default for Answers {
    fn default() -> Self {
        Self::new()
    }
}

fn answer_named(
    named: &[(String, Result<Decision, Failure>)],
    asked: &Asked<'_>,
) -> Result<Decided, Failure> {
    let question = asked.question;
    let mut matching = named.iter().filter(|(name, _)| *name == question.name);
    match (matching.next(), matching.next()) {
        (Some((_, answer)), None) => answer
            .clone()
            .and_then(|decision| decision.read_for(question)),
        (Some(_), Some(_)) => Err(invalid(format!("two answers to `{}`", question.name))),
        (None, _) if question.name.is_empty() => Err(invalid(
            "answers by name, and the suite's only question has none",
        )),
        (None, _) => {
            let names: Vec<String> = named.iter().map(|(name, _)| format!("`{name}`")).collect();
            Err(invalid(format!(
                "no answer to `{}`, only to {}",
                question.name,
                if names.is_empty() {
                    "nothing".to_owned()
                } else {
                    names.join(", ")
                }
            )))
        }
    }
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidAnswer, message)
}

/// What a function may return.
///
/// Anything that implements [`IntoDecision`]; a map by question name, or a list of pairs; [`Answers`]; an `Option`
/// of these (`None` is the failure `refused`); a `Result` of these. An error becomes the failure `refused` with the
/// error's text: a function that returns one has declined to answer, and that is a wrong answer. A function that
/// itself calls a service returns a [`Failure`] as its error, which is kept as it is, so that a service that could
/// not be reached counts as no answer and not as a wrong one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a provider can return",
    label = "cannot be read as an answer",
    note = "return a label (`&str` or `String`), `bool` for yes/no, an integer for a level, a `Distribution`, an enum with `#[derive(decbench::Options)]`, a type that implements `decbench::IntoDecision`, a map of these by question name, or a `Result` or `Option` of these"
)]
pub trait IntoAnswers {
    /// The answers this value stands for.
    fn into_answers(self) -> Answers;
}

impl<T: IntoDecision> IntoAnswers for T {
    fn into_answers(self) -> Answers {
        Answers(Returned::One(Ok(self.into_decision())))
    }
}

impl IntoAnswers for Answers {
    fn into_answers(self) -> Answers {
        self
    }
}

impl<T: IntoAnswers, E: Display + 'static> IntoAnswers for Result<T, E> {
    fn into_answers(self) -> Answers {
        match self {
            Ok(answers) => answers.into_answers(),
            Err(error) => Answers::failed(failure_of(&error)),
        }
    }
}

impl<T: IntoAnswers> IntoAnswers for Option<T> {
    fn into_answers(self) -> Answers {
        self.map_or_else(
            || {
                Answers::failed(Failure::new(
                    FailureKind::Refused,
                    "the function gave no answer",
                ))
            },
            IntoAnswers::into_answers,
        )
    }
}

fn failure_of<E: Display + 'static>(error: &E) -> Failure {
    match (error as &dyn Any).downcast_ref::<Failure>() {
        Some(failure) => failure.clone(),
        // The alternate form is where error libraries put the chain of causes.
        None => Failure::new(FailureKind::Refused, format!("{error:#}")),
    }
}

fn named<K: Into<String>, V: IntoAnswers>(pairs: impl IntoIterator<Item = (K, V)>) -> Answers {
    pairs
        .into_iter()
        .fold(Answers::new(), |answers, (name, answer)| {
            answers.and(name, answer)
        })
}

impl<K: Into<String>, V: IntoAnswers, S> IntoAnswers for HashMap<K, V, S> {
    fn into_answers(self) -> Answers {
        named(self)
    }
}

impl<K: Into<String>, V: IntoAnswers> IntoAnswers for BTreeMap<K, V> {
    fn into_answers(self) -> Answers {
        named(self)
    }
}

impl<K: Into<String>, V: IntoAnswers> IntoAnswers for Vec<(K, V)> {
    fn into_answers(self) -> Answers {
        named(self)
    }
}

impl<K: Into<String>, V: IntoAnswers, const N: usize> IntoAnswers for [(K, V); N] {
    fn into_answers(self) -> Answers {
        named(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Question, QuestionKind};

    fn questions(names: &[&str]) -> Vec<Question> {
        names
            .iter()
            .map(|name| Question {
                name: (*name).into(),
                kind: QuestionKind::Choice,
                version: None,
                instructions: "Which?".into(),
                options: vec![AnswerOption::new("a"), AnswerOption::new("b")],
            })
            .collect()
    }

    fn read(
        answers: impl IntoAnswers,
        names: &[&str],
        only: Option<&str>,
    ) -> Vec<Result<String, Failure>> {
        let questions = questions(names);
        let asked: Vec<Asked<'_>> = questions
            .iter()
            .map(|question| Asked {
                question,
                order: &[0, 1],
            })
            .collect();
        answers
            .into_answers()
            .read_for(&asked, only)
            .into_iter()
            .map(|answer| answer.map(|decided| decided.label.expect("only labels here")))
            .collect()
    }

    fn failure(kind: FailureKind, message: &str) -> Result<String, Failure> {
        Err(Failure::new(kind, message))
    }

    #[test]
    fn one_answer_goes_to_a_lone_question_whatever_its_name() {
        assert_eq!(read("a", &[""], None), [Ok("a".into())]);
        assert_eq!(read("b", &["queue"], None), [Ok("b".into())]);
    }

    #[test]
    fn one_answer_to_several_questions_needs_a_name() {
        let answers = read("a", &["queue", "next"], None);
        assert!(answers.iter().all(|answer| {
            answer
                .as_ref()
                .is_err_and(|failure| failure.message.contains("return a map"))
        }));
        assert_eq!(
            read("a", &["queue", "next"], Some("next")),
            [
                failure(
                    FailureKind::Refused,
                    "the function answers only the question `next`"
                ),
                Ok("a".into())
            ]
        );
    }

    #[test]
    fn answers_are_matched_by_name_and_a_missing_one_is_told() {
        assert_eq!(
            read([("next", "b"), ("queue", "a")], &["queue", "next"], None),
            [Ok("a".into()), Ok("b".into())]
        );
        assert_eq!(
            read(BTreeMap::from([("que", "a")]), &["queue"], None),
            [failure(
                FailureKind::InvalidAnswer,
                "no answer to `queue`, only to `que`"
            )]
        );
        assert_eq!(
            read(vec![("queue", "a"), ("queue", "b")], &["queue"], None),
            [failure(
                FailureKind::InvalidAnswer,
                "two answers to `queue`"
            )]
        );
    }

    #[test]
    fn one_question_may_fail_alone() {
        let answers = Answers::new()
            .and("queue", "a")
            .and("next", Err::<&str, _>("no idea"));
        assert_eq!(
            read(answers, &["queue", "next"], None),
            [Ok("a".into()), failure(FailureKind::Refused, "no idea")]
        );
    }

    #[test]
    fn an_error_is_a_refusal_unless_it_is_a_failure_already() {
        let unreachable = Failure::new(FailureKind::Connect, "no route");
        assert_eq!(
            read(Err::<&str, _>(unreachable.clone()), &[""], None),
            [Err(unreachable)]
        );
        assert_eq!(
            read(Err::<&str, _>(std::fmt::Error), &["a", "b"], None),
            vec![failure(FailureKind::Refused, &std::fmt::Error.to_string()); 2]
        );
        assert_eq!(
            read(None::<&str>, &[""], None),
            [failure(FailureKind::Refused, "the function gave no answer")]
        );
    }
}
