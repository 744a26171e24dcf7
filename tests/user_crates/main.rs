//! decbench in crates as users write them, built by Cargo from nothing.

mod guard;
mod linking;
mod project;
mod snapshots;
mod weight;
mod workspace;
