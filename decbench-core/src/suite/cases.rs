//! `cases:`: lists and files of cases.

use std::sync::Arc;

use super::between::{Place, check_between};
use super::case::{ReadCase, Surroundings, case, split_named};
use super::columns::Columns;
use super::file::{self, Format};
use super::keys::Section;
use super::read::{Field, Reader, Tally, did_you_mean, listed};
use super::rows::{Item, each_row};
use super::tree::{Node, Value};
use super::unit::{in_lockbox, number_units};
use crate::decision::{Case, Split};
use crate::diagnostic::Span;
use crate::metric::Decimal;

/// Reads `cases:` of a suite.
pub(super) fn cases(
    reader: &mut Reader,
    field: Option<&Field<'_>>,
    suite_span: Span,
    around: Surroundings<'_>,
) -> Vec<Case> {
    let Some(field) = field else {
        reader
            .error("no-cases", suite_span, "the suite has no `cases`")
            .help("name a file, as in `cases: call-routing.cases.jsonl`, or list the cases here");
        return Vec::new();
    };
    let mut all = Collected {
        around,
        list: Vec::new(),
        places: Vec::new(),
        unasked: Vec::new(),
        complete: true,
    };
    all.named(reader, field, field.value);
    all.finish(reader, field.key_span)
}

/// After this many different unknown keys no near names are looked for: the file is none of cases.
const SUGGESTED: usize = 100;

/// The share of `lockbox: true`.
const LOCKBOX_SHARE: f64 = 0.3;

/// All cases read so far.
struct Collected<'a> {
    around: Surroundings<'a>,
    list: Vec<Case>,
    places: Vec<Place>,
    /// Cases without a question, in a suite that leaves questions to its cases.
    unasked: Vec<Place>,
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

/// What was seen in one source, to be told once and not for every row.
#[derive(Debug, Default)]
struct Seen {
    rows: usize,
    /// Columns of the header, or keys of the first row.
    columns: Vec<(String, Span)>,
    unknown: Tally,
    stateless: Vec<Span>,
}

impl Collected<'_> {
    /// Reads what `cases:` or one item of it names.
    fn named(&mut self, reader: &mut Reader, field: &Field<'_>, node: &Node) {
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
                    let mut seen = Seen::default();
                    for item in items {
                        self.row(reader, item, &Manner::default(), &mut seen);
                    }
                    seen.report(reader, &self.around, &Manner::default(), false);
                } else {
                    for item in items {
                        if let Value::List(_) = item.value {
                            reader.unexpected("an item of `cases`", item, "a case or a file");
                        } else {
                            self.named(reader, field, item);
                        }
                    }
                }
            }
        }
    }

    fn described_file(&mut self, reader: &mut Reader, field: &Field<'_>, node: &Node) {
        let Some(fields) = reader.section(Section::Cases, "cases", node) else {
            return;
        };
        let mut manner = Manner {
            columns: fields
                .get("fields")
                .map(|field| Columns::read(reader, &field)),
            ..Manner::default()
        };
        if let Some(field) = fields.get("lockbox") {
            let share = if field.value.text() == Some("true") {
                Some(LOCKBOX_SHARE)
            } else {
                reader.share(&field).map(Decimal::value)
            };
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
        if let Some(named) = fields.get("file") {
            self.file(reader, &named, manner);
        } else {
            self.complete = false;
            reader
                .error("missing-key", field.key_span, "`cases` names no `file`")
                .help("write `file: call-routing.cases.jsonl`");
        }
    }

    fn file(&mut self, reader: &mut Reader, named: &Field<'_>, mut manner: Manner) {
        let source = self
            .around
            .outside
            .folder
            .and_then(|folder| file::read(reader, folder, named));
        let Some((format, source)) = source else {
            self.complete = false;
            return;
        };
        let before = self.list.len();
        let mut inner = Reader::new(&source);
        let mut seen = Seen::default();
        let whole = each_row(format, &mut inner, |reader, item| match item {
            Item::Header(columns) => seen.columns = columns,
            Item::Row(row) => self.renamed_row(reader, row, &mut manner, &mut seen),
        });
        self.complete &= whole;
        seen.report(&mut inner, &self.around, &manner, format == Format::Csv);
        if let Some(columns) = manner.columns.as_ref().filter(|_| seen.rows > 0) {
            let names: Vec<&str> = seen.columns.iter().map(|(name, _)| name.as_str()).collect();
            columns.report_unseen(reader, &names);
        }
        report_strangers(&mut inner);
        reader.found.extend(inner.found);
        if whole && self.list.len() == before {
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

    fn renamed_row(
        &mut self,
        reader: &mut Reader,
        node: Node,
        manner: &mut Manner,
        seen: &mut Seen,
    ) {
        if seen.columns.is_empty() {
            let entries = node.entries().unwrap_or_default();
            seen.columns = entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.key_span))
                .collect();
        }
        let node = match &mut manner.columns {
            Some(columns) => columns.apply(node),
            None => node,
        };
        self.row(reader, &node, manner, seen);
    }

    fn row(&mut self, reader: &mut Reader, node: &Node, manner: &Manner, seen: &mut Seen) {
        seen.rows += 1;
        if node.entries().is_none() {
            reader
                .unexpected("a case", node, "a map")
                .help("write what it is about, as in {\"state\": \"I was charged twice\", \"gold\": \"billing\"}");
            self.complete = false;
            return;
        }
        let Some(mut fields) = reader.open_section(Section::Case, "a case", node) else {
            return;
        };
        for entry in std::mem::take(&mut fields.others) {
            seen.unknown.count(&entry.key, entry.key_span);
            if seen.unknown.len() <= SUGGESTED {
                fields.take_as_meant(Section::Case, entry);
            }
        }
        let ReadCase {
            mut case,
            id_span,
            own_split,
            asked,
        } = case(reader, &fields, seen.rows, &self.around);
        if fields
            .get("state")
            .is_none_or(|field| field.value.is_null())
        {
            seen.stateless.push(node.span);
        }
        let place = |span| Place {
            source: Arc::clone(&reader.source),
            span,
        };
        if !asked {
            self.unasked.push(place(node.span));
        }
        case.split = own_split
            .or(manner.split)
            .unwrap_or_else(|| match manner.lockbox {
                Some(share) if in_lockbox(&case, share, manner.seed) => Split::Lockbox,
                _ => Split::Dev,
            });
        self.list.push(case);
        self.places.push(place(id_span));
    }

    /// What must hold between cases.
    fn finish(mut self, reader: &mut Reader, span: Span) -> Vec<Case> {
        report_strangers(reader);
        if self.list.is_empty() && self.complete {
            reader
                .error("no-cases", span, "the suite has no cases")
                .help(
                    "write at least one, as in `- { state: I was charged twice, gold: billing }`",
                );
        }
        // Where no case at all has a question, it is the suite's that is missing.
        if self.unasked.len() < self.list.len() {
            for place in &self.unasked {
                let mut inner = Reader::new(&place.source);
                inner
                    .error("no-question", place.span, "the case has no question")
                    .help("other cases bring their own; write `question:` into this one too, or into the suite");
                reader.found.extend(inner.found);
            }
        }
        number_units(&mut self.list);
        check_between(reader, &self.list, &self.places, span);
        self.list
    }
}

impl Seen {
    fn report(&self, reader: &mut Reader, around: &Surroundings<'_>, manner: &Manner, table: bool) {
        if manner.columns.is_none() {
            self.report_unknown(reader, table);
        }
        let renamed_away = manner.columns.as_ref().is_some_and(Columns::lacks_state);
        if around.stateless || renamed_away {
            return;
        }
        if self.stateless.len() == self.rows && self.rows > 1 {
            let others: Vec<&str> = self
                .columns
                .iter()
                .map(|(name, _)| name.as_str())
                .filter(|name| Section::Case.key(name).is_none())
                .collect();
            let help = match others.as_slice() {
                [] => "write what production sees, as in `state: I was charged twice`".to_owned(),
                others => format!(
                    "name the column that holds it, as in `fields: {{ state: {} }}`; other columns are {}",
                    others[0],
                    listed(others.iter().copied())
                ),
            };
            reader
                .error(
                    "missing-key",
                    self.stateless[0],
                    format!("none of the {} cases has a `state`", self.rows),
                )
                .help(help);
            return;
        }
        for span in &self.stateless {
            reader
                .error("missing-key", *span, "the case has no `state`")
                .help("write what production sees, as in `state: I was charged twice`");
        }
    }

    fn report_unknown(&self, reader: &mut Reader, table: bool) {
        for (position, (key, span, count)) in self.unknown.iter().enumerate() {
            let names = Section::Case.keys().iter().map(|key| key.name);
            let near = did_you_mean(key, names.filter(|_| position < SUGGESTED));
            let help = near.unwrap_or_else(|| {
                // Files of other people have columns of their own.
                "remove it, or name the columns to read in `cases: {file: …, fields: {state: …}}`, \
                 which passes over all others"
                    .to_owned()
            });
            let column = self.columns.iter().find(|(name, _)| table && name == key);
            let message = match (column, count) {
                (Some(_), _) => format!("unknown column `{key}` in a table of cases"),
                (None, 1) => format!("unknown key `{key}` in a case"),
                (None, _) => format!("unknown key `{key}` in {count} cases"),
            };
            let span = column.map_or(span, |(_, span)| *span);
            reader.error("unknown-key", span, message).help(help);
        }
    }
}

/// Answers of production and raters that are no option of the question.
fn report_strangers(reader: &mut Reader) {
    const SHOWN: usize = 10;
    let strangers = std::mem::take(&mut reader.strangers);
    for (text, span, count) in strangers.iter().take(SHOWN) {
        let often = if count == 1 {
            String::new()
        } else {
            format!(", {count} times")
        };
        reader
            .warning(
                "unknown-answer",
                span,
                format!("an answer is `{text}`{often}, which is no option of the question"),
            )
            .help("it is kept as it is and agrees with no option");
    }
}
