//! The keys of open suites, in the order of the reference.

use super::super::key_table::{key, or};
use super::super::keys::Kind::{Flag, Free, Number, Section as Map, Text};
use super::super::keys::{Key, Section};

pub(in super::super) const CHECKS: &[Key] = &[
    or(
        key(
            "exact_match",
            Flag,
            "The answer is the case's gold: a text without the blanks around it, JSON by its values.",
        ),
        "false",
    ),
    key(
        "json_schema",
        Free("a JSON Schema, or `{file: answer.schema.json}`"),
        "The answer is JSON of this schema.",
    ),
    key(
        "must_include",
        Free("a text, or a list of texts"),
        "Each of these stands in the answer, in large or small letters.",
    ),
    key(
        "must_not_include",
        Free("a text, or a list of texts"),
        "None of these stands in the answer.",
    ),
    key(
        "required_tools",
        Free("a tool's name, or a list of names"),
        "Each of these tools is called.",
    ),
    key(
        "forbidden_tools",
        Free("a tool's name, or a list of names"),
        "None of these tools is called.",
    ),
    key(
        "number_within",
        Map(Section::NumberWithin),
        "A number of the answer is about the expected one.",
    ),
];

pub(in super::super) const NUMBER_WITHIN: &[Key] = &[
    key(
        "at",
        Text,
        "Where in a JSON answer it stands, as a JSON pointer; without it, the first number of the text.",
    ),
    or(
        key("value", Number(f64::MIN, f64::MAX), "The expected number."),
        "that of the gold at the same place",
    ),
    key(
        "tolerance",
        Number(0.0, f64::MAX),
        "How far the number may be off.",
    ),
];

pub(in super::super) const JUDGE: &[Key] = &[
    key(
        "rubric",
        Free("a criterion, a list of criteria, or a map of names to criteria"),
        "What a good answer does, one statement each: every judge votes on each.",
    ),
    key(
        "pairwise",
        Text,
        "The candidate whose answer every other is compared with, in both orders; `today` for today's.",
    ),
    or(
        key(
            "jury",
            Free("a map of judges by name"),
            "Who judges; none judges a candidate of its own family.",
        ),
        "jev-1.14.0 of system-one",
    ),
    key(
        "chat",
        Map(Section::Juror),
        "Who judges in their place when the prompt or the task is over 8,000 characters, or a judge errs or abstains.",
    ),
];

pub(in super::super) const JUROR: &[Key] = &[
    key("provider", Text, "Which provider judges."),
    or(
        key(
            "family",
            Text,
            "The line of models it belongs to; it judges no candidate of the same one.",
        ),
        "the letters that its model's name begins with",
    ),
];
