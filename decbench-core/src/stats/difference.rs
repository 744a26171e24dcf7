//! Intervals for the difference of two proportions.

use crate::stats::distribution::{two_sided_z, upper_tail};
use crate::stats::proportion::{estimate, wilson_with_z};
use crate::stats::{Interval, Undefined};

/// Two systems on the same items, counted by which of them was right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairedTable {
    /// Items both got right.
    pub both: u64,
    /// Items only the first got right.
    pub first_only: u64,
    /// Items only the second got right.
    pub second_only: u64,
    /// Items neither got right.
    pub neither: u64,
}

impl PairedTable {
    /// Counts two lists of outcomes of the same items.
    ///
    /// # Errors
    ///
    /// [`Undefined::LengthMismatch`] when the lists differ in length.
    pub fn count(first: &[bool], second: &[bool]) -> Result<Self, Undefined> {
        if first.len() != second.len() {
            return Err(Undefined::LengthMismatch);
        }
        let mut table = Self::default();
        for pair in first.iter().zip(second) {
            *match pair {
                (true, true) => &mut table.both,
                (true, false) => &mut table.first_only,
                (false, true) => &mut table.second_only,
                (false, false) => &mut table.neither,
            } += 1;
        }
        Ok(table)
    }

    /// The number of items.
    pub fn items(&self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// The number of items on which the two differ.
    pub fn discordant(&self) -> u64 {
        self.first_only + self.second_only
    }

    /// The first proportion minus the second.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty table.
    pub fn difference(&self) -> Result<f64, Undefined> {
        if self.items() == 0 {
            return Err(Undefined::NoItems);
        }
        Ok((self.first_only as f64 - self.second_only as f64) / self.items() as f64)
    }

    /// The table with first and second exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            first_only: self.second_only,
            second_only: self.first_only,
            ..*self
        }
    }
}

/// Newcombe's interval for k1/n1 − k2/n2 of independent samples (1998a, method 10).
///
/// # Errors
///
/// [`Undefined::NoItems`] when a sample is empty, [`Undefined::OutOfRange`]
/// when a count exceeds its sample or the level is not in (0, 1).
pub fn newcombe_independent(
    k1: u64,
    n1: u64,
    k2: u64,
    n2: u64,
    level: f64,
) -> Result<Interval, Undefined> {
    let z = two_sided_z(level)?;
    let (p1, p2) = (estimate(k1, n1)?, estimate(k2, n2)?);
    let (first, second) = (wilson_with_z(k1, n1, z)?, wilson_with_z(k2, n2, z)?);
    Ok(square_and_add(p1 - p2, (p1, first), (p2, second), 0.0))
}

/// Newcombe's interval for a paired difference (1998b, method 10).
///
/// The default for paired drops: it keeps its width where no pair is
/// discordant, and takes the correlation of the two systems into account.
///
/// ```
/// use decbench_core::stats::difference::{PairedTable, newcombe_paired};
///
/// let table = PairedTable { both: 840, first_only: 30, second_only: 6, neither: 24 };
/// let interval = newcombe_paired(&table, 0.95)?;
/// assert!((interval.low - 0.01381).abs() < 1e-5);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] for an empty table, [`Undefined::OutOfRange`] for a
/// level outside (0, 1).
pub fn newcombe_paired(table: &PairedTable, level: f64) -> Result<Interval, Undefined> {
    let z = two_sided_z(level)?;
    let n = table.items();
    let (k1, k2) = (
        table.both + table.first_only,
        table.both + table.second_only,
    );
    let (p1, p2) = (estimate(k1, n)?, estimate(k2, n)?);
    let (first, second) = (wilson_with_z(k1, n, z)?, wilson_with_z(k2, n, z)?);
    let difference = table.difference()?;
    Ok(square_and_add(
        difference,
        (p1, first),
        (p2, second),
        correlation(table),
    ))
}

/// Wald's interval for a paired difference.
///
/// For comparison only, never for a gate: without discordant pairs its width is zero.
///
/// # Errors
///
/// As [`newcombe_paired`].
pub fn wald_paired(table: &PairedTable, level: f64) -> Result<Interval, Undefined> {
    let z = two_sided_z(level)?;
    let difference = table.difference()?;
    let n = table.items() as f64;
    let discordant = table.discordant() as f64;
    let variance = (discordant - difference * difference * n).max(0.0);
    let half = z * variance.sqrt() / n;
    Ok(Interval {
        low: difference - half,
        high: difference + half,
    })
}

/// Tango's score interval for a paired difference (1998).
///
/// # Errors
///
/// As [`newcombe_paired`].
pub fn tango(table: &PairedTable, level: f64) -> Result<Interval, Undefined> {
    let z = two_sided_z(level)?;
    let difference = table.difference()?;
    // The score falls in δ, so each limit is the one crossing on its side of the estimate.
    let low = halve(-1.0, difference, |delta| tango_score(table, delta) > z);
    let high = halve(difference, 1.0, |delta| tango_score(table, delta) > -z);
    Ok(Interval { low, high }.cut(-1.0, 1.0))
}

/// The one-sided p of Tango's score test that the paired difference is at most `difference`.
///
/// With `difference` = −margin this is a test of non-inferiority that also holds without any discordant
/// pair, where a resampled difference does not vary and would prove everything.
///
/// ```
/// use decbench_core::stats::difference::{PairedTable, tango_p};
///
/// let alike = |n| PairedTable { both: n, ..PairedTable::default() };
/// assert!(tango_p(&alike(100), -0.01)? > 0.025);
/// assert!(tango_p(&alike(400), -0.01)? < 0.025);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::NoItems`] without items, [`Undefined::OutOfRange`] unless `difference` lies in (−1, 1).
pub fn tango_p(table: &PairedTable, difference: f64) -> Result<f64, Undefined> {
    table.difference()?;
    if difference.abs() >= 1.0 || difference.is_nan() {
        return Err(Undefined::OutOfRange { what: "difference" });
    }
    Ok(upper_tail(tango_score(table, difference)))
}

/// (b − c − nδ) over its standard deviation at the restricted estimate of the second share.
fn tango_score(table: &PairedTable, delta: f64) -> f64 {
    let n = table.items() as f64;
    let (b, c) = (table.first_only as f64, table.second_only as f64);
    let linear = -b - c + (2.0 * n - b + c) * delta;
    let constant = -c * delta * (1.0 - delta);
    let root = (linear * linear - 8.0 * n * constant).max(0.0).sqrt();
    // The two forms of the larger root; each cancels where the other does not.
    let restricted = if linear > 0.0 {
        -2.0 * constant / (root + linear)
    } else {
        (root - linear) / (4.0 * n)
    };
    let variance = n * (2.0 * restricted + delta * (1.0 - delta));
    let score = b - c - n * delta;
    if variance > 0.0 {
        score / variance.sqrt()
    } else if score == 0.0 {
        0.0
    } else {
        score.signum() * f64::INFINITY
    }
}

/// The point of `[low, high]` where a condition that holds on the left stops to hold.
fn halve(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if !holds(low) {
        return low;
    }
    if holds(high) {
        return high;
    }
    let (mut low, mut high) = (low, high);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Newcombe's correction for the correlation of the two systems.
fn correlation(table: &PairedTable) -> f64 {
    let (a, b, c, e) = (
        table.both as f64,
        table.first_only as f64,
        table.second_only as f64,
        table.neither as f64,
    );
    let margins = [a + b, c + e, a + c, b + e];
    if margins.contains(&0.0) {
        return 0.0;
    }
    let excess = a * e - b * c;
    let half = 0.5 * table.items() as f64;
    let corrected = if excess > half {
        excess - half
    } else {
        excess.min(0.0)
    };
    // Roots before the product, which may exceed the range of doubles no sooner than the excess.
    corrected / margins.iter().map(|margin| margin.sqrt()).product::<f64>()
}

fn square_and_add(
    difference: f64,
    (p1, first): (f64, Interval),
    (p2, second): (f64, Interval),
    correlation: f64,
) -> Interval {
    let distance = |one: f64, other: f64| {
        let square = one * one - 2.0 * correlation * one * other + other * other;
        square.max(0.0).sqrt()
    };
    Interval {
        low: difference - distance(p1 - first.low, second.high - p2),
        high: difference + distance(p2 - second.low, first.high - p1),
    }
    .cut(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_pairs_fills_the_four_cells() {
        let first = [true, true, false, false, true];
        let second = [true, false, true, false, false];
        let table = PairedTable::count(&first, &second).unwrap();
        assert_eq!(
            table,
            PairedTable {
                both: 1,
                first_only: 2,
                second_only: 1,
                neither: 1
            }
        );
        assert_eq!(table.difference(), Ok(0.2));
        assert_eq!(
            PairedTable::count(&first, &second[1..]),
            Err(Undefined::LengthMismatch)
        );
    }

    #[test]
    fn nothing_compared_is_undefined() {
        let empty = PairedTable::default();
        for interval in [newcombe_paired, wald_paired, tango] {
            assert_eq!(interval(&empty, 0.95), Err(Undefined::NoItems));
        }
        assert_eq!(
            newcombe_independent(0, 0, 1, 2, 0.95),
            Err(Undefined::NoItems)
        );
    }

    #[test]
    fn no_discordant_pair_still_leaves_doubt() {
        let table = PairedTable {
            both: 10,
            ..PairedTable::default()
        };
        assert_eq!(wald_paired(&table, 0.95).unwrap().width(), 0.0);
        assert!(newcombe_paired(&table, 0.95).unwrap().width() > 0.5);
        assert!(tango(&table, 0.95).unwrap().width() > 0.5);
    }
}
