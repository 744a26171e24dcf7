//! `cargo decbench` as a person starts it: a process, its files, its words and its exit codes.

mod approve;
mod check;
mod completions;
mod diff;
mod editor;
mod explain;
mod functions;
mod generate;
mod guide;
mod import;
mod init;
mod label;
mod project;
mod qualify;
mod record;
mod report;
mod rust_types;
mod service;
mod split;
mod suggest;
#[cfg(unix)]
mod terminal;
