//! From a plan to answers: stores, replay, calls, retries and budgets.
//!
//! [`collect`] takes one candidate's [`Job`] and the [`Environment`] and gives every wanted answer or says why it is
//! missing. Nothing here reads the process's environment or the time of day; both come in as parameters.
//!
//! | candidate | replay | fill | live |
//! |---|---|---|---|
//! | a service, a recorded function | recordings | recordings, and asked for the rest | the run's store, and asked for the rest |
//! | a function, the baseline | the run's store, and asked for the rest | the same | the same |
//! | a file made elsewhere | the file | the file | the file |
//!
//! # Files
//!
//! | file | written by | holds |
//! |---|---|---|
//! | `answers/<suite>/<candidate>.jsonl` beside the suite | `fill` | answers and the model's own failures; sorted, reviewed, kept for ever |
//! | `answers/<suite>/lockbox/<digest>.json` | whoever opens the lock box | one look into it; kept for ever |
//! | `runs/<run>/<suite>/<candidate>.jsonl` in the output folder | all modes | what is of this run alone: local and live answers, calls that reached nobody |
//! | `runs/<run>/<suite>/<candidate>.stopped` | `fill`, `live` | why this run asks the candidate nothing more |
//! | `runs/<run>/<suite>/<candidate>.begun` | `live` | that calls are being made; left behind by a kill, it lets the next run go on |
//! | `runs/<run>/<suite>/<candidate>.rescued.jsonl` | `fill` | answers that could not be recorded; the next fill records them |
//! | `runs/<run>/<suite>/<candidate>.spare` | `fill`, `live` | room for the answers under way when the disk is full |
//! | `runs/<run>/<suite>/<candidate>.raw.jsonl` | `fill`, `live` | replies as they came, for a candidate with `keep_raw: true` |
//! | `runs/<run>/<suite>/<candidate>.load` | `live` | how long each call of a load trial took; no answers |
//! | `runs/<run>/spending.jsonl` | `fill`, `live` | what the run has spent, over all its processes and suites, and which calls are under way |
//! | `runs/<run>/asking-since` | `fill`, `live` | when its first call was made, where it has a deadline |
//! | `hosts/<host>.lock` | `fill`, `live` | whose turn it is to call the host |
//!
//! A lock is always on a file of its own, and taken in this order: recordings, run, host; the ledger's is held for one
//! entry at a time. Among the threads of a process a mutex comes before each. Answer files are read without any lock: they
//! only grow by whole lines, or are replaced whole.
//!
//! # What is asked when
//!
//! A recording answers exactly its request: case, question, probe, and the digests of questions, state and candidate. A
//! line of another case id with the same request answers too, since ids may be row numbers; it is used once. Lines that
//! fit nothing any more stay, so that a change taken back costs nothing. Base probes are asked first, then order by order
//! and repeat by repeat; within each of these rounds cases come in an order drawn from the suite's name. Candidates that
//! one process asks are asked side by side about a case, whoever goes first being drawn too. Under a runner with one
//! process per trial that holds for trials that read several candidates.
//!
//! A call is tried again when its failure may pass: after the service's own wait, else after half a second, doubled each
//! time up to eight. A service that asks to slow down gets fewer calls at a time, and later more again. One that asks
//! for a wait of more than a minute is not asked any more. After ten calls in a row that nobody served, or with a key
//! that never worked, the rest is not asked. What was not asked, and what failed for reasons that are not the model's, is asked
//! by the next run's `fill` and not by a retry of the same run, so that a retry gives the same outcome. No call is made
//! twice at a time to be faster.
//!
//! # Money
//!
//! Nothing is asked before somebody has agreed to the costs, by a budget or by the sum of an [`Estimate`]. Before a
//! call the most it can cost is put aside in the run's ledger; after it the true cost is booked. Its answers are kept
//! before that, so that a kill between the two loses no answer. What was under way when a process was killed is known from the
//! ledger, counts in full, and is named when it is asked again.

mod appender;
mod backoff;
mod budget;
mod deadline;
mod engine;
mod errand;
mod error;
mod estimate;
mod file;
mod fill;
mod gate;
mod gather;
mod job;
mod lane;
mod ledger;
mod limits;
mod line;
mod live;
mod local;
mod lock;
mod lookbook;
mod matching;
mod miss;
mod mode;
mod open_loop;
mod order;
mod pace;
mod part_file;
mod past;
mod progress;
mod raw_replies;
mod reckon;
mod recorded;
mod recordings;
mod remote;
mod replay;
mod rescue;
mod resume;
mod run_store;
mod runs;
pub(crate) mod runtime;
mod spare;
mod under_way;
mod wanted;
mod watch;

pub use budget::{Estimate, Part};
pub use error::CollectError;
pub use file::{AnswerFile, BadLine, answer_lines, read_answers};
pub(crate) use gather::collect_file;
pub use gather::{collect, collect_together};
pub use job::{Asking, Collected, Environment, Job, Source};
pub use limits::{Limits, Rate};
pub use lookbook::{LookFile, add_look, looks_folder, read_looks};
pub use miss::{Difference, Miss, MissReason};
pub use mode::Mode;
pub use open_loop::open_loop;
pub use past::{PastError, PastFiles, files_at};
pub use progress::Progress;
pub use reckon::reckon;
pub use recorded::RecordedFile;
