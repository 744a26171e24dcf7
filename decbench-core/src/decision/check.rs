//! What must hold of an open answer: checks without a judge.

use serde_json::{Value, json};

use super::JsonSchema;

/// Which check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CheckKind {
    /// The answer is the one expected.
    ExactMatch,
    /// The answer is JSON of a schema.
    JsonSchema,
    /// Texts that stand in the answer.
    MustInclude,
    /// Texts that do not.
    MustNotInclude,
    /// Tools that were called.
    RequiredTools,
    /// Tools that were not.
    ForbiddenTools,
    /// A number within a tolerance.
    NumberWithin,
}

impl CheckKind {
    /// Every check, in the order of scorecards.
    pub const ALL: [Self; 7] = [
        Self::ExactMatch,
        Self::JsonSchema,
        Self::MustInclude,
        Self::MustNotInclude,
        Self::RequiredTools,
        Self::ForbiddenTools,
        Self::NumberWithin,
    ];

    /// The name in suites, which is that of its metric too.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExactMatch => "exact_match",
            Self::JsonSchema => "json_schema",
            Self::MustInclude => "must_include",
            Self::MustNotInclude => "must_not_include",
            Self::RequiredTools => "required_tools",
            Self::ForbiddenTools => "forbidden_tools",
            Self::NumberWithin => "number_within",
        }
    }
}

/// One check with what it wants.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Check {
    /// The answer is the case's gold: a text without the blanks around it, JSON by its values.
    ExactMatch,
    /// The answer is JSON of this schema.
    JsonSchema(JsonSchema),
    /// Each of these texts stands in the answer, whatever its case of letters.
    MustInclude(Vec<String>),
    /// None of these texts does.
    MustNotInclude(Vec<String>),
    /// Each of these tools was called.
    RequiredTools(Vec<String>),
    /// None of these tools was.
    ForbiddenTools(Vec<String>),
    /// A number of the answer is about the expected one.
    NumberWithin(NumberWithin),
}

/// A number of the answer, and how far it may be from which one.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberWithin {
    /// Where in a JSON answer it stands, as a JSON pointer; without it, the first number of the text.
    pub at: Option<String>,
    /// The expected number; without it, that of the gold at the same place.
    pub value: Option<f64>,
    /// How far it may be off, in absolute terms; not negative.
    pub tolerance: f64,
}

impl Check {
    /// Which check it is.
    pub fn kind(&self) -> CheckKind {
        match self {
            Self::ExactMatch => CheckKind::ExactMatch,
            Self::JsonSchema(_) => CheckKind::JsonSchema,
            Self::MustInclude(_) => CheckKind::MustInclude,
            Self::MustNotInclude(_) => CheckKind::MustNotInclude,
            Self::RequiredTools(_) => CheckKind::RequiredTools,
            Self::ForbiddenTools(_) => CheckKind::ForbiddenTools,
            Self::NumberWithin(_) => CheckKind::NumberWithin,
        }
    }

    /// Whether it compares with the gold of a case, so that it says nothing of a case without.
    pub fn reads_gold(&self) -> bool {
        match self {
            Self::ExactMatch => true,
            Self::NumberWithin(number) => number.value.is_none(),
            _ => false,
        }
    }

    /// The check as a suite writes it.
    pub fn document(&self) -> Value {
        let wanted = match self {
            Self::ExactMatch => Value::Bool(true),
            Self::JsonSchema(schema) => schema.document().clone(),
            Self::MustInclude(texts)
            | Self::MustNotInclude(texts)
            | Self::RequiredTools(texts)
            | Self::ForbiddenTools(texts) => json!(texts),
            Self::NumberWithin(number) => json!({
                "at": number.at,
                "value": number.value,
                "tolerance": number.tolerance,
            }),
        };
        json!({ self.kind().name(): wanted })
    }
}
