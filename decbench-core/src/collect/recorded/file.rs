//! A file of answers made elsewhere, from its settings to a job's answers.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::answers::{answers, subject};
use super::fields::Fields;
use super::rows::{Row, at, read_rows};
use crate::collect::error::CollectError;
use crate::collect::file::BadLine;
use crate::collect::gather::Gathered;
use crate::collect::job::Job;
use crate::collect::matching::Known;
use crate::collect::wanted::WantedCall;
use crate::decision::{Answer, Case, Question};
use crate::provider::setting::{Reader, nearest, unknown_keys};
use crate::provider::{RECORDED_SETTINGS, SettingError, Settings};

/// A file of answers made elsewhere.
///
/// Each row needs a case and a label or probabilities. Columns are found by their names in decbench's own answer files,
/// or where `fields:` says: `{case: id, probabilities: probs}`, `{p_yes: [pass_1, pass_2]}` (one column per repeat),
/// `{probabilities: {billing: p_billing, sales: p_sales}}` (one column per label). Dots lead into maps, and cells may
/// hold JSON. A label may be written as in case files: an option key; yes, no, true, false; a level's number or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFile {
    path: PathBuf,
    fields: Fields,
}

impl RecordedFile {
    /// Reads the settings `file` (relative to `folder`) and `fields`.
    ///
    /// # Errors
    ///
    /// Every setting that is missing, unknown or cannot be used.
    pub fn from_settings(settings: &Settings, folder: &Path) -> Result<Self, Vec<SettingError>> {
        let mut errors = unknown_keys(settings, &[RECORDED_SETTINGS]);
        let mut reader = Reader::new(settings);
        let file = reader.text("file");
        if file.is_none() && reader.value("file").is_none() {
            reader.missing("a recorded candidate needs `file`", "file: answers.jsonl");
        }
        errors.append(&mut reader.errors);
        let fields = Fields::read(reader.value("fields"));
        match (file, fields) {
            (Some(file), Ok(fields)) if errors.is_empty() => Ok(Self {
                path: folder.join(file),
                fields,
            }),
            (_, fields) => {
                errors.extend(fields.err().into_iter().flatten());
                Err(errors)
            }
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Answers from the file.
pub(crate) fn gather(
    file: &RecordedFile,
    job: &Job<'_>,
    calls: &[WantedCall<'_>],
) -> Result<Gathered, CollectError> {
    let bytes = fs::read(&file.path).map_err(|error| CollectError::read(&file.path, error))?;
    let (rows, bad_lines) = read_rows(&file.path, &bytes)?;
    check_columns(file, &rows)?;
    let mut reading = Reading {
        file,
        job,
        cases: job
            .cases
            .iter()
            .map(|case| (case.id.as_str(), case))
            .collect(),
        answers: Vec::with_capacity(rows.len()),
        bad_lines,
        other_cases: 0,
        other_questions: BTreeMap::new(),
    };
    for row in &rows {
        if let Err(message) = reading.read(row) {
            reading.bad_lines.push(BadLine {
                file: file.path.clone(),
                line: row.line,
                message,
            });
        }
    }
    Ok(reading.gathered(calls))
}

/// A column that `fields:` names and no row has is a slip.
fn check_columns(file: &RecordedFile, rows: &[Row]) -> Result<(), CollectError> {
    let missing = file
        .fields
        .named
        .iter()
        .find(|column| rows.iter().all(|row| at(&row.fields, column).is_none()));
    let (Some(column), Some(first)) = (missing, rows.first()) else {
        return Ok(());
    };
    let known = || first.fields.keys().map(String::as_str);
    Err(CollectError::Recorded {
        path: file.path.clone(),
        message: format!("no row has the column `{column}` that `fields` names"),
        help: Some(match nearest(column, known()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        }),
    })
}

struct Reading<'a> {
    file: &'a RecordedFile,
    job: &'a Job<'a>,
    cases: HashMap<&'a str, &'a Case>,
    answers: Vec<Answer>,
    bad_lines: Vec<BadLine>,
    other_cases: usize,
    other_questions: BTreeMap<String, usize>,
}

impl Reading<'_> {
    fn read(&mut self, row: &Row) -> Result<(), String> {
        let subject = subject(row, &self.file.fields)?;
        let Some(case) = self.cases.get(subject.case.as_str()) else {
            self.other_cases += 1;
            return Ok(());
        };
        let asked = case.questions(self.job.questions);
        let Some(question) = find_question(asked, subject.question.as_deref())? else {
            *self
                .other_questions
                .entry(subject.question.unwrap_or_default())
                .or_default() += 1;
            return Ok(());
        };
        self.answers
            .extend(answers(row, &self.file.fields, &case.id, question)?);
        Ok(())
    }

    fn gathered(mut self, calls: &[WantedCall<'_>]) -> Gathered {
        let mut notes = Vec::new();
        let name = self.file.path.display();
        if self.other_cases > 0 {
            notes.push(format!(
                "{name}: {} rows are about cases the suite does not have",
                self.other_cases
            ));
        }
        for (question, count) in &self.other_questions {
            notes.push(format!(
                "{name}: {count} rows answer `{question}`, which the suite does not ask"
            ));
        }
        if number_from_zero(&mut self.answers) {
            notes.push(format!(
                "{name}: repeats are numbered from 1 there and from 0 here"
            ));
        }
        let mut gathered = Gathered {
            bad_lines: self.bad_lines,
            notes,
            ..Gathered::default()
        };
        gathered.fill_from(Known::new(self.answers), calls);
        gathered
    }
}

/// The question a row means. A row that names none means the only one there is.
fn find_question<'q>(
    asked: &'q [Question],
    name: Option<&str>,
) -> Result<Option<&'q Question>, String> {
    match (asked, name) {
        ([only], None | Some("")) => Ok(Some(only)),
        (_, Some(name)) => Ok(asked.iter().find(|question| question.name == name)),
        (_, None) => {
            let names: Vec<_> = asked
                .iter()
                .map(|question| question.name.as_str())
                .collect();
            Err(format!(
                "it does not say which question it answers: {}",
                names.join(", ")
            ))
        }
    }
}

/// Files whose passes count from 1 would miss their base probe; nothing else is meant by them.
fn number_from_zero(answers: &mut [Answer]) -> bool {
    let from_one = answers.iter().map(|answer| answer.probe.repeat).min() == Some(1);
    if from_one {
        for answer in answers {
            answer.probe.repeat -= 1;
        }
    }
    from_one
}
