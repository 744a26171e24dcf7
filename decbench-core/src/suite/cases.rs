//! `cases:`: lists and files of cases, and what must hold between them.

use std::collections::HashMap;
use std::sync::Arc;

use super::case::{ReadCase, Surroundings, case, split_named};
use super::columns::Columns;
use super::file::{self, Format};
use super::keys::Section;
use super::read::{Field, Reader, suggestion};
use super::tree::{Node, Value};
use super::unit::{in_lockbox, number_units};
use super::{csv, json};
use crate::decision::{Case, Split};
use crate::diagnostic::{Diagnostics, Source, Span};
use crate::metric::Decimal;

/// Where a case stands.
#[derive(Debug, Clone)]
struct Place {
    source: Arc<Source>,
    span: Span,
}

/// All cases read so far.
struct Collected<'a> {
    around: Surroundings<'a>,
    list: Vec<Case>,
    places: Vec<Place>,
    /// Whether every source could be read to its end.
    complete: bool,
}

/// How the cases of one source are read.
#[derive(Debug, Default)]
struct Manner {
    columns: Option<Columns>,
    lockbox: Option<f64>,
    seed: u32,
    split: Option<Split>,
}

/// Keys that are in no table, with their first place and how often they occur.
type Unknown = Vec<(String, Span, usize)>;

/// Reads `cases:` of a suite.
pub(super) fn cases(
    reader: &mut Reader,
    field: Option<&Field<'_>>,
    suite_span: Span,
    around: Surroundings<'_>,
) -> Vec<Case> {
    let mut all = Collected {
        around,
        list: Vec::new(),
        places: Vec::new(),
        complete: true,
    };
    let Some(field) = field else {
        reader
            .error("no-cases", suite_span, "the suite has no `cases`")
            .help("name a file, as in `cases: call-routing.cases.jsonl`, or list the cases here");
        return Vec::new();
    };
    all.source(reader, field, field.value);
    all.finish(reader, field.key_span)
}

impl Collected<'_> {
    /// Reads what `cases:` or one item of it names.
    fn source(&mut self, reader: &mut Reader, field: &Field<'_>, node: &Node) {
        match &node.value {
            Value::Scalar(_) => {
                let named = Field {
                    value: node,
                    ..*field
                };
                self.file(reader, &named, Manner::default());
            }
            Value::Map(_) => self.described_file(reader, field, node),
            Value::List(items) => {
                // A list holds cases, or files whose cases are put together.
                let inline = items
                    .iter()
                    .all(|item| item.entries().is_some() && item.get("file").is_none());
                if inline {
                    let mut unknown = Unknown::new();
                    for (row, item) in items.iter().enumerate() {
                        self.row(reader, item, row + 1, &Manner::default(), &mut unknown);
                    }
                    report_unknown(reader, &unknown, false);
                } else {
                    for item in items {
                        if let Value::List(_) = item.value {
                            reader.unexpected("cases", item, "cases, or files of cases");
                        } else {
                            self.source(reader, field, item);
                        }
                    }
                }
            }
        }
    }

    fn described_file(&mut self, reader: &mut Reader, field: &Field<'_>, node: &Node) {
        self.complete = false;
        let Some(fields) = reader.section(Section::Cases, "cases", node) else {
            return;
        };
        let Some(named) = fields.get("file") else {
            reader
                .error("missing-key", field.key_span, "`cases` names no `file`")
                .help("write `file: call-routing.cases.jsonl`");
            return;
        };
        let mut manner = Manner {
            columns: fields
                .get("fields")
                .map(|field| Columns::read(reader, &field)),
            ..Manner::default()
        };
        if let Some(field) = fields.get("lockbox") {
            let share = reader.share(&field).map(Decimal::value);
            if share.is_some_and(|share| share == 0.0 || share == 1.0) {
                reader
                    .error(
                        "out-of-range",
                        field.value.span,
                        "the lock box takes a part of the cases, neither none nor all",
                    )
                    .help("`split: lockbox` puts a whole file into the lock box");
            }
            manner.lockbox = share;
        }
        if let Some(field) = fields.get("seed") {
            manner.seed = reader.whole(&field).unwrap_or_default();
            if fields.get("lockbox").is_none() {
                reader
                    .error(
                        "foreign-key",
                        field.key_span,
                        "`seed` chooses a lock box, and no `lockbox` is asked for",
                    )
                    .help("add `lockbox: 30%`, or remove `seed`");
            }
        }
        if let Some(field) = fields.get("split") {
            manner.split = reader.one_of(&field).map(split_named);
            if let Some(lockbox) = fields.get("lockbox") {
                reader
                    .error(
                        "two-forms",
                        field.key_span,
                        "`split` and `lockbox` exclude each other",
                    )
                    .also(lockbox.key_span, "the other one");
            }
        }
        self.complete = true;
        self.file(reader, &named, manner);
    }

    fn file(&mut self, reader: &mut Reader, named: &Field<'_>, mut manner: Manner) {
        let Some(folder) = self.around.folder else {
            self.complete = false;
            return;
        };
        let Some((format, source)) = file::read(reader, folder, named) else {
            self.complete = false;
            return;
        };
        let before = self.list.len();
        let mut inner = Reader::new(&source);
        let mut unknown = Unknown::new();
        let mut columns: Vec<String> = Vec::new();
        let mut row_number = 0;
        let mut take = |all: &mut Self, inner: &mut Reader, manner: &mut Manner, node: Node| {
            row_number += 1;
            if columns.is_empty() {
                let entries = node.entries().unwrap_or_default();
                columns = entries.iter().map(|entry| entry.key.clone()).collect();
            }
            let node = match &mut manner.columns {
                Some(columns) => columns.apply(node),
                None => node,
            };
            all.row(inner, &node, row_number, manner, &mut unknown);
        };
        match format {
            Format::JsonLines => {
                for line in lines(&source.text) {
                    match json::parse(&source, line) {
                        Ok(node) => take(self, &mut inner, &mut manner, node),
                        Err(mut mistake) => {
                            let number = source.position(line.start).line;
                            mistake.message = format!("line {number} is {}", mistake.message);
                            inner.found.push(*mistake);
                            self.complete = false;
                        }
                    }
                }
            }
            Format::Csv => match csv::rows(&mut inner) {
                Some((header, rows)) => {
                    for node in rows {
                        take(self, &mut inner, &mut manner, node);
                    }
                    columns = header.iter().map(|cell| cell.text.clone()).collect();
                    for (name, span, _) in &mut unknown {
                        if let Some(cell) = header.iter().find(|cell| cell.text == *name) {
                            *span = cell.span;
                        }
                    }
                }
                None => self.complete = false,
            },
            Format::Json | Format::Yaml => match file::tree(format, &source) {
                Ok(tree) => match tree.root.value {
                    Value::List(items) => {
                        for node in items {
                            take(self, &mut inner, &mut manner, node);
                        }
                    }
                    _ if tree.root.is_null() => {}
                    _ => {
                        inner
                            .unexpected("a file of cases", &tree.root, "a list")
                            .help("write one case per item; one case per line is a .jsonl file");
                        self.complete = false;
                    }
                },
                Err(mistakes) => {
                    inner.found.extend(mistakes);
                    self.complete = false;
                }
            },
        }
        report_unknown(&mut inner, &unknown, format == Format::Csv);
        if let Some(renamed) = manner.columns.as_ref().filter(|_| row_number > 0) {
            let names: Vec<&str> = columns.iter().map(String::as_str).collect();
            renamed.report_unseen(reader, &names);
        }
        reader.found.extend(inner.found);
        if self.complete && self.list.len() == before {
            self.complete = false;
            let name = named.value.text().unwrap_or_default();
            reader
                .error(
                    "no-cases",
                    named.value.span,
                    format!("`{name}` holds no cases"),
                )
                .help("write at least one, as in {\"state\": \"I was charged twice\", \"gold\": \"billing\"}");
        }
    }

    fn row(
        &mut self,
        reader: &mut Reader,
        node: &Node,
        row: usize,
        manner: &Manner,
        unknown: &mut Unknown,
    ) {
        let Some(mut fields) = reader.open_section(Section::Case, "a case", node) else {
            self.complete = false;
            return;
        };
        for entry in std::mem::take(&mut fields.others) {
            fields.take_as_meant(Section::Case, entry);
            match unknown.iter_mut().find(|(key, ..)| *key == entry.key) {
                Some((.., count)) => *count += 1,
                None => unknown.push((entry.key.clone(), entry.key_span, 1)),
            }
        }
        let ReadCase {
            mut case,
            id_span,
            own_split,
        } = case(reader, &fields, row, &self.around);
        case.split = own_split
            .or(manner.split)
            .unwrap_or_else(|| match manner.lockbox {
                Some(share) if in_lockbox(&case, share, manner.seed) => Split::Lockbox,
                _ => Split::Dev,
            });
        self.list.push(case);
        self.places.push(Place {
            source: Arc::clone(&reader.source),
            span: id_span,
        });
    }

    /// What must hold between cases.
    fn finish(mut self, reader: &mut Reader, span: Span) -> Vec<Case> {
        if self.list.is_empty() && self.complete {
            reader
                .error("no-cases", span, "the suite has no cases")
                .help(
                    "write at least one, as in `- { state: I was charged twice, gold: billing }`",
                );
        }
        self.duplicates(reader);
        if !self.list.is_empty() && self.list.iter().all(|case| case.weight == 0.0) {
            reader
                .error("zero-weights", span, "all cases have weight 0")
                .help("a weight is the population's share over the sample's; leave it out for 1");
        }
        number_units(&mut self.list);
        self.list
    }

    fn duplicates(&self, reader: &mut Reader) {
        let mut first: HashMap<&str, usize> = HashMap::with_capacity(self.list.len());
        let mut mistakes = Diagnostics::new();
        for (position, case) in self.list.iter().enumerate() {
            let Some(earlier) = first.get(case.id.as_str()) else {
                first.insert(&case.id, position);
                continue;
            };
            let (place, earlier) = (&self.places[position], &self.places[*earlier]);
            let mut mistake = crate::diagnostic::Diagnostic::error(
                "duplicate-id",
                Arc::clone(&place.source),
                place.span,
                format!("the id `{}` is taken", case.id),
            );
            mistake
                .also_in(Arc::clone(&earlier.source), earlier.span, "by this case")
                .help("ids are unique in a suite; a case without one has its row's number");
            mistakes.push(mistake);
        }
        reader.found.extend(mistakes);
    }
}

/// The lines in which something stands.
fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches(['\n', '\r']).len());
        start += line.len();
        (!line.trim().is_empty()).then_some(span)
    })
}

fn report_unknown(reader: &mut Reader, unknown: &Unknown, table: bool) {
    for (key, span, count) in unknown {
        let names = Section::Case.keys().iter().map(|key| key.name);
        let near = suggestion("the keys of a case", key, names);
        let help = if near.starts_with("did you mean") {
            near
        } else {
            // Files of other people have columns of their own.
            "remove it, or name the columns to read in `cases: {file: …, fields: {state: …}}`, \
             which passes over all others"
                .to_owned()
        };
        let message = if table {
            format!("unknown column `{key}` in a table of cases")
        } else if *count > 1 {
            format!("unknown key `{key}` in {count} cases")
        } else {
            format!("unknown key `{key}` in a case")
        };
        reader.error("unknown-key", *span, message).help(help);
    }
}
