//! Resamples with replacement and the statistics of each.
//!
//! Three forms, from the cheapest: a mean or ratio over few distinct values is resampled as a
//! multinomial over these values; a statistic of a table of counts as a multinomial over its cells;
//! anything else by drawing indices of units.

mod cells;
mod checks;
mod distinct;
mod means;
mod ratios;
mod replicates;
mod strata;

pub(crate) use self::checks::{checked, unit_count};
pub(crate) use self::means::drawn_sum;

pub use self::cells::{resampled_cells, resampled_units};
pub use self::means::{resampled_means, resampled_means_from, resampled_means_of_each};
pub use self::ratios::{ClusterTotals, cluster_totals, resampled_ratios};
pub use self::replicates::{Replicates, Resampling};
pub use self::strata::resampled_stratified_means;

/// Up to this many distinct values a mean is resampled through their counts.
pub const DISTINCT_VALUES: usize = 64;
