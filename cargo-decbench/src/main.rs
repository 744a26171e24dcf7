//! `cargo decbench`: start suites, look at results, review changes.
//!
//! Each subcommand is a folder or file of its own and does one task. What needs the Rust functions of a suite asks the
//! user's own test target; everything else reads files.

#![forbid(unsafe_code)]

mod approve;
mod check;
mod command_line;
mod completions;
mod ending;
mod generate;
mod import;
mod init;
mod packages;
mod page;
mod redact;
mod report;
mod schema;
mod suites;
mod terminal;

use std::process::ExitCode;

use clap::Parser as _;

use command_line::{CommandLine, Task};

fn main() -> ExitCode {
    let line = CommandLine::parse_from(command_line::arguments(std::env::args_os()));
    line.color.apply();
    let done = match &line.task {
        Task::Generate(task) => generate::run(task),
        Task::Import(task) => import::run(task),
        Task::Init(task) => init::run(task),
        Task::Approve(task) => approve::run(task),
        Task::Check(task) => check::run(task),
        Task::Report(task) => report::run(task),
        Task::Schema(task) => Ok(schema::run(task)),
        Task::Completions(task) => Ok(completions::run(task)),
    };
    ending::exit_code(done)
}
