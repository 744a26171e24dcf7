//! Replies to some of an answer's requests, kept until the answer is whole.
//!
//! A vote, an order or a question of a candidate that sends several requests for one answer is paid for when it arrives,
//! and the answer may fail for want of another. So each is written down at once and found by the next attempt: of this
//! run, of one that goes on after a kill, and where answers are recorded of any later one within a day: an answer is of
//! one time.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::error::CollectError;
use super::file::lines;
use super::line::{read_line, write_line};
use super::wanted::WantedCall;
use crate::decision::{Answer, Digest, Measured};
use crate::provider::shelf::{Arrived, Shelf};
use crate::provider::{Clock, Reply};

/// The longest that a part waits for the rest of its answer.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The parts of one candidate's answers that are not whole.
#[derive(Debug, Clone)]
pub(crate) struct PartFile(Arc<Mutex<Book>>);

#[derive(Debug)]
struct Book {
    path: PathBuf,
    /// The name of the run, which makes the parts' names differ from those of other runs.
    run: String,
    clock: Clock,
    /// Opened when there is something to write.
    file: Option<File>,
    parts: HashMap<Digest, Vec<Arrived>>,
    /// Whether the file ends within a line.
    torn: bool,
    written: u64,
    broken: Option<CollectError>,
}

/// What stands in a file of parts.
#[derive(Debug, Default)]
struct Read {
    parts: HashMap<Digest, Vec<Arrived>>,
    names: HashSet<String>,
}

impl PartFile {
    /// Reads what there is and is not too old; writes nothing before something arrives. `run` is the name of the run.
    ///
    /// # Errors
    ///
    /// When the file is there and cannot be read.
    pub(crate) fn open(path: &Path, run: &str, clock: &Clock) -> Result<Self, CollectError> {
        let bytes = bytes_of(path)?;
        let read = Read::of(&bytes, &clock.text_before(LONGEST_WAIT));
        Ok(Self(Arc::new(Mutex::new(Book {
            path: path.to_owned(),
            run: run.to_owned(),
            clock: clock.clone(),
            file: None,
            torn: bytes.last().is_some_and(|byte| *byte != b'\n'),
            written: read.names.len() as u64,
            parts: read.parts,
            broken: None,
        }))))
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A shelf with what has arrived for this call; what arrives from now on is written down.
    pub(crate) fn shelf(&self, call: &WantedCall<'_>) -> Arc<Shelf> {
        let key = key_of(call);
        let arrived = self.book().parts.get(&key).cloned().unwrap_or_default();
        let file = self.clone();
        // Every part is a line of the answer that it is to become a part of.
        let frame = call.answers(Ok(nothing())).into_iter().next();
        Shelf::new(
            arrived,
            Box::new(move |arrived| {
                if let Some(frame) = &frame {
                    file.book().keep(key, frame, arrived);
                }
            }),
        )
    }

    /// The answer is whole and kept: its parts are no longer needed.
    pub(crate) fn done(&self, call: &WantedCall<'_>) {
        let mut book = self.book();
        let key = key_of(call);
        if book.parts.remove(&key).is_some() {
            let line = format!("{{\"done\":\"{key}\"}}\n");
            book.write(&line);
        }
    }

    /// What went wrong with writing, once.
    pub(crate) fn broken(&self) -> Option<CollectError> {
        self.book().broken.take()
    }

    /// Removes the file when no part waits in it.
    pub(crate) fn finish(&self) {
        let mut book = self.book();
        if book.parts.is_empty() {
            book.file = None;
            // What stays is read as nothing.
            let _ = fs::remove_file(&book.path);
        }
    }
}

/// Makes the parts in one file another's too, and takes the first away; parts that are in both are taken once.
///
/// # Errors
///
/// When either file cannot be read or the second not be written.
pub(crate) fn carry(from: &Path, to: &Path) -> Result<(), CollectError> {
    let bytes = bytes_of(from)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let mut all = bytes_of(to)?;
    if all.last().is_some_and(|byte| *byte != b'\n') {
        all.push(b'\n');
    }
    all.extend_from_slice(&bytes);
    let beside = to.with_extension("new");
    fs::write(&beside, all)
        .and_then(|()| fs::rename(&beside, to))
        .map_err(|error| CollectError::write(to, error))?;
    // Where it stays, the names of its parts tell that they are known.
    let _ = fs::remove_file(from);
    Ok(())
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, CollectError> {
    match fs::read(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CollectError::read(path, error))
        }
        read => Ok(read.unwrap_or_default()),
    }
}

impl Book {
    fn keep(&mut self, key: Digest, frame: &Answer, arrived: &Arrived) {
        if arrived.reply.answers.is_empty() {
            return;
        }
        self.written += 1;
        let mut line = format!(
            "{{\"call\":\"{key}\",\"part\":{},\"sent\":\"{}\",\"answers\":[",
            Value::from(format!("{}/{}", self.run, self.written)),
            arrived.request
        );
        for (position, outcome) in arrived.reply.answers.iter().enumerate() {
            if position > 0 {
                line.push(',');
            }
            let answer = Answer {
                outcome: outcome.clone(),
                measured: Measured {
                    at: Some(self.clock.now_text()),
                    ..arrived.reply.measured.clone()
                },
                ..frame.clone()
            };
            write_line(&answer, &mut line);
            // The line feed.
            line.pop();
        }
        // Writing to a string cannot fail.
        let _ = writeln!(line, "]}}");
        self.parts.entry(key).or_default().push(arrived.clone());
        self.write(&line);
    }

    fn write(&mut self, line: &str) {
        if let Err(error) = self.try_write(line) {
            let error = CollectError::write(&self.path, error);
            self.broken.get_or_insert(error);
        }
    }

    fn try_write(&mut self, line: &str) -> io::Result<()> {
        let mut file = if let Some(file) = self.file.take() {
            file
        } else {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path)?
        };
        let line = if self.torn {
            format!("\n{line}")
        } else {
            line.to_owned()
        };
        // Until the write is through, the file may end within a line.
        self.torn = true;
        file.write_all(line.as_bytes())?;
        self.torn = false;
        self.file = Some(file);
        Ok(())
    }
}

impl Read {
    /// Takes every line that reads; one that does not was torn by a kill, and its request is made again.
    fn of(bytes: &[u8], not_before: &str) -> Self {
        let mut read = Self::default();
        for line in lines(bytes) {
            if let Ok(value) = serde_json::from_slice(line.text) {
                let _ = read.line(&value, not_before);
            }
        }
        read
    }

    fn line(&mut self, value: &Value, not_before: &str) -> Option<()> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        if let Some(key) = text("done") {
            self.parts.remove(&Digest::parse(key)?);
            return Some(());
        }
        let key = Digest::parse(text("call")?)?;
        let name = text("part")?.to_owned();
        let request = Digest::parse(text("sent")?)?;
        let mut answers = Vec::new();
        let mut measured = Measured::default();
        for answer in value.get("answers")?.as_array()? {
            let answer = read_line(answer.to_string().as_bytes()).ok()?;
            answers.push(answer.outcome);
            measured = answer.measured;
        }
        if answers.is_empty() || !self.names.insert(name) {
            return None;
        }
        // Times of one form sort as texts.
        if measured.at.take().is_none_or(|at| *at < *not_before) {
            return None;
        }
        let reply = Reply { answers, measured };
        self.parts
            .entry(key)
            .or_default()
            .push(Arrived { request, reply });
        Some(())
    }
}

fn nothing() -> Reply {
    Reply {
        answers: Vec::new(),
        measured: Measured::default(),
    }
}

/// Which call of the plan it is, whatever else is in the plan: repeats are calls of their own.
fn key_of(call: &WantedCall<'_>) -> Digest {
    let mut probe = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        probe,
        "{} {} {}",
        call.call.repeat,
        call.call.order,
        call.call.context.name()
    );
    let request = call.request.map_or_else(Vec::new, |request| {
        let parts = [request.question, request.state, request.candidate];
        parts.iter().flat_map(|part| *part.as_bytes()).collect()
    });
    Digest::of([
        b"call/1".as_slice(),
        call.case.id.as_bytes(),
        probe.as_bytes(),
        &request,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "2026-11-02T10:11:12Z";

    /// A line as it is written, of this part of this call.
    fn line(call: &[u8], part: &str) -> String {
        let (call, sent) = (Digest::of([call]), Digest::of([b"vote".as_slice()]));
        format!(
            "{{\"call\":\"{call}\",\"part\":\"{part}\",\"sent\":\"{sent}\",\"answers\":[{{\"case\":\"c\",\"label\":\"a\",\"at\":\"{AT}\"}}]}}\n"
        )
    }

    fn count(text: &str, call: &[u8]) -> usize {
        let read = Read::of(text.as_bytes(), AT);
        read.parts.get(&Digest::of([call])).map_or(0, Vec::len)
    }

    #[test]
    fn parts_of_a_call_are_read_once_each_until_the_answer_is_whole() {
        let text = line(b"x", "run/1") + &line(b"y", "run/2") + &line(b"x", "run/3");
        assert_eq!((count(&text, b"x"), count(&text, b"y")), (2, 1));
        let doubled = text.clone() + &text;
        assert_eq!(count(&doubled, b"x"), 2, "one name is one part");
        let done = format!("{text}{{\"done\":\"{}\"}}\n", Digest::of([b"x".as_slice()]));
        assert_eq!((count(&done, b"x"), count(&done, b"y")), (0, 1));
    }

    #[test]
    fn what_does_not_read_is_no_part() {
        let whole = line(b"x", "run/1");
        for bad in [
            &whole[..whole.len() / 2],
            "{}\n",
            "[]\n",
            "{\"done\":\"b3:no\"}\n",
            "{\"call\":1}\n",
        ] {
            assert_eq!(count(&format!("{bad}\n{whole}"), b"x"), 1, "{bad}");
        }
        for (wrong, with) in [
            ("\"label\":\"a\"", "\"label\":1"),
            (AT, "2026-11-02T10:11:11Z"),
        ] {
            let other = whole.replace(wrong, with);
            assert_ne!(other, whole);
            assert_eq!(count(&other, b"x"), 0, "{other}");
        }
    }

    #[test]
    fn carried_parts_are_the_others_and_twice_is_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        carry(&from, &to).expect("nothing to carry");
        assert!(!to.exists());
        fs::write(&to, line(b"x", "run-2/1").trim_end()).expect("a file");
        for _ in 0..2 {
            fs::write(&from, line(b"x", "run-1/1")).expect("a file");
            carry(&from, &to).expect("a file");
            assert!(!from.exists());
        }
        assert_eq!(count(&fs::read_to_string(&to).expect("a file"), b"x"), 2);
    }
}
