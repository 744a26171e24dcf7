//! Answers that were made elsewhere, without a run.

use super::who::made_elsewhere;
use crate::collect::{Job, Limits, Source, collect_file};
use crate::config::Config;
use crate::decision::Answer;
use crate::provider::ConnectError;
use crate::suite::{Lockbox, Suite, plan};

/// The answers of a candidate with `provider: recorded` to what its suite asks of it; `None` for any other candidate.
///
/// # Errors
/// A message where the settings are wrong or the file cannot be read.
pub fn answers_made_elsewhere(
    suite: &Suite,
    position: usize,
    lockbox: Lockbox,
    config: &Config,
) -> Result<Option<Vec<Answer>>, String> {
    let candidate = &suite.candidates[position];
    let file = made_elsewhere(suite, candidate, config)
        .map_err(|mistakes| ConnectError::Settings(mistakes).to_string())?;
    let Some(file) = file else {
        return Ok(None);
    };
    let own = suite.assertions.iter();
    let plan = plan(
        suite,
        position,
        own.filter(|assertion| assertion.candidate == position),
        lockbox,
    );
    let job = Job {
        suite: &suite.name,
        candidate: &candidate.name,
        questions: candidate.questions(suite),
        cases: &suite.cases,
        plan: &plan,
        source: Source::Recorded(&file),
        context: None,
        skip_missing: candidate.skip_missing,
        limits: Limits::default(),
        price: None,
        price_from: "",
        allow_unpriced: false,
    };
    let collected = collect_file(&file, &job).map_err(|error| error.to_string())?;
    Ok(Some(collected.answers))
}
