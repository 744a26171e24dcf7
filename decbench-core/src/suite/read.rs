//! Reading nodes into values, collecting mistakes on the way.

use std::collections::HashMap;
use std::sync::Arc;

use super::keys::{Key, Kind, Section};
use super::tree::{Entry, Node, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, nearest};
use crate::metric::Decimal;

/// Collects the mistakes of one source.
#[derive(Debug)]
pub(super) struct Reader {
    /// The text that spans point into.
    pub(super) source: Arc<Source>,
    /// What was found so far.
    pub(super) found: Diagnostics,
    /// Answers of production or raters that are no option, with their first place and how often they occur.
    pub(super) strangers: Tally,
}

/// Texts with their first place and how often they occur, in the order of their first places.
#[derive(Debug, Default)]
pub(super) struct Tally {
    positions: HashMap<String, usize>,
    list: Vec<(String, Span, usize)>,
}

impl Tally {
    /// How many different texts there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Counts one.
    pub(super) fn count(&mut self, text: &str, span: Span) {
        if let Some(position) = self.positions.get(text) {
            self.list[*position].2 += 1;
        } else {
            self.positions.insert(text.to_owned(), self.list.len());
            self.list.push((text.to_owned(), span, 1));
        }
    }

    /// Each text with its first place and its count.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Span, usize)> {
        self.list
            .iter()
            .map(|(text, span, count)| (text.as_str(), *span, *count))
    }
}

/// The known entries of a map.
#[derive(Debug, Clone)]
pub(super) struct Fields<'n> {
    known: Vec<(&'static Key, &'n Entry)>,
    /// Entries whose keys are in no table, of an open section only.
    pub(super) others: Vec<&'n Entry>,
    /// Where the map stands.
    pub(super) span: Span,
}

/// A known key and its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'n> {
    /// The key's row in the table.
    pub(super) key: &'static Key,
    /// Where the key stands.
    pub(super) key_span: Span,
    /// The value.
    pub(super) value: &'n Node,
}

impl<'n> Fields<'n> {
    /// The entry of this key.
    pub(super) fn get(&self, name: &str) -> Option<Field<'n>> {
        self.known
            .iter()
            .find(|(key, _)| key.name == name)
            .map(|(key, entry)| Field {
                key,
                key_span: entry.key_span,
                value: &entry.value,
            })
    }

    /// Reads a mistyped key as the one that was meant, so that one slip gives one message.
    pub(super) fn take_as_meant(&mut self, section: Section, entry: &'n Entry) {
        let meant = nearest(&entry.key, section.keys().iter().map(|key| key.name))
            .and_then(|name| section.key(name))
            .filter(|key| self.get(key.name).is_none());
        self.known.extend(meant.map(|key| (key, entry)));
    }

    /// All known entries in the order written.
    pub(super) fn iter(&self) -> impl Iterator<Item = Field<'n>> {
        self.known.iter().map(|(key, entry)| Field {
            key,
            key_span: entry.key_span,
            value: &entry.value,
        })
    }
}

/// "did you mean", when something is near.
pub(super) fn did_you_mean<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(wanted, known).map(|name| format!("did you mean `{name}`?"))
}

/// A key in backticks; a description in words as it is.
fn named(field: &str) -> String {
    if field.starts_with("a ") || field.starts_with("an ") {
        field.to_owned()
    } else {
        format!("`{field}`")
    }
}

/// The first names of a list, for a help line.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The suggestion, or else all that there is.
pub(super) fn suggestion<'a>(
    what: &str,
    wanted: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    did_you_mean(wanted, known.clone()).unwrap_or_else(|| format!("{what}: {}", listed(known)))
}

impl Reader {
    pub(super) fn new(source: &Arc<Source>) -> Self {
        Self {
            source: Arc::clone(source),
            found: Diagnostics::new(),
            strangers: Tally::default(),
        }
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let source = Arc::clone(&self.source);
        self.found
            .push(Diagnostic::error(code, source, span, message))
    }

    pub(super) fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let source = Arc::clone(&self.source);
        self.found
            .push(Diagnostic::warning(code, source, span, message))
    }

    /// A value of the wrong form.
    pub(super) fn unexpected(&mut self, field: &str, node: &Node, wanted: &str) -> &mut Diagnostic {
        let kind = node.kind();
        let what = named(field);
        self.error(
            "wrong-type",
            node.span,
            format!("{what} wants {wanted}, and this is {kind}"),
        )
    }

    /// The entries of a map of user's own keys; each key once.
    pub(super) fn entries<'n>(&mut self, field: &str, node: &'n Node) -> Option<&'n [Entry]> {
        let Value::Map(entries) = &node.value else {
            self.unexpected(field, node, "a map");
            return None;
        };
        self.duplicates(entries);
        Some(entries)
    }

    fn duplicates(&mut self, entries: &[Entry]) {
        // Maps are short except for long lists of options, where comparing all pairs would be felt.
        let mut sorted: Vec<&Entry> = entries.iter().collect();
        sorted.sort_by(|a, b| a.key.cmp(&b.key));
        for pair in sorted.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            self.error(
                "duplicate-key",
                pair[1].key_span,
                format!("duplicate key `{}`", pair[1].key),
            )
            .also(pair[0].key_span, "first here")
            .help("remove one of them");
        }
    }

    /// The items of a list.
    pub(super) fn items<'n>(&mut self, field: &str, node: &'n Node) -> Option<&'n [Node]> {
        let Value::List(items) = &node.value else {
            self.unexpected(field, node, "a list");
            return None;
        };
        Some(items)
    }

    /// The entries of a map with a fixed set of keys; others are mistakes, unless the section is open.
    pub(super) fn section<'n>(
        &mut self,
        section: Section,
        field: &str,
        node: &'n Node,
    ) -> Option<Fields<'n>> {
        let mut fields = self.open_section(section, field, node)?;
        if !section.is_open() {
            for entry in std::mem::take(&mut fields.others) {
                self.unknown_key(section, entry);
                fields.take_as_meant(section, entry);
            }
        }
        Some(fields)
    }

    /// The entries of a map, those with keys of the section and the others.
    pub(super) fn open_section<'n>(
        &mut self,
        section: Section,
        field: &str,
        node: &'n Node,
    ) -> Option<Fields<'n>> {
        let entries = self.entries(field, node)?;
        let mut fields = Fields {
            known: Vec::with_capacity(entries.len()),
            others: Vec::new(),
            span: node.span,
        };
        for entry in entries {
            match section.key(&entry.key) {
                Some(key) if fields.get(key.name).is_some() => {}
                Some(key) => fields.known.push((key, entry)),
                None => fields.others.push(entry),
            }
        }
        Some(fields)
    }

    pub(super) fn unknown_key(&mut self, section: Section, entry: &Entry) -> &mut Diagnostic {
        let names = section.keys().iter().map(|key| key.name);
        let help = suggestion(
            &format!("the keys of {}", section.name()),
            &entry.key,
            names,
        );
        self.error(
            "unknown-key",
            entry.key_span,
            format!("unknown key `{}` in {}", entry.key, section.name()),
        )
        .help(help)
    }

    /// Any text, also one that would read as a number.
    pub(super) fn text<'n>(&mut self, field: &Field<'n>) -> Option<&'n str> {
        self.text_of(field.key.name, field.value)
    }

    pub(super) fn text_of<'n>(&mut self, name: &str, node: &'n Node) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.unexpected(name, node, "a text");
        }
        text
    }

    /// A text in which something stands.
    pub(super) fn words<'n>(&mut self, field: &Field<'n>) -> Option<&'n str> {
        let text = self.text(field)?;
        if text.trim().is_empty() {
            self.error(
                "empty-text",
                field.value.span,
                format!("`{}` is empty", field.key.name),
            );
            return None;
        }
        Some(text)
    }

    pub(super) fn flag(&mut self, field: &Field<'_>) -> Option<bool> {
        if let Ok(serde_json::Value::Bool(value)) = field.value.to_json() {
            return Some(value);
        }
        let help = match field.value.text() {
            Some("yes" | "Yes" | "on" | "1") => Some("write `true`".to_owned()),
            Some("no" | "No" | "off" | "0") => Some("write `false`".to_owned()),
            _ => None,
        };
        self.unexpected(field.key.name, field.value, "true or false")
            .maybe_help(help);
        None
    }

    /// A whole number in the range of the table.
    pub(super) fn whole(&mut self, field: &Field<'_>) -> Option<u32> {
        let (low, high) = match field.key.kind {
            Kind::Whole(low, high) => (low, high),
            _ => (0, u32::MAX),
        };
        let text = field.value.text().unwrap_or("");
        match text.parse::<u32>() {
            Ok(value) if (low..=high).contains(&value) => Some(value),
            _ => {
                let name = field.key.name;
                let range = match high {
                    u32::MAX => format!("a whole number of at least {low}, and below 2^32"),
                    high => format!("a whole number from {low} to {high}"),
                };
                self.error(
                    "out-of-range",
                    field.value.span,
                    format!("`{name}` wants {range}"),
                );
                None
            }
        }
    }

    /// A finite number in the range of the table.
    pub(super) fn number(&mut self, field: &Field<'_>) -> Option<f64> {
        let (low, high) = match field.key.kind {
            Kind::Number(low, high) => (low, high),
            _ => (f64::MIN, f64::MAX),
        };
        let text = field.value.text().unwrap_or("");
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && (low..=high).contains(&value) => Some(value),
            _ => {
                let name = field.key.name;
                let range = match (low, high) {
                    (f64::MIN, f64::MAX) => "a finite number".to_owned(),
                    (low, f64::MAX) => format!("a finite number of at least {low}"),
                    (low, high) => format!("a number from {low} to {high}"),
                };
                self.error(
                    "out-of-range",
                    field.value.span,
                    format!("`{name}` wants {range}"),
                );
                None
            }
        }
    }

    /// A share from 0 to 1, as `30%` or `0.3`.
    pub(super) fn share(&mut self, field: &Field<'_>) -> Option<Decimal> {
        let text = field.value.text().unwrap_or("").trim();
        let decimal = match text.strip_suffix('%') {
            Some(percent) => Decimal::parse(percent.trim()).map(|decimal| decimal.shifted(2)),
            None => Decimal::parse(text),
        };
        let share = decimal.filter(|share| (0.0..=1.0).contains(&share.value()));
        if share.is_none() {
            let name = field.key.name;
            self.error(
                "out-of-range",
                field.value.span,
                format!("`{name}` wants a share from 0% to 100%"),
            )
            .help("write it as `30%` or `0.3`");
        }
        share
    }

    /// One of the words of the table.
    pub(super) fn one_of(&mut self, field: &Field<'_>) -> Option<&'static str> {
        let Kind::OneOf(words) = field.key.kind else {
            return None;
        };
        let text = field.value.text().unwrap_or("");
        let word = words.iter().find(|word| **word == text).copied();
        if word.is_none() {
            let name = field.key.name;
            let (message, help) = if field.value.text().is_some() {
                (
                    format!("`{name}` cannot be `{text}`"),
                    suggestion("it can be", text, words.iter().copied()),
                )
            } else {
                (
                    format!("`{name}` wants a word, and this is {}", field.value.kind()),
                    format!("it can be: {}", listed(words.iter().copied())),
                )
            };
            self.error("unknown-value", field.value.span, message)
                .help(help);
        }
        word
    }
}
