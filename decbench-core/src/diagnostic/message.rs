//! One located mistake.

use std::fmt;
use std::sync::Arc;

use super::{Position, Source, Span, render};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing runs before it is corrected.
    Error,
    /// It runs, and somebody should look.
    Warning,
}

impl Severity {
    /// The word in front of a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A second place that belongs to a mistake, such as where a duplicate stood first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The text it lies in.
    pub source: Arc<Source>,
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One located mistake.
///
/// ```
/// use std::sync::Arc;
/// use decbench_core::diagnostic::{Diagnostic, Source, Span};
///
/// let source = Arc::new(Source::new("a.yaml", "sute: x\n"));
/// let mut mistake = Diagnostic::error("unknown-key", source, Span::new(0, 4), "unknown key `sute`");
/// mistake.help("did you mean `suite`?");
/// assert!(mistake.render().contains("a.yaml:1:1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Stable name of the kind of mistake, such as `unknown-key`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a final period.
    pub message: String,
    /// The text it lies in.
    pub source: Arc<Source>,
    /// Where.
    pub span: Span,
    /// What to say at that place.
    pub note: Option<String>,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to type.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(
        code: &'static str,
        source: Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            source,
            span,
            note: None,
            labels: Vec::new(),
            help: None,
        }
    }

    /// A warning.
    pub fn warning(
        code: &'static str,
        source: Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, source, span, message)
        }
    }

    /// Says something at the place itself.
    pub fn note(&mut self, text: impl Into<String>) -> &mut Self {
        self.note = Some(text.into());
        self
    }

    /// Says what to type.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }

    /// Says what to type, where there is something to say.
    pub fn maybe_help(&mut self, text: Option<String>) -> &mut Self {
        self.help = text.or(self.help.take());
        self
    }

    /// Points at a further place in the same text.
    pub fn also(&mut self, span: Span, text: impl Into<String>) -> &mut Self {
        let source = Arc::clone(&self.source);
        self.also_in(source, span, text)
    }

    /// Points at a further place, perhaps in another text.
    pub fn also_in(
        &mut self,
        source: Arc<Source>,
        span: Span,
        text: impl Into<String>,
    ) -> &mut Self {
        self.labels.push(Label {
            source,
            span,
            text: text.into(),
        });
        self
    }

    /// Line and column of the place.
    pub fn position(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// The whole message as plain text: code, file, line, column, the lines themselves and the help; ends without a
    /// line break.
    pub fn render(&self) -> String {
        render::render(self)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for Diagnostic {}
