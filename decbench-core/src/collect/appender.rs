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
    /// Where the last whole line ends.
    end: u64,
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
        // With the torn tail, which is told.
        let read = parse_answers(&bytes, path);
        let (whole, line_feed_missing) = whole_part(&bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        file.seek(SeekFrom::End(0))?;
        if line_feed_missing {
            file.write_all(b"\n")?;
        }
        let appender = Self {
            path: path.to_owned(),
            end: file.stream_position()?,
            file,
        };
        Ok((appender, read))
    }

    /// Appends the answers of one call in one write.
    ///
    /// # Errors
    ///
    /// When they cannot be written; a part of them that stands in the file is cut off, now or by the next opening.
    pub(crate) fn append(&mut self, answers: &[Answer]) -> Result<(), CollectError> {
        if answers.is_empty() {
            return Ok(());
        }
        let lines = answer_lines(answers);
        if let Err(error) = self.file.write_all(lines.as_bytes()) {
            let _ = self
                .file
                .set_len(self.end)
                .and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(CollectError::write(&self.path, error));
        }
        self.end += lines.len() as u64;
        Ok(())
    }
}
