//! Comma-separated tables to nodes with positions.

use std::collections::HashMap;

use super::read::Reader;
use super::tree::{Entry, Node, Style, Value};
use crate::diagnostic::Span;

/// Columns whose dotted names, such as `strata.channel`, build a map.
const NESTED: [&str; 9] = [
    "states",
    "strata",
    "pair",
    "labels",
    "approved",
    "gold",
    "reference",
    "production_answer",
    "stereotype",
];

/// A cell and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// Its text, without quotes.
    pub(super) text: String,
    /// Where it stands, with its quotes.
    pub(super) span: Span,
}

/// The header and the rows as maps from column to cell; `None` when the header is of no use. Empty lines are passed
/// over.
pub(super) fn rows(reader: &mut Reader) -> Option<(Vec<Cell>, Vec<Node>)> {
    let source = std::sync::Arc::clone(&reader.source);
    let mut table = Table {
        text: &source.text,
        at: 0,
    };
    let Some(header) = table.next_row(reader) else {
        return Some((Vec::new(), Vec::new()));
    };
    let errors_before = reader.found.len();
    check_header(reader, &header);
    if reader.found.len() > errors_before {
        return None;
    }
    let mut rows = Vec::new();
    loop {
        let errors_before = reader.found.len();
        let Some(cells) = table.next_row(reader) else {
            break;
        };
        if reader.found.len() > errors_before {
            continue;
        }
        if cells.len() != header.len() {
            let span = cells.last().map(|cell| cell.span).unwrap_or_default();
            reader
                .error(
                    "csv-row",
                    span,
                    format!(
                        "the row has {} cells and the header has {} columns",
                        cells.len(),
                        header.len()
                    ),
                )
                .help("put a cell with a comma in double quotes");
            continue;
        }
        rows.push(row(&header, cells));
    }
    Some((header, rows))
}

fn check_header(reader: &mut Reader, header: &[Cell]) {
    if let [only] = header
        && only.text.contains([';', '\t'])
    {
        reader
            .error("csv-header", only.span, "the header has a single column")
            .help("separate columns by commas");
    }
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for cell in header {
        if cell.text.trim().is_empty() {
            reader.error("csv-header", cell.span, "a column has no name");
        } else if let Some(first) = seen.insert(&cell.text, cell.span) {
            reader
                .error(
                    "duplicate-key",
                    cell.span,
                    format!("duplicate column `{}`", cell.text),
                )
                .also(first, "first here");
        }
    }
}

fn row(header: &[Cell], cells: Vec<Cell>) -> Node {
    let start = cells.first().map_or(0, |cell| cell.span.start);
    let end = cells.last().map_or(0, |cell| cell.span.end);
    let mut entries: Vec<Entry> = Vec::with_capacity(cells.len());
    for (column, cell) in header.iter().zip(cells) {
        let node = Node::scalar(cell.text, Style::Cell, cell.span);
        // Keys point at the row: a mistake in a row is looked for there, not in the header.
        let entry = |key: &str, value| Entry {
            key: key.to_owned(),
            key_span: cell.span,
            value,
        };
        let nested = column
            .text
            .split_once('.')
            .filter(|(outer, inner)| NESTED.contains(outer) && !inner.is_empty());
        let Some((outer, inner)) = nested else {
            entries.push(entry(&column.text, node));
            continue;
        };
        if node.is_null() {
            continue;
        }
        let existing = entries
            .iter_mut()
            .find_map(|known| match &mut known.value.value {
                Value::Map(map) if known.key == outer => Some(map),
                _ => None,
            });
        match existing {
            Some(map) => map.push(entry(inner, node)),
            None => entries.push(entry(
                outer,
                Node {
                    span: cell.span,
                    value: Value::Map(vec![entry(inner, node)]),
                },
            )),
        }
    }
    Node {
        span: Span::new(start, end),
        value: Value::Map(entries),
    }
}

struct Table<'a> {
    text: &'a str,
    at: usize,
}

impl Table<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Whether a line ends here; steps over its end.
    fn line_end(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let length = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => 0,
        };
        self.at += length;
        length > 0
    }

    fn next_row(&mut self, reader: &mut Reader) -> Option<Vec<Cell>> {
        while self.line_end() {}
        self.byte()?;
        let mut cells = Vec::new();
        loop {
            cells.push(self.cell(reader));
            if self.byte() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.line_end();
            return Some(cells);
        }
    }

    fn cell(&mut self, reader: &mut Reader) -> Cell {
        let start = self.at;
        let rest = &self.text[start..];
        if !rest.starts_with('"') {
            let length = rest.find([',', '\n', '\r']).unwrap_or(rest.len());
            self.at += length;
            return Cell {
                text: rest[..length].to_owned(),
                span: Span::new(start, self.at),
            };
        }
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(quote) = rest.find('"') else {
                reader
                    .error(
                        "csv-quote",
                        Span::new(start, start + 1),
                        "the quote that opens here is not closed",
                    )
                    .help("write a quote within a quoted cell twice: \"\"");
                text.push_str(rest);
                self.at = self.text.len();
                break;
            };
            text.push_str(&rest[..quote]);
            self.at += quote + 1;
            if self.byte() != Some(b'"') {
                break;
            }
            text.push('"');
            self.at += 1;
        }
        if !matches!(self.byte(), None | Some(b',' | b'\n' | b'\r')) {
            reader
                .error(
                    "csv-quote",
                    Span::new(self.at, self.at),
                    "something follows the quote that closes the cell",
                )
                .help("write a quote within a quoted cell twice: \"\"");
            let rest = &self.text[self.at..];
            self.at += rest.find([',', '\n', '\r']).unwrap_or(rest.len());
        }
        Cell {
            text,
            span: Span::new(start, self.at),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::Source;

    fn read(text: &str) -> (Vec<Node>, Vec<&'static str>) {
        let mut reader = Reader::new(&Arc::new(Source::new("a.csv", text)));
        let rows = rows(&mut reader).map(|(_, rows)| rows).unwrap_or_default();
        (
            rows,
            reader.found.iter().map(|mistake| mistake.code).collect(),
        )
    }

    #[test]
    fn quotes_commas_and_line_breaks_stay_in_their_cell() {
        for newline in ["\n", "\r\n"] {
            let text = ["id,state", "a,\"one, \"\"two\"\"\nthree\"", "", "b,ä"].join(newline);
            let (rows, codes) = read(&text);
            assert!(codes.is_empty(), "{codes:?}");
            assert_eq!(rows.len(), 2);
            assert_eq!(
                rows[0].get("state").unwrap().text(),
                Some("one, \"two\"\nthree")
            );
            let cell = rows[1].get("state").unwrap();
            assert_eq!(&text[cell.span.start..cell.span.end], "ä");
        }
    }

    #[test]
    fn dotted_columns_build_maps_and_empty_cells_are_nothing() {
        let (rows, codes) = read("state,strata.channel,strata.week,tier\nx,pstn,,\n");
        assert!(codes.is_empty());
        let strata = rows[0].get("strata").unwrap().entries().unwrap();
        assert_eq!(strata.len(), 1);
        assert_eq!(strata[0].key, "channel");
        assert!(rows[0].get("tier").unwrap().is_null());
    }

    #[test]
    fn a_broken_table_is_refused() {
        assert_eq!(read("a,b\n1\n").1, ["csv-row"]);
        assert_eq!(read("a,b\n1,2,3\n").1, ["csv-row"]);
        assert_eq!(read("a,a\n1,2\n").1, ["duplicate-key"]);
        assert_eq!(read("a;b\n1;2\n").1, ["csv-header"]);
        assert_eq!(read("a,b\n1,\"2\n").1, ["csv-quote"]);
        assert_eq!(read("a,b\n1,\"2\"3\n").1, ["csv-quote"]);
        assert!(read("").0.is_empty());
    }
}
