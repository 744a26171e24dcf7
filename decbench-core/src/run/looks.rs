//! Taking a look into the lock box: known, granted and written down, or refused.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::settings::Settings;
use crate::collect::{LookFile, add_look, looks_folder, read_looks};
use crate::data::{LockboxAnswers, Look, Lookbook};
use crate::decision::{Answer, Case, Split, question_digest};
use crate::suite::{Candidate, Suite};

/// Whether anything in a suite is judged on the lock box.
pub(super) fn reads_lockbox(suite: &Suite) -> bool {
    let asserted = suite
        .assertions
        .iter()
        .flat_map(|assertion| &assertion.requirements)
        .any(|requirement| requirement.selection.lockbox);
    asserted || suite.verdict.is_some() || !suite.comparisons.is_empty()
}

/// The folder of a suite's looks.
fn folder(suite: &Suite) -> PathBuf {
    let beside = suite.path.parent().unwrap_or(Path::new(""));
    looks_folder(&beside.join("answers"), &suite.name)
}

/// All looks so far.
///
/// # Errors
/// When the files cannot be read.
pub(super) fn lookbook(suite: &Suite) -> Result<Lookbook, String> {
    read_looks(&folder(suite))
        .map(|files| book(&files))
        .map_err(|error| format!("{}: {error}", folder(suite).display()))
}

fn book(files: &[LookFile]) -> Lookbook {
    Lookbook::read(
        files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str())),
    )
}

/// Why a candidate's answers in the lock box may not be looked at, if they may not; then they are taken out.
pub(super) fn refused_look(
    suite: &Suite,
    candidate: &Candidate,
    answers: &mut Vec<Answer>,
    settings: &Settings,
) -> Option<String> {
    if !settings.lockbox {
        return None;
    }
    let refused = take_look(suite, candidate, answers, settings).err();
    if refused.is_some() {
        let locked = locked(suite);
        answers.retain(|answer| !locked.contains(answer.case.as_str()));
    }
    refused
}

fn locked(suite: &Suite) -> HashSet<&str> {
    let locked = |case: &&Case| case.split == Split::Lockbox;
    suite
        .cases
        .iter()
        .filter(locked)
        .map(|case| case.id.as_str())
        .collect()
}

/// Looks at a candidate's answers in the lock box: the first time it is written down, and the same look costs nothing
/// ever after. Nothing to look at is no look, nor is a baseline, which is never judged.
///
/// # Errors
/// Why it may not be looked at.
fn take_look(
    suite: &Suite,
    candidate: &Candidate,
    answers: &[Answer],
    settings: &Settings,
) -> Result<(), String> {
    let locked = locked(suite);
    if locked.is_empty() || candidate.baseline || !reads_lockbox(suite) {
        return Ok(());
    }
    let answers = LockboxAnswers::of(answers, |case| locked.contains(case));
    if answers.is_empty() {
        return Ok(());
    }
    let mut look = Look::new(
        &candidate.name,
        question_digest(candidate.questions(suite)),
        suite.lockbox_digest(),
        &answers,
    );
    look.tuning_rounds = candidate.tuning_rounds.unwrap_or(0);
    // Nothing is locked or written where there is nothing to add: replay works on a read-only checkout.
    if lookbook(suite)?.find(&look, &answers).is_some() {
        return Ok(());
    }
    look.at = settings.clock.now_text();
    let holder = format!("{}::{}", suite.name, candidate.name);
    let granted = suite.data.looks;
    let next = |files: &[LookFile]| {
        let book = book(files);
        if book.find(&look, &answers).is_some() {
            return (None, Ok(()));
        }
        if let Some(refusal) = book.refusal(&candidate.name, granted) {
            return (None, Err(refusal));
        }
        look.previous = book.latest();
        let text = look.text();
        (Some((Look::file_name(&text), text)), Ok(()))
    };
    let notice = |text: &str| (settings.notice)(text);
    let folder = folder(suite);
    match add_look(&folder, &holder, &notice, next) {
        Ok(said) => said,
        Err(error) => Err(format!(
            "a look into the lock box that is not written down is none, and {} cannot be written: {error}; look where the repository can be written, and commit the file",
            folder.display()
        )),
    }
}
