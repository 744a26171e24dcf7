//! Candidates whose recordings answer another wording than the suite asks.

use decbench_core::collect::read_answers;
use decbench_core::decision::question_digest;
use decbench_core::suite::Suite;

use super::finding::Finding;
use crate::ending::Unusable;
use crate::packages::Package;

/// Recordings none of whose answers is to the question as it stands, and lines that are no answers.
pub(super) fn unmatched(package: &Package, suite: &Suite) -> Result<Vec<Finding>, Unusable> {
    let mut found = Vec::new();
    for candidate in &suite.candidates {
        let path = package
            .suites
            .join("answers")
            .join(&suite.name)
            .join(format!("{}.jsonl", candidate.name));
        let file = read_answers(&path).map_err(|error| Unusable::new(error.to_string()))?;
        for bad in &file.bad {
            found.push(Finding::file(
                "bad-answer",
                &bad.file,
                format!("line {} counts for nothing: {}", bad.line, bad.message),
                "restore the line from version control, or delete it and record it again",
            ));
        }
        // Cases with questions of their own have as many wordings as cases.
        if suite.cases.iter().any(|case| case.questions.is_some()) {
            continue;
        }
        let asked = question_digest(candidate.questions(suite));
        let total = file.answers.len();
        let fits = |answer: &&decbench_core::decision::Answer| {
            answer
                .request
                .is_some_and(|request| request.question == asked)
        };
        if total > 0 && !file.answers.iter().any(|answer| fits(&answer)) {
            found.push(Finding::file(
                "old-wording",
                &path,
                format!(
                    "all {total} answers of `{}` are to another wording of the question, its options or their order",
                    candidate.name
                ),
                "record again with DECBENCH_MODE=fill, or restore the wording",
            ));
        }
    }
    Ok(found)
}
