//! Laws that the statistics obey for any input, one module per subject.

mod calibration;
mod comparisons;
mod labels;
mod looks;
mod operation;
mod proportions;
mod resampling;
mod samples;
mod scores;
mod stability;
