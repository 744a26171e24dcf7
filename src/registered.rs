//! Types and policies of production code, as the tests know them.

use decbench_core::decision::{AnswerOption as CoreOption, QuestionKind};
use decbench_core::provider::function::{Decision, Distribution as CoreDistribution, IntoDecision};
use decbench_core::suite::{PolicyNumber, RustType};

use crate::{AnswerKind, Distribution, Margin, Options, Threshold, Timeout};

/// The decision that a value of a closed set stands for.
pub fn decide<T: Options>(answer: &T) -> Decision {
    match T::KIND {
        AnswerKind::YesNo => Decision::yes_no(answer.index() == 0),
        AnswerKind::Choice | AnswerKind::Score => Decision::label(answer.key()),
    }
}

/// A type as suites name it.
pub const fn rust_type<T: Options>(
    name: &'static str,
    module: &'static str,
    file: &'static str,
    line: u32,
) -> RustType {
    let kind = match T::KIND {
        AnswerKind::Choice => QuestionKind::Choice,
        AnswerKind::YesNo => QuestionKind::YesNo,
        AnswerKind::Score => QuestionKind::Score,
    };
    RustType::new(name, module, kind, options_of::<T>)
        .at(file, line)
        .asking(T::QUESTION, T::VERSION)
}

fn options_of<T: Options>() -> Vec<CoreOption> {
    T::OPTIONS
        .iter()
        .map(|option| CoreOption {
            key: option.key.to_owned(),
            description: option.description.map(str::to_owned),
            escape: option.escape,
        })
        .collect()
}

/// What a policy's number is for.
pub const fn threshold(policy: Threshold) -> PolicyNumber {
    PolicyNumber::Threshold(policy.value())
}

/// What a policy's number is for.
pub const fn margin(policy: Margin) -> PolicyNumber {
    PolicyNumber::Margin(policy.value())
}

/// What a policy's number is for.
pub const fn timeout(policy: Timeout) -> PolicyNumber {
    PolicyNumber::Timeout {
        duration: policy.duration(),
        default: policy.default_key(),
    }
}

impl From<Distribution> for CoreDistribution {
    fn from(distribution: Distribution) -> Self {
        Self::new(distribution.into_pairs())
    }
}

impl<T: Options> From<Distribution<T>> for CoreDistribution {
    fn from(distribution: Distribution<T>) -> Self {
        distribution
            .into_pairs()
            .into_iter()
            .map(|(answer, probability)| (answer.key(), probability))
            .collect()
    }
}

impl From<Distribution> for Decision {
    fn from(distribution: Distribution) -> Self {
        CoreDistribution::from(distribution).into()
    }
}

impl<T: Options> From<Distribution<T>> for Decision {
    fn from(distribution: Distribution<T>) -> Self {
        CoreDistribution::from(distribution).into()
    }
}

impl IntoDecision for Distribution {
    fn into_decision(self) -> Decision {
        self.into()
    }
}

impl<T: Options> IntoDecision for Distribution<T> {
    fn into_decision(self) -> Decision {
        self.into()
    }
}

/// What the function of a suite may return where the suite asks for `T`.
#[diagnostic::on_unimplemented(
    message = "the suite asks for `{T}`, and the function answers with `{Self}`",
    label = "is no answer of type `{T}`",
    note = "return `{T}`, `decbench::Distribution<{T}>`, or a `Result` or `Option` of these"
)]
pub trait AnswersWith<T> {}

impl<T: Options> AnswersWith<T> for T {}

impl<T: Options> AnswersWith<T> for Distribution<T> {}

impl<T: Options, A: AnswersWith<T>, E> AnswersWith<T> for Result<A, E> {}

impl<T: Options, A: AnswersWith<T>> AnswersWith<T> for Option<A> {}

/// Compiles where `R` is an answer of type `T`.
pub fn answers_with<T: Options, R: AnswersWith<T>>() {}
