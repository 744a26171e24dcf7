//! The parts decbench is made of; use the crate `decbench`.
//!
//! The way through is suite → collect → score → judge → report:
//!
//! | module | holds |
//! |---|---|
//! | [`diagnostic`] | located mistakes |
//! | [`decision`] | questions, cases, probes, requests, plans, answers |
//! | [`metric`] | the table of metrics, bounds and conventions |
//! | [`suite`] | a suite's text to a checked suite |
//! | `provider` | one service, its wire format and its errors; the embedded baseline |
//! | `collect` | plan to answers: stores, calls, retries, budgets |
//!
//! Without features this crate is its reading half, which the compile-time check of suites uses; feature `run`
//! adds the rest and `http` the services.

#![forbid(unsafe_code)]

pub mod decision;
pub mod diagnostic;
pub mod metric;
pub mod suite;

#[cfg(feature = "run")]
pub mod collect;
#[cfg(feature = "run")]
pub mod harness;
#[cfg(feature = "run")]
pub mod provider;
#[cfg(feature = "run")]
pub mod stats;

/// What the macros of the crate `decbench` expand to; not public API.
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod __private {
    pub use insta;
    pub use inventory;
}
