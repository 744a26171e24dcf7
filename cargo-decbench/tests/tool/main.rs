//! `cargo decbench` as a person starts it: a process, its files, its words and its exit codes.

mod approve;
mod check;
mod editor;
mod generate;
mod import;
mod init;
mod project;
mod report;
mod rust_types;
