//! Test the decisions of a model like code.
//!
//! A team lists the decisions its product takes (route this call, allow this refund, escalate or carry on), a set
//! of real cases with human labels, the models or functions that could take the decision, and what must hold.
//! `cargo test` then answers, with the evidence: it holds, it does not, or these cases cannot tell.
//!
//! ```yaml
//! # tests/suites/call-routing.yaml
//! question:
//!   type: choice
//!   instructions: Which team should take this call?
//!   options: { billing: Invoices and refunds, support: Something is broken, sales: Wants to buy }
//! cases: call-routing.cases.jsonl
//! candidates:
//!   rules: { provider: rust, function: keyword_router }
//! assert:
//!   accuracy: ">= 90%"
//! ```
//!
//! ```toml
//! # Cargo.toml
//! [dev-dependencies]
//! decbench = "0.1"
//!
//! [[test]]
//! name = "decisions"
//! harness = false
//! ```
//!
//! ```ignore
//! // tests/decisions.rs
//! use my_app as _; // Links the crate, and with it the functions that it registers.
//!
//! #[decbench::provider]
//! fn keyword_router(call: &str) -> &'static str {
//!     if call.contains("invoice") { "billing" } else { "support" }
//! }
//!
//! decbench::main!();
//! ```
//!
//! ```text
//! cargo test --test decisions
//! ```
//!
//! # Candidates in Rust
//!
//! [`provider`] makes any function a candidate. It takes what it wants to know of a case and returns what it
//! decided; it may be async, and it may fail.
//!
//! ```
//! #[decbench::provider]
//! fn keyword_router(call: &str) -> &'static str {
//!     if call.contains("invoice") { "billing" } else { "support" }
//! }
//!
//! #[decbench::provider(question = "urgent")]
//! async fn urgency(call: &str) -> Result<bool, std::num::ParseIntError> {
//!     let minutes: u32 = call.split(' ').next().unwrap_or_default().parse()?;
//!     Ok(minutes > 30)
//! }
//! # assert_eq!(keyword_router("an invoice"), "billing");
//! ```
//!
//! [`test`](macro@test) does the same and names the suite in the code, in place of the candidate in the suite:
//! `#[decbench::test(suite = "tests/suites/call-routing.yaml")]`.
//!
//! Only functions that are linked can be called: a function in another crate needs a line such as `use my_app as
//! _;` in the test, and the message about a missing function says so.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `test` | everything that runs suites; on by default |
//! | `http` | candidates that are services; on by default |
//! | `check` | suites named by [`test`](macro@test) are checked when the test is compiled; on by default |
//!
//! With none of them the crate is its attributes, which leave a function as it is: production code can carry
//! `#[decbench::provider]` at the cost of three small dependencies.
//!
//! # Not supported
//!
//! Methods, generic functions and closures are no candidates; call them from a function. An attribute inside an
//! `impl` block does not work. A function is known by its name to suites, so that two of one name need the module
//! before it: `function: calls::router`.

#![forbid(unsafe_code)]

#[cfg(feature = "test")]
mod compared;
mod distribution;
mod macros;
mod options;
mod policy;
#[cfg(feature = "test")]
mod registered;
#[cfg(feature = "test")]
pub mod sample_size;

pub use decbench_macros::{Levels, Options, provider, test};
pub use distribution::Distribution;
pub use options::{AnswerKind, AnswerOption, Levels, Options, UnknownOption};
pub use policy::{Margin, Threshold, Timeout};

#[cfg(feature = "test")]
pub use decbench_core::decision::{Asked, Failure, FailureKind, Request, State, ToolCall, Written};
#[cfg(feature = "test")]
pub use decbench_core::provider::function::{Answers, Decision, IntoAnswers, IntoDecision};

/// What generated code needs; not public API.
#[cfg(feature = "test")]
#[doc(hidden)]
pub mod __private {
    pub use decbench_core::__private::{insta, inventory};
    pub use decbench_core::harness::{
        EmbeddedSuite, Setup, SnapshotRequest, WrittenPart, WrittenSuite, main,
        needs_harness_false, target_of,
    };
    pub use decbench_core::provider::BoxFuture;
    pub use decbench_core::provider::function::{Body, RustFunction, give, hold, linked_functions};
    pub use decbench_core::suite::{PartKey, RustPolicy, RustType};

    pub use crate::compared::{Said, check_option, check_question, check_type};
    pub use crate::registered::{
        AnswersWith, answers_with, decide, margin, rust_type, threshold, timeout,
    };
}
