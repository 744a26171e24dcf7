//! The parts decbench is made of; use the crate `decbench`.
//!
//! The way through is suite → collect → score → judge → report:
//!
//! | module | holds |
//! |---|---|
//! | [`diagnostic`] | located mistakes |
//! | [`decision`] | questions, cases, probes, requests, plans, answers |
//! | [`metric`] | the table of metrics, bounds and conventions |
//! | [`config`] | `decbench.toml`: profiles, provider settings, prices |
//! | [`suite`] | a suite's text to a checked suite |
//! | `data` | what must hold of the cases themselves: findings |
//! | `provider` | one service, its wire format and its errors; the embedded baseline |
//! | `collect` | plan to answers: stores, calls, retries, budgets |
//! | `score` | answers to metric values with intervals |
//! | `judge` | values against bounds: outcomes |
//! | `report` | what people and machines read |
//! | `run` | one call from suites to outcomes |
//! | `harness` | trials, filters, exit codes, snapshots, the environment |
//! | `stats` | pure mathematics under `score` and `judge` |
//!
//! Without features this crate is its reading half, which the compile-time check of suites uses; feature `run`
//! adds the rest and `http` the services.

#![forbid(unsafe_code)]

pub mod config;
pub mod decision;
pub mod diagnostic;
pub mod metric;
pub mod suite;

#[cfg(feature = "run")]
pub mod collect;
#[cfg(feature = "run")]
pub mod data;
#[cfg(feature = "run")]
pub mod harness;
#[cfg(feature = "run")]
pub mod judge;
#[cfg(feature = "run")]
pub mod provider;
#[cfg(feature = "run")]
pub mod report;
#[cfg(feature = "run")]
pub mod run;
#[cfg(feature = "run")]
pub mod score;
#[cfg(feature = "run")]
pub mod stats;

/// What the macros of the crate `decbench` expand to; not public API.
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod __private {
    pub use insta;
    pub use inventory;
}
