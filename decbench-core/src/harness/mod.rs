//! The test binary: what `decbench::main!()` captures, snapshots, the guard against the built-in harness.

mod arguments;
mod decisions;
mod entry;
mod environment;
mod guard;
mod line_diff;
mod linked;
mod progress;
mod pull_request;
mod request;
mod scorecard;
mod setup;
mod snapshot;
mod target;
mod written;

pub use entry::main;
pub use guard::needs_harness_false;
pub use setup::{EmbeddedSuite, Setup, target_of};
pub use snapshot::{SnapshotRequest, check_snapshot, serve_snapshot};
pub use written::{WrittenPart, WrittenSuite};
