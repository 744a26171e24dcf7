//! Tables.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::harvest::Harvest;
use super::{jsonl, records};
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    harvest.call(&jsonl::stem(path));
    let text = records::text(path)?;
    let tabs = path.extension().is_some_and(|ending| ending == "tsv");
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if tabs { b'\t' } else { b',' })
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns: Vec<String> = reader
        .headers()
        .map_err(|error| Unusable::file(path, error))?
        .iter()
        .map(|name| name.trim().to_owned())
        .collect();
    if columns.iter().all(String::is_empty) {
        return Err(Unusable::file(path, "it has no line of column names"));
    }
    if let [only] = columns.as_slice()
        && only.contains(';')
    {
        return Err(Unusable::file(
            path,
            "its columns are separated by semicolons, and commas are read; save it with commas, or with tabs as `.tsv`",
        ));
    }
    for record in reader.into_records() {
        let record = record.map_err(|error| Unusable::file(path, error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let place = harvest.place(format!("line {line}"));
        if record.len() != columns.len() {
            let why = format!(
                "it has {} cells under {} columns",
                record.len(),
                columns.len()
            );
            harvest.leave_out(place, why);
            continue;
        }
        // An empty cell says nothing, as an absent field does.
        let fields: Map<String, Json> = columns
            .iter()
            .zip(record.iter())
            .filter(|(_, cell)| !cell.trim().is_empty())
            .map(|(column, cell)| (column.clone(), Json::from(cell)))
            .collect();
        jsonl::row(&Json::Object(fields), place, harvest);
    }
    Ok(())
}
