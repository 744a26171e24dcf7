//! Located mistakes: code, message, file, span, help.
//!
//! Whatever a person can get wrong in a suite, a case file or `decbench.toml` becomes a [`Diagnostic`] that shows the
//! lines at fault. Checks collect them in [`Diagnostics`] and go on, so that all mistakes come in one go.

mod collection;
mod mask;
mod message;
mod nearest;
mod render;
mod setting;
mod source;

pub use collection::Diagnostics;
pub use message::{Diagnostic, Label, Severity};
pub use nearest::nearest;
pub use setting::Setting;
pub use source::{Position, Source, Span};
