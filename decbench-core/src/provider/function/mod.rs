//! Rust functions as candidates.
//!
//! A function is registered where it is written and looked up by name when a suite says
//! `provider: rust, function: keyword_router`. It takes what it wants to know of a case ([`Lent`], [`Given`]) and
//! returns what it decided ([`IntoDecision`], [`IntoAnswers`]); what it returned is read against the question only
//! here, so that a wrong label is a wrong answer of the function and never a broken run.

mod answers;
mod argument;
mod asking;
mod caught;
mod decision;
mod registry;

pub use answers::{Answers, IntoAnswers};
pub use argument::{Given, Held, Lent, give, hold};
pub use asking::FunctionProvider;
pub use decision::{Decision, Distribution, IntoDecision};
pub use registry::{Body, RustFunction, find_function, linked_functions};
