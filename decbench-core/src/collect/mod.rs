//! From a plan to answers: stores, replay, calls, retries and budgets.
//!
//! [`collect`] takes one candidate's [`Job`] and the [`Environment`] and gives every wanted answer or says why it is
//! missing. Nothing here reads the process's environment or the time of day; both come in as parameters.

mod appender;
mod error;
mod file;
mod gather;
mod job;
mod limits;
mod line;
mod local;
mod lock;
mod matching;
mod miss;
mod mode;
mod recorded;
mod recordings;
mod replay;
mod run_store;
mod runtime;
mod wanted;

pub use error::CollectError;
pub use file::{AnswerFile, BadLine, answer_lines, read_answers};
pub use gather::collect;
pub use job::{Asking, Collected, Environment, Job, Source};
pub use limits::{Limits, Rate};
pub use miss::{Difference, Miss, MissReason};
pub use mode::Mode;
pub use recorded::RecordedFile;
