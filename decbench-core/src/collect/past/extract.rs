//! A package's suites, cases and answers of a revision, laid out in a folder.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::PastError;
use super::git::{Blob, Git};

/// Endings of the files that suites read.
const ENDINGS: [&str; 6] = ["yaml", "yml", "json", "jsonl", "csv", "txt"];

/// The files of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastFiles {
    /// The full name of its commit.
    pub commit: String,
    /// The package as it was, as far as suites read it.
    pub folder: PathBuf,
}

/// Lays out the files that suites of the package at `package` may read, as they were at `revision`, below `into`.
///
/// A commit never changes, so what is there is used again; processes that do so at the same time do not disturb each
/// other.
///
/// # Errors
///
/// Without git, a repository or the revision, or when nothing can be written; see [`PastError`].
pub fn files_at(package: &Path, revision: &str, into: &Path) -> Result<PastFiles, PastError> {
    let git = Git::new(package, revision);
    let commit = git.commit()?;
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let folder = into.join(format!("{commit}-{name}"));
    let files = PastFiles { commit, folder };
    if files.folder.is_dir() {
        return Ok(files);
    }
    let listed = git.list(&files.commit)?;
    let wanted: Vec<&Blob> = listed.iter().filter(|blob| is_read(&blob.path)).collect();
    let contents = git.contents(&wanted)?;
    let pending = into.join(format!(".{}.{}", files.commit, std::process::id()));
    lay_out(&pending, &wanted, &contents)
        .and_then(|()| settle(&pending, &files.folder))
        .map_err(|source| PastError::Write {
            path: files.folder.clone(),
            source,
        })?;
    Ok(files)
}

/// Whether a suite may read it: of a usual kind, and nowhere but below the folder.
fn is_read(path: &str) -> bool {
    let path = Path::new(path);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let ending = path.extension().and_then(|ending| ending.to_str());
    plain && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

fn lay_out(folder: &Path, blobs: &[&Blob], contents: &[Vec<u8>]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (blob, bytes) in blobs.iter().zip(contents) {
        let path = folder.join(&blob.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Puts the folder in its place, unless another process was first.
fn settle(pending: &Path, folder: &Path) -> io::Result<()> {
    match fs::rename(pending, folder) {
        Err(_) if folder.is_dir() => fs::remove_dir_all(pending),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_suites_read_is_laid_out_and_nothing_elsewhere() {
        assert!(is_read("tests/suites/answers/s/jev.jsonl") && is_read("s.yaml"));
        assert!(!is_read("src/main.rs") && !is_read("tests/snapshots/s.snap"));
        assert!(!is_read("../s.yaml") && !is_read("/etc/s.yaml"));
    }

    #[test]
    fn a_folder_outside_any_repository_is_told_apart_from_an_unknown_revision() {
        let folder = tempfile::tempdir().unwrap();
        let told = files_at(folder.path(), "origin/main", &folder.path().join("out"));
        let told = told.unwrap_err().to_string();
        assert!(
            told.contains("git knows no repository") || told.contains("git cannot be started"),
            "{told}"
        );
    }
}
