//! YAML events to a tree.

use std::sync::Arc;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::tree::{DEPTH_LIMIT, Entry, Node, Scalar, Style, Tree, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};

/// Reads one YAML document.
///
/// Anchors, aliases, tags, further documents and keys that are no text are refused, so that what is read is no larger
/// than what was written and looks the same to a person and a program.
///
/// # Errors
/// All such mistakes, or the first that breaks the syntax.
pub(super) fn parse(source: &Arc<Source>) -> Result<Tree, Diagnostics> {
    let mut builder = Builder {
        source,
        offsets: Offsets::new(&source.text),
        open: Vec::new(),
        root: None,
        mistakes: Diagnostics::new(),
    };
    let mut documents = 0;
    for event in Parser::new_from_str(&source.text) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                builder.syntax(error.marker(), error.info());
                break;
            }
        };
        let span = Span::new(
            builder.offsets.byte(&source.text, &span.start),
            builder.offsets.byte(&source.text, &span.end),
        );
        if let Event::DocumentStart(_) = event {
            documents += 1;
            if documents > 1 {
                builder
                    .mistake("yaml-documents", span, "a second YAML document starts here")
                    .help("keep one document per file; remove the `---`");
                break;
            }
        }
        if !builder.event(event, span) {
            break;
        }
    }
    if builder.mistakes.has_errors() {
        builder.mistakes.sort();
        return Err(builder.mistakes);
    }
    Ok(Tree {
        source: Arc::clone(source),
        root: builder
            .root
            .unwrap_or_else(|| Node::scalar("", Style::Plain, Span::default())),
    })
}

struct Builder<'a> {
    source: &'a Arc<Source>,
    offsets: Offsets,
    open: Vec<Open>,
    root: Option<Node>,
    mistakes: Diagnostics,
}

enum Open {
    List(Span, Vec<Node>),
    Map(Span, Vec<Entry>, Option<(String, Span)>),
}

impl Builder<'_> {
    fn mistake(&mut self, code: &'static str, span: Span, message: &str) -> &mut Diagnostic {
        self.mistakes.push(Diagnostic::error(
            code,
            Arc::clone(self.source),
            span,
            message,
        ))
    }

    fn syntax(&mut self, marker: &Marker, info: &str) {
        let at = self.offsets.byte(&self.source.text, marker);
        let line_start = self.source.text[..at]
            .rfind('\n')
            .map_or(0, |found| found + 1);
        let line = self.source.text[line_start..].lines().next().unwrap_or("");
        let here = &self.source.text[at..];
        let before = self.source.text[..at].chars().next_back();
        let help = if line.trim_start_matches(' ').starts_with('\t') {
            Some("indent with spaces: YAML does not allow tabs")
        } else if line.contains(": >=") {
            Some("put the bound in quotes, as in \">= 90%\": a bare > starts a block of text")
        } else if here.starts_with('[') && before.is_some_and(char::is_alphanumeric) {
            Some(
                "within braces, put a key with brackets in quotes, as in { \"recall[billing]\": … }",
            )
        } else if info.contains("quoted scalar") {
            Some("close the quote; a quote within single quotes is written twice")
        } else {
            None
        };
        let (code, message) = if info.contains("recursion limit") {
            (
                "too-deep",
                format!("nested more than {DEPTH_LIMIT} levels deep"),
            )
        } else {
            ("yaml-syntax", format!("not valid YAML: {info}"))
        };
        self.mistake(code, Span::new(at, at), &message)
            .maybe_help(help.map(str::to_owned));
    }

    /// Takes one event in; `false` ends the reading.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    _ => Style::Quoted,
                };
                let text = text.into_owned();
                self.add(Node {
                    span,
                    value: Value::Scalar(Scalar { text, style }),
                });
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                self.open.push(Open::List(span, Vec::new()));
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                self.open.push(Open::Map(span, Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(_) => {
                self.mistake("yaml-alias", span, "aliases are not supported")
                    .help("write the value out");
                self.add(Node::scalar("", Style::Plain, span));
            }
            _ => {}
        }
        if self.open.len() > DEPTH_LIMIT {
            self.mistake(
                "too-deep",
                span,
                &format!("nested more than {DEPTH_LIMIT} levels deep"),
            );
            return false;
        }
        true
    }

    fn refuse(&mut self, anchor: usize, tagged: bool, span: Span) {
        if anchor > 0 {
            self.mistake("yaml-alias", span, "anchors are not supported")
                .help("remove the `&name` and write the value out where it is used");
        }
        if tagged {
            self.mistake("yaml-tag", span, "tags are not supported")
                .help("remove the `!tag`; quotes make a value text");
        }
    }

    fn close(&mut self, end: Span) {
        let node = match self.open.pop() {
            Some(Open::List(start, items)) => Node {
                span: Span::new(start.start, end.end.max(start.end)),
                value: Value::List(items),
            },
            Some(Open::Map(start, entries, _)) => Node {
                span: Span::new(start.start, end.end.max(start.end)),
                value: Value::Map(entries),
            },
            None => return,
        };
        self.add(node);
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, entries, waiting)) => {
                if let Some((key, key_span)) = waiting.take() {
                    entries.push(Entry {
                        key,
                        key_span,
                        value: node,
                    });
                    return;
                }
                let key = match node.value {
                    Value::Scalar(scalar) => Some(scalar.text),
                    _ => None,
                };
                let nested = key.is_none();
                *waiting = Some((key.unwrap_or_default(), node.span));
                if nested {
                    self.mistake("yaml-key", node.span, "a key must be a text")
                        .help("put a key that starts with a bracket in quotes");
                }
            }
        }
    }
}

/// Where characters lie in bytes: the parser counts characters.
struct Offsets {
    /// Byte of every 64th character; empty where every character is a byte.
    marks: Vec<usize>,
}

impl Offsets {
    const STEP: usize = 64;

    fn new(text: &str) -> Self {
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices()
                .step_by(Self::STEP)
                .map(|(byte, _)| byte)
                .collect()
        };
        Self { marks }
    }

    fn byte(&self, text: &str, marker: &Marker) -> usize {
        let character = marker.index();
        if self.marks.is_empty() {
            return character.min(text.len());
        }
        let Some(mark) = self.marks.get(character / Self::STEP) else {
            return text.len();
        };
        text[*mark..]
            .char_indices()
            .nth(character % Self::STEP)
            .map_or(text.len(), |(byte, _)| mark + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Tree, Diagnostics> {
        parse(&Arc::new(Source::new("a.yaml", text)))
    }

    fn code(text: &str) -> &'static str {
        tree(text).unwrap_err().iter().next().unwrap().code
    }

    fn texts<'a>(node: &Node, text: &'a str, found: &mut Vec<(String, &'a str)>) {
        match &node.value {
            Value::Scalar(scalar) => {
                found.push((scalar.text.clone(), &text[node.span.start..node.span.end]));
            }
            Value::List(items) => items.iter().for_each(|item| texts(item, text, found)),
            Value::Map(entries) => {
                for entry in entries {
                    found.push((
                        entry.key.clone(),
                        &text[entry.key_span.start..entry.key_span.end],
                    ));
                    texts(&entry.value, text, found);
                }
            }
        }
    }

    #[test]
    fn every_scalar_points_at_its_own_text() {
        let lines = [
            "größe: äöü # ß",
            "liste: [eins, \u{1f600}, drei]",
            "leer: # nichts",
            "  ",
            "tief:",
            "  - a: ß",
            "    b: c d",
        ];
        for newline in ["\n", "\r\n"] {
            let text = lines.join(newline);
            let tree = tree(&text).unwrap();
            let mut found = Vec::new();
            texts(&tree.root, &text, &mut found);
            assert_eq!(found.len(), 13);
            for (value, written) in found.iter().filter(|(value, _)| !value.is_empty()) {
                assert_eq!(value, written);
            }
        }
    }

    #[test]
    fn duplicates_are_kept_in_order() {
        let tree = tree("a: 1\nb: 2\na: 3\n").unwrap();
        let keys: Vec<&str> = tree
            .root
            .entries()
            .unwrap()
            .iter()
            .map(|e| e.key.as_str())
            .collect();
        assert_eq!(keys, ["a", "b", "a"]);
    }

    #[test]
    fn what_hides_its_size_or_meaning_is_refused() {
        assert_eq!(code("a: &x 1\nb: *x\n"), "yaml-alias");
        assert_eq!(code("a: !!str 1\n"), "yaml-tag");
        assert_eq!(code("a: 1\n---\nb: 2\n"), "yaml-documents");
        assert_eq!(code("[a, b]: 1\n"), "yaml-key");
        assert_eq!(code("a: [1\n"), "yaml-syntax");
    }

    #[test]
    fn absurd_depth_is_refused_at_once() {
        let start = std::time::Instant::now();
        assert!(tree(&"[".repeat(50_000)).is_err());
        assert!(tree(&"{a: ".repeat(50_000)).is_err());
        assert_eq!(code(&"- ".repeat(50_000)), "too-deep");
        let steps: String = (0..3_000).map(|depth| " ".repeat(depth) + "a:\n").collect();
        assert_eq!(code(&steps), "too-deep");
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn an_alias_bomb_stays_small() {
        let levels =
            (1..40).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1));
        let text: String = std::iter::once("a0: &a0 [x, x]\n".to_owned())
            .chain(levels)
            .collect();
        assert!(tree(&text).unwrap_err().len() < 200);
    }

    #[test]
    fn an_unquoted_bound_is_explained() {
        let message = tree("assert:\n  accuracy: >= 90%\n").unwrap_err().render();
        assert!(message.contains("put the bound in quotes"), "{message}");
    }
}
