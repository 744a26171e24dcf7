//! From a plan to answers: stores, replay, calls, retries and budgets.
//!
//! [`collect`] takes one candidate's [`Job`] and the [`Environment`] and gives every wanted answer or says why it is
//! missing. Nothing here reads the process's environment or the time of day; both come in as parameters.

mod appender;
mod backoff;
mod engine;
mod error;
mod file;
mod fill;
mod gather;
mod job;
mod ledger;
mod limits;
mod line;
mod live;
mod local;
mod lock;
mod matching;
mod miss;
mod mode;
mod pace;
mod recorded;
mod recordings;
mod remote;
mod replay;
mod resume;
mod run_store;
mod runs;
mod runtime;
mod wanted;
mod workers;

pub use error::CollectError;
pub use file::{AnswerFile, BadLine, answer_lines, read_answers};
pub use gather::collect;
pub use job::{Asking, Collected, Environment, Job, Source};
pub use limits::{Limits, Rate};
pub use miss::{Difference, Miss, MissReason};
pub use mode::Mode;
pub use recorded::RecordedFile;
