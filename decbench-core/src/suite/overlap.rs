//! States of files that no case of the suite may repeat.

use std::path::Path;

use super::data_rules::OtherFile;
use super::file;
use super::model::Suite;
use super::read::Reader;
use super::rows::{Item, each_row};
use super::tree::{Node, Value};
use crate::diagnostic::Diagnostics;

/// One row of another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherState {
    /// Its `id`, else its number from 1.
    pub id: String,
    /// The text; a list or map as compact JSON.
    pub text: String,
}

impl Suite {
    /// Reads a file of `data.overlap`; rows without the column are passed over.
    ///
    /// # Errors
    /// What breaks its syntax, and a file of which no row has the column.
    pub fn other_states(&self, other: &OtherFile) -> Result<Vec<OtherState>, Diagnostics> {
        let mut reader = Reader::new(&self.source);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut states = Vec::new();
        if let Some((format, source)) =
            file::read_named(&mut reader, folder, &other.file, other.span)
        {
            let mut inner = Reader::new(&source);
            let mut rows = 0;
            let whole = each_row(format, &mut inner, |_, item| {
                if let Item::Row(row) = item {
                    rows += 1;
                    states.extend(state(&row, &other.column, rows));
                }
            });
            reader.found.extend(inner.found);
            if whole && states.is_empty() {
                reader
                    .error(
                        "no-cases",
                        other.span,
                        format!("no row of `{}` has a `{}`", other.file, other.column),
                    )
                    .help("name the column that holds the text, as in `{ file: train.csv, state: text }`");
            }
        }
        if reader.found.has_errors() {
            return Err(reader.found);
        }
        Ok(states)
    }
}

fn state(row: &Node, column: &str, number: usize) -> Option<OtherState> {
    let node = row.get(column).or_else(|| {
        let mut names = column.split('.');
        let first = row.get(names.next()?)?;
        names.try_fold(first, |node, name| node.get(name))
    })?;
    let text = match &node.value {
        Value::Scalar(_) => node.text()?.to_owned(),
        Value::List(_) | Value::Map(_) => node.to_json().ok()?.to_string(),
    };
    Some(OtherState {
        id: row
            .get("id")
            .and_then(Node::text)
            .map_or_else(|| number.to_string(), str::to_owned),
        text,
    })
}
