//! The folders of runs: which are in use, which are the last five.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// How many runs are kept.
const KEPT: usize = 5;

/// Makes a run's folder, marks it as in use by this process until it ends, and clears away old runs.
pub(crate) fn use_run(runs: &Path, run: &Path) -> io::Result<()> {
    static IN_USE: Mutex<Option<HashMap<PathBuf, File>>> = Mutex::new(None);
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let in_use = in_use.get_or_insert_default();
    if in_use.contains_key(run) && run.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(run)?;
    let mark = File::create(run.join(".in-use"))?;
    mark.lock_shared()?;
    in_use.insert(run.to_owned(), mark);
    // Old runs are only a convenience: one that cannot be removed stays.
    let _ = prune(runs, run);
    Ok(())
}

/// The folders of the other runs, oldest first.
pub(crate) fn other_runs(runs: &Path, current: &Path) -> Vec<PathBuf> {
    let mut others: Vec<(SystemTime, PathBuf)> = fs::read_dir(runs)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let written = entry.metadata().ok()?;
            let other = written.is_dir() && entry.path() != current;
            other.then(|| Some((written.modified().ok()?, entry.path())))?
        })
        .collect();
    others.sort();
    others.into_iter().map(|(_, run)| run).collect()
}

/// Removes all but the newest runs; never this one, nor one that a process uses.
fn prune(runs: &Path, current: &Path) -> io::Result<()> {
    let others = other_runs(runs, current);
    let surplus = (others.len() + 1).saturating_sub(KEPT);
    for run in others.into_iter().take(surplus) {
        let free = match File::open(run.join(".in-use")) {
            Ok(mark) => mark.try_lock().is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if free {
            fs::remove_dir_all(run)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_last_five_are_kept_and_those_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let age = |run: &Path, hours: u64| {
            let then = SystemTime::now() - Duration::from_secs(3600 * hours);
            File::open(run)
                .and_then(|folder| folder.set_modified(then))
                .expect("an older folder");
        };
        let mut marks = Vec::new();
        for number in 0..8 {
            let run = folder.path().join(format!("run-{number}"));
            fs::create_dir(&run).expect("a folder");
            if number == 0 {
                let mark = File::create(run.join(".in-use")).expect("a file");
                mark.lock_shared().expect("nobody else has it");
                marks.push(mark);
            }
            age(&run, 8 - number);
        }
        use_run(folder.path(), &folder.path().join("now")).expect("a run");
        let mut kept: Vec<_> = fs::read_dir(folder.path())
            .expect("a folder")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        kept.sort();
        assert_eq!(kept, ["now", "run-0", "run-4", "run-5", "run-6", "run-7"]);
    }
}
