//! The only room that writes to the terminal.

use std::io::Write as _;

use clap::ValueEnum;

/// When output is coloured, as in cargo.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// When written to a terminal, unless `NO_COLOR` says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Writes to standard output. That nobody reads it any more is no mistake.
pub(crate) fn say(text: &str) {
    let _ = anstream::stdout().write_all(text.as_bytes());
}

/// Writes a line about what was done, with its first word set off as cargo does.
pub(crate) fn did(verb: &str, what: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;32m{verb:>12}\x1b[0m {what}");
}

/// Writes an error.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {text}");
}
