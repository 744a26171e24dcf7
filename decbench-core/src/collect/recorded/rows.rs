//! Rows of a file, whatever its format, and the columns in them.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value};

use crate::collect::error::CollectError;
use crate::collect::file::{BadLine, lines};

/// One row and the line it begins at.
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) fields: Map<String, Value>,
}

/// Reads all rows; what is no row is reported and left out.
pub(super) fn read_rows(
    path: &Path,
    bytes: &[u8],
) -> Result<(Vec<Row>, Vec<BadLine>), CollectError> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("csv") => Ok(csv_rows(path, bytes, b',')),
        Some("tsv") => Ok(csv_rows(path, bytes, b'\t')),
        Some("json") => json_rows(path, bytes),
        _ => Ok(jsonl_rows(path, bytes)),
    }
}

fn jsonl_rows(path: &Path, bytes: &[u8]) -> (Vec<Row>, Vec<BadLine>) {
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    for line in lines(bytes) {
        match serde_json::from_slice::<Map<String, Value>>(line.text) {
            Ok(fields) => rows.push(Row {
                line: line.number,
                fields,
            }),
            Err(error) => bad.push(BadLine {
                file: path.to_owned(),
                line: line.number,
                message: format!("not a JSON map: {error}"),
            }),
        }
    }
    (rows, bad)
}

fn json_rows(path: &Path, bytes: &[u8]) -> Result<(Vec<Row>, Vec<BadLine>), CollectError> {
    let rows: Vec<Map<String, Value>> =
        serde_json::from_slice(bytes).map_err(|error| CollectError::Recorded {
            path: path.to_owned(),
            message: format!("not a JSON list of maps: {error}"),
            help: Some("one JSON map per line goes into a file that ends in .jsonl".to_owned()),
        })?;
    let rows = rows.into_iter().enumerate().map(|(index, fields)| Row {
        line: index + 1,
        fields,
    });
    Ok((rows.collect(), Vec::new()))
}

fn csv_rows(path: &Path, bytes: &[u8], delimiter: u8) -> (Vec<Row>, Vec<BadLine>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(bytes);
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    let mut complain = |line: usize, message: String| {
        bad.push(BadLine {
            file: path.to_owned(),
            line,
            message,
        });
    };
    let columns: Vec<String> = match reader.headers() {
        Ok(headers) => headers.iter().map(|name| name.trim().to_owned()).collect(),
        Err(error) => {
            complain(1, format!("the column names cannot be read: {error}"));
            return (rows, bad);
        }
    };
    for record in reader.into_records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line) as usize;
                complain(line, error.to_string());
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line) as usize;
        if record.len() != columns.len() {
            complain(
                line,
                format!("{} cells under {} columns", record.len(), columns.len()),
            );
            continue;
        }
        // An empty cell says nothing, as an absent field does.
        let fields = columns
            .iter()
            .zip(record.iter())
            .filter(|(_, cell)| !cell.trim().is_empty())
            .map(|(column, cell)| (column.clone(), Value::from(cell)))
            .collect();
        rows.push(Row { line, fields });
    }
    (rows, bad)
}

/// What stands at a column: a field of that very name, or a path of names with dots between. A cell that holds JSON
/// is looked into. Null is nothing.
pub(super) fn at<'r>(fields: &'r Map<String, Value>, path: &str) -> Option<Cow<'r, Value>> {
    if let Some(value) = fields.get(path) {
        return (!value.is_null()).then_some(Cow::Borrowed(value));
    }
    path.match_indices('.').find_map(|(dot, _)| {
        let (head, rest) = (&path[..dot], &path[dot + 1..]);
        inside(fields.get(head)?, rest)
    })
}

fn inside<'r>(value: &'r Value, path: &str) -> Option<Cow<'r, Value>> {
    match value {
        Value::Object(fields) => at(fields, path),
        Value::Array(items) => {
            let (index, rest) = path.split_once('.').unwrap_or((path, ""));
            let item = items.get(index.parse::<usize>().ok()?)?;
            match rest {
                "" => (!item.is_null()).then_some(Cow::Borrowed(item)),
                rest => inside(item, rest),
            }
        }
        Value::String(text) => {
            let value = json_in(text)?;
            inside(&value, path).map(|found| Cow::Owned(found.into_owned()))
        }
        _ => None,
    }
}

/// The JSON map or list that a cell holds.
pub(super) fn json_in(text: &str) -> Option<Value> {
    let text = text.trim();
    (text.starts_with('{') || text.starts_with('['))
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}
