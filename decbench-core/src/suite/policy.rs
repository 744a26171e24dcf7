//! `policy: AUTO_ROUTE` in an assertion: the number that production uses, in the place of one written here.

use std::borrow::Cow;

use super::from_rust::{PolicyNumber, RustPolicy, find};
use super::question::ReadQuestion;
use super::read::{Reader, listed};
use super::tree::{Entry, Node, Style, Value};
use crate::diagnostic::Span;

/// The answer that production takes when none came, which must be an answer.
#[derive(Debug)]
pub(super) struct Default {
    key: &'static str,
    policy: String,
    span: Span,
}

/// The suite with every policy replaced by its number.
///
/// Without `policies` none is looked up, and any number stands for them.
pub(super) fn resolved<'n>(
    reader: &mut Reader,
    root: &'n Node,
    policies: Option<&[&RustPolicy]>,
) -> (Cow<'n, Node>, Vec<Default>) {
    if !names_policy(root) {
        return (Cow::Borrowed(root), Vec::new());
    }
    let mut root = root.clone();
    let mut names = Names {
        reader,
        policies,
        defaults: Vec::new(),
    };
    for section in entries_mut(&mut root) {
        match section.key.as_str() {
            "assert" | "gates" => names.assertions(&mut section.value),
            "question" => names.inside(&mut section.value),
            "questions" | "candidates" => {
                for entry in entries_mut(&mut section.value) {
                    names.inside(&mut entry.value);
                }
            }
            _ => {}
        }
    }
    (Cow::Owned(root), names.defaults)
}

/// Whether an assertion anywhere names a policy; cases are not looked through.
fn names_policy(root: &Node) -> bool {
    fn anywhere(node: &Node) -> bool {
        match &node.value {
            Value::Map(entries) => entries
                .iter()
                .any(|entry| entry.key == "policy" || anywhere(&entry.value)),
            Value::List(items) => items.iter().any(anywhere),
            Value::Scalar(_) => false,
        }
    }
    root.entries().unwrap_or_default().iter().any(|entry| {
        matches!(
            entry.key.as_str(),
            "assert" | "gates" | "question" | "questions" | "candidates"
        ) && anywhere(&entry.value)
    })
}

fn entries_mut(node: &mut Node) -> &mut [Entry] {
    match &mut node.value {
        Value::Map(entries) => entries,
        _ => &mut [],
    }
}

/// Tells of answers in place of a late one that no question has.
pub(super) fn check_defaults(
    reader: &mut Reader,
    defaults: &[Default],
    questions: &[ReadQuestion<'_>],
) {
    if questions.is_empty() || questions.iter().any(|read| !read.sound) {
        return;
    }
    for default in defaults {
        let known = |read: &ReadQuestion<'_>| read.question.index_of_label(default.key).is_some();
        if !questions.iter().any(known) {
            let options = questions.iter().flat_map(|read| &read.question.options);
            reader
                .error(
                    "unknown-option",
                    default.span,
                    format!(
                        "{} answers `{}` where nobody answered in time, which is no option",
                        default.policy, default.key
                    ),
                )
                .help(format!(
                    "the options are {}",
                    listed(options.map(|option| option.key.as_str()))
                ));
        }
    }
}

struct Names<'r, 'a> {
    reader: &'r mut Reader,
    policies: Option<&'a [&'a RustPolicy]>,
    defaults: Vec<Default>,
}

impl Names<'_, '_> {
    fn inside(&mut self, node: &mut Node) {
        for entry in entries_mut(node) {
            if entry.key == "assert" {
                self.assertions(&mut entry.value);
            }
        }
    }

    fn assertions(&mut self, node: &mut Node) {
        for entry in entries_mut(node) {
            let key_span = entry.key_span;
            match &mut entry.value.value {
                Value::Map(_) => self.bound(&mut entry.key, key_span, &mut entry.value, true),
                Value::List(items) => {
                    for item in items {
                        self.bound(&mut entry.key, key_span, item, false);
                    }
                }
                Value::Scalar(_) => {}
            }
        }
    }

    /// Replaces the policy of one bound; `alone` where no other bound shares its key.
    fn bound(&mut self, key: &mut String, key_span: Span, bound: &mut Node, alone: bool) {
        let Value::Map(entries) = &mut bound.value else {
            return;
        };
        let Some(position) = entries.iter().position(|entry| entry.key == "policy") else {
            return;
        };
        // It is taken out even where it is wrong, so that one slip gives one message.
        let named = entries.remove(position);
        let Some(number) = self.number(&named, key) else {
            // What would be missing without the number is not missing.
            stand_in(key, entries, named.value.span);
            return;
        };
        match number {
            PolicyNumber::Threshold(_) | PolicyNumber::Margin(_) if !is_selective(key) => {
                self.unfit(key_span, key, "a threshold", "selective_accuracy");
                stand_in(key, entries, named.value.span);
            }
            PolicyNumber::Threshold(least) => {
                self.threshold(key, key_span, alone, "confidence", least);
            }
            PolicyNumber::Margin(least) => self.threshold(key, key_span, alone, "margin", least),
            PolicyNumber::Timeout { duration, .. } => {
                let span = named.value.span;
                if !is_latency(key) {
                    self.unfit(key_span, key, "a timeout", "latency.p95");
                    return stand_in(key, entries, span);
                } else if let Some(other) = entries.iter().find(|entry| entry.key == "at_most") {
                    self.reader
                        .error(
                            "two-forms",
                            other.key_span,
                            "the policy is the largest good value already",
                        )
                        .also(named.key_span, "the policy")
                        .help("remove one of them");
                    return;
                }
                entries.push(limit(&format!("{}ms", duration.as_millis()), span));
            }
        }
    }

    /// The number that an entry names; a stand-in of the right kind where policies are not judged.
    fn number(&mut self, named: &Entry, key: &str) -> Option<PolicyNumber> {
        let Some(name) = named.value.text().filter(|text| !text.trim().is_empty()) else {
            self.reader
                .unexpected("policy", &named.value, "the name of a policy")
                .help("write it as in Rust, as in `policy: AUTO_ROUTE`");
            return None;
        };
        let Some(policies) = self.policies else {
            return if is_selective(key) {
                Some(PolicyNumber::Threshold(0.5))
            } else {
                None
            };
        };
        let mark = "write it in `decbench::policy! { … }`";
        match find(policies, name, "policy", mark) {
            Ok(found) => {
                if let PolicyNumber::Timeout {
                    default: Some(key), ..
                } = found.number()
                {
                    self.defaults.push(Default {
                        key,
                        policy: found.place(),
                        span: named.value.span,
                    });
                }
                Some(found.number())
            }
            Err(problem) => {
                self.reader
                    .error("unknown-policy", named.value.span, problem.message)
                    .help(problem.help);
                None
            }
        }
    }

    fn threshold(
        &mut self,
        key: &mut String,
        key_span: Span,
        alone: bool,
        quantity: &str,
        least: f64,
    ) {
        if !alone {
            self.reader
                .error(
                    "two-forms",
                    key_span,
                    "a list of bounds is of one threshold",
                )
                .help("write both bounds in one map, as in `{ policy: AUTO_ROUTE, at_least: 95%, at_most: 99% }`");
        }
        *key = format!("{key}[{quantity} >= {least}]");
    }

    fn unfit(&mut self, span: Span, key: &str, what: &str, metric: &str) {
        self.reader
            .error(
                "policy-metric",
                span,
                format!("`{key}` does not depend on {what}"),
            )
            .help(format!("the policy is one for `{metric}`"));
    }
}

fn limit(text: &str, span: Span) -> Entry {
    Entry::new("at_most", span, Node::scalar(text, Style::Quoted, span))
}

/// Any number, where the policy's is not known.
fn stand_in(key: &mut String, entries: &mut Vec<Entry>, span: Span) {
    if is_selective(key) {
        key.push_str("[confidence >= 0.5]");
    } else if is_latency(key) && entries.iter().all(|entry| entry.key != "at_most") {
        entries.push(limit("1s", span));
    }
}

/// `selective_accuracy`, perhaps of a named question, and without brackets.
fn is_selective(key: &str) -> bool {
    key == "selective_accuracy" || key.ends_with(".selective_accuracy")
}

/// A quantile of latency, perhaps of a named question.
fn is_latency(key: &str) -> bool {
    ["latency.p50", "latency.p95", "latency.p99"]
        .iter()
        .any(|metric| {
            key.strip_suffix(metric)
                .is_some_and(|question| question.is_empty() || question.ends_with('.'))
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    use super::super::check::check_with;
    use super::super::from_rust::FromRust;
    use super::super::{Suite, Tree, check_text};
    use super::*;
    use crate::diagnostic::Source;

    const AUTO: RustPolicy =
        RustPolicy::new("AUTO_ROUTE", "my_app", PolicyNumber::Threshold(0.9)).at("src/lib.rs", 3);
    const LEAD: RustPolicy = RustPolicy::new("LEAD", "my_app", PolicyNumber::Margin(0.25));
    const WITHIN: RustPolicy = RustPolicy::new(
        "WITHIN",
        "my_app",
        PolicyNumber::Timeout {
            duration: Duration::from_millis(800),
            default: Some("b"),
        },
    );
    const LOST: RustPolicy = RustPolicy::new(
        "LOST",
        "my_app",
        PolicyNumber::Timeout {
            duration: Duration::from_secs(2),
            default: Some("c"),
        },
    );

    fn text(assert: &str) -> Arc<Source> {
        let text = format!(
            "question: {{ type: choice, instructions: Which?, options: {{ a: A, b: B }} }}\ncases: [{{ state: x }}]\ncandidates: {{ r: {{ provider: rust }} }}\nassert: {assert}\n"
        );
        Arc::new(Source::new("s.yaml", text))
    }

    fn read(assert: &str) -> Result<Suite, Vec<&'static str>> {
        let rust = FromRust {
            policies: Some(&[&AUTO, &LEAD, &WITHIN, &LOST]),
            ..FromRust::default()
        };
        let tree = Tree::from_yaml(&text(assert)).unwrap();
        check_with(&tree, Path::new("s.yaml"), Some(Path::new("")), &rust)
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| {
                assert!(
                    mistakes.iter().all(|mistake| mistake.help.is_some()),
                    "{mistakes}"
                );
                let errors = mistakes
                    .iter()
                    .filter(|one| one.severity == crate::diagnostic::Severity::Error);
                errors.map(|mistake| mistake.code).collect()
            })
    }

    #[test]
    fn a_policy_reads_as_its_number() {
        for (named, written) in [
            (
                "{ selective_accuracy: { policy: AUTO_ROUTE, at_least: 98% } }",
                "{ 'selective_accuracy[confidence >= 0.9]': '>= 98%' }",
            ),
            (
                "{ selective_accuracy: { at_least: 98%, policy: my_app::LEAD } }",
                "{ 'selective_accuracy[margin >= 0.25]': '>= 98%' }",
            ),
            (
                "{ latency.p95: { policy: WITHIN } }",
                "{ latency.p95: '<= 800ms' }",
            ),
            (
                "{ latency.p95: [{ policy: WITHIN, reading: point }, '<= 2s'] }",
                "{ latency.p95: [{ at_most: 800ms, reading: point }, '<= 2s'] }",
            ),
        ] {
            let of = |text: &str| {
                let assertion = read(text).expect(text).assertions.remove(0);
                (assertion.metric, assertion.requirements)
            };
            assert_eq!(of(named), of(written), "{named}");
        }
    }

    #[test]
    fn what_a_policy_cannot_be_asserted_by_is_told_once() {
        for (assert, code) in [
            (
                "{ accuracy: { policy: AUTO_ROUTE, at_least: 98% } }",
                "policy-metric",
            ),
            (
                "{ selective_accuracy: { policy: WITHIN, at_least: 98% } }",
                "policy-metric",
            ),
            (
                "{ selective_accuracy: { policy: AUTO_ROUT, at_least: 98% } }",
                "unknown-policy",
            ),
            (
                "{ selective_accuracy: { policy: [x], at_least: 98% } }",
                "wrong-type",
            ),
            (
                "{ selective_accuracy: [{ policy: LEAD, at_least: 98% }] }",
                "two-forms",
            ),
            (
                "{ latency.p95: { policy: WITHIN, at_most: 1s } }",
                "two-forms",
            ),
            ("{ latency.p95: { policy: LOST } }", "unknown-option"),
            ("{ latency.p95: { policy: NONE } }", "unknown-policy"),
        ] {
            assert_eq!(read(assert).map(|_| ()), Err(vec![code]), "{assert}");
        }
    }

    #[test]
    fn policies_of_candidates_questions_and_gates_are_found() {
        let rust = FromRust {
            policies: Some(&[&AUTO]),
            ..FromRust::default()
        };
        let text = "
questions:
  team: { type: choice, instructions: Which?, options: { a: A, b: B }, assert: { selective_accuracy: { policy: AUTO_ROUTE, at_least: 80% } } }
cases: [{ state: x }]
candidates:
  r: { provider: rust, today: true, assert: { team.selective_accuracy: { policy: AUTO_ROUTE, at_least: 90% } } }
  s: { provider: rust }
verdict: keep
gates: { team.selective_accuracy: { policy: AUTO_ROUTE, at_least: 70% } }
";
        let tree = Tree::from_yaml(&Arc::new(Source::new("s.yaml", text))).unwrap();
        let suite = check_with(&tree, Path::new("s.yaml"), Some(Path::new("")), &rust)
            .unwrap_or_else(|mistakes| panic!("{mistakes}"))
            .suite;
        let limits: Vec<f64> = suite
            .assertions
            .iter()
            .chain(&suite.verdict.expect("it has one").gates)
            .map(|assertion| {
                assert_eq!(
                    assertion.metric.to_string(),
                    "selective_accuracy[confidence >= 0.9]"
                );
                assertion.requirements[0].bound.value()
            })
            .collect();
        assert_eq!(limits, [0.9, 0.8, 0.7, 0.7]);
    }

    #[test]
    fn where_policies_are_not_judged_the_rest_is() {
        let good =
            "{ selective_accuracy: { policy: X, at_least: 98% }, latency.p95: { policy: Y } }";
        assert!(check_text(&text(good)).is_ok());
        let bad = "{ selective_accuracy: { policy: X, at_lest: 98% } }";
        let mistakes = check_text(&text(bad)).expect_err("a key is misspelt");
        assert!(
            mistakes.render().contains("did you mean `at_least`?"),
            "{mistakes}"
        );
    }
}
