//! The check of candidates for programs that the user's functions are not linked with.

use super::elsewhere::answers_made_elsewhere;
use super::who::{candidate_mistakes, check_function_settings, located, made_elsewhere, resolve};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::provider::{AnsweredBy, SettingError, find_provider};
use crate::suite::{Candidate, Lockbox, Suite};

/// Checks every candidate's settings as [`check_candidates`](super::check_candidates) does, for a program that is not the
/// suite's own test target, and reads the files of answers made elsewhere.
///
/// Whether a function is there only the test target knows: of candidates with `provider: rust` the settings beside
/// `function` are checked. Models whose names may mean other ones tomorrow are warnings.
///
/// # Errors
/// All mistakes of all candidates, with the warnings among them.
pub fn check_candidates_unlinked(
    suite: &Suite,
    config: &Config,
    package: &str,
) -> Result<Diagnostics, Diagnostics> {
    let mut found = candidate_mistakes(suite, config, false, &|suite, candidate| {
        if is_function(candidate) {
            return check_function_settings(candidate, config).map(|()| None);
        }
        resolve(suite, candidate, config, package).map(Some)
    });
    for (position, candidate) in suite.candidates.iter().enumerate() {
        // Settings that cannot be used are told above.
        if !matches!(made_elsewhere(suite, candidate, config), Ok(Some(_))) {
            continue;
        }
        if let Err(message) = answers_made_elsewhere(suite, position, Lockbox::Closed, config) {
            let mistake = SettingError {
                key: Some("file".to_owned()),
                message,
                help: None,
            };
            found.push(located(suite, candidate, config, mistake));
        }
    }
    if found.has_errors() {
        Err(found)
    } else {
        Ok(found)
    }
}

fn is_function(candidate: &Candidate) -> bool {
    find_provider(&candidate.provider)
        .is_ok_and(|kind| matches!(kind.answered_by, AnsweredBy::Function))
}
