//! A case file of which single lines change, everything else byte for byte.

use std::path::PathBuf;

use decbench_core::decision::Case;
use decbench_core::suite::Suite;
use serde_json::{Map, Value as Json, json};

use crate::ending::Unusable;
use crate::suites;

/// Who approved when, and what.
pub(super) struct Stamp<'a> {
    pub(super) by: &'a str,
    pub(super) at: &'a str,
    pub(super) digest: String,
}

/// The lines of a JSONL file.
pub(super) struct CaseFile {
    path: PathBuf,
    lines: Vec<String>,
    changed: bool,
}

impl CaseFile {
    /// Opens the suite's case file.
    pub(super) fn open(suite: &Suite) -> Result<Self, Unusable> {
        let path = suites::case_file(suite)?;
        let text = std::fs::read_to_string(&path).map_err(|error| Unusable::file(&path, error))?;
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        Ok(Self {
            path,
            lines,
            changed: false,
        })
    }

    /// Makes the case's reference its gold.
    pub(super) fn approve(&mut self, case: &Case, stamp: &Stamp<'_>) -> Result<(), Unusable> {
        let line = self
            .lines
            .iter_mut()
            .filter(|line| !line.trim().is_empty())
            .nth(case.row.saturating_sub(1))
            .filter(|line| is_of(line, case));
        let Some(line) = line else {
            return Err(Unusable::file(
                &self.path,
                format!(
                    "case `{}` is not where it was; run the command again",
                    case.id
                ),
            ));
        };
        let ending = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        let old: Map<String, Json> =
            serde_json::from_str(line).map_err(|error| Unusable::file(&self.path, error))?;
        let mut new = Map::new();
        for (key, value) in old {
            match key.as_str() {
                "reference" => {
                    new.insert("gold".to_owned(), value);
                }
                "gold" | "approved" => {}
                _ => {
                    new.insert(key, value);
                }
            }
        }
        new.insert(
            "approved".to_owned(),
            json!({ "by": stamp.by, "at": stamp.at, "digest": stamp.digest }),
        );
        *line = format!("{}{ending}", Json::Object(new));
        self.changed = true;
        Ok(())
    }

    /// Writes the file whole, through a second one beside it.
    pub(super) fn save(&self) -> Result<(), Unusable> {
        if !self.changed {
            return Ok(());
        }
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let pending = PathBuf::from(name);
        std::fs::write(&pending, self.lines.concat())
            .and_then(|()| std::fs::rename(&pending, &self.path))
            .map_err(|error| Unusable::file(&self.path, error))
    }
}

/// Whether a line is this case's: by its id, which is the row's number where the line has none.
fn is_of(line: &str, case: &Case) -> bool {
    let id = serde_json::from_str::<Json>(line)
        .ok()
        .map(|line| line.get("id").cloned());
    match id {
        Some(Some(Json::String(id))) => id == case.id,
        Some(Some(Json::Number(id))) => id.to_string() == case.id,
        Some(None) => case.id == case.row.to_string(),
        Some(Some(_)) | None => false,
    }
}
