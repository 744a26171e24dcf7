//! Suites as this tool sees them: without the Rust code that their test target is linked with.

use std::path::{Path, PathBuf};

use decbench_core::suite::{self, Loaded, Suite, Tree};

use crate::ending::Unusable;
use crate::packages::{Package, Where};

/// Reads a suite for a task that needs its options.
///
/// # Errors
/// The suite's mistakes; and options that only a Rust type lists, which this tool is not linked with.
pub(crate) fn load(path: &Path) -> Result<Loaded, Unusable> {
    let loaded = suite::load(path).map_err(|mistakes| Unusable::new(mistakes.render()))?;
    let unknown = loaded
        .suite
        .questions
        .iter()
        .any(|question| !question.kind.is_open() && question.options.is_empty());
    if unknown {
        let types: Vec<String> = loaded
            .named_types
            .iter()
            .map(|named| format!("`{}`", named.name))
            .collect();
        return Err(Unusable::file(
            path,
            format!(
                "only the Rust type {} lists the options, and this tool is not linked with it; list them in the suite too, where they are compared with it",
                types.join(", ")
            ),
        ));
    }
    Ok(loaded)
}

/// Whether the suite writes down all that identifies its questions, so that their digests are known here.
pub(crate) fn says_all(loaded: &Loaded) -> bool {
    loaded.named_types.iter().all(|named| {
        named.options.is_some() && named.instructions.is_some() && named.version.is_some()
    })
}

/// The suite of this name, and the package it stands in.
///
/// # Errors
/// A message where there is none, or where it cannot be read.
pub(crate) fn find(place: &Where, name: &str) -> Result<(Package, Loaded), Unusable> {
    for package in place.packages()? {
        for path in package.suite_files()? {
            match suite::load(&path) {
                Ok(loaded) if loaded.suite.name == name => return Ok((package, loaded)),
                Err(mistakes) if path.file_stem().is_some_and(|stem| *stem == *name) => {
                    return Err(Unusable::new(mistakes.render()));
                }
                _ => {}
            }
        }
    }
    Err(Unusable::new(format!(
        "there is no suite `{name}`; `cargo decbench check` reads them all"
    )))
}

/// The suite of this name, for a task that stamps labels of it.
///
/// # Errors
/// As [`find`]; and where parts of the question are not known here.
pub(crate) fn to_stamp(place: &Where, name: &str) -> Result<Suite, Unusable> {
    let (_, loaded) = find(place, name)?;
    if says_all(&loaded) {
        return Ok(loaded.suite);
    }
    Err(Unusable::file(
        &loaded.suite.path,
        "approvals are bound to the question, and parts of it stand only in a Rust type; write options, `instructions` and `version` in the suite too",
    ))
}

/// The suite's case file, whose lines are written as our own.
///
/// # Errors
/// Where cases stand elsewhere or under other names.
pub(crate) fn case_file(suite: &Suite) -> Result<PathBuf, Unusable> {
    let tree =
        Tree::from_yaml(&suite.source).map_err(|mistakes| Unusable::new(mistakes.render()))?;
    let cases = tree.root.get("cases");
    if cases.is_some_and(|cases| cases.get("fields").is_some()) {
        return Err(Unusable::file(
            &suite.path,
            "`cases.fields` gives other names to columns, which nothing can be written under; rename the columns first",
        ));
    }
    let name = cases
        .and_then(|cases| cases.text().or_else(|| cases.get("file")?.text()))
        .filter(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|ending| ending == "jsonl")
        })
        .ok_or_else(|| {
            Unusable::file(
                &suite.path,
                "only a `.jsonl` file of cases is written into, and this suite has none",
            )
        })?;
    Ok(suite.path.with_file_name(name))
}
