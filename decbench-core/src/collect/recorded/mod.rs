//! Answers made elsewhere: `provider: recorded`, a lenient reader of other people's files.
//!
//! Lines are matched by case, question and probe alone. JSON lines, a JSON list or CSV; columns are renamed with
//! `fields:`.

mod answers;
mod fields;
mod file;
mod rows;

pub use file::RecordedFile;

pub(crate) use file::gather;
