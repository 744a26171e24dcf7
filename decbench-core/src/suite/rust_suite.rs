//! A suite that is written in Rust, as the tree that YAML would give.

use std::sync::Arc;

use super::tree::{Entry, Node, Style, Tree, Value};
use crate::diagnostic::{Source, Span};

/// One part of a suite written in Rust: an option of its attribute with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// What it is.
    pub key: PartKey,
    /// Its text.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
}

/// What a part of a suite written in Rust is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKey {
    /// The suite's name.
    Suite,
    /// The text of the question.
    Question,
    /// The wording's version.
    Version,
    /// The type of a choice.
    Options,
    /// The type of a score.
    Levels,
    /// `bool`: yes or no.
    YesNo,
    /// The file of cases.
    Cases,
    /// The name of the function as a candidate.
    Candidate,
    /// The function, as `function:` names it.
    Function,
    /// One assertion, as in `accuracy >= 90%`.
    Assert,
    /// What happens with the scorecard.
    Scorecard,
}

impl Tree {
    /// The tree of a suite that is written in Rust, as the same suite in YAML would give it.
    ///
    /// In an assertion a policy may stand for a number: `selective_accuracy[policy: AUTO_ROUTE] >= 98%`, or
    /// `latency.p95 <= policy: ROUTE_WITHIN`.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use decbench_core::diagnostic::{Source, Span};
    /// use decbench_core::suite::{Part, PartKey, Tree};
    ///
    /// let part = |key, text| Part { key, text, span: Span::default() };
    /// let source = Arc::new(Source::new("tests/decisions.rs", ""));
    /// let tree = Tree::from_rust(&source, &[
    ///     part(PartKey::Question, "May this refund be paid out?"),
    ///     part(PartKey::YesNo, "bool"),
    ///     part(PartKey::Assert, "accuracy >= 90%"),
    /// ]);
    /// let question = tree.root.get("question").unwrap();
    /// assert_eq!(question.get("type").unwrap().text(), Some("yes_no"));
    /// let bound = tree.root.get("assert").unwrap().get("accuracy").unwrap();
    /// assert_eq!(bound.text(), Some(">= 90%"));
    /// ```
    pub fn from_rust(source: &Arc<Source>, parts: &[Part<'_>]) -> Self {
        let start = parts.first().map_or(Span::default(), |part| part.span);
        let part = |key: PartKey| parts.iter().find(|part| part.key == key);
        let entry = |key: &str, part: &Part<'_>| Entry::new(key, part.span, text(part));
        let mut root = Vec::new();
        root.extend(part(PartKey::Suite).map(|part| entry("suite", part)));
        let question = question(parts);
        if let Some(first) = question.first() {
            let span = first.key_span;
            root.push(Entry::new("question", span, Node::map(question, span)));
        }
        root.extend(part(PartKey::Cases).map(|part| entry("cases", part)));
        if let (Some(name), Some(function)) = (part(PartKey::Candidate), part(PartKey::Function)) {
            let settings = vec![
                Entry::new(
                    "provider",
                    function.span,
                    Node::scalar("rust", Style::Quoted, function.span),
                ),
                entry("function", function),
            ];
            let candidate = Entry::new(name.text, name.span, Node::map(settings, name.span));
            let candidates = Node::map(vec![candidate], name.span);
            root.push(Entry::new("candidates", name.span, candidates));
        }
        let assertions = assertions(parts);
        if let Some(first) = assertions.first() {
            let span = first.key_span;
            root.push(Entry::new("assert", span, Node::map(assertions, span)));
        }
        root.extend(part(PartKey::Scorecard).map(|part| entry("scorecard", part)));
        Self {
            source: Arc::clone(source),
            root: Node::map(root, start),
        }
    }
}

fn text(part: &Part<'_>) -> Node {
    Node::scalar(part.text, Style::Quoted, part.span)
}

fn question(parts: &[Part<'_>]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for part in parts {
        let span = part.span;
        let kind = |kind: &str| Entry::new("type", span, Node::scalar(kind, Style::Quoted, span));
        let of_type = |key: &str| {
            let named = Entry::new("rust", span, text(part));
            Entry::new(key, span, Node::map(vec![named], span))
        };
        match part.key {
            PartKey::Question => entries.push(Entry::new("instructions", span, text(part))),
            PartKey::Version => entries.push(Entry::new("version", span, text(part))),
            PartKey::Options => entries.extend([kind("choice"), of_type("options")]),
            PartKey::Levels => entries.extend([kind("score"), of_type("levels")]),
            PartKey::YesNo => entries.push(kind("yes_no")),
            _ => {}
        }
    }
    entries
}

/// `assert:`; several bounds of one metric are a list.
fn assertions(parts: &[Part<'_>]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for part in parts.iter().filter(|part| part.key == PartKey::Assert) {
        let (key, bound) = assertion(part);
        let Some(same) = entries.iter_mut().find(|entry| entry.key == key) else {
            entries.push(Entry::new(key, part.span, bound));
            continue;
        };
        if let Value::List(bounds) = &mut same.value.value {
            bounds.push(bound);
        } else {
            let first = same.value.clone();
            same.value = Node::list(vec![first, bound], part.span);
        }
    }
    entries
}

/// `recall[billing] >= 95%` as a metric and its bound.
fn assertion(part: &Part<'_>) -> (String, Node) {
    let span = part.span;
    let scalar = |text: &str| Node::scalar(text, Style::Quoted, span);
    let Some(side) = side(part.text) else {
        // A bound that is missing is told by who reads bounds.
        return (
            part.text.trim().to_owned(),
            Node::scalar("", Style::Plain, span),
        );
    };
    let (metric, bound) = part.text.split_at(side);
    let (metric, bound) = (metric.trim(), bound.trim());
    let (operator, limit) = bound.split_at(2);
    let limit = limit.trim();
    let key = if operator == ">=" {
        "at_least"
    } else {
        "at_most"
    };
    let policy = |name: &str| Entry::new("policy", span, scalar(name.trim()));
    let of_metric = metric
        .strip_suffix(']')
        .and_then(|metric| metric.split_once("[policy:"));
    match (of_metric, limit.strip_prefix("policy:")) {
        (Some((metric, name)), _) => {
            let entries = vec![policy(name), Entry::new(key, span, scalar(limit))];
            (metric.trim().to_owned(), Node::map(entries, span))
        }
        (None, Some(name)) => (metric.to_owned(), Node::map(vec![policy(name)], span)),
        (None, None) => (metric.to_owned(), scalar(bound)),
    }
}

/// Where `>=` or `<=` stands that is not within brackets.
fn side(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '<' | '>' if depth == 0 && text[at + 1..].starts_with('=') => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::check::check;
    use super::super::from_rust::{FromRust, PolicyNumber, RustPolicy, RustType};
    use super::super::{Suite, check_with};
    use super::*;
    use crate::decision::{AnswerOption, QuestionKind};
    use crate::diagnostic::Diagnostics;

    const TEAM: RustType = RustType::new("Team", "", QuestionKind::Choice, || {
        ["billing", "support"].map(AnswerOption::new).into()
    });
    const AUTO: RustPolicy = RustPolicy::new("AUTO", "my_app", PolicyNumber::Threshold(0.9));

    /// Parts on lines of their own; spans are the lines of `source`.
    fn read(assertions: &[&str]) -> Result<Suite, Diagnostics> {
        let mut lines = vec![
            (PartKey::Suite, "calls"),
            (PartKey::Question, "Which team?"),
            (PartKey::Options, "Team"),
            (PartKey::Cases, "calls.cases.jsonl"),
            (PartKey::Candidate, "rules"),
            (PartKey::Function, "decisions::rules"),
        ];
        lines.extend(assertions.iter().map(|text| (PartKey::Assert, *text)));
        let source = lines
            .iter()
            .fold(String::new(), |source, (_, text)| source + text + "\n");
        let mut start = 0;
        let parts: Vec<Part<'_>> = lines
            .iter()
            .map(|(key, text)| {
                let span = Span::new(start, start + text.len());
                start += text.len() + 1;
                Part {
                    key: *key,
                    text,
                    span,
                }
            })
            .collect();
        let source = Arc::new(Source::new("tests/decisions.rs", source));
        let folder = tempfile::tempdir().expect("a folder");
        let cases = "{\"state\":\"x\",\"gold\":\"billing\"}\n";
        std::fs::write(folder.path().join("calls.cases.jsonl"), cases).expect("a file");
        let rust = FromRust {
            types: Some(&[&TEAM]),
            policies: Some(&[&AUTO]),
            ..FromRust::default()
        };
        check_with(
            &Tree::from_rust(&source, &parts),
            Path::new("tests/decisions.rs"),
            Some(folder.path()),
            &rust,
        )
        .map(|loaded| loaded.suite)
    }

    #[test]
    fn it_is_the_suite_that_yaml_would_give() {
        let written = read(&[
            "accuracy >= 90%",
            "recall[billing]>=95%",
            "accuracy <= 99%",
            "coverage[accuracy >= 98%] >= 80%",
            "selective_accuracy[policy: AUTO] >= 98%",
        ])
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let text = "
suite: calls
question: { type: choice, instructions: Which team?, options: [billing, support] }
cases: [{ state: x, gold: billing }]
candidates: { rules: { provider: rust, function: decisions::rules } }
assert:
  accuracy: ['>= 90%', '<= 99%']
  recall[billing]: '>= 95%'
  coverage[accuracy >= 98%]: '>= 80%'
  selective_accuracy[confidence >= 0.9]: { at_least: 98% }
";
        let tree = Tree::from_yaml(&Arc::new(Source::new("calls.yaml", text))).unwrap();
        let yaml = check(&tree, Path::new("calls.yaml"), None).unwrap().suite;
        assert_eq!(written.digest, yaml.digest);
        let of = |suite: &Suite| -> Vec<_> {
            let asserted = suite.assertions.iter();
            asserted
                .map(|one| (one.metric.clone(), one.requirements.clone()))
                .collect()
        };
        assert_eq!(of(&written), of(&yaml));
        assert_eq!(written.candidates[0].name, "rules");
    }

    #[test]
    fn a_mistake_is_shown_at_the_literal_at_fault() {
        let mistakes = read(&["acuracy >= 90%", "recall[biling] >= 95%", "ece"])
            .expect_err("all of these are wrong");
        let errors: Vec<(usize, &str)> = mistakes
            .iter()
            .filter(|mistake| mistake.severity == crate::diagnostic::Severity::Error)
            .map(|mistake| (mistake.position().line, mistake.code))
            .collect();
        assert_eq!(errors.len(), 3, "{mistakes}");
        assert_eq!(errors[0], (7, "unknown-metric"));
        assert_eq!(errors[1].0, 8);
        assert_eq!(errors[2], (9, "no-bound"));
    }
}
