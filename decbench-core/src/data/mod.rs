//! What must hold of the cases themselves, before any answer is read.
//!
//! Each check is a function from a suite, and what was read for it, to a [`Finding`]: one row of [`CHECKS`] and one
//! file here. No files, no clock, no network: what lies outside a suite comes in through [`Given`].

mod agreement;
mod calendar;
mod check;
mod finding;
mod given;
mod gold;
mod leakage;
mod lockbox;
mod looks;
mod normal;
mod panel;
mod ratings;
mod size;
mod strata;
#[cfg(test)]
mod testing;
mod transcripts;

pub use agreement::{Ceiling, ceilings};
pub use calendar::Day;
pub use check::{CHECKS, DataCheck, Need};
pub use finding::{CaseList, Figure, Finding, Observation, Quantity};
pub use given::{Given, Overlap};
pub use gold::has_gold;
pub use looks::{LockboxAnswers, Look, Lookbook};
