//! Room on the disk that is kept for answers that are on their way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::appender::Appender;
use super::error::CollectError;
use crate::decision::Answer;

/// What is kept for one answer; most take half of it.
const PER_ANSWER: usize = 1 << 10;

/// A file of zeros that goes when the disk is full: the answers of calls under way then have its place.
#[derive(Debug)]
pub(crate) struct Spare(PathBuf);

impl Spare {
    /// Keeps room for so many answers.
    ///
    /// # Errors
    ///
    /// When there is none: then nothing is to be asked.
    pub(crate) fn keep(path: &Path, answers: usize) -> io::Result<Self> {
        let bytes = (answers * PER_ANSWER).clamp(8 << 10, 4 << 20);
        let spare = Self(path.to_owned());
        fs::write(path, vec![0; bytes])?;
        Ok(spare)
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        // Left behind it only takes up room.
        let _ = fs::remove_file(&self.0);
    }
}

/// Appends answers, in the place of the spare room where there is no other.
///
/// # Errors
///
/// When the disk is full: also where they found room in the spare's place, as there is none for further ones.
pub(crate) fn append(
    appender: &mut Appender,
    spare: &mut Option<Spare>,
    answers: &[Answer],
) -> Result<(), CollectError> {
    match appender.append(answers) {
        Err(error) => match spare.take() {
            Some(spare) => {
                drop(spare);
                appender.append(answers)?;
                Err(error)
            }
            None => Err(error),
        },
        kept => kept,
    }
}
