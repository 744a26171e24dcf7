//! Laws that the statistics obey for any input, one module per subject.

mod comparisons;
mod labels;
mod proportions;
mod samples;
