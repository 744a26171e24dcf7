//! Taking turns: a mutex among the threads of this process, then a lock file among processes.
//!
//! Lock files are never the data files themselves, are never removed (another process may hold the same one), and
//! say who holds them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The turn on one lock file; given up when dropped, or by the system when the process ends.
#[derive(Debug)]
pub(crate) struct Turn {
    path: PathBuf,
    /// Dropped first, so that no thread of this process enters before the file is free.
    file: Option<File>,
}

/// Files this process holds or waits for.
static TAKEN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
static GIVEN_UP: Condvar = Condvar::new();

fn taken() -> MutexGuard<'static, Option<HashSet<PathBuf>>> {
    // The set is whole between any two statements, so a panic elsewhere cannot have spoilt it.
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Turn {
    /// Waits for the turn on `path` and takes it; `holder` is what others read while they wait.
    ///
    /// # Errors
    ///
    /// When the lock file cannot be made or locked.
    pub(crate) fn take(
        path: &Path,
        holder: &str,
        notice: &(dyn Fn(&str) + Sync),
    ) -> io::Result<Self> {
        Self::enter(path, holder, notice);
        // From here on dropping the turn gives the thread's part back, on errors too.
        let mut turn = Self {
            path: path.to_owned(),
            file: None,
        };
        let mut file = open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                notice(&format!(
                    "{holder} waits for {} ({})",
                    read_holder(&mut file),
                    path.display()
                ));
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        write_holder(&mut file, holder);
        turn.file = Some(file);
        Ok(turn)
    }

    /// Takes the turn if nobody has it.
    ///
    /// # Errors
    ///
    /// When the lock file cannot be opened or locked.
    pub(crate) fn take_now(path: &Path, holder: &str) -> io::Result<Option<Self>> {
        if !taken().get_or_insert_default().insert(path.to_owned()) {
            return Ok(None);
        }
        let mut turn = Self {
            path: path.to_owned(),
            file: None,
        };
        let mut file = open(path)?;
        match file.try_lock() {
            Ok(()) => {
                write_holder(&mut file, holder);
                turn.file = Some(file);
                Ok(Some(turn))
            }
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn enter(path: &Path, holder: &str, notice: &(dyn Fn(&str) + Sync)) {
        let mut held = taken();
        let mut told = false;
        loop {
            if held.get_or_insert_default().insert(path.to_owned()) {
                return;
            }
            if !told {
                told = true;
                drop(held);
                notice(&format!(
                    "{holder} waits for another thread of this process ({})",
                    path.display()
                ));
                held = taken();
                continue;
            }
            held = GIVEN_UP.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        drop(self.file.take());
        taken().get_or_insert_default().remove(&self.path);
        GIVEN_UP.notify_all();
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Who holds the file, as far as it says: where locks are mandatory it cannot be read.
fn read_holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(300).read_to_string(&mut text));
    match read {
        Ok(_) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => "another process".to_owned(),
    }
}

fn write_holder(file: &mut File, holder: &str) {
    // Only for the people who wait; the lock is what counts.
    let _ = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{holder} in process {}", std::process::id()));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn threads_take_turns_and_those_that_wait_say_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/.lock");
        let inside = AtomicUsize::new(0);
        let waited = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let notice = |_: &str| {
                        waited.fetch_add(1, Ordering::SeqCst);
                    };
                    let _turn = Turn::take(&path, "a test", &notice).expect("a turn");
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::sleep(Duration::from_millis(20));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(waited.load(Ordering::SeqCst) >= 1);
    }

    #[test]
    fn a_turn_is_free_again_after_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        // A folder in the lock file's place cannot be opened as a file.
        let path = folder.path().join("lock");
        fs::create_dir(&path).expect("a folder");
        assert!(Turn::take(&path, "a test", &|_| {}).is_err());
        fs::remove_dir(&path).expect("an empty folder");
        assert!(Turn::take(&path, "a test", &|_| {}).is_ok());
        let held = Turn::take_now(&path, "a test").expect("no failure");
        assert!(held.is_some());
        assert!(
            Turn::take_now(&path, "a test")
                .expect("no failure")
                .is_none()
        );
    }
}
