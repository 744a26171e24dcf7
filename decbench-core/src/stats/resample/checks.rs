//! What every resample refuses.

use std::num::NonZeroU32;

use crate::stats::Undefined;
use crate::stats::sum::finite;

/// Sums of values up to this stay finite.
const LARGEST: f64 = 1e100;

pub(crate) fn checked(values: &[f64], resamples: usize) -> Result<(), Undefined> {
    if values.is_empty() {
        return Err(Undefined::NoItems);
    }
    if resamples == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "resamples",
        });
    }
    finite(values)?;
    if values.iter().any(|value| value.abs() > LARGEST) {
        return Err(Undefined::OutOfRange { what: "value" });
    }
    Ok(())
}

pub(crate) fn unit_count(units: usize) -> Result<NonZeroU32, Undefined> {
    let units = u32::try_from(units).map_err(|_| Undefined::OutOfRange {
        what: "number of items",
    })?;
    NonZeroU32::new(units).ok_or(Undefined::NoItems)
}
