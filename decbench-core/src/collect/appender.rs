//! Appending to an answer file so that a kill costs at most the line being written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::error::CollectError;
use super::file::{AnswerFile, answer_lines, parse_answers, whole_part};
use crate::decision::Answer;

/// An answer file open at its end; the caller holds the lock that goes with it.
#[derive(Debug)]
pub(crate) struct Appender {
    path: PathBuf,
    file: File,
}

impl Appender {
    /// Opens the file, cuts off a torn tail, and gives what stands in it.
    ///
    /// # Errors
    ///
    /// When the file or its folder cannot be made, read or written.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, AnswerFile)> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (whole, line_feed_missing) = whole_part(&bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
            bytes.truncate(whole);
        }
        file.seek(SeekFrom::End(0))?;
        if line_feed_missing {
            file.write_all(b"\n")?;
        }
        let read = parse_answers(&bytes, path);
        let path = path.to_owned();
        Ok((Self { path, file }, read))
    }

    /// Appends the answers of one call in one write.
    ///
    /// # Errors
    ///
    /// When they cannot be written; a part of them may stand in the file, and the next opening cuts it off.
    pub(crate) fn append(&mut self, answers: &[Answer]) -> Result<(), CollectError> {
        if answers.is_empty() {
            return Ok(());
        }
        self.file
            .write_all(answer_lines(answers).as_bytes())
            .map_err(|error| CollectError::write(&self.path, error))
    }
}
