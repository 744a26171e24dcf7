//! Values against bounds: outcomes, comparisons and verdicts. No files, no network, no formats.

mod assertion;
mod limits;
mod outcome;
mod size;
#[cfg(test)]
mod tests;

pub use assertion::judge;
pub use outcome::{Judgement, Outcome};
pub use size::more_cases;
