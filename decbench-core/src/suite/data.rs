//! `data:`: what must hold of the cases themselves.

use std::path::Path;

use super::bound::{Mentioned, case_field};
use super::data_rules::{DataRules, DeclaredShare, OtherFile, Panel};
use super::file;
use super::keys::Section;
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader, suggestion};
use super::tree::{Entry, Node, Value};
use crate::diagnostic::Span;
use crate::metric::Decimal;

/// Reads what the suite asks of its data.
pub(super) fn rules(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
    folder: Option<&Path>,
    mentioned: &mut Vec<Mentioned>,
) -> DataRules {
    let mut rules = DataRules::default();
    let fields = suite
        .get("data")
        .and_then(|field| reader.section(Section::Data, "data", field.value));
    let Some(fields) = fields else {
        return rules;
    };
    for field in fields.iter() {
        match field.key.name {
            "decided_at" => rules.decided_at = reader.words(&field).map(str::to_owned),
            "giveaways" => rules.giveaways = texts(reader, &field, "a phrase"),
            "overlap" => rules.overlap = overlap(reader, &field, folder),
            "class_floor" => rules.class_floor = reader.whole(&field),
            "stratum_floor" => rules.stratum_floor = reader.whole(&field),
            "weeks" => rules.weeks = reader.whole(&field),
            "population" => rules.population = shares(reader, &field, questions, mentioned),
            "composition" => rules.composition = shares(reader, &field, questions, mentioned),
            "tolerance" => rules.tolerance = reader.share(&field).unwrap_or(rules.tolerance),
            "max_age" => rules.max_age_days = days(reader, &field),
            "agreement" => {
                rules.agreement_floor = agreement(reader, &field).unwrap_or(rules.agreement_floor);
            }
            "panel" => rules.panel = panel(reader, &field),
            _ => rules.looks = reader.whole(&field).unwrap_or(rules.looks),
        }
    }
    if let Some(field) = fields.get("tolerance")
        && rules.population.is_empty()
        && rules.composition.is_empty()
    {
        reader
            .error(
                "foreign-key",
                field.key_span,
                "`tolerance` is that of `population` and `composition`, and neither is there",
            )
            .help("add `composition: { language: { en: 78% } }`, or remove `tolerance`");
    }
    rules
}

/// A list of texts in which something stands, or a single one.
fn texts(reader: &mut Reader, field: &Field<'_>, what: &str) -> Vec<String> {
    let items = match &field.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(field.value),
    };
    if items.is_empty() {
        empty(reader, field);
    }
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let Some(text) = reader.text_of(field.key.name, item) else {
            continue;
        };
        if text.chars().any(char::is_alphanumeric) {
            texts.push(text.to_owned());
        } else {
            reader.error(
                "empty-text",
                item.span,
                format!("{what} has at least one letter or digit"),
            );
        }
    }
    texts
}

fn empty(reader: &mut Reader, field: &Field<'_>) {
    reader
        .error(
            "empty-list",
            field.value.span,
            format!("`{}` is empty", field.key.name),
        )
        .help("remove it, or write what it is about");
}

fn overlap(reader: &mut Reader, field: &Field<'_>, folder: Option<&Path>) -> Vec<OtherFile> {
    let items = match &field.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(field.value),
    };
    if items.is_empty() {
        empty(reader, field);
    }
    let mut files = Vec::with_capacity(items.len());
    for item in items {
        let (file, column, span) = match &item.value {
            Value::Map(_) => {
                let Some(fields) = reader.section(Section::Overlap, "overlap", item) else {
                    continue;
                };
                let Some(named) = fields.get("file") else {
                    reader
                        .error(
                            "missing-key",
                            item.span,
                            "a file of `overlap` has no `file`",
                        )
                        .help("write `overlap: { file: train.csv, state: text }`");
                    continue;
                };
                let column = fields
                    .get("state")
                    .and_then(|field| reader.words(&field))
                    .unwrap_or("state");
                (reader.words(&named), column, named.value.span)
            }
            _ => (reader.text_of("overlap", item), "state", item.span),
        };
        let Some(file) = file else {
            continue;
        };
        if let Some(folder) = folder {
            file::look_for(reader, folder, file, span);
        }
        files.push(OtherFile {
            file: file.to_owned(),
            column: column.to_owned(),
            span,
        });
    }
    files
}

/// Shares by field and value; what is declared of one field adds up to at most 1.
fn shares(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
    mentioned: &mut Vec<Mentioned>,
) -> Vec<DeclaredShare> {
    let mut all = Vec::new();
    for division in reader
        .entries(field.key.name, field.value)
        .unwrap_or_default()
    {
        let of = if division.key == "gold" {
            None
        } else {
            let Some(of) = case_field(reader, &division.key, division.key_span) else {
                continue;
            };
            mentioned.push(Mentioned {
                field: of.clone(),
                value: None,
                span: division.key_span,
            });
            Some(of)
        };
        let mut sum = 0.0;
        for entry in reader
            .entries(&division.key, &division.value)
            .unwrap_or_default()
        {
            if of.is_none() && !is_option(reader, entry, questions) {
                continue;
            }
            let Some(share) = share(reader, field, entry) else {
                continue;
            };
            sum += share.value();
            all.push(DeclaredShare {
                field: of.clone(),
                value: entry.key.clone(),
                share,
                span: entry.key_span,
            });
        }
        if sum > 1.0 + 1e-9 {
            reader
                .error(
                    "out-of-range",
                    division.key_span,
                    format!("the shares of `{}` add up to more than 100%", division.key),
                )
                .help("values that are not named share what is left");
        }
    }
    all
}

fn share(reader: &mut Reader, field: &Field<'_>, entry: &Entry) -> Option<Decimal> {
    let named = Field {
        key_span: entry.key_span,
        value: &entry.value,
        ..*field
    };
    reader.share(&named)
}

/// Whether an entry names an option of the suite's only question.
fn is_option(reader: &mut Reader, entry: &Entry, questions: &[ReadQuestion<'_>]) -> bool {
    let [only] = questions else {
        reader
            .error(
                "foreign-key",
                entry.key_span,
                "shares of `gold` need a suite with a single question",
            )
            .help("give the cases a stratum, and declare the shares of that");
        return false;
    };
    let known = !only.sound || only.question.index_of(&entry.key).is_some();
    if !known {
        let keys: Vec<&str> = only
            .question
            .options
            .iter()
            .map(|option| option.key.as_str())
            .collect();
        let help = suggestion("its options are", &entry.key, keys.iter().copied());
        reader
            .error(
                "unknown-option",
                entry.key_span,
                format!("the question has no option `{}`", entry.key),
            )
            .help(help);
    }
    known
}

/// Days, from `180d` or `26w`.
fn days(reader: &mut Reader, field: &Field<'_>) -> Option<u32> {
    let text = field.value.text().unwrap_or("").trim();
    let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
    let days = match unit {
        "d" | "days" => Some(1),
        "w" | "weeks" => Some(7),
        _ => None,
    }
    .and_then(|unit: u32| number.trim().parse::<u32>().ok()?.checked_mul(unit))
    .filter(|days| (1..=36_500).contains(days));
    if days.is_none() {
        reader
            .error(
                "out-of-range",
                field.value.span,
                "`max_age` wants days or weeks",
            )
            .help("write it as `180d` or `26w`");
    }
    days
}

fn agreement(reader: &mut Reader, field: &Field<'_>) -> Option<Decimal> {
    let fields = reader.section(Section::Agreement, "agreement", field.value)?;
    reader.share(&fields.get("floor")?)
}

fn panel(reader: &mut Reader, field: &Field<'_>) -> Option<Panel> {
    let mut keep = Decimal {
        digits: 5,
        scale: 1,
    };
    let (models, span) = if let Value::Map(_) = field.value.value {
        let fields = reader.section(Section::Panel, "panel", field.value)?;
        if let Some(field) = fields.get("keep") {
            keep = reader.share(&field)?;
        }
        let Some(named) = fields.get("models") else {
            reader
                .error("missing-key", field.key_span, "`panel` names no `models`")
                .help("write `panel: [model_a, model_b, model_c]`, by their names under `labels`");
            return None;
        };
        (names(reader, named.value)?, named.value.span)
    } else {
        (names(reader, field.value)?, field.value.span)
    };
    if models.len() < 2 {
        reader
            .error("few-models", span, "a panel has at least two models")
            .help("with two a case is kept when both agree; with three two may carry it");
        return None;
    }
    Some(Panel { models, keep, span })
}

fn names(reader: &mut Reader, node: &Node) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut seen: Vec<(String, Span)> = Vec::new();
    for item in reader.items("panel", node)? {
        let name = reader.text_of("panel", item)?.to_owned();
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == name) {
            reader
                .error("duplicate-key", item.span, format!("`{name}` votes twice"))
                .also(*first, "first here");
            return None;
        }
        seen.push((name.clone(), item.span));
        names.push(name);
    }
    Some(names)
}
