//! Recordings and snapshots that no suite uses.

use std::path::{Path, PathBuf};

use decbench_core::suite::Suite;

use super::finding::Finding;
use crate::ending::Unusable;
use crate::packages::Package;

/// Everything under `answers` and `snapshots` that belongs to no suite or candidate.
pub(super) fn find(package: &Package, suites: &[Suite]) -> Result<Vec<Finding>, Unusable> {
    let mut found = Vec::new();
    let known: Vec<(String, Vec<String>)> = suites.iter().flat_map(Suite::recordings).collect();
    for folder in entries(&package.suites.join("answers"))?
        .into_iter()
        .filter(|path| path.is_dir())
    {
        let name = name_of(&folder);
        let Some((suite, candidates)) = known.iter().find(|(folder, _)| *folder == name) else {
            found.push(Finding::file(
                "orphan-recordings",
                &folder,
                format!("no suite is named `{name}`, so nothing reads these recordings"),
                "delete the folder, or give the suite its old name",
            ));
            continue;
        };
        for file in entries(&folder)? {
            let name = name_of(&file);
            let Some(candidate) = name.strip_suffix(".jsonl") else {
                continue;
            };
            if !candidates.iter().any(|known| known == candidate) {
                found.push(Finding::file(
                    "orphan-recording",
                    &file,
                    format!("suite `{suite}` has no candidate `{candidate}`, so nothing reads this recording"),
                    "delete the file, or give the candidate its old name",
                ));
            }
        }
    }
    for file in entries(&package.suites.join("snapshots"))? {
        let name = name_of(&file);
        let Some(suite) = name.strip_suffix(".scorecard.snap") else {
            continue;
        };
        if !suites.iter().any(|known| known.name == suite) {
            found.push(Finding::file(
                "orphan-snapshot",
                &file,
                format!("no suite is named `{suite}`, so nothing compares this snapshot"),
                "delete the file, or give the suite its old name",
            ));
        }
    }
    Ok(found)
}

/// What a folder holds, sorted; a folder that does not exist holds nothing.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Unusable> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| Unusable::file(folder, error))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
