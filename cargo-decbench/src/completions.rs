//! `cargo decbench completions`: what a shell completes.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::command_line::CommandLine;
use crate::ending::Ending;
use crate::terminal;

/// Writes the completions of a shell to standard output.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench completions bash > ~/.local/share/bash-completion/completions/cargo-decbench"
)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(task: &Completions) -> Ending {
    let mut text = Vec::new();
    clap_complete::generate(
        task.shell,
        &mut CommandLine::command(),
        "cargo-decbench",
        &mut text,
    );
    terminal::say(&String::from_utf8_lossy(&text));
    Ending::Holds
}
