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
    /// Reservations made here and not settled.
    open: usize,
}

/// Money put aside for one call.
#[derive(Debug)]
pub(crate) struct Reservation {
    id: String,
    usd: f64,
}

impl Reservation {
    /// How much was put aside.
    pub(crate) fn usd(&self) -> f64 {
        self.usd
    }
}

/// Whether money could be put aside.
#[derive(Debug)]
pub(crate) enum Reserve {
    Granted(Reservation),
    /// What other calls made here have put aside may leave enough when it is settled.
    NotYet,
    /// The rest of the budget does not reach.
    Spent,
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
                open: 0,
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

    /// The calls of a candidate that a run's ledger has put money aside for and never settled, as `(id, name)`.
    pub(crate) fn under_way_in(run: &Path, holder: &str) -> Vec<(String, String)> {
        let mut entries = Entries::default();
        if let Ok(bytes) = fs::read(run.join("spending.jsonl")) {
            entries.read(&bytes);
        }
        let mut open: Vec<(String, String)> = entries
            .open
            .into_iter()
            .filter(|(_, open)| open.holder == holder)
            .map(|(id, open)| (id, open.call))
            .collect();
        open.sort();
        open
    }

    /// Books in full what was put aside for calls that a kill cut off; nobody knows better.
    pub(crate) fn write_off(&self, ids: &[String]) -> Result<(), CollectError> {
        self.turn(|book| {
            for id in ids {
                let usd = book.entries.open.get(id).map(|open| open.usd);
                if let Some(usd) = usd {
                    book.write(&json!({"settle": id, "usd": usd}))?;
                }
            }
            Ok(())
        })
    }

    /// What the run may spend.
    pub(crate) fn budget_usd(&self) -> f64 {
        self.budget_usd
    }

    /// Puts money aside for a call: `most`, or where that does not fit and nothing else is under way here, what is left,
    /// as long as it is at least `about`. A candidate and the name of its call are written beside it, so that after a kill
    /// it is known what was under way.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub(crate) fn reserve(
        &self,
        most: f64,
        about: f64,
        (holder, call): (&str, String),
    ) -> Result<Reserve, CollectError> {
        self.turn(|book| {
            let left = self.budget_usd - book.entries.spent();
            // Sums of decimals are off in the last places; a call that fits exactly fits.
            let noise = self.budget_usd * 1e-12;
            let usd = if most <= left + noise {
                most
            } else if book.open > 0 {
                return Ok(Reserve::NotYet);
            } else if about <= left + noise {
                left.max(0.0)
            } else {
                return Ok(Reserve::Spent);
            };
            book.made += 1;
            // Several views of one process and processes with the same number on two machines differ by address.
            let id = format!(
                "{}-{:x}-{}",
                std::process::id(),
                std::ptr::from_ref(self) as usize,
                book.made
            );
            book.write(&json!({"reserve": id, "usd": usd, "for": holder, "call": call}))?;
            book.open += 1;
            Ok(Reserve::Granted(Reservation { id, usd }))
        })
    }

    /// Replaces a reservation by what the call cost.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a reservation is settled once"
    )]
    pub(crate) fn settle(&self, reservation: Reservation, usd: f64) -> Result<(), CollectError> {
        self.turn(|book| {
            book.open = book.open.saturating_sub(1);
            book.write(&json!({"settle": reservation.id, "usd": usd}))
        })
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
    open: HashMap<String, Open>,
    carried: Vec<String>,
}

/// A reservation that is not settled.
#[derive(Debug)]
struct Open {
    usd: f64,
    holder: String,
    call: String,
}

impl Entries {
    /// What was settled, and in full what was reserved and not settled.
    fn spent(&self) -> f64 {
        self.settled + self.open.values().map(|open| open.usd).sum::<f64>()
    }

    fn read(&mut self, bytes: &[u8]) {
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(entry) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let usd = entry.get("usd").and_then(Value::as_f64).unwrap_or(0.0);
            let named = |name: &str| entry.get(name).and_then(Value::as_str);
            if let Some(id) = named("reserve") {
                let open = Open {
                    usd,
                    holder: named("for").unwrap_or_default().to_owned(),
                    call: named("call").unwrap_or_default().to_owned(),
                };
                self.open.insert(id.to_owned(), open);
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

    fn granted(ledger: &Ledger, usd: f64) -> Option<Reservation> {
        let told = ("s::jev", "case `c`".to_owned());
        match ledger.reserve(usd, usd, told).expect("written") {
            Reserve::Granted(reservation) => Some(reservation),
            Reserve::NotYet | Reserve::Spent => None,
        }
    }

    #[test]
    fn a_budget_is_shared_and_reservations_count() {
        let run = tempfile::tempdir().expect("a folder");
        let one = Ledger::open(run.path(), 1.0).expect("a ledger");
        let other = Ledger::open(run.path(), 1.0).expect("a ledger");
        let held = granted(&one, 0.6).expect("there is enough");
        assert!(granted(&other, 0.5).is_none());
        one.settle(held, 0.1).expect("written");
        let all = granted(&other, 0.9);
        assert!(all.is_some(), "a call that fits exactly fits");
        assert!(granted(&one, 0.001).is_none());
        assert!((Ledger::spent_in(run.path()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_calls_under_way_put_aside_is_waited_for_and_the_last_call_may_take_the_rest() {
        let run = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(run.path(), 1.0).expect("a ledger");
        let told = || ("s::jev", "case `c`".to_owned());
        let held = granted(&ledger, 0.8).expect("there is enough");
        let next = ledger.reserve(0.8, 0.1, told()).expect("written");
        assert!(matches!(next, Reserve::NotYet), "{next:?}");
        ledger.settle(held, 0.4).expect("written");
        let next = ledger.reserve(0.8, 0.1, told()).expect("written");
        let Reserve::Granted(rest) = next else {
            panic!("what is left is enough for a usual call: {next:?}");
        };
        assert!((rest.usd() - 0.6).abs() < 1e-12);
        ledger.settle(rest, 0.6).expect("written");
        let next = ledger.reserve(0.8, 0.1, told()).expect("written");
        assert!(matches!(next, Reserve::Spent), "{next:?}");
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
        assert!(granted(&ledger, 0.8).is_none());
        assert!(granted(&ledger, 0.75).is_some());
        assert!((Ledger::spent_in(run.path()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_run_goes_on_with_is_carried_over_once() {
        let run = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(run.path(), 1.0).expect("a ledger");
        ledger.carry("earlier", 0.5).expect("written");
        ledger.carry("earlier", 0.5).expect("written");
        assert!(granted(&ledger, 0.5).is_some());
    }
}
