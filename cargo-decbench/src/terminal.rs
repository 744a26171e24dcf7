//! The only room that writes to the terminal.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use clap::ValueEnum;

use crate::ending::Unusable;

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
    let mut out = anstream::stdout();
    // A question ends in no line feed, and would wait for one.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a line about what was done, with its first word set off as cargo does.
pub(crate) fn did(verb: &str, what: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;32m{verb:>12}\x1b[0m {what}");
}

/// Writes what a person reads before a question, beside what a machine reads.
pub(crate) fn explain(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Writes what somebody should know.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;33mwarning\x1b[0m: {text}");
}

/// Writes an error.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {text}");
}

/// A mistake's text with its head set off as cargo does: `error[code]` or `warning[code]`, which it begins with.
pub(crate) fn headed(text: &str) -> String {
    let colour = match text {
        text if text.starts_with("error") => "\x1b[1;31m",
        text if text.starts_with("warning") => "\x1b[1;33m",
        _ => return text.to_owned(),
    };
    match text.split_once(':') {
        Some((head, rest)) => format!("{colour}{head}\x1b[0m:{rest}"),
        None => text.to_owned(),
    }
}

/// Asks a question that yes or no answers, at a terminal; an end of input is no.
///
/// # Errors
/// A message where the terminal cannot be read.
pub(crate) fn confirm(question: &str) -> Result<bool, Unusable> {
    loop {
        let Some(answer) = ask(&format!("{question} [y]es, [n]o: "))? else {
            return Ok(false);
        };
        match answer.as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" | "q" | "quit" => return Ok(false),
            _ => {}
        }
    }
}

/// One line from standard input, trimmed; none at its end.
///
/// # Errors
/// A message where it cannot be read.
pub(crate) fn ask(prompt: &str) -> Result<Option<String>, Unusable> {
    say(prompt);
    let mut line = String::new();
    let read = std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Unusable::new(format!("standard input: {error}")))?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Whether somebody is there to answer questions.
pub(crate) fn is_attended() -> bool {
    std::io::stdin().is_terminal()
}

/// Seconds in the unit that people would use.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

/// Reads `20%` or `0.2`.
///
/// # Errors
/// A message for what is no share.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    let share = number
        .trim()
        .parse::<f64>()
        .map_err(|_| "write a share such as 20% or 0.2".to_owned())?
        / scale;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("a share lies between 0% and 100%".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_both_ways() {
        assert_eq!(share("20%"), Ok(0.2));
        assert_eq!(share("0.2"), Ok(0.2));
        assert!(share("20").is_err() && share("many").is_err() && share("NaN").is_err());
    }

    #[test]
    fn only_the_head_of_a_mistake_is_coloured() {
        assert_eq!(
            headed("error[a]: b: c\n  --> d"),
            "\x1b[1;31merror[a]\x1b[0m: b: c\n  --> d"
        );
        assert_eq!(headed("warning: b"), "\x1b[1;33mwarning\x1b[0m: b");
        assert_eq!(headed("note: b"), "note: b");
    }

    #[test]
    fn times_are_told_in_their_unit() {
        let told = [3.4, 119.0, 600.0, 9000.0].map(duration);
        assert_eq!(told, ["3 s", "119 s", "10 min", "2.5 h"]);
    }
}
