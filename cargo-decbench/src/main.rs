//! `cargo decbench`: start suites, look at results, review changes.
//!
//! Each subcommand is a folder or file of its own and does one task. What needs the Rust functions of a suite asks the
//! user's own test target; everything else reads files.

#![forbid(unsafe_code)]

mod approve;
mod case_file;
mod check;
mod command_line;
mod completions;
mod diff;
mod ending;
mod explain;
mod generate;
mod import;
mod init;
mod label;
mod packages;
mod page;
mod plan;
mod qualify;
mod record;
mod redact;
mod report;
mod schema;
mod split;
mod suggest;
mod suites;
mod target;
mod terminal;

use std::process::ExitCode;

use clap::Parser as _;

use command_line::{CommandLine, Task};

fn main() -> ExitCode {
    if let Some(code) = target::play() {
        return code;
    }
    let line = CommandLine::parse_from(command_line::arguments(std::env::args_os()));
    line.color.apply();
    let done = match &line.task {
        Task::Approve(task) => approve::run(task),
        Task::Check(task) => check::run(task),
        Task::Completions(task) => Ok(completions::run(task)),
        Task::Diff(task) => diff::run(task),
        Task::Explain(task) => explain::run(task),
        Task::Generate(task) => generate::run(task),
        Task::Import(task) => import::run(task),
        Task::Init(task) => init::run(task),
        Task::Label(task) => label::run(task),
        Task::Plan(task) => plan::run(task),
        Task::Qualify(task) => qualify::run(task),
        Task::Record(task) => record::run(task),
        Task::Report(task) => report::run(task),
        Task::Schema(task) => Ok(schema::run(task)),
        Task::Split(task) => split::run(task),
        Task::Suggest(task) => suggest::run(task),
    };
    ending::exit_code(done)
}
