//! What a run has spent: one file for all its processes, so that a budget is the run's and not the process's.
//!
//! Before a call its most possible price is reserved, and after it the true one settled. A reservation that was never
//! settled (its process was killed) counts in full: nobody knows whether the call was billed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::error::CollectError;

/// One process's view of the ledger of its run.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    budget_usd: f64,
    book: Mutex<Book>,
}

#[derive(Debug)]
struct Book {
    file: File,
    lock: File,
    /// How much of the file is counted in.
    read: u64,
    entries: Entries,
    made: u64,
}

/// Money put aside for one call.
#[derive(Debug)]
pub(crate) struct Reservation {
    id: String,
}

impl Ledger {
    /// Opens the ledger of a run, whose folder is there.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn open(run: &Path, budget_usd: f64) -> io::Result<Self> {
        let path = run.join("spending.jsonl");
        let open = |path: &Path| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
        };
        Ok(Self {
            book: Mutex::new(Book {
                file: open(&path)?,
                lock: open(&run.join(".spending.lock"))?,
                read: 0,
                entries: Entries::default(),
                made: 0,
            }),
            path,
            budget_usd,
        })
    }

    /// What a run's ledger says was spent; 0 for a run without one.
    pub(crate) fn spent_in(run: &Path) -> f64 {
        let mut entries = Entries::default();
        if let Ok(bytes) = fs::read(run.join("spending.jsonl")) {
            entries.read(&bytes);
        }
        entries.spent()
    }

    /// What the run may spend.
    pub(crate) fn budget_usd(&self) -> f64 {
        self.budget_usd
    }

    /// Puts money aside; `None` where the rest of the budget does not reach.
    pub(crate) fn reserve(&self, usd: f64) -> Result<Option<Reservation>, CollectError> {
        self.turn(|book| {
            // Sums of decimals are off in the last places; a call that fits exactly fits.
            if book.entries.spent() + usd > self.budget_usd * (1.0 + 1e-12) {
                return Ok(None);
            }
            book.made += 1;
            // Several views of one process and processes with the same number on two machines differ by address.
            let id = format!(
                "{}-{:x}-{}",
                std::process::id(),
                std::ptr::from_ref(self) as usize,
                book.made
            );
            book.write(&json!({"reserve": id, "usd": usd}))?;
            Ok(Some(Reservation { id }))
        })
    }

    /// Replaces a reservation by what the call cost.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a reservation is settled once"
    )]
    pub(crate) fn settle(&self, reservation: Reservation, usd: f64) -> Result<(), CollectError> {
        self.turn(|book| book.write(&json!({"settle": reservation.id, "usd": usd})))
    }

    /// Takes over what an earlier run spent that this one goes on with; once.
    pub(crate) fn carry(&self, from: &str, usd: f64) -> Result<(), CollectError> {
        self.turn(|book| {
            if book.entries.carried.iter().any(|known| known == from) {
                return Ok(());
            }
            book.write(&json!({"carried": from, "usd": usd}))
        })
    }

    /// Does something with the book as all processes have written it.
    fn turn<T>(&self, act: impl FnOnce(&mut Book) -> io::Result<T>) -> Result<T, CollectError> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let _thread = one_thread();
        book.lock
            .lock()
            .and_then(|()| {
                let done = book.catch_up().and_then(|()| act(&mut book));
                book.lock.unlock()?;
                done
            })
            .map_err(|error| CollectError::write(&self.path, error))
    }
}

/// Among the threads of this process a mutex comes before the file's lock.
fn one_thread() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Book {
    /// Reads what other processes have written since the last time.
    fn catch_up(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() == self.read {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        if bytes.last().is_some_and(|byte| *byte != b'\n') {
            // Cut off by a kill: a reservation that is not whole was never used, and a settlement that is not whole
            // leaves its reservation open.
            self.file.write_all(b"\n")?;
            bytes.push(b'\n');
        }
        self.read += bytes.len() as u64;
        self.entries.read(&bytes);
        Ok(())
    }

    /// Appends an entry; the file is caught up with, so its end is where the last one ended.
    fn write(&mut self, entry: &Value) -> io::Result<()> {
        let line = format!("{entry}\n");
        self.file.write_all(line.as_bytes())?;
        self.read += line.len() as u64;
        self.entries.read(line.as_bytes());
        Ok(())
    }
}

/// The sum of entries.
#[derive(Debug, Default)]
struct Entries {
    settled: f64,
    open: HashMap<String, f64>,
    carried: Vec<String>,
}

impl Entries {
    /// What was settled, and in full what was reserved and not settled.
    fn spent(&self) -> f64 {
        self.settled + self.open.values().sum::<f64>()
    }

    fn read(&mut self, bytes: &[u8]) {
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(entry) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let usd = entry.get("usd").and_then(Value::as_f64).unwrap_or(0.0);
            let named = |name: &str| entry.get(name).and_then(Value::as_str);
            if let Some(id) = named("reserve") {
                self.open.insert(id.to_owned(), usd);
            } else if let Some(id) = named("settle") {
                self.open.remove(id);
                self.settled += usd;
            } else if let Some(run) = named("carried") {
                self.carried.push(run.to_owned());
                self.settled += usd;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_shared_and_reservations_count() {
        let run = tempfile::tempdir().expect("a folder");
        let one = Ledger::open(run.path(), 1.0).expect("a ledger");
        let other = Ledger::open(run.path(), 1.0).expect("a ledger");
        let held = one.reserve(0.6).expect("written").expect("there is enough");
        assert!(other.reserve(0.5).expect("written").is_none());
        one.settle(held, 0.1).expect("written");
        let all = other.reserve(0.9).expect("written");
        assert!(all.is_some(), "a call that fits exactly fits");
        assert!(one.reserve(0.001).expect("written").is_none());
        assert!((Ledger::spent_in(run.path()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_line_cut_off_by_a_kill_costs_nothing_more() {
        let run = tempfile::tempdir().expect("a folder");
        fs::write(
            run.path().join("spending.jsonl"),
            "{\"reserve\":\"a\",\"usd\":0.25}\n{\"settle\":\"a\",\"us",
        )
        .expect("a file");
        let ledger = Ledger::open(run.path(), 1.0).expect("a ledger");
        assert!(ledger.reserve(0.8).expect("written").is_none());
        assert!(ledger.reserve(0.75).expect("written").is_some());
        assert!((Ledger::spent_in(run.path()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_run_goes_on_with_is_carried_over_once() {
        let run = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(run.path(), 1.0).expect("a ledger");
        ledger.carry("earlier", 0.5).expect("written");
        ledger.carry("earlier", 0.5).expect("written");
        assert!(ledger.reserve(0.5).expect("written").is_some());
    }
}
