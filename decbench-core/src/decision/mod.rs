//! What is asked and what comes back: questions, cases, probes, requests, plans, answers and failures.
//!
//! Everything here is plain data. It knows no file format, no service and no metric.

mod answer;
mod case;
mod digest;
mod order;
mod plan;
mod question;
mod request;
mod size;
mod stamp;

pub use answer::{Answer, Decided, Failure, FailureKind, Measured, complement};
pub use case::{Approval, Case, Context, Gold, Origin, Pair, Relation, Split, State};
pub use digest::{Digest, RequestDigest, question_digest, state_digest};
pub use order::{orders_of, possible_orders};
pub use plan::{Call, Plan, Probe};
pub use question::{AnswerOption, Question, QuestionKind};
pub use request::{Asked, Request};
pub use size::{BYTES_PER_TOKEN, ContextLimit, Excess, Fit, RequestSize};
pub use stamp::approval_digest;
