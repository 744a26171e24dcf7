//! What the files of a format give, before it is a suite.

use std::collections::HashMap;
use std::path::Path;

use decbench_core::decision::{Decided, Failure, FailureKind, Measured, Question};
use serde_json::Value as Json;

use super::mapping::Mapping;
use crate::ending::Unusable;

/// A case as it was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Found {
    pub(super) id: Option<String>,
    pub(super) state: Option<Json>,
    /// What a person says is right.
    pub(super) gold: Option<Json>,
    /// What somebody says is right and no person has approved.
    pub(super) reference: Option<Json>,
    pub(super) production_answer: Option<String>,
    /// The answers that this case allows, where the format lists them.
    pub(super) options: Option<Vec<String>>,
    pub(super) strata: Vec<(String, String)>,
    pub(super) cluster: Option<String>,
    pub(super) tier: Option<String>,
    pub(super) language: Option<String>,
    pub(super) at: Option<String>,
    /// `file` or `trace`.
    pub(super) origin: &'static str,
}

/// A case and where it stood.
#[derive(Debug, Clone)]
pub(super) struct FoundCase {
    pub(super) id: String,
    pub(super) case: Found,
    pub(super) place: Place,
}

/// An answer as it was found.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) candidate: String,
    pub(super) case: String,
    pub(super) question: String,
    pub(super) repeat: u32,
    pub(super) said: Result<Decided, Failure>,
    pub(super) measured: Measured,
}

/// Where something stood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: String,
    /// `line 3`, `record 3`, or the name of a part.
    pub(super) record: String,
}

/// A record that was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) place: Place,
    pub(super) why: String,
}

/// Everything that the files give.
#[derive(Debug)]
pub(super) struct Harvest<'a> {
    pub(super) mapping: &'a Mapping,
    /// The name that the command line gives the candidate.
    candidate: Option<&'a str>,
    file: String,
    /// What the suite may be called.
    pub(super) name: Option<String>,
    /// What each model was told, where a format says it.
    pub(super) told: Vec<String>,
    /// Questions, where the format has them.
    pub(super) questions: Vec<Question>,
    /// What must hold, where the format says it.
    pub(super) assertions: Vec<(String, Json)>,
    /// What a person should know, written into the suite.
    pub(super) notes: Vec<String>,
    pub(super) cases: Vec<FoundCase>,
    positions: HashMap<String, usize>,
    pub(super) answers: Vec<Given>,
    repeats: HashMap<(String, String, String), u32>,
    pub(super) left_out: Vec<LeftOut>,
    records: usize,
}

impl<'a> Harvest<'a> {
    pub(super) fn new(mapping: &'a Mapping, candidate: Option<&'a str>) -> Self {
        Self {
            mapping,
            candidate,
            file: String::new(),
            name: None,
            told: Vec::new(),
            questions: Vec::new(),
            assertions: Vec::new(),
            notes: Vec::new(),
            cases: Vec::new(),
            positions: HashMap::new(),
            answers: Vec::new(),
            repeats: HashMap::new(),
            left_out: Vec::new(),
            records: 0,
        }
    }

    /// Goes on with this file.
    pub(super) fn begin(&mut self, file: &Path) {
        self.file = file.display().to_string();
    }

    /// A place in the file that is read.
    pub(super) fn place(&self, record: impl Into<String>) -> Place {
        Place {
            file: self.file.clone(),
            record: record.into(),
        }
    }

    /// What the candidate is called: as the command line says, else by its model.
    pub(super) fn candidate(&self, model: Option<&str>) -> String {
        self.candidate.or(model).unwrap_or("imported").to_owned()
    }

    /// Names the suite, unless something has before.
    pub(super) fn call(&mut self, name: &str) {
        self.name.get_or_insert_with(|| name.to_owned());
    }

    /// Remembers what a model was told.
    pub(super) fn tell(&mut self, instructions: Option<String>) {
        if let Some(instructions) = instructions
            && !self.told.contains(&instructions)
        {
            self.told.push(instructions);
        }
    }

    /// Leaves a record out.
    pub(super) fn leave_out(&mut self, place: Place, why: impl Into<String>) {
        self.left_out.push(LeftOut {
            place,
            why: why.into(),
        });
    }

    /// Takes a case; gives its id, or nothing where it cannot be taken, which is then said.
    pub(super) fn case(&mut self, case: Found, place: Place) -> Option<String> {
        self.records += 1;
        let id = case.id.clone().unwrap_or_else(|| self.records.to_string());
        if case.state.is_none() {
            let why = if self.mapping.has("state") {
                "nothing stands where `--map` places its state"
            } else {
                "it has no state; say where it stands with `--map state=<field>`"
            };
            self.leave_out(place, why);
            return None;
        }
        if let Some(position) = self.positions.get(&id) {
            let known = &self.cases[*position];
            // Each candidate and repeat brings its case along.
            if known.case == case {
                return Some(id);
            }
            let why = format!("another case has the id `{id}` too: {}", known.place.record);
            self.leave_out(place, why);
            return None;
        }
        self.positions.insert(id.clone(), self.cases.len());
        self.cases.push(FoundCase {
            id: id.clone(),
            case,
            place,
        });
        Some(id)
    }

    /// Whether there is a case with this id.
    pub(super) fn has_case(&self, id: &str) -> bool {
        self.positions.contains_key(id)
    }

    /// Takes an answer to a question; without a repeat it is the next one.
    pub(super) fn answer(
        &mut self,
        candidate: &str,
        case: &str,
        question: &str,
        repeat: Option<u32>,
        said: Result<Decided, Failure>,
        measured: Measured,
    ) {
        let key = (candidate.to_owned(), case.to_owned(), question.to_owned());
        let next = self.repeats.entry(key).or_default();
        let repeat = repeat.unwrap_or(*next);
        *next = (*next).max(repeat) + 1;
        self.answers.push(Given {
            candidate: candidate.to_owned(),
            case: case.to_owned(),
            question: question.to_owned(),
            repeat,
            said,
            measured,
        });
    }

    /// Complains of a `--map` that no record has.
    pub(super) fn check_mapping(&self) -> Result<(), Unusable> {
        self.mapping.check()
    }
}

/// An answer that names a label alone.
pub(super) fn label(label: impl Into<String>) -> Decided {
    Decided {
        label: Some(label.into()),
        ..Decided::default()
    }
}

/// A call that gave no answer, for reasons that the format does not tell apart.
pub(super) fn no_answer(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Http, message)
}
