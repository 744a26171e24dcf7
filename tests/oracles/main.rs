//! Golden values: every statistic against what other libraries computed.
//!
//! Each `*.json` of this folder is a topic; each of its cases names a statistic,
//! its input, the expected values and their tolerance. A topic or statistic
//! that the tables do not know, and an expected key that nothing compares, are
//! failures. `DECBENCH_ORACLES=<folder>` reads other files in place of these.

mod calibration;
mod case;
mod compare;
mod comparisons;
mod distributions;
mod intake;
mod labels;
mod looks;
mod operation;
mod proportions;
mod reader;
mod resampling;
mod samples;
mod scores;
mod stability;
mod worked;

use std::io::Write as _;
use std::path::PathBuf;

use reader::{Topic, read_folder};

/// The tables of all topics, by file of this target.
const TOPICS: &[&[Topic]] = &[
    calibration::TOPICS,
    comparisons::TOPICS,
    distributions::TOPICS,
    intake::TOPICS,
    labels::TOPICS,
    looks::TOPICS,
    operation::TOPICS,
    proportions::TOPICS,
    resampling::TOPICS,
    samples::TOPICS,
    scores::TOPICS,
    stability::TOPICS,
    worked::TOPICS,
];

#[test]
fn every_golden_value_is_met() {
    let replaced = std::env::var_os("DECBENCH_ORACLES").map(PathBuf::from);
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracles");
    let mut outcome = read_folder(replaced.as_ref().unwrap_or(&own), TOPICS);
    if replaced.is_none() {
        outcome.require_all_of(TOPICS);
    }
    // One write past the capture of the harness, so that the counts show in a passing run.
    let mut text = outcome.table();
    text.push_str(&outcome.problems.join("\n"));
    let written = std::io::stdout().write_all(text.as_bytes());
    assert!(written.is_ok(), "standard output is closed");
    assert!(
        outcome.problems.is_empty(),
        "{} golden values are missed",
        outcome.problems.len()
    );
}
