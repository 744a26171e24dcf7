//! The rows of a file of cases, whatever its format.

use std::sync::Arc;

use super::file::{self, Format};
use super::read::Reader;
use super::tree::{Node, Value};
use super::{csv, json};
use crate::diagnostic::Span;

/// What a file gives, in its order.
#[derive(Debug)]
pub(super) enum Item {
    /// The names of a table's columns with their places, before any row.
    Header(Vec<(String, Span)>),
    /// One row.
    Row(Node),
}

/// Gives every row of the reader's source to `each`; false where not all could be read, which the reader then says.
pub(super) fn each_row(
    format: Format,
    reader: &mut Reader,
    mut each: impl FnMut(&mut Reader, Item),
) -> bool {
    match format {
        Format::JsonLines => json_lines(reader, each),
        Format::Csv => {
            let Some((header, rows)) = csv::rows(reader) else {
                return false;
            };
            let names = header.into_iter().map(|cell| (cell.text, cell.span));
            each(reader, Item::Header(names.collect()));
            for row in rows {
                each(reader, Item::Row(row));
            }
            true
        }
        Format::Json | Format::Yaml => whole_list(format, reader, each),
    }
}

fn json_lines(reader: &mut Reader, mut each: impl FnMut(&mut Reader, Item)) -> bool {
    let source = Arc::clone(&reader.source);
    let mut whole = true;
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        if !line.trim().is_empty() {
            match json::parse(&source, Span::new(start, end)) {
                Ok(node) => each(reader, Item::Row(node)),
                Err(mut mistake) => {
                    mistake.message = format!("line {} is {}", number + 1, mistake.message);
                    reader.found.push(*mistake);
                    whole = false;
                }
            }
        }
        start += line.len();
    }
    whole
}

fn whole_list(
    format: Format,
    reader: &mut Reader,
    mut each: impl FnMut(&mut Reader, Item),
) -> bool {
    let tree = match file::tree(format, &reader.source) {
        Ok(tree) => tree,
        Err(mistakes) => {
            reader.found.extend(mistakes);
            return false;
        }
    };
    match tree.root.value {
        Value::List(items) => {
            for item in items {
                each(reader, Item::Row(item));
            }
            true
        }
        _ if tree.root.is_null() => true,
        _ => {
            reader
                .unexpected("a file of cases", &tree.root, "a list")
                .help("write one case per item; one case per line is a .jsonl file");
            false
        }
    }
}
