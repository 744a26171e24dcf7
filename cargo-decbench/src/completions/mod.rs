//! `cargo decbench completions`: what a shell completes.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::command_line::CommandLine;
use crate::ending::Ending;
use crate::terminal;

/// Writes the completions of a shell to standard output.
///
/// In bash and fish both `cargo decbench` and `cargo-decbench` are completed by them. zsh looks for a file
/// `_cargo-decbench` in its `fpath`, which cargo's own completion then asks, too.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench completions bash > ~/.cargo-decbench.bash    # and in ~/.bashrc: source ~/.cargo-decbench.bash\n  cargo decbench completions fish > ~/.config/fish/conf.d/cargo-decbench.fish"
)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(task: &Completions) -> Ending {
    terminal::say(&of_tool(task.shell));
    terminal::say(of_cargo(task.shell));
    Ending::Holds
}

/// The name of the program.
const PROGRAM: &str = "cargo-decbench";

/// The completions of the program itself.
fn of_tool(shell: Shell) -> String {
    // In names of bash's functions a hyphen is written in two ways, and what stands after a task is not found then.
    let name = match shell {
        Shell::Bash => "cargo_decbench",
        _ => PROGRAM,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), name, &mut text);
    let text = String::from_utf8_lossy(&text);
    // The program is still called by its own name.
    text.replace(
        &format!("-o default {name}"),
        &format!("-o default {PROGRAM}"),
    )
}

/// What hands `cargo decbench` over, where cargo's own completion does not.
fn of_cargo(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("cargo.bash"),
        Shell::Fish => include_str!("cargo.fish"),
        _ => "",
    }
}
