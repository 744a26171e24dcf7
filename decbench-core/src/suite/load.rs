//! Suite files.

use std::path::Path;
use std::sync::Arc;

use super::check::{Loaded, check_with};
use super::from_rust::{ExtraFunction, FromRust};
use super::tree::{Entry, Node, Style, Tree, Value};
use super::yaml;
use crate::diagnostic::{Diagnostics, Source, Span};

/// Reads a suite file, its case files and its files of options. Rust types and policies that it names are not judged;
/// see [`FromRust`].
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
    load_with(path, &FromRust::default())
}

/// As [`load`], with what Rust code brings: functions are among the candidates as if the suite had
/// `candidate: { provider: rust, function: … }`, and types and policies can be named.
///
/// # Errors
/// As [`load`].
pub fn load_with(path: &Path, rust: &FromRust<'_>) -> Result<Loaded, Diagnostics> {
    let source = Arc::new(Source::read(path)?);
    let folder = path.parent().unwrap_or(Path::new(""));
    let tree = tree_with(&source, rust.functions)?;
    check_with(&tree, path, Some(folder), rust)
}

fn tree_with(source: &Arc<Source>, functions: &[ExtraFunction<'_>]) -> Result<Tree, Diagnostics> {
    let mut tree = yaml::parse(source)?;
    for extra in functions {
        tree.add_function(extra);
    }
    Ok(tree)
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
    check_text_with(source, &FromRust::default())
}

/// As [`check_text`], with functions among the candidates as in [`load_with`].
///
/// # Errors
/// As [`check_text`].
pub fn check_text_with(source: &Arc<Source>, rust: &FromRust<'_>) -> Result<Loaded, Diagnostics> {
    let path = Path::new(&source.name).to_owned();
    check_with(&tree_with(source, rust.functions)?, &path, None, rust)
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

    /// Adds a candidate; what is wrong with it is shown where candidates stand, or at the start of the file.
    fn add_function(&mut self, extra: &ExtraFunction<'_>) {
        let Value::Map(entries) = &mut self.root.value else {
            return;
        };
        let at = entries.iter().position(|entry| entry.key == "candidates");
        let at = at.unwrap_or_else(|| {
            entries.push(map_entry("candidates", Span::default(), Vec::new()));
            entries.len() - 1
        });
        let span = entries[at].key_span;
        let text = |key: &str, text: &str| Entry {
            key: key.to_owned(),
            key_span: span,
            value: Node::scalar(text, Style::Quoted, span),
        };
        let settings = vec![text("provider", "rust"), text("function", extra.function)];
        let candidate = map_entry(extra.candidate, span, settings);
        match &mut entries[at].value.value {
            Value::Map(candidates) => candidates.push(candidate),
            empty => *empty = Value::Map(vec![candidate]),
        }
    }
}

fn map_entry(key: &str, span: Span, entries: Vec<Entry>) -> Entry {
    Entry {
        key: key.to_owned(),
        key_span: span,
        value: Node {
            span,
            value: Value::Map(entries),
        },
    }
}
