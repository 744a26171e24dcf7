//! The files of an imported suite.

use std::path::{Path, PathBuf};

use decbench_core::collect::answer_lines;
use serde_json::Value as Json;

use super::assemble::Imported;
use crate::ending::Unusable;

/// The name nearest to a text that suites and candidates may have.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.to_lowercase().chars() {
        let fits = letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_.".contains(letter);
        match fits {
            true => slug.push(letter),
            false if slug.ends_with('-') => {}
            false => slug.push('-'),
        }
    }
    let slug = slug.trim_matches(['-', '.', '_']);
    if slug.is_empty() {
        "imported".to_owned()
    } else {
        slug.to_owned()
    }
}

/// The name of the suite that a path names.
pub(super) fn stem(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = name
        .strip_suffix(".yaml")
        .or_else(|| name.strip_suffix(".yml"));
    stem.unwrap_or(&name).to_owned()
}

pub(super) fn suite_name(name: &str) -> String {
    format!("{name}.yaml")
}

pub(super) fn cases_name(name: &str) -> String {
    format!("{name}.cases.jsonl")
}

pub(super) fn answers_name(name: &str, candidate: &str) -> String {
    format!("{name}.{candidate}.jsonl")
}

/// Writes the suite and what it names; gives the files.
///
/// # Errors
/// Where one of them is there already and may not be overwritten, or cannot be written.
pub(super) fn write(
    folder: &Path,
    imported: &Imported,
    force: bool,
) -> Result<Vec<PathBuf>, Unusable> {
    let name = &imported.name;
    let mut cases = String::new();
    for case in &imported.cases {
        cases.push_str(&Json::Object(case.clone()).to_string());
        cases.push('\n');
    }
    let mut files = vec![
        (folder.join(suite_name(name)), imported.suite.clone()),
        (folder.join(cases_name(name)), cases),
    ];
    for (candidate, answers) in &imported.answers {
        files.push((
            folder.join(answers_name(name, candidate)),
            answer_lines(answers),
        ));
    }
    if !force && let Some((clash, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Unusable::new(format!(
            "{} exists already and would be overwritten; choose another `--to`, or say `--force`",
            clash.display()
        )));
    }
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| Unusable::file(folder, error))?;
    }
    for (path, text) in &files {
        std::fs::write(path, text).map_err(|error| Unusable::file(path, error))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_what_they_may_hold() {
        for (text, expected) in [
            ("Call Routing!", "call-routing"),
            ("openai/gpt-4.1", "openai-gpt-4.1"),
            ("Überlauf", "berlauf"),
            ("!", "imported"),
        ] {
            assert_eq!(slug(text), expected);
        }
        assert_eq!(stem(Path::new("tests/suites/a.b.yaml")), "a.b");
        assert_eq!(stem(Path::new("tests/suites/calls")), "calls");
    }
}
