//! The text of a suite and its case files to a checked suite.

mod model;

pub use model::{Assertion, Candidate, GoldFloor, ScorecardMode, Setting, Suite};
