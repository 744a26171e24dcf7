//! Suites whose answers are open: `output:`, what is asked, what must hold of an answer, and who judges it.

mod checks;
#[cfg(feature = "run")]
mod court;
mod expected;
mod judging;
mod keys;
mod model;
mod task;

pub(super) use expected::{expected, foreign, with_tools};
pub(super) use keys::{CHECKS, JUDGE, JUROR, NUMBER_WITHIN};
pub use model::{Criterion, Judging, OpenTask, family_of};
#[cfg(feature = "run")]
pub(crate) use model::{OF_CASES, recording_name};
pub(super) use task::{judging, task};
