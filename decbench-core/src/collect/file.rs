//! A whole answer file: what reads, what does not, a tail that was cut off, and answers that contradict each other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::error::CollectError;
use super::line::{read_line, write_line};
use super::matching::is_answer;
use crate::decision::Answer;

/// A line that counts for nothing, as it is no answer or contradicts an earlier one; the others still count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}

/// The answers of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerFile {
    /// What reads, in the order of the file, duplicates included.
    pub answers: Vec<Answer>,
    /// What does not, and answers that an earlier one of the same request contradicts.
    pub bad: Vec<BadLine>,
}

/// Reads the answers of a store; a file that does not exist has none.
///
/// A last line without its line feed that does not read was cut off while it was written, by a kill or a full disk, or
/// by whoever moved the file. Nobody can tell which, so it is told like any damage, and its answer is asked again.
///
/// # Errors
///
/// When the file exists and cannot be read.
pub fn read_answers(path: &Path) -> Result<AnswerFile, CollectError> {
    match fs::read(path) {
        Ok(bytes) => Ok(parse_answers(&bytes, path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(AnswerFile::default()),
        Err(error) => Err(CollectError::read(path, error)),
    }
}

/// Writes answers as the lines of a store, each with its line feed.
pub fn answer_lines(answers: &[Answer]) -> String {
    let mut text = String::with_capacity(answers.len() * 400);
    for answer in answers {
        write_line(answer, &mut text);
    }
    text
}

pub(crate) fn parse_answers(bytes: &[u8], path: &Path) -> AnswerFile {
    let mut read = AnswerFile {
        answers: Vec::with_capacity(bytes.len() / 400),
        bad: Vec::new(),
    };
    let mut first = FirstAnswers::default();
    for line in lines(bytes) {
        let damage = match read_line(line.text) {
            Ok(answer) => {
                let contradicted = first.contradicted(&answer, line.number, &read.answers);
                read.answers.push(answer);
                contradicted.map(|first| {
                    format!("two answers to one request, and the first, of line {first}, counts")
                })
            }
            Err(_) if !line.ended => Some("cut off; its answer is asked again".to_owned()),
            Err(message) => Some(message),
        };
        read.bad.extend(damage.map(|message| BadLine {
            file: path.to_owned(),
            line: line.number,
            message,
        }));
    }
    read
}

/// Where each request was answered first, by the hash of the request: whole keys of a million answers would take more
/// room than the answers' own.
#[derive(Default)]
struct FirstAnswers {
    hasher: RandomState,
    /// Position among the answers, and the line.
    seen: HashMap<u64, (usize, usize)>,
}

impl FirstAnswers {
    /// The line of an earlier answer to the same request that says something else. `answers` are those before this one.
    /// A call that reached nobody says nothing.
    fn contradicted(&mut self, answer: &Answer, line: usize, answers: &[Answer]) -> Option<usize> {
        if !is_answer(answer) {
            return None;
        }
        match self.seen.entry(self.hasher.hash_one(request_of(answer))) {
            Entry::Vacant(place) => {
                place.insert((answers.len(), line));
                None
            }
            Entry::Occupied(place) => {
                let (position, line) = *place.get();
                let first = &answers[position];
                let contradicts =
                    request_of(first) == request_of(answer) && !says_the_same(first, answer);
                contradicts.then_some(line)
            }
        }
    }
}

/// What makes two lines answers to one request.
fn request_of(answer: &Answer) -> impl Hash + PartialEq {
    let probe = &answer.probe;
    (
        answer.case.as_str(),
        answer.question.as_str(),
        (probe.repeat, probe.order.as_slice(), probe.context),
        answer.request,
    )
}

/// Whether two answers are one, however long their calls took; a probability that is no number equals itself.
fn says_the_same(one: &Answer, other: &Answer) -> bool {
    one.outcome == other.outcome || format!("{:?}", one.outcome) == format!("{:?}", other.outcome)
}

/// How many bytes of a store to keep before something is appended, and whether a line feed is missing behind them.
///
/// Everything up to the last line feed stays; what follows it stays when it reads as an answer (an editor took the
/// line feed away) and goes when it does not.
pub(crate) fn whole_part(bytes: &[u8]) -> (usize, bool) {
    let ended = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |position| position + 1);
    let tail = &bytes[ended..];
    if tail.is_empty() {
        (ended, false)
    } else if read_line(tail).is_ok() {
        (bytes.len(), true)
    } else {
        (ended, false)
    }
}

/// One line of a file, blank ones left out.
pub(crate) struct RawLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
    /// Whether its line feed is there.
    pub(crate) ended: bool,
}

pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = RawLine<'_>> {
    // Some editors put a byte order mark in front.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, text)| RawLine {
            number: index + 1,
            text: text.trim_ascii(),
            ended: text.ends_with(b"\n"),
        })
        .filter(|line| !line.text.is_empty())
}
