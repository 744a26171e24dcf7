//! The text of a suite and its case files to a checked suite, and the plan that follows from it.
//!
//! Text becomes a [`Tree`] in which everything knows where it stands; [`check`] walks the tree and collects all
//! mistakes. [`load`] does both for a file on disk, and [`check_text`] for a suite's text alone.

mod assertion;
mod between;
mod bound;
mod candidate;
mod case;
mod case_gates;
mod cases;
mod check;
mod columns;
mod compare;
mod confidence;
mod conventions;
mod csv;
mod data;
mod data_keys;
mod data_rules;
mod digest;
mod file;
mod files;
mod from_rust;
mod gate;
mod gold;
mod json;
mod key_table;
mod keys;
mod load;
mod load_rule;
mod merge;
mod model;
mod name;
mod open;
mod operation;
mod operation_keys;
mod options;
mod overlap;
mod padding;
mod panel;
mod plan;
mod policy;
mod published;
mod question;
mod read;
mod recording;
mod rows;
mod rust_suite;
mod rust_type;
mod tree;
mod unit;
mod verdict;
mod verdict_keys;
mod yaml;

pub use crate::diagnostic::Setting;
pub use check::{Loaded, check, check_with};
pub use data_rules::{DataRules, DeclaredShare, OtherFile, Panel};
pub use files::suite_files;
pub use from_rust::{ExtraFunction, FromRust, PolicyNumber, RustPolicy, RustType};
pub use keys::{Key, Kind, Section};
pub use load::{check_text, check_text_with, load, load_with};
pub use model::{
    Against, Assertion, Candidate, Comparison, GoldFloor, Published, PublishedFigures,
    ScorecardMode, Suite, Verdict,
};
pub use name::trial_part;
pub use open::{Criterion, Judging, OpenTask, family_of};
#[cfg(feature = "run")]
pub(crate) use open::{OF_CASES, recording_name};
pub use overlap::OtherState;
pub use panel::{Dropped, PanelRecord};
pub use plan::{Lockbox, plan};
pub use recording::{Recording, ServedModel};
pub use rust_suite::{Part, PartKey};
pub use rust_type::NamedType;
pub use tree::{Entry, Node, Scalar, Style, Tree, Value};
pub use unit::in_lockbox;
