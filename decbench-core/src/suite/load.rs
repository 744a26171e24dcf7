//! Suite files.

use std::path::Path;
use std::sync::Arc;

use super::check::{Loaded, check};
use super::tree::Tree;
use super::yaml;
use crate::diagnostic::{Diagnostics, Source};

/// Reads a suite file, its case files and its files of options.
///
/// # Errors
/// Every mistake in any of the files, in one go, each with its place and what to type.
///
/// ```no_run
/// # use std::path::Path;
/// match decbench_core::suite::load(Path::new("tests/suites/call-routing.yaml")) {
///     Ok(loaded) => assert_eq!(loaded.suite.name, "call-routing"),
///     Err(mistakes) => panic!("{mistakes}"),
/// }
/// ```
pub fn load(path: &Path) -> Result<Loaded, Diagnostics> {
    let source = Arc::new(Source::read(path)?);
    let folder = path.parent().unwrap_or(Path::new(""));
    check(&yaml::parse(&source)?, path, Some(folder))
}

/// Checks the text of a suite file alone: cases and options that stand in other files are not read and not judged.
///
/// The source is named by the suite file's path.
///
/// # Errors
/// Every mistake in the text.
///
/// ```
/// use std::sync::Arc;
/// use decbench_core::diagnostic::Source;
///
/// let source = Source::new("refund.yaml", r#"
/// question: { type: yes_no, instructions: May this refund be paid out? }
/// cases: refund.cases.jsonl
/// candidates:
///   rules: { provider: rust, function: may_refund, today: true }
/// assert:
///   acuracy: ">= 90%"
/// "#);
/// let mistakes = decbench_core::suite::check_text(&Arc::new(source)).unwrap_err();
/// assert!(mistakes.render().contains("did you mean `accuracy`?"));
/// ```
pub fn check_text(source: &Arc<Source>) -> Result<Loaded, Diagnostics> {
    let path = Path::new(&source.name).to_owned();
    check(&yaml::parse(source)?, &path, None)
}

impl Tree {
    /// Reads one YAML document.
    ///
    /// # Errors
    /// What breaks the syntax, and anchors, aliases, tags, further documents, keys that are no text and absurd depth,
    /// which suites do without.
    pub fn from_yaml(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        yaml::parse(source)
    }
}
