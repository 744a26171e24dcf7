//! Files as they were: at a git revision, read through git itself, never from the network.

mod error;
mod extract;
mod git;

pub use error::PastError;
pub use extract::{PastFiles, files_at};
