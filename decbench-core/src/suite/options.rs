//! The answers a question allows.

use std::collections::HashMap;

use super::file;
use super::keys::Section;
use super::read::{Field, Fields, Reader, listed};
use super::rust_type::{self, Named, Outside};
use super::tree::{Entry, Node, Style, Value};
use crate::decision::AnswerOption;
use crate::diagnostic::Span;

/// The most options a question can have: positions are kept in 16 bits.
const MOST: usize = 65_535;

/// The options of a choice; `None` after a mistake, or where they stand in a file or a type that is not read.
pub(super) fn of_choice(
    reader: &mut Reader,
    fields: &Fields<'_>,
    span: Span,
    outside: Outside<'_>,
    rust: Option<Named<'_, '_>>,
) -> Option<Vec<AnswerOption>> {
    let field = fields.get("options");
    let inside = field.and_then(|field| rust_type::inside(&field));
    let Some(field) = field.filter(|_| inside.is_none()) else {
        if let Some(rust) = rust {
            let options = rust.found?.options();
            let options = options
                .into_iter()
                .map(|option| (option, rust.span))
                .collect();
            return checked(reader, rust.span, options);
        }
        reader
            .error("missing-key", span, "the choice has no `options`")
            .help("write `options:` as a map, as in `billing: Invoices, charges, refunds`");
        return None;
    };
    if let Some([entry]) = field.value.entries()
        && entry.key == "file"
    {
        return from_file(reader, &field, entry, outside, rust);
    }
    let options = listed_options(reader, field.value)?;
    if let Some(rust) = rust {
        rust.compare_options(reader, &options, field.key_span);
    }
    checked(reader, field.key_span, options)
}

fn from_file(
    reader: &mut Reader,
    field: &Field<'_>,
    entry: &Entry,
    outside: Outside<'_>,
    rust: Option<Named<'_, '_>>,
) -> Option<Vec<AnswerOption>> {
    let folder = outside.folder?;
    let named = Field {
        key: field.key,
        key_span: entry.key_span,
        value: &entry.value,
    };
    let (format, source) = file::read(reader, folder, &named)?;
    if !matches!(format, file::Format::Json | file::Format::Yaml) {
        reader
            .error(
                "file-format",
                entry.value.span,
                "options are read from .json or .yaml",
            )
            .help("write a map of options to descriptions, or a list of options");
        return None;
    }
    let tree = match file::tree(format, &source) {
        Ok(tree) => tree,
        Err(mistakes) => {
            reader.found.extend(mistakes);
            return None;
        }
    };
    let mut inner = Reader::new(&source);
    let options = listed_options(&mut inner, &tree.root);
    if let (Some(rust), Some(options)) = (rust, &options) {
        rust.compare_options(&mut inner, options, tree.root.span);
    }
    reader.found.extend(inner.found);
    checked(reader, field.key_span, options?)
}

/// Options with the place of each.
type Placed = Vec<(AnswerOption, Span)>;

fn listed_options(reader: &mut Reader, node: &Node) -> Option<Placed> {
    let errors_before = reader.found.len();
    let options: Placed = match &node.value {
        Value::Map(_) => reader
            .entries("options", node)?
            .iter()
            .filter_map(|entry| Some((option(reader, entry)?, entry.key_span)))
            .collect(),
        Value::List(items) => {
            let options: Placed = items
                .iter()
                .filter_map(|item| Some((listed_option(reader, item)?, item.span)))
                .collect();
            let mut seen: HashMap<&str, Span> = HashMap::with_capacity(options.len());
            for (option, span) in &options {
                if let Some(first) = seen.insert(&option.key, *span) {
                    reader
                        .error(
                            "duplicate-key",
                            *span,
                            format!("duplicate option `{}`", option.key),
                        )
                        .also(first, "first here");
                }
            }
            options
        }
        Value::Scalar(_) => {
            reader
                .unexpected("options", node, "a map or a list of options")
                .help("options in a file are written `options: {file: options.json}`");
            return None;
        }
    };
    let node_span = node.span;
    if options.len() > MOST {
        reader.error(
            "out-of-range",
            node_span,
            format!("{} options are more than {MOST}", options.len()),
        );
    }
    let escapes: Vec<&(AnswerOption, Span)> =
        options.iter().filter(|(option, _)| option.escape).collect();
    if let [first, second, ..] = escapes.as_slice() {
        reader
            .error(
                "two-escapes",
                second.1,
                format!("`{}` is a second escape option", second.0.key),
            )
            .also(first.1, "the first one");
    }
    for (option, span) in &options {
        if option.key.trim().is_empty() {
            reader.error("empty-text", *span, "an option's key is empty");
        }
    }
    (reader.found.len() == errors_before).then_some(options)
}

/// One entry of a map of options.
pub(super) fn option(reader: &mut Reader, entry: &Entry) -> Option<AnswerOption> {
    let mut option = AnswerOption::new(entry.key.as_str());
    match &entry.value.value {
        Value::Map(_) => describe(reader, &mut option, &entry.value)?,
        Value::Scalar(_) if entry.value.is_null() => {}
        _ => option.description = Some(reader.text_of(&entry.key, &entry.value)?.to_owned()),
    }
    Some(option)
}

/// One item of a list of options: a key, or a map with `key`.
fn listed_option(reader: &mut Reader, item: &Node) -> Option<AnswerOption> {
    let Value::Map(entries) = &item.value else {
        return Some(AnswerOption::new(reader.text_of("options", item)?));
    };
    let Some(key) = entries.iter().find(|entry| entry.key == "key") else {
        reader
            .error("missing-key", item.span, "an option in a list has no `key`")
            .help("write `{key: billing, description: …}`, or a map of options");
        return None;
    };
    let mut option = AnswerOption::new(reader.text_of("key", &key.value)?);
    let rest: Vec<Entry> = entries
        .iter()
        .filter(|entry| entry.key != "key")
        .cloned()
        .collect();
    let rest = Node {
        span: item.span,
        value: Value::Map(rest),
    };
    describe(reader, &mut option, &rest)?;
    Some(option)
}

fn describe(reader: &mut Reader, option: &mut AnswerOption, node: &Node) -> Option<()> {
    let fields = reader.section(Section::Option, &option.key, node)?;
    if let Some(field) = fields
        .get("description")
        .filter(|field| !field.value.is_null())
    {
        option.description = Some(reader.text(&field)?.to_owned());
    }
    if let Some(field) = fields.get("escape") {
        option.escape = reader.flag(&field)?;
    }
    Some(())
}

/// The last checks of a choice, and what a reader of the suite should know.
fn checked(reader: &mut Reader, span: Span, options: Placed) -> Option<Vec<AnswerOption>> {
    let options: Vec<AnswerOption> = options.into_iter().map(|(option, _)| option).collect();
    if options.len() < 2 {
        reader
            .error("few-options", span, "a choice needs at least two options")
            .help("a question with one answer decides nothing");
        return None;
    }
    let bare: Vec<&str> = options
        .iter()
        .filter(|option| option.description.as_deref().is_none_or(str::is_empty))
        .map(|option| option.key.as_str())
        .collect();
    if !bare.is_empty() {
        let (have, them) = if bare.len() == 1 {
            ("1 option has", "it")
        } else {
            ("options have", "each")
        };
        let count = if bare.len() == 1 {
            String::new()
        } else {
            format!("{} ", bare.len())
        };
        reader
            .warning(
                "no-description",
                span,
                format!("{count}{have} no description"),
            )
            .note(listed(bare.iter().copied()))
            .help(format!("say what {them} means: models decide by it"));
    }
    if !options.iter().any(|option| option.escape) {
        reader
            .warning(
                "no-escape",
                span,
                "the choice has no escape option",
            )
            .help("add one for cases that fit no other, as in `none: { description: None of these, escape: true }`");
    }
    Some(options)
}

/// Yes and no, with their descriptions.
pub(super) fn of_yes_no(reader: &mut Reader, fields: &Fields<'_>) -> Vec<AnswerOption> {
    ["yes", "no"]
        .into_iter()
        .map(|key| AnswerOption {
            description: fields
                .get(key)
                .and_then(|field| reader.words(&field))
                .map(str::to_owned),
            ..AnswerOption::new(key)
        })
        .collect()
}

/// The levels of a score; `None` after a mistake, or where they stand in a type that is not read.
pub(super) fn of_score(
    reader: &mut Reader,
    fields: &Fields<'_>,
    span: Span,
    rust: Option<Named<'_, '_>>,
) -> Option<Vec<AnswerOption>> {
    let field = fields.get("levels");
    let inside = field.and_then(|field| rust_type::inside(&field));
    let Some(field) = field.filter(|_| inside.is_none()) else {
        if let Some(rust) = rust {
            return Some(rust.found?.options());
        }
        reader
            .error("missing-key", span, "the score has no `levels`")
            .help("list them, lowest first, as in `levels: [calm, annoyed, furious]`");
        return None;
    };
    let items = reader.items("levels", field.value)?;
    if items.len() < 2 || items.len() > MOST {
        reader
            .error(
                "few-options",
                field.key_span,
                "a score needs at least two levels",
            )
            .help("list them, lowest first, as in `levels: [calm, annoyed, furious]`");
        return None;
    }
    let errors_before = reader.found.len();
    let mut levels: Vec<AnswerOption> = Vec::with_capacity(items.len());
    let mut seen: HashMap<&str, Span> = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let text = reader.text_of("levels", item).unwrap_or_default();
        if let Some(first) = seen.insert(text, item.span) {
            reader
                .error(
                    "duplicate-level",
                    item.span,
                    format!("duplicate level `{text}`"),
                )
                .also(first, "first here");
        }
        levels.push(AnswerOption::new(index.to_string()).described(text));
    }
    let numbered = levels.iter().zip(items).find(|(level, item)| {
        let text = item.text().unwrap_or_default();
        text.parse::<i64>().is_ok() && text != level.key
    });
    if let Some((level, item)) = numbered {
        let text = item.text().unwrap_or_default();
        let quoted = matches!(&item.value, Value::Scalar(scalar) if scalar.style == Style::Quoted);
        reader
            .error(
                "numbered-level",
                item.span,
                format!("the text of level {} is another number, {text}", level.key),
            )
            .note(format!(
                "levels count from 0, so this is level {}",
                level.key
            ))
            .help(if quoted || text.starts_with('-') {
                "give the levels texts in which an answer cannot be mistaken, such as `1 star`"
                    .to_owned()
            } else {
                format!(
                    "write a text such as `{text} of {}`, so that gold cannot be mistaken",
                    items.len()
                )
            });
    }
    if reader.found.len() > errors_before {
        return None;
    }
    if let Some(rust) = rust {
        let spans = items.iter().map(|item| item.span);
        let placed: Placed = levels.iter().cloned().zip(spans).collect();
        rust.compare_levels(reader, &placed, field.key_span);
    }
    Some(levels)
}
