//! How often intervals of `stats` hold the truth.

mod differences;
mod line;
mod means;
mod others;
mod shares;

pub(crate) use differences::{TEXT as DIFFERENCES, differences};
pub(crate) use line::{Line, table};
pub(crate) use means::{TEXT as MEANS, means};
pub(crate) use others::{TEXT as OTHERS, others};
pub(crate) use shares::{TEXT as SHARES, shares};
