//! A question's text to a question.

use super::keys::Section;
use super::name::question_name_problem;
use super::options;
use super::read::{Field, Fields, Reader, listed};
use super::rust_type::{self, Named, NamedType, Outside};
use super::tree::Node;
use crate::decision::{AnswerOption, Question, QuestionKind};
use crate::diagnostic::Span;

/// A question and what stands beside it.
#[derive(Debug, Clone)]
pub(super) struct ReadQuestion<'n> {
    /// The question.
    pub(super) question: Question,
    /// Whether its answers are known: not so after a mistake, or where they stand in a file that is not read.
    pub(super) sound: bool,
    /// Its own assertions.
    pub(super) assert: Option<Field<'n>>,
    /// Its own conventions.
    pub(super) conventions: Option<Field<'n>>,
    /// The question that has to say yes first.
    pub(super) gate: Option<Field<'n>>,
    /// The Rust type that it names.
    pub(super) named_type: Option<NamedType>,
    /// Where it is declared.
    pub(super) span: Span,
}

/// Reads `question` or `questions` of a suite or a case; empty where there are none.
pub(super) fn questions<'n>(
    reader: &mut Reader,
    fields: &Fields<'n>,
    outside: Outside<'_>,
) -> Vec<ReadQuestion<'n>> {
    if let (Some(one), Some(several)) = (fields.get("question"), fields.get("questions")) {
        reader
            .error(
                "two-forms",
                several.key_span,
                "`question` and `questions` exclude each other",
            )
            .also(one.key_span, "the other one")
            .help("keep `questions`, and put the single question into it under a name");
    }
    let mut read = Vec::new();
    if let Some(field) = fields.get("question") {
        read.extend(question(reader, "", field.key_span, field.value, outside));
    } else if let Some(field) = fields.get("questions") {
        let entries = reader.entries("questions", field.value).unwrap_or_default();
        if entries.is_empty() && field.value.entries().is_some() {
            reader
                .error("no-question", field.key_span, "`questions` is empty")
                .help("write at least one question, as in `queue: { type: choice, … }`");
        }
        for entry in entries {
            if let Some(problem) = question_name_problem(&entry.key) {
                reader.error(
                    "bad-name",
                    entry.key_span,
                    format!("`{}` cannot name a question: {problem}", entry.key),
                );
            }
            read.extend(question(
                reader,
                &entry.key,
                entry.key_span,
                &entry.value,
                outside,
            ));
        }
    }
    read
}

fn question<'n>(
    reader: &mut Reader,
    name: &str,
    span: Span,
    node: &'n Node,
    outside: Outside<'_>,
) -> Option<ReadQuestion<'n>> {
    let called = if name.is_empty() { "question" } else { name };
    let fields = reader.section(Section::Question, called, node)?;
    let errors_before = reader.found.len();
    let rust = rust_type::named(reader, &fields, outside);
    let kind = kind(reader, &fields, span, rust);
    if let Some(rust) = &rust {
        let at = fields
            .get("type")
            .map_or(rust.span, |field| field.value.span);
        rust.check_kind(reader, kind, at);
    }
    let mut sound = reader.found.len() == errors_before;
    let version_here = fields
        .get("version")
        .and_then(|field| Some((reader.whole(&field)?, field.value.span)));
    let instructions = fields.get("instructions");
    // Where types are not judged, nobody knows whether this one carries the wording.
    let wording_elsewhere =
        rust.is_some_and(|rust| rust.found.is_none_or(|found| found.question().is_some()));
    if instructions.is_none() && !wording_elsewhere {
        reader
            .error("missing-key", span, "the question has no `instructions`")
            .help("write what is asked, as in `instructions: Which team should take this call?`");
    }
    let words_here = instructions.and_then(|field| Some((reader.words(&field)?, field.value.span)));
    let (version, instructions) = match &rust {
        Some(rust) => (
            rust.version(reader, version_here),
            rust.instructions(reader, words_here),
        ),
        None => (
            version_here.map(|(version, _)| version),
            words_here.map(|(text, _)| text.to_owned()),
        ),
    };
    foreign_keys(reader, &fields, kind);
    let lists = ["options", "levels"]
        .into_iter()
        .filter_map(|key| fields.get(key))
        .any(|field| rust_type::inside(&field).is_none());
    // What only a type lists that nobody knows here stays unknown, and nothing is held against it.
    let unknown = !lists && rust.is_some_and(|rust| rust.found.is_none());
    let options = match kind {
        _ if unknown => None,
        QuestionKind::Choice | QuestionKind::Open(_) => {
            options::of_choice(reader, &fields, span, outside, rust)
        }
        QuestionKind::YesNo => Some(options::of_yes_no(reader, &fields)),
        QuestionKind::Score => options::of_score(reader, &fields, span, rust),
    };
    sound &= options.is_some();
    let question = Question {
        name: name.to_owned(),
        kind,
        version,
        instructions: instructions.unwrap_or_default(),
        options: options.unwrap_or_default(),
    };
    let named_type = rust.map(|rust| {
        let instructions = words_here.map(|(text, _)| text);
        let version = version_here.map(|(version, _)| version);
        rust_type::as_written(rust, &question, instructions, version, lists && sound)
    });
    Some(ReadQuestion {
        question,
        sound,
        assert: fields.get("assert"),
        conventions: fields.get("conventions"),
        gate: fields.get("gate"),
        named_type,
        span,
    })
}

fn kind(
    reader: &mut Reader,
    fields: &Fields<'_>,
    span: Span,
    rust: Option<Named<'_, '_>>,
) -> QuestionKind {
    let guess = if let Some(found) = rust.and_then(|rust| rust.found) {
        found.kind()
    } else if fields.get("options").is_some() {
        QuestionKind::Choice
    } else if fields.get("levels").is_some() {
        QuestionKind::Score
    } else {
        QuestionKind::YesNo
    };
    let Some(field) = fields.get("type") else {
        if rust.is_some() {
            return guess;
        }
        reader
            .error("missing-key", span, "the question has no `type`")
            .help(format!(
                "write `type: {}`; it can be `choice`, `yes_no` or `score`",
                guess.name()
            ));
        return guess;
    };
    match reader.one_of(&field) {
        Some("choice") => QuestionKind::Choice,
        Some("yes_no") => QuestionKind::YesNo,
        Some("score") => QuestionKind::Score,
        _ => guess,
    }
}

/// Keys that another kind of question has.
fn foreign_keys(reader: &mut Reader, fields: &Fields<'_>, kind: QuestionKind) {
    let (own, others): (&str, &[&str]) = match kind {
        QuestionKind::Choice => ("`options`", &["yes", "no", "levels"]),
        QuestionKind::YesNo => (
            "`yes:` and `no:` to describe the two answers",
            &["options", "levels"],
        ),
        QuestionKind::Score => ("`levels`", &["options", "yes", "no"]),
        QuestionKind::Open(_) => (
            "`instructions` and no options",
            &["options", "yes", "no", "levels"],
        ),
    };
    for field in fields
        .iter()
        .filter(|field| others.contains(&field.key.name))
    {
        reader
            .error(
                "foreign-key",
                field.key_span,
                format!(
                    "`{}` does not belong to a question of type `{}`",
                    field.key.name,
                    kind.name()
                ),
            )
            .help(format!("a {} question has {own}", kind.name()));
    }
}

/// Reads a candidate's wording of the suite's questions: labels, their order and kinds stay the suite's.
pub(super) fn wordings(
    reader: &mut Reader,
    fields: &Fields<'_>,
    suite: &[ReadQuestion<'_>],
) -> Option<Vec<Question>> {
    let mut reworded: Vec<Question> = suite.iter().map(|read| read.question.clone()).collect();
    let single = suite.len() == 1 && suite[0].question.name.is_empty();
    match (fields.get("question"), fields.get("questions")) {
        (None, None) => return None,
        (Some(field), _) if single => wording(reader, &mut reworded[0], &field),
        (_, Some(field)) if !single => {
            for entry in reader.entries("questions", field.value).unwrap_or_default() {
                let names = suite.iter().map(|read| read.question.name.as_str());
                match names.clone().position(|name| name == entry.key) {
                    Some(position) => wording(
                        reader,
                        &mut reworded[position],
                        &Field {
                            key: field.key,
                            key_span: entry.key_span,
                            value: &entry.value,
                        },
                    ),
                    None => {
                        reader
                            .error(
                                "unknown-question",
                                entry.key_span,
                                format!("the suite has no question `{}`", entry.key),
                            )
                            .help(super::read::suggestion("its questions", &entry.key, names));
                    }
                }
            }
        }
        (one, several) => {
            let wanted = if single { "question" } else { "questions" };
            if let Some(field) = one.or(several) {
                reader
                    .error(
                        "two-forms",
                        field.key_span,
                        format!(
                            "the suite has `{wanted}`, so a candidate's wording is `{wanted}` too"
                        ),
                    )
                    .help(format!("rename the key to `{wanted}`"));
            }
        }
    }
    Some(reworded)
}

fn wording(reader: &mut Reader, question: &mut Question, field: &Field<'_>) {
    let name = if question.name.is_empty() {
        "question".to_owned()
    } else {
        question.name.clone()
    };
    let Some(fields) = reader.section(Section::Wording, &name, field.value) else {
        return;
    };
    if let Some(field) = fields.get("type")
        && let Some(word) = reader.one_of(&field)
        && word != question.kind.name()
    {
        reader.error(
            "other-type",
            field.value.span,
            format!(
                "a candidate's wording keeps the question's type, which is `{}`",
                question.kind.name()
            ),
        );
    }
    if let Some(field) = fields.get("version") {
        question.version = reader.whole(&field).or(question.version);
    }
    if let Some(field) = fields.get("instructions")
        && let Some(text) = reader.words(&field)
    {
        text.clone_into(&mut question.instructions);
    }
    foreign_keys(reader, &fields, question.kind);
    match question.kind {
        QuestionKind::Open(_) => {}
        QuestionKind::Choice => {
            if let Some(field) = fields.get("options") {
                for entry in reader.entries("options", field.value).unwrap_or_default() {
                    reword_option(reader, question, entry);
                }
            }
        }
        QuestionKind::YesNo => {
            for (position, key) in ["yes", "no"].into_iter().enumerate() {
                if let Some(field) = fields.get(key)
                    && let Some(text) = reader.words(&field)
                {
                    question.options[position].description = Some(text.to_owned());
                }
            }
        }
        QuestionKind::Score => {
            if let Some(field) = fields.get("levels") {
                let items = reader.items("levels", field.value).unwrap_or_default();
                if items.len() != question.options.len() && field.value.entries().is_none() {
                    reader.error(
                        "other-labels",
                        field.value.span,
                        format!(
                            "a candidate's wording keeps the {} levels, and these are {}",
                            question.options.len(),
                            items.len()
                        ),
                    );
                }
                for (option, item) in question.options.iter_mut().zip(items) {
                    option.description = reader.text_of("levels", item).map(str::to_owned);
                }
            }
        }
    }
}

fn reword_option(reader: &mut Reader, question: &mut Question, entry: &super::tree::Entry) {
    let Some(position) = question.index_of(&entry.key) else {
        let keys = question.options.iter().map(|option| option.key.as_str());
        let help = super::read::did_you_mean(&entry.key, keys.clone())
            .unwrap_or_else(|| format!("the labels stay the suite's: {}", listed(keys)));
        reader
            .error(
                "other-labels",
                entry.key_span,
                format!("the question has no option `{}`", entry.key),
            )
            .help(help);
        return;
    };
    let described: Option<AnswerOption> = options::option(reader, entry);
    if let Some(described) = described {
        question.options[position].description = described.description;
    }
}
