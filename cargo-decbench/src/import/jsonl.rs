//! JSON maps of one's own making, one a line or in a list.

use std::path::Path;

use decbench_core::decision::{Decided, Measured, complement};
use serde_json::Value as Json;

use super::harvest::{Found, Harvest, Place, label};
use super::mapping::text;
use super::records;
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    harvest.call(&stem(path));
    for record in records::read(path, &[], harvest)? {
        row(&record.value, record.place, harvest);
    }
    Ok(())
}

/// A case in fields, and the answer beside it where `--map` places one.
///
/// Fields without a place are found under the names of our own case files.
pub(super) fn row(record: &Json, place: Place, harvest: &mut Harvest<'_>) {
    if !record.is_object() {
        harvest.leave_out(place, "it is no map of fields");
        return;
    }
    let mapping = harvest.mapping;
    let part = |part: &str| mapping.get_or(record, part, part).and_then(text);
    let answer = mapping.get(record, "answer").and_then(text);
    let p_yes = mapping.get(record, "p_yes").and_then(text);
    let found = Found {
        id: part("id"),
        state: mapping.get_or(record, "state", "state").cloned(),
        gold: part("gold").map(Json::from),
        reference: part("reference").map(Json::from),
        production_answer: part("production_answer"),
        options: None,
        strata: mapping.strata(record),
        cluster: part("cluster"),
        tier: part("tier"),
        language: part("language"),
        at: part("at"),
        origin: "file",
    };
    let shares = match p_yes.map(|text| (text.parse::<f64>(), text)) {
        None => None,
        Some((Ok(yes), _)) if (0.0..=1.0).contains(&yes) => Some(yes),
        Some((_, text)) => {
            harvest.leave_out(place, format!("`{text}` is no probability of yes"));
            return;
        }
    };
    let Some(case) = harvest.case(found, place) else {
        return;
    };
    let said = match shares {
        Some(yes) => Ok(Decided {
            label: answer,
            probabilities: Some(vec![
                ("yes".to_owned(), yes),
                ("no".to_owned(), complement(yes)),
            ]),
            ..Decided::default()
        }),
        None => match answer {
            Some(answer) => Ok(label(answer)),
            None => return,
        },
    };
    let candidate = harvest.candidate(None);
    harvest.answer(&candidate, &case, "", None, said, Measured::default());
}

/// A file's name without its endings.
pub(super) fn stem(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .and_then(|name| name.split('.').next().map(str::to_owned))
        .unwrap_or_default()
}
