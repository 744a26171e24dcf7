//! The files of looks at a lock box: `answers/<suite>/lockbox/`, one a look, kept in the repository.
//!
//! What stands in them is the caller's. Nobody ever changes or removes one; a new one is written beside and renamed, so
//! that a process that is killed leaves nothing that counts.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::lock::Turn;

/// Ending of a file that is being written.
const PENDING: &str = ".tmp";

/// A file's name and its text.
pub type LookFile = (String, String);

/// The folder of a suite's looks; `recordings` is the folder `answers` beside the suite.
pub fn looks_folder(recordings: &Path, suite: &str) -> PathBuf {
    recordings.join(suite).join("lockbox")
}

/// The files, sorted by name; none where there is no folder.
///
/// # Errors
///
/// When the folder or a file cannot be read.
pub fn read_looks(folder: &Path) -> io::Result<Vec<LookFile>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let Ok(name) = entry?.file_name().into_string() else {
            continue;
        };
        if name.starts_with('.') || name.ends_with(PENDING) {
            continue;
        }
        // Bytes that are no text are a file that somebody changed, which its name then shows.
        let bytes = fs::read(folder.join(&name))?;
        files.push((name, String::from_utf8_lossy(&bytes).into_owned()));
    }
    files.sort();
    Ok(files)
}

/// Adds the file that `next` makes of those that are there, if it makes one, with the turn on the suite's recordings;
/// gives what `next` says.
///
/// # Errors
///
/// When the folder cannot be read or written, or the lock cannot be had.
pub fn add_look<T>(
    folder: &Path,
    holder: &str,
    notice: &(dyn Fn(&str) + Sync),
    next: impl FnOnce(&[LookFile]) -> (Option<LookFile>, T),
) -> io::Result<T> {
    let lock = folder.with_file_name(".lock");
    let _turn = Turn::take(&lock, holder, notice)?;
    let (file, said) = next(&read_looks(folder)?);
    if let Some((name, text)) = file {
        fs::create_dir_all(folder)?;
        sweep(folder);
        let pending = folder.join(format!(".{name}.{}{PENDING}", std::process::id()));
        let mut open = fs::File::create(&pending)?;
        open.write_all(text.as_bytes())?;
        open.sync_all()?;
        drop(open);
        fs::rename(&pending, folder.join(name))?;
    }
    Ok(said)
}

/// Removes what a killed process left half written; nobody else writes while we have the turn.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(PENDING) {
            // What stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_added_and_what_a_kill_left_behind_counts_for_nothing() {
        let home = tempfile::tempdir().unwrap();
        let folder = looks_folder(home.path(), "s");
        assert_eq!(read_looks(&folder).unwrap(), []);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(".a.json.1.tmp"), "{\"sch").unwrap();
        let add = |name: &str| {
            let file = (name.to_owned(), "text\n".to_owned());
            add_look(&folder, "a test", &|_| {}, |files| {
                (Some(file), files.len())
            })
            .unwrap()
        };
        assert_eq!((add("b.json"), add("a.json")), (0, 1));
        let names: Vec<String> = read_looks(&folder)
            .unwrap()
            .into_iter()
            .map(|file| file.0)
            .collect();
        assert_eq!(names, ["a.json", "b.json"]);
        assert!(!folder.join(".a.json.1.tmp").exists());
    }

    #[test]
    fn adding_from_many_threads_at_once_makes_one_file_of_one_look() {
        let home = tempfile::tempdir().unwrap();
        let folder = looks_folder(home.path(), "s");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    add_look(&folder, "a test", &|_| {}, |files| {
                        let file = ("a.json".to_owned(), "text".to_owned());
                        (files.is_empty().then_some(file), ())
                    })
                    .unwrap();
                });
            }
        });
        assert_eq!(read_looks(&folder).unwrap().len(), 1);
    }
}
