//! Seeds, random words and the rule that turns them into indices.

use std::num::NonZeroU32;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::stats::Undefined;

/// The seed of one stream of random numbers.
///
/// Every function that draws takes its seed from the caller, and a report records it: the same seed
/// and the same data give the same numbers on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of the part of a computation that `label` names.
    ///
    /// Two statistics that are computed from one recorded seed use different streams, so that adding
    /// one does not move the other. The label enters by 64-bit FNV-1a, the seed by one step of the
    /// generator.
    ///
    /// ```
    /// use decbench_core::stats::Seed;
    ///
    /// let seed = Seed(20_261_129);
    /// assert_eq!(seed.derive("ece"), seed.derive("ece"));
    /// assert_ne!(seed.derive("ece"), seed.derive("brier"));
    /// ```
    #[must_use]
    pub fn derive(self, label: &str) -> Self {
        let hash = label.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(RandomStream::new(Self(self.0 ^ hash)).next_word())
    }
}

/// A stream of random words: `SplitMix64` (Steele, Lea, Flood 2014).
///
/// Indices and fractions are formed here and nowhere else, so that no update of a dependency can
/// move a result.
#[derive(Clone, Debug)]
pub struct RandomStream {
    generator: SplitMix64,
}

impl RandomStream {
    /// The stream that begins at `seed`.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self {
            generator: SplitMix64::seed_from_u64(seed.0),
        }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// The next index in `0..n`: the high half of the 128-bit product of a word and `n`.
    ///
    /// For `n` = 0 the answer is 0, which indexes nothing.
    #[inline]
    pub fn next_index(&mut self, n: usize) -> usize {
        ((u128::from(self.next_word()) * n as u128) >> 64) as usize
    }

    /// The next fraction in [0, 1): the 53 high bits of a word.
    #[inline]
    pub fn next_unit(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

/// Where the indices of a resample come from.
///
/// [`RandomStream`] draws them; [`ReplayedIndices`] repeats indices that were recorded elsewhere, so
/// that two implementations can be compared digit by digit.
pub trait IndexSource {
    /// The next index, below `n`.
    ///
    /// # Errors
    ///
    /// When the source has no more indices, or its next is not below `n`.
    fn index_below(&mut self, n: NonZeroU32) -> Result<u32, Undefined>;
}

impl IndexSource for RandomStream {
    #[inline]
    fn index_below(&mut self, n: NonZeroU32) -> Result<u32, Undefined> {
        Ok(self.next_index(n.get() as usize) as u32)
    }
}

/// Recorded indices, given out once and in the order in which they were recorded.
#[derive(Clone, Debug)]
pub struct ReplayedIndices<'a> {
    indices: std::slice::Iter<'a, u32>,
}

impl<'a> ReplayedIndices<'a> {
    /// A source that gives `indices`, resample after resample.
    #[must_use]
    pub fn new(indices: &'a [u32]) -> Self {
        Self {
            indices: indices.iter(),
        }
    }
}

impl IndexSource for ReplayedIndices<'_> {
    fn index_below(&mut self, n: NonZeroU32) -> Result<u32, Undefined> {
        match self.indices.next() {
            Some(&index) if index < n.get() => Ok(index),
            Some(_) => Err(Undefined::OutOfRange {
                what: "replayed index",
            }),
            None => Err(Undefined::TooFew {
                needed: 1,
                what: "more replayed indices",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_stay_below_their_bound() {
        let mut stream = RandomStream::new(Seed(3));
        for n in [1_usize, 2, 3, 10, 1 << 31] {
            assert!((0..200).all(|_| stream.next_index(n) < n));
        }
        assert_eq!(stream.next_index(0), 0);
    }

    #[test]
    fn fractions_fill_the_unit_interval_evenly() {
        let mut stream = RandomStream::new(Seed(5));
        let mut bins = [0_u32; 10];
        for _ in 0..100_000 {
            bins[(stream.next_unit() * 10.0) as usize] += 1;
        }
        let chi_squared: f64 = bins
            .iter()
            .map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(
            chi_squared < 27.9,
            "chi squared {chi_squared} on 9 degrees of freedom"
        );
    }

    #[test]
    fn replayed_indices_come_once_and_in_order() {
        let three = NonZeroU32::new(3).unwrap();
        let mut source = ReplayedIndices::new(&[2, 0, 1]);
        let given: Vec<u32> = (0..3).map(|_| source.index_below(three).unwrap()).collect();
        assert_eq!(given, [2, 0, 1]);
        assert!(matches!(
            source.index_below(three),
            Err(Undefined::TooFew { .. })
        ));
    }

    #[test]
    fn a_replayed_index_outside_the_items_is_refused() {
        let three = NonZeroU32::new(3).unwrap();
        assert!(ReplayedIndices::new(&[3]).index_below(three).is_err());
    }
}
