//! Which files of a folder are suites.

use std::io;
use std::path::{Path, PathBuf};

/// The suites of a folder: its `.yaml` and `.yml` files that are not hidden and no case files (`x.cases.yaml`), sorted.
///
/// # Errors
/// When the folder cannot be read.
pub fn suite_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && is_suite(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn is_suite(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let stem = name
        .strip_suffix(".yaml")
        .or_else(|| name.strip_suffix(".yml"));
    !name.starts_with('.') && stem.is_some_and(|stem| stem.rsplit('.').next() != Some("cases"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_hidden_files_are_no_suites() {
        let is = |name: &str| is_suite(Path::new(name));
        assert!(is("a.yaml") && is("a.b.yml"));
        assert!(!is("a.cases.yaml") && !is(".a.yaml") && !is("a.jsonl") && !is("yaml"));
    }
}
