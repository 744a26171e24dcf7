//! Answers to metric values with intervals: no bounds, clocks, files or network.
//!
//! A [`Sheet`] lays out one candidate's answers to one question; [`measure`] computes a metric of it. A new
//! metric is a row in [`crate::metric`] and a function here.

mod accuracy;
mod again;
mod answer_score;
mod bias;
mod calibration;
mod calls;
mod capability;
mod classes;
mod composite;
mod confused;
mod contexts;
mod cost;
mod counted;
mod escape;
mod flickering;
mod gated;
mod groups;
mod latency;
mod measure;
mod observed;
mod one_more;
mod open;
mod orders;
mod pairs;
mod per_case;
mod proper;
mod published;
mod quality;
mod repeats;
mod resampled;
mod scales;
mod scope;
mod selective;
mod share;
mod sheet;
mod slots;
mod tables;
mod temperature;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod turn;
mod value;
mod whole;

pub use again::{Blocks, Draw};
pub use confused::ConfusedPair;
pub use counted::{Counted, counted};
pub use escape::{EscapeChange, escape_change};
pub use flickering::FlickeringCase;
pub use gated::GateAnswers;
pub use measure::{Availability, Measurement, measure};
pub use observed::{Intake, ModelFailure, Observed, Said};
pub use open::{Checked, Grade, Judged, PassRule, Preference, Unjudged, Vote, check, judged};
pub use per_case::per_case;
pub use published::{BesidePublished, Estimate, beside_published};
pub use quality::{CaseQuality, Qualities, qualities};
pub use selective::GRID as COVERAGE_GRID;
pub use sheet::{ALL_THERE_ARE, Row, Sheet};
pub use slots::OrderTable;
pub use tables::{CoverageRow, ReliabilityRow, Tables, tables};
pub use turn::{TurnCalls, WithDefault, turn_calls, with_default};
pub use value::{Evidence, ONE_MORE, Unmeasurable, Value};
pub use whole::{WholeDifference, whole_difference};
