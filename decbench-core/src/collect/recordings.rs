//! Recorded answers beside the suite: `answers/<suite>/<candidate>.jsonl`, reviewed in pull requests.
//!
//! Only `fill` writes them, with the suite's lock, one write per call; what is read never needs a lock. Before the lock
//! is given up the file is sorted, into a second file that then takes its place, so that a reader sees the one or the
//! other and a diff shows what is new.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::appender::Appender;
use super::error::CollectError;
use super::file::{AnswerFile, lines};
use super::job::{Environment, Job};
use super::line::read_line;
use super::lock::Turn;
use super::run_store::RunStore;
use crate::decision::{Answer, Context};

/// Where a candidate's recordings are.
pub(crate) fn recordings_path(job: &Job<'_>, environment: &Environment<'_>) -> PathBuf {
    environment
        .recordings
        .join(job.suite)
        .join(format!("{}.jsonl", job.candidate))
}

/// The turn on a suite's recordings, and on its part of the run.
#[derive(Debug)]
pub(crate) struct SuiteTurn {
    _run: Turn,
    _recordings: Turn,
}

impl SuiteTurn {
    /// Waits for the turn.
    ///
    /// # Errors
    ///
    /// When a lock cannot be written: nothing that was asked could be kept.
    pub(crate) fn take(job: &Job<'_>, environment: &Environment<'_>) -> Result<Self, CollectError> {
        let holder = format!("{}::{}", job.suite, job.candidate);
        let lock = recordings_path(job, environment).with_file_name(".lock");
        let recordings = Turn::take(&lock, &holder, environment.notice)
            .map_err(|error| CollectError::not_kept(&lock, error))?;
        Ok(Self {
            _run: RunStore::of(job, environment).turn_to_keep(environment.notice)?,
            _recordings: recordings,
        })
    }
}

/// A candidate's recordings, open for more while this process has the turn on the suite's.
#[derive(Debug)]
pub(crate) struct Recordings {
    path: PathBuf,
    appender: Option<Appender>,
    appended: bool,
}

impl Recordings {
    /// Opens the file and gives what stands in it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written: nothing that was asked could be kept.
    pub(crate) fn open(
        job: &Job<'_>,
        environment: &Environment<'_>,
    ) -> Result<(Self, AnswerFile), CollectError> {
        let path = recordings_path(job, environment);
        let (appender, read) =
            Appender::open(&path).map_err(|error| CollectError::not_kept(&path, error))?;
        let recordings = Self {
            path,
            appender: Some(appender),
            appended: false,
        };
        Ok((recordings, read))
    }

    /// Appends the answers of one call.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn append(&mut self, answers: &[Answer]) -> Result<(), CollectError> {
        let Some(appender) = &mut self.appender else {
            let error = io::Error::other("the file is closed");
            return Err(CollectError::write(&self.path, error));
        };
        self.appended |= !answers.is_empty();
        appender.append(answers)
    }

    /// Sorts the file if anything was added.
    ///
    /// # Errors
    ///
    /// When the sorted file cannot be written; then the unsorted one is still there, and it is as good.
    pub(crate) fn close(mut self) -> Result<(), CollectError> {
        self.finish()
            .map_err(|error| CollectError::write(&self.path, error))
    }

    fn finish(&mut self) -> io::Result<()> {
        // Closed before it is replaced: some systems replace no file that is open.
        if self.appender.take().is_none() {
            return Ok(());
        }
        if self.appended {
            sort(&self.path)?;
        }
        if fs::metadata(&self.path)?.len() == 0 {
            // Nothing came of it, and an empty file would be one more to review.
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}

impl Drop for Recordings {
    fn drop(&mut self) {
        // An error is already on its way to the user; an unsorted file is as good as a sorted one.
        let _ = self.finish();
    }
}

fn sort(path: &Path) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let sorted = sorted(&bytes);
    if sorted == bytes {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.new"));
    let replaced = fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(&sorted)?;
            file.sync_data()
        })
        .and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // On a full disk half a file would take up room.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// The lines as they are, in the order of case, question, context, order and repeat; of equal ones the first stays first.
/// Lines that do not read keep their order behind the others: they may be somebody's answers yet.
fn sorted(bytes: &[u8]) -> Vec<u8> {
    let mut known: Vec<(SortKey, &[u8])> = Vec::new();
    let mut unknown: Vec<&[u8]> = Vec::new();
    for line in lines(bytes) {
        match read_line(line.text) {
            Ok(answer) => known.push((SortKey::of(answer), line.text)),
            Err(_) => unknown.push(line.text),
        }
    }
    known.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut sorted = Vec::with_capacity(bytes.len() + 1);
    for line in known.into_iter().map(|(_, line)| line).chain(unknown) {
        sorted.extend_from_slice(line);
        sorted.push(b'\n');
    }
    sorted
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    case: Natural,
    question: String,
    context: Context,
    order: Vec<u16>,
    repeat: u32,
}

impl SortKey {
    fn of(answer: Answer) -> Self {
        Self {
            case: Natural::of(&answer.case),
            question: answer.question,
            context: answer.probe.context,
            order: answer.probe.order,
            repeat: answer.probe.repeat,
        }
    }
}

/// A text that sorts as people count: `case-9` before `case-10`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Natural(Vec<(String, usize, String)>, String);

impl Natural {
    fn of(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let digits = rest
                .find(|letter: char| letter.is_ascii_digit())
                .unwrap_or(rest.len());
            let (words, after) = rest.split_at(digits);
            let end = after
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(after.len());
            let (number, after) = after.split_at(end);
            let number = number.trim_start_matches('0');
            parts.push((words.to_owned(), number.len(), number.to_owned()));
            rest = after;
        }
        // `7` and `07` count alike and are not the same.
        Self(parts, text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted_as_they_are_and_none_is_lost() {
        let text = concat!(
            "{\"case\":\"c-10\",\"label\":\"a\",\"later\":1}\r\n",
            "=======\n",
            "{\"case\":\"c-9\",\"label\":\"b\"}\n",
            "\n",
            "{\"case\":\"c-9\",\"label\":\"a\"}\n",
            "{\"case\":\"c-9\",\"probe\":{\"repeat\":1},\"label\":\"a\"}",
        );
        let expected = concat!(
            "{\"case\":\"c-9\",\"label\":\"b\"}\n",
            "{\"case\":\"c-9\",\"label\":\"a\"}\n",
            "{\"case\":\"c-9\",\"probe\":{\"repeat\":1},\"label\":\"a\"}\n",
            "{\"case\":\"c-10\",\"label\":\"a\",\"later\":1}\n",
            "=======\n",
        );
        let once = sorted(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&once), expected);
        assert_eq!(sorted(&once), once);
    }
}
