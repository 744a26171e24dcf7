//! What is asked and what comes back: questions, cases, probes, requests, plans, answers and failures.
//!
//! Everything here is plain data. It knows no file format, no service and no metric.

mod answer;
mod case;
mod check;
mod digest;
mod json_schema;
mod load;
mod order;
mod plan;
mod question;
mod request;
mod size;
mod stamp;
mod written;

pub use answer::{Answer, Decided, Failure, FailureKind, Measured, complement};
pub use case::{Approval, Case, Context, Gold, Origin, Pair, Relation, Split, State};
pub use check::{Check, CheckKind, NumberWithin};
pub use digest::{Digest, RequestDigest, question_digest, state_digest};
pub use json_schema::JsonSchema;
#[cfg(feature = "run")]
pub(crate) use json_schema::same;
pub use load::{LoadCall, LoadRun};
pub use order::{orders_of, possible_orders};
pub use plan::{Call, Plan, Probe};
pub use question::{AnswerOption, Output, Question, QuestionKind};
pub use request::{Asked, Request};
pub use size::{BYTES_PER_TOKEN, ContextLimit, Excess, Fit, RequestSize};
pub use stamp::approval_digest;
pub use written::{AgentState, Expected, ToolCall, ToolResult, Written};
