//! `fields:`: reading files with other people's columns.

use super::keys::Section;
use super::read::{Field, Reader, did_you_mean, listed};
use super::tree::{Entry, Node, Value};
use crate::diagnostic::Span;

/// Which column each key of a case is read from.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    renames: Vec<(&'static str, From)>,
}

#[derive(Debug, Clone)]
enum From {
    /// A column, or a dotted path into objects.
    Path(Path),
    /// A map whose keys come from columns of their own.
    Map(Vec<(String, Path)>),
}

#[derive(Debug, Clone)]
struct Path {
    text: String,
    span: Span,
    seen: bool,
}

impl Columns {
    /// Reads `fields:`.
    pub(super) fn read(reader: &mut Reader, field: &Field<'_>) -> Self {
        let mut renames = Vec::new();
        for entry in reader.entries("fields", field.value).unwrap_or_default() {
            let Some(key) = Section::Case.key(&entry.key) else {
                reader.unknown_key(Section::Case, entry);
                continue;
            };
            let from = match &entry.value.value {
                Value::Map(_) => {
                    let parts = reader.entries(key.name, &entry.value).unwrap_or_default();
                    let parts = parts
                        .iter()
                        .filter_map(|part| Some((part.key.clone(), path(reader, part)?)))
                        .collect();
                    From::Map(parts)
                }
                _ => match path(reader, entry) {
                    Some(path) => From::Path(path),
                    None => continue,
                },
            };
            renames.push((key.name, from));
        }
        Self { renames }
    }

    /// The row with the keys of a case; columns that nobody named are passed over.
    pub(super) fn apply(&mut self, row: Node) -> Node {
        let Value::Map(entries) = &row.value else {
            return row;
        };
        let mut renamed = Vec::with_capacity(self.renames.len() + 4);
        for (name, from) in &mut self.renames {
            match from {
                From::Path(path) => {
                    if let Some((key_span, value)) = path.find(&row) {
                        renamed.push(Entry {
                            key: (*name).to_owned(),
                            key_span,
                            value: value.clone(),
                        });
                    }
                }
                From::Map(parts) => {
                    let parts: Vec<Entry> = parts
                        .iter_mut()
                        .filter_map(|(key, path)| {
                            let (key_span, value) = path.find(&row)?;
                            Some(Entry {
                                key: key.clone(),
                                key_span,
                                value: value.clone(),
                            })
                        })
                        .filter(|entry| !entry.value.is_null())
                        .collect();
                    if let Some(first) = parts.first() {
                        renamed.push(Entry {
                            key: (*name).to_owned(),
                            key_span: first.key_span,
                            value: Node {
                                span: first.value.span,
                                value: Value::Map(parts),
                            },
                        });
                    }
                }
            }
        }
        let own = entries
            .iter()
            .filter(|entry| Section::Case.key(&entry.key).is_some() && !self.takes(&entry.key));
        renamed.extend(own.cloned());
        Node {
            span: row.span,
            value: Value::Map(renamed),
        }
    }

    /// Whether a key is read from elsewhere, or a column already serves another key.
    fn takes(&self, column: &str) -> bool {
        self.renames.iter().any(|(name, from)| {
            *name == column
                || match from {
                    From::Path(path) => path.starts_in(column),
                    From::Map(parts) => parts.iter().any(|(_, path)| path.starts_in(column)),
                }
        })
    }

    /// Whether the column that should hold the state was seen nowhere, which is reported by itself.
    pub(super) fn lacks_state(&self) -> bool {
        self.renames
            .iter()
            .any(|(name, from)| *name == "state" && matches!(from, From::Path(path) if !path.seen))
    }

    /// Reports columns that no row has.
    pub(super) fn report_unseen(&self, reader: &mut Reader, columns: &[&str]) {
        let paths = self.renames.iter().flat_map(|(_, from)| match from {
            From::Path(path) => vec![path],
            From::Map(parts) => parts.iter().map(|(_, path)| path).collect(),
        });
        for path in paths.filter(|path| !path.seen) {
            let help = did_you_mean(&path.text, columns.iter().copied()).unwrap_or_else(|| {
                format!("the first row has {}", listed(columns.iter().copied()))
            });
            reader
                .error(
                    "unknown-column",
                    path.span,
                    format!("no row has a column `{}`", path.text),
                )
                .help(help);
        }
    }
}

fn path(reader: &mut Reader, entry: &Entry) -> Option<Path> {
    let text = reader.text_of(&entry.key, &entry.value)?;
    Some(Path {
        text: text.to_owned(),
        span: entry.value.span,
        seen: false,
    })
}

impl Path {
    fn find<'n>(&mut self, row: &'n Node) -> Option<(Span, &'n Node)> {
        let found = find(row, &self.text);
        self.seen |= found.is_some();
        found
    }

    fn starts_in(&self, column: &str) -> bool {
        self.text == column
            || self
                .text
                .strip_prefix(column)
                .is_some_and(|rest| rest.starts_with('.'))
    }
}

/// The value at a dotted path; a key that holds the points itself goes first.
fn find<'n>(node: &'n Node, path: &str) -> Option<(Span, &'n Node)> {
    let entries = node.entries()?;
    if let Some(entry) = entries.iter().find(|entry| entry.key == path) {
        return Some((entry.key_span, &entry.value));
    }
    path.match_indices('.').find_map(|(point, _)| {
        let entry = entries.iter().find(|entry| entry.key == path[..point])?;
        find(&entry.value, &path[point + 1..])
    })
}
