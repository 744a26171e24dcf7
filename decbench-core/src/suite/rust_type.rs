//! A question whose answers are the values of a Rust type: taken from it, or compared with it.

use std::path::Path;

use super::from_rust::{RustType, find};
use super::read::{Field, Fields, Reader, did_you_mean, listed};
use crate::decision::{AnswerOption, Question, QuestionKind};
use crate::diagnostic::Span;

/// What a question may need from outside its suite.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outside<'a> {
    /// The folder of files; `None` reads none.
    pub(super) folder: Option<&'a Path>,
    /// The types that can be named; `None` judges none.
    pub(super) types: Option<&'a [&'a RustType]>,
}

/// The type of `bool`, which derives nothing.
const BOOL: RustType = RustType::new("bool", "", QuestionKind::YesNo, || {
    ["yes", "no"].map(AnswerOption::new).into()
});

/// A Rust type that a question names, and what the suite itself says beside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NamedType {
    /// The type as it is written.
    pub name: String,
    /// The question's name; empty for a suite's single unnamed one.
    pub question: String,
    /// The wording, where the suite writes it too.
    pub instructions: Option<String>,
    /// The version, where the suite writes it too.
    pub version: Option<u32>,
    /// The options (or levels, as a question has them), where the suite lists them too.
    pub options: Option<Vec<AnswerOption>>,
}

/// The type that a question names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'n, 'a> {
    /// As it is written.
    pub(super) name: &'n str,
    /// Where.
    pub(super) span: Span,
    /// The type itself: not there after a mistake, or where types are not judged.
    pub(super) found: Option<&'a RustType>,
}

/// The type that a question names by `rust: Team`, `options: { rust: Team }` or `levels: { rust: Mood }`.
pub(super) fn named<'n, 'a>(
    reader: &mut Reader,
    fields: &Fields<'n>,
    outside: Outside<'a>,
) -> Option<Named<'n, 'a>> {
    let mut names: Vec<Named<'n, 'a>> = Vec::new();
    if let Some(field) = fields.get("rust") {
        names.extend(reader.words(&field).map(|name| Named {
            name,
            span: field.value.span,
            found: None,
        }));
    }
    for key in ["options", "levels"] {
        let inside = fields.get(key).and_then(|field| inside(&field));
        if let Some(field) = inside {
            names.extend(reader.words(&field).map(|name| Named {
                name,
                span: field.value.span,
                found: None,
            }));
        }
    }
    if let [first, second, ..] = names.as_slice() {
        reader
            .error(
                "two-forms",
                second.span,
                "the question names a Rust type twice",
            )
            .also(first.span, "first here")
            .help("keep one of them");
    }
    let mut named = names.into_iter().next()?;
    if named.name == "bool" {
        named.found = Some(&BOOL);
        return Some(named);
    }
    let Some(types) = outside.types else {
        return Some(named);
    };
    let mark = "write `#[derive(decbench::Options)]` on the enum";
    match find(types, named.name, "type", mark) {
        Ok(found) => named.found = Some(found),
        Err(problem) => {
            reader
                .error("unknown-type", named.span, problem.message)
                .help(problem.help);
        }
    }
    Some(named)
}

/// `{ rust: Team }` in place of a list.
pub(super) fn inside<'n>(field: &Field<'n>) -> Option<Field<'n>> {
    match field.value.entries()? {
        [entry] if entry.key == "rust" => Some(Field {
            key: field.key,
            key_span: entry.key_span,
            value: &entry.value,
        }),
        _ => None,
    }
}

impl Named<'_, '_> {
    /// Tells where the question's type is not what the Rust type answers.
    pub(super) fn check_kind(&self, reader: &mut Reader, kind: QuestionKind, span: Span) {
        let Some(found) = self.found.filter(|found| found.kind() != kind) else {
            return;
        };
        let answers = found.kind().name();
        reader
            .error(
                "other-type",
                span,
                format!(
                    "the question is of type `{}`, and {} answers one of type `{answers}`",
                    kind.name(),
                    found.place()
                ),
            )
            .help(match found.kind() {
                QuestionKind::Score => {
                    "write `type: score`, or derive `Options` in place of `Levels`".to_owned()
                }
                QuestionKind::Choice => {
                    "write `type: choice`, or derive `Levels` for the levels of a score".to_owned()
                }
                QuestionKind::YesNo | QuestionKind::Open(_) => {
                    format!("write `type: {answers}`")
                }
            });
    }

    /// The wording: the suite's, or else the type's.
    pub(super) fn instructions(
        &self,
        reader: &mut Reader,
        written: Option<(&str, Span)>,
    ) -> Option<String> {
        let own = self.found.and_then(RustType::question);
        if let (Some(own), Some((text, span)), Some(found)) = (own, written, self.found)
            && text.trim() != own.trim()
        {
            reader
                .error(
                    "other-wording",
                    span,
                    format!("the question is put in other words than in {}", found.place()),
                )
                .note(format!("in `{}`: {own}", found.name()))
                .help("leave `instructions` out to take the type's, or change one of them; a new wording is a new version");
        }
        written.map(|(text, _)| text).or(own).map(str::to_owned)
    }

    /// The version: the suite's, or else the type's.
    pub(super) fn version(&self, reader: &mut Reader, written: Option<(u32, Span)>) -> Option<u32> {
        let own = self.found.and_then(RustType::version);
        if let (Some(own), Some((version, span)), Some(found)) = (own, written, self.found)
            && version != own
        {
            reader
                .error(
                    "other-version",
                    span,
                    format!(
                        "the suite is of version {version}, and {} of version {own}",
                        found.place()
                    ),
                )
                .help(format!(
                    "write `version: {own}`, or leave it out to take the type's"
                ));
        }
        written.map(|(version, _)| version).or(own)
    }

    /// Tells where listed options differ from the type's, each with its place; `span` is the list's key.
    pub(super) fn compare_options(
        &self,
        reader: &mut Reader,
        listed_here: &[(AnswerOption, Span)],
        span: Span,
    ) {
        let Some(found) = self
            .found
            .filter(|found| found.kind() == QuestionKind::Choice)
        else {
            return;
        };
        let (name, place) = (found.name(), found.place());
        let theirs = found.options();
        let keys =
            |options: &[AnswerOption]| listed(options.iter().map(|option| option.key.as_str()));
        let ours: Vec<AnswerOption> = listed_here
            .iter()
            .map(|(option, _)| option.clone())
            .collect();
        let mut same_set = true;
        for (option, at) in listed_here {
            let Some(their) = theirs.iter().find(|their| their.key == option.key) else {
                same_set = false;
                let near = did_you_mean(&option.key, theirs.iter().map(|their| their.key.as_str()));
                reader
                    .error(
                        "other-options",
                        *at,
                        format!(
                            "the suite has the option `{}`, and {place} has not",
                            option.key
                        ),
                    )
                    .note(format!("`{name}` has {}", keys(&theirs)))
                    .help(
                        near.unwrap_or_else(|| format!("remove it, or add a variant to `{name}`")),
                    );
                continue;
            };
            compare_one(reader, found, option, their, *at);
        }
        for (position, their) in theirs.iter().enumerate() {
            if ours.iter().any(|option| option.key == their.key) {
                continue;
            }
            same_set = false;
            let after = position
                .checked_sub(1)
                .map(|before| format!(" after `{}`", theirs[before].key))
                .unwrap_or_default();
            let text = their.description.as_deref().map(|text| format!(": {text}"));
            reader
                .error(
                    "other-options",
                    span,
                    format!(
                        "{place} has the option `{}`, and the suite has not",
                        their.key
                    ),
                )
                .note(format!("the suite has {}", keys(&ours)))
                .help(format!(
                    "add `{}{}`{after}, or remove the variant",
                    their.key,
                    text.unwrap_or_default()
                ));
        }
        let in_order = ours
            .iter()
            .zip(&theirs)
            .all(|(our, their)| our.key == their.key);
        if same_set && !in_order {
            reader
                .error(
                    "other-order",
                    span,
                    format!("the options stand in another order than in {place}"),
                )
                .note(format!(
                    "here {}; in `{name}` {}",
                    keys(&ours),
                    keys(&theirs)
                ))
                .help(format!(
                    "order them as in `{name}`: the order is part of what is asked"
                ));
        }
    }

    /// Tells where listed levels differ from the type's.
    pub(super) fn compare_levels(
        &self,
        reader: &mut Reader,
        levels: &[(AnswerOption, Span)],
        span: Span,
    ) {
        let Some(found) = self
            .found
            .filter(|found| found.kind() == QuestionKind::Score)
        else {
            return;
        };
        let (name, place) = (found.name(), found.place());
        let theirs = found.options();
        let text = |level: &AnswerOption| level.description.clone().unwrap_or_default();
        if levels.len() != theirs.len() {
            let texts: Vec<String> = theirs.iter().map(text).collect();
            reader
                .error(
                    "other-options",
                    span,
                    format!(
                        "the suite has {} levels, and {place} has {}",
                        levels.len(),
                        theirs.len()
                    ),
                )
                .note(format!(
                    "`{name}` has {}",
                    listed(texts.iter().map(String::as_str))
                ))
                .help(format!(
                    "write `levels: {{ rust: {name} }}`, or the same levels"
                ));
            return;
        }
        for (position, ((here, at), there)) in levels.iter().zip(&theirs).enumerate() {
            if here.description != there.description {
                reader
                    .error(
                        "other-options",
                        *at,
                        format!(
                            "level {position} is `{}` here and `{}` in {place}",
                            text(here),
                            text(there)
                        ),
                    )
                    .help(format!("write `{}`, or rename the variant", text(there)));
            }
        }
    }
}

fn compare_one(
    reader: &mut Reader,
    found: &RustType,
    here: &AnswerOption,
    there: &AnswerOption,
    at: Span,
) {
    let (name, place) = (found.name(), found.place());
    let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
    if here.description != there.description {
        reader
            .error(
                "other-description",
                at,
                format!("`{}` is described in other words than in {place}", here.key),
            )
            .note(format!(
                "here: {}; in `{name}`: {}",
                shown(&here.description),
                shown(&there.description)
            ))
            .help(match &there.description {
                Some(text) => format!(
                    "write `{}: {text}`, or change the variant's doc comment",
                    here.key
                ),
                None => {
                    "remove the description, or write it as the variant's doc comment".to_owned()
                }
            });
    }
    if here.escape != there.escape {
        let (is, fix) = if here.escape {
            (
                "is the way out here and not",
                "mark the variant with `#[options(escape)]`, or remove `escape: true`",
            )
        } else {
            (
                "is not the way out here as it is",
                "write `escape: true`, or remove the variant's `escape`",
            )
        };
        reader
            .error(
                "other-escape",
                at,
                format!("`{}` {is} in {place}", here.key),
            )
            .help(fix);
    }
}

/// What a suite says of a question that names a type, for who compares it with the type elsewhere.
pub(super) fn as_written(
    named: Named<'_, '_>,
    question: &Question,
    instructions: Option<&str>,
    version: Option<u32>,
    lists: bool,
) -> NamedType {
    NamedType {
        name: named.name.to_owned(),
        question: question.name.clone(),
        instructions: instructions.map(str::to_owned),
        version,
        options: lists.then(|| question.options.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::check::{Loaded, check_with};
    use super::super::from_rust::FromRust;
    use super::super::{Tree, check_text};
    use super::*;
    use crate::diagnostic::{Diagnostics, Severity, Source};

    const TEAM: RustType = RustType::new("Team", "my_app::team", QuestionKind::Choice, || {
        vec![
            AnswerOption::new("billing").described("Invoices."),
            AnswerOption::new("support").described("Faults."),
            AnswerOption {
                escape: true,
                ..AnswerOption::new("other").described("None of these.")
            },
        ]
    })
    .at("src/team.rs", 7)
    .asking(Some("Which team?"), Some(3));

    const MOOD: RustType = RustType::new("Mood", "my_app", QuestionKind::Score, || {
        vec![
            AnswerOption::new("0").described("calm"),
            AnswerOption::new("1").described("angry"),
        ]
    })
    .at("src/mood.rs", 2);

    fn read(question: &str) -> Result<Loaded, Diagnostics> {
        let text = format!(
            "question: {question}\ncases: [{{ state: x }}]\ncandidates: {{ r: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 50%' }}\n"
        );
        let source = Arc::new(Source::new("s.yaml", text));
        let rust = FromRust {
            types: Some(&[&TEAM, &MOOD]),
            ..FromRust::default()
        };
        let tree = Tree::from_yaml(&source).unwrap();
        check_with(&tree, Path::new("s.yaml"), Some(Path::new("")), &rust)
    }

    fn told(question: &str) -> Vec<(&'static str, String)> {
        let mistakes = read(question).expect_err("something is wrong");
        mistakes
            .iter()
            .filter(|mistake| mistake.severity == Severity::Error)
            .map(|mistake| {
                let note = mistake.note.clone().unwrap_or_default();
                assert!(mistake.help.is_some(), "{mistake}");
                (mistake.code, format!("{}; {note}", mistake.message))
            })
            .collect()
    }

    #[test]
    fn a_type_alone_is_a_whole_question() {
        let by_name = read("{ rust: Team }").unwrap().suite;
        let inside = read("{ type: choice, options: { rust: my_app::Team } }")
            .unwrap()
            .suite;
        let written = "{ type: choice, version: 3, instructions: Which team?, options: { billing: Invoices., support: Faults., other: { description: None of these., escape: true } } }";
        let written = read(written).unwrap().suite;
        assert_eq!(by_name.questions, written.questions);
        assert_eq!(inside.questions, written.questions);
        assert_eq!(by_name.digest, written.digest);
    }

    #[test]
    fn levels_and_yes_and_no_come_from_types_too() {
        let suite = read("{ type: score, instructions: How?, levels: { rust: Mood } }")
            .unwrap()
            .suite;
        assert_eq!(suite.questions[0].options, MOOD.options());
        let suite = read("{ rust: bool, instructions: Paid? }").unwrap().suite;
        assert_eq!(suite.questions[0].kind, QuestionKind::YesNo);
    }

    #[test]
    fn what_is_listed_beside_the_type_must_be_the_same() {
        let same = "{ rust: Team, options: { billing: Invoices., support: Faults., other: { description: None of these., escape: true } } }";
        assert!(read(same).is_ok());
        let all = told(
            "{ rust: Team, version: 2, instructions: Who?, options: { biling: Invoices., other: None., support: Faults. } }",
        );
        let codes: Vec<&str> = all.iter().map(|(code, _)| *code).collect();
        assert_eq!(
            codes,
            [
                "other-version",
                "other-wording",
                "other-options",
                "other-options",
                "other-description",
                "other-escape",
            ],
            "{all:#?}"
        );
        for (_, message) in &all {
            assert!(message.contains("(src/team.rs:7)"), "{message}");
        }
        let both = "here: None.; in `Team`: None of these.";
        assert!(all[4].1.contains(both), "{}", all[4].1);
    }

    #[test]
    fn another_order_is_told_once_with_both_orders() {
        let all = told(
            "{ rust: Team, options: { support: Faults., billing: Invoices., other: { description: None of these., escape: true } } }",
        );
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].0, "other-order");
        assert!(all[0].1.contains(
            "here `support`, `billing`, `other`; in `Team` `billing`, `support`, `other`"
        ));
    }

    #[test]
    fn levels_are_compared_by_their_place() {
        let of = |levels: &str| {
            told(&format!(
                "{{ rust: Mood, instructions: How?, levels: {levels} }}"
            ))
        };
        assert!(
            of("[calm, furious]")[0]
                .1
                .contains("level 1 is `furious` here and `angry` in `Mood`")
        );
        assert!(of("[calm, angry, furious]")[0].1.contains("3 levels"));
    }

    #[test]
    fn a_type_of_another_kind_and_an_unknown_one_are_told_once() {
        let codes =
            |question: &str| -> Vec<&str> { told(question).iter().map(|told| told.0).collect() };
        assert_eq!(codes("{ type: score, rust: Team }"), ["other-type"]);
        assert_eq!(
            codes("{ type: choice, instructions: How?, options: { rust: Mood } }"),
            ["other-type"]
        );
        assert_eq!(codes("{ rust: Taem }"), ["unknown-type"]);
        assert_eq!(
            codes("{ rust: Team, options: { rust: Team } }"),
            ["two-forms"]
        );
    }

    #[test]
    fn where_types_are_not_judged_the_suite_says_which_it_names() {
        let text = "question: { version: 3, options: { a: A, b: B }, rust: crate::Team, type: choice }\ncases: x.jsonl\ncandidates: { r: { provider: rust } }\nassert: { 'recall[a]': '>= 50%' }\n";
        let loaded = check_text(&Arc::new(Source::new("s.yaml", text))).unwrap();
        let [named] = loaded.named_types.as_slice() else {
            panic!("{:?}", loaded.named_types);
        };
        assert_eq!(
            (named.name.as_str(), named.version),
            ("crate::Team", Some(3))
        );
        assert_eq!(named.options.as_ref().map(Vec::len), Some(2));
        assert_eq!(named.instructions, None);
    }
}
