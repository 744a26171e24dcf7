//! Files of JSON values, however they are laid out.

use std::path::Path;

use serde_json::Value as Json;

use super::harvest::{Harvest, Place};
use crate::ending::Unusable;

/// A value and where it stood.
pub(super) struct Record {
    pub(super) value: Json,
    pub(super) place: Place,
}

/// Reads a text file.
pub(super) fn text(path: &Path) -> Result<String, Unusable> {
    let bytes = std::fs::read(path).map_err(|error| Unusable::file(path, error))?;
    let text =
        String::from_utf8(bytes).map_err(|_| Unusable::file(path, "it is no text in UTF-8"))?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map_or_else(|| text.clone(), str::to_owned))
}

/// Reads JSON values: one a line, one after the other over several lines, or in a list, also one under a key of
/// `lists`. Lines that are no JSON are left out, as long as others are.
pub(super) fn read(
    path: &Path,
    lists: &[&str],
    harvest: &mut Harvest<'_>,
) -> Result<Vec<Record>, Unusable> {
    let text = text(path)?;
    let values = match stream(&text) {
        Ok(values) => values,
        Err(error) => {
            let (values, bad) = lines(&text);
            if values.is_empty() {
                return Err(Unusable::file(path, format!("it is no JSON: {error}")));
            }
            for (line, why) in bad {
                let place = harvest.place(format!("line {line}"));
                harvest.leave_out(place, format!("it is no JSON: {why}"));
            }
            values
        }
    };
    if values.is_empty() {
        return Err(Unusable::file(path, "it is empty"));
    }
    let mut records = Vec::new();
    for (line, value) in values {
        match unpacked(value, lists) {
            Unpacked::One(value) => records.push(Record {
                value,
                place: harvest.place(format!("line {line}")),
            }),
            Unpacked::Many(items) => {
                records.extend(items.into_iter().enumerate().map(|(index, value)| Record {
                    value,
                    place: harvest.place(format!("record {}", index + 1)),
                }));
            }
        }
    }
    Ok(records)
}

enum Unpacked {
    One(Json),
    Many(Vec<Json>),
}

fn unpacked(value: Json, lists: &[&str]) -> Unpacked {
    match value {
        Json::Array(items) => Unpacked::Many(items),
        Json::Object(mut fields) => {
            for list in lists {
                if let Some(Json::Array(items)) = fields.get_mut(*list) {
                    return Unpacked::Many(std::mem::take(items));
                }
            }
            Unpacked::One(Json::Object(fields))
        }
        other => Unpacked::One(other),
    }
}

/// Every value with the line it begins at.
fn stream(text: &str) -> Result<Vec<AtLine<Json>>, serde_json::Error> {
    let mut values = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let mut counted = 0;
    let mut line = 1;
    loop {
        let end = stream.byte_offset();
        let Some(value) = stream.next() else {
            return Ok(values);
        };
        let value = value?;
        let blank = text[end..].len() - text[end..].trim_start().len();
        line += text[counted..end + blank].matches('\n').count();
        counted = end + blank;
        values.push((line, value));
    }
}

/// Something and the line it stands in.
type AtLine<T> = (usize, T);

/// The values of the lines that hold one, and what is wrong with the others.
fn lines(text: &str) -> (Vec<AtLine<Json>>, Vec<AtLine<String>>) {
    let mut values = Vec::new();
    let mut bad = Vec::new();
    for (index, line) in text.lines().enumerate() {
        match serde_json::from_str(line) {
            _ if line.trim().is_empty() => {}
            Ok(value) => values.push((index + 1, value)),
            Err(error) => bad.push((index + 1, error.to_string())),
        }
    }
    // What is one value over several lines has lines that are values too, such as a lone number.
    values.retain(|(_, value): &AtLine<Json>| value.is_object());
    (values, bad)
}

#[cfg(test)]
mod tests {
    use super::super::mapping::Mapping;
    use super::*;

    fn read_text(text: &str) -> Result<(Vec<String>, usize), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        std::fs::write(&path, text).unwrap();
        let mapping = Mapping::default();
        let mut harvest = Harvest::new(&mapping, None);
        let records = read(&path, &["data"], &mut harvest).map_err(|error| error.to_string())?;
        let found = records
            .into_iter()
            .map(|record| format!("{}: {}", record.place.record, record.value));
        Ok((found.collect(), harvest.left_out.len()))
    }

    #[test]
    fn every_layout_is_read() {
        for (text, places) in [
            ("{\"a\":1}\n\n{\"a\":2}\n", ["line 1", "line 3"]),
            (
                "\u{feff}{\n \"a\":1\n}\n{\n \"a\":2\n}",
                ["line 1", "line 4"],
            ),
            ("[{\"a\":1},{\"a\":2}]", ["record 1", "record 2"]),
            (
                "{\"data\":[{\"a\":1},{\"a\":2}],\"meta\":{}}",
                ["record 1", "record 2"],
            ),
        ] {
            let (found, bad) = read_text(text).unwrap();
            let expected = [
                format!("{}: {{\"a\":1}}", places[0]),
                format!("{}: {{\"a\":2}}", places[1]),
            ];
            assert_eq!((found, bad), (expected.to_vec(), 0));
        }
    }

    #[test]
    fn a_broken_line_costs_itself_alone() {
        let (found, bad) = read_text("{\"a\":1}\n{\"a\":\n{\"a\":3}\n").unwrap();
        assert_eq!(found, ["line 1: {\"a\":1}", "line 3: {\"a\":3}"]);
        assert_eq!(bad, 1);
        for text in ["", "no JSON", "{\n \"a\": 3,\n 4\n}"] {
            assert!(read_text(text).is_err(), "{text}");
        }
    }
}
