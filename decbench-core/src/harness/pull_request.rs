//! What a pull request shows: a summary of the scorecard, and notes on the suite's lines.
//!
//! The summary goes where `GITHUB_STEP_SUMMARY` points. Notes are opt-in, with `DECBENCH_ANNOTATIONS=github`: workflow
//! commands on standard error, one for every assertion that does not pass.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use super::environment::variable;
use super::scorecard::tell;
use crate::judge::Outcome;
use crate::report::{AssertionLine, Scorecard};
use crate::suite::Suite;

/// Tells the pull request of this suite, where there is one that listens.
pub(super) fn report(suite: &Suite, card: &Scorecard, markdown: &str) {
    if let Some(path) = variable("GITHUB_STEP_SUMMARY")
        && let Err(error) = append(Path::new(&path), markdown)
    {
        tell(&format!(
            "decbench: the summary cannot be written to {path}: {error}\n"
        ));
    }
    if variable("DECBENCH_ANNOTATIONS").is_some_and(|value| value == "github") {
        let root = variable("GITHUB_WORKSPACE");
        tell(&annotations(suite, card, root.as_deref().map(Path::new)));
    }
}

/// Adds a suite's summary once; a retry has nothing new to say.
fn append(path: &Path, markdown: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|text| text.contains(markdown)) {
        return Ok(());
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{markdown}\n").as_bytes())
}

/// One workflow command per assertion that does not pass; files are named from the root of the checkout.
fn annotations(suite: &Suite, card: &Scorecard, root: Option<&Path>) -> String {
    let absolute = std::path::absolute(&suite.path).unwrap_or_else(|_| suite.path.clone());
    let file = root
        .and_then(|root| absolute.strip_prefix(root).ok())
        .unwrap_or(&suite.path)
        .to_string_lossy()
        .replace('\\', "/");
    let mut out = String::new();
    for line in &card.assertions {
        let level = match line.judgement.outcome {
            Outcome::Pass => continue,
            Outcome::Inconclusive => "notice",
            _ => "error",
        };
        let place = suite
            .assertions
            .iter()
            .find(|assertion| suite.trial_name(assertion) == line.trial)
            .map_or(1, |assertion| {
                suite.source.position(assertion.span.start).line
            });
        let _ = writeln!(
            out,
            "::{level} file={},line={place},title={}::{}",
            property(&file),
            property(&line.trial),
            message(&words(line)),
        );
    }
    out
}

fn words(line: &AssertionLine) -> String {
    let judgement = &line.judgement;
    format!(
        "{}: {} {}: {}",
        judgement.outcome, line.metric, line.requirement.bound, judgement.reason
    )
}

/// Text of a workflow command's message.
fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text of a workflow command's property, in which two more characters end it.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_command_or_a_property() {
        assert_eq!(message("90%\nb::c"), "90%25%0Ab::c");
        assert_eq!(property("a::b,c"), "a%3A%3Ab%2Cc");
    }

    #[test]
    fn a_retry_adds_nothing_to_the_summary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.md");
        for text in ["## a\n", "## b\n", "## a\n"] {
            append(&path, text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "## a\n\n## b\n\n");
    }
}
