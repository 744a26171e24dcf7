//! A mistake as plain text, with the lines it lies in, and without the secrets that stand in them.

use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::mask::masked;
use super::{Diagnostic, Severity, Source, Span};

/// Two places nearer than this many lines are shown in one excerpt.
const ONE_EXCERPT: usize = 20;

struct Mark<'a> {
    source: &'a Arc<Source>,
    kind: AnnotationKind,
    text: Option<&'a str>,
    line: usize,
    span: Span,
}

pub(super) fn render(diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut marks = vec![mark(
        &diagnostic.source,
        diagnostic.span,
        AnnotationKind::Primary,
        diagnostic.note.as_deref(),
    )];
    marks.extend(diagnostic.labels.iter().map(|label| {
        mark(
            &label.source,
            label.span,
            AnnotationKind::Context,
            Some(&label.text),
        )
    }));
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code)
        .elements(std::iter::empty::<Snippet<'_, Annotation<'_>>>());
    while !marks.is_empty() {
        let first = &marks[0];
        let (source, line) = (Arc::clone(first.source), first.line);
        let (near, far): (Vec<_>, Vec<_>) = marks.into_iter().partition(|mark| {
            mark.source.name == source.name && mark.line.abs_diff(line) <= ONE_EXCERPT
        });
        marks = far;
        group = excerpt(group, &source, &near);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let text = Renderer::plain().render(&[group]);
    // Gutters leave blanks at line ends, which editors and snapshots would cut off.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn mark<'a>(
    source: &'a Arc<Source>,
    span: Span,
    kind: AnnotationKind,
    text: Option<&'a str>,
) -> Mark<'a> {
    let start = source.floor(span.start);
    Mark {
        source,
        kind,
        text,
        line: source.text[..start]
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count(),
        span: Span::new(start, source.floor(span.end.max(start))),
    }
}

fn excerpt<'a>(group: Group<'a>, source: &Arc<Source>, marks: &[Mark<'a>]) -> Group<'a> {
    if source.text.is_empty() {
        return group.element(annotate_snippets::Origin::path(source.name.clone()));
    }
    let first = marks.iter().map(|mark| mark.line).min().unwrap_or_default();
    let last = marks.iter().map(|mark| mark.line).max().unwrap_or_default();
    // Only the lines between the marks are handed on: case files can be large.
    let start = marks
        .iter()
        .map(|mark| line_start(&source.text, mark.span.start))
        .min()
        .unwrap_or_default();
    let mut window = String::new();
    let mut annotations = Vec::new();
    let mut offset = start;
    for (line, raw) in source.text[start..]
        .split('\n')
        .enumerate()
        .take(last - first + 1)
    {
        let shown = masked(raw.strip_suffix('\r').unwrap_or(raw));
        for mark in marks.iter().filter(|mark| mark.line == first + line) {
            let from = (mark.span.start - offset).min(shown.len());
            let mut to = (mark.span.end.max(mark.span.start) - offset).clamp(from, shown.len());
            if to == from {
                to += shown[from..].chars().next().map_or(0, char::len_utf8);
            }
            annotations.push(
                mark.kind
                    .span(window.len() + from..window.len() + to)
                    .label(mark.text.map(str::to_owned)),
            );
        }
        window.push_str(&shown);
        window.push('\n');
        offset += raw.len() + 1;
    }
    group.element(
        Snippet::source(window)
            .line_start(first + 1)
            .path(source.name.clone())
            .annotations(annotations),
    )
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset]
        .rfind('\n')
        .map_or(0, |position| position + 1)
}
