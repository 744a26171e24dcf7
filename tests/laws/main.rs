//! Laws that the statistics obey for any input, one module per subject.

mod proportions;
