//! Bins of equal width over [0, 1], with the choices on which authors differ.

use crate::stats::Undefined;

/// Which side of a bin its edge belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Closed {
    /// A value on an edge falls in the bin above; the last bin holds 1.
    #[default]
    Left,
    /// A value on an edge falls in the bin below; the first bin holds 0.
    Right,
}

/// Which double stands for an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edges {
    /// i · (1/M), computed in doubles. With 10 bins three edges lie a little above 0.3, 0.6 and 0.7, so
    /// that these values fall in the bin below their decimal reading. Most code in use does this.
    #[default]
    Binary,
    /// The double nearest to i/M, so that 0.3 as written is an edge.
    Decimal,
}

/// Equal-width bins.
#[derive(Clone, Debug, PartialEq)]
pub struct Binning {
    /// The M − 1 edges inside [0, 1], ascending.
    inner: Vec<f64>,
    closed: Closed,
}

impl Binning {
    /// The most bins.
    pub const MOST: usize = 10_000;

    /// `bins` bins with left-closed binary edges.
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] for no bins or more than [`Self::MOST`].
    pub fn new(bins: usize) -> Result<Self, Undefined> {
        Self::with(bins, Closed::Left, Edges::Binary)
    }

    /// `bins` bins with a stated closure and edges.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn with(bins: usize, closed: Closed, edges: Edges) -> Result<Self, Undefined> {
        if bins == 0 || bins > Self::MOST {
            return Err(Undefined::OutOfRange {
                what: "number of bins",
            });
        }
        let width = 1.0 / bins as f64;
        let edge = |place: usize| match edges {
            Edges::Binary => place as f64 * width,
            Edges::Decimal => place as f64 / bins as f64,
        };
        Ok(Self {
            inner: (1..bins).map(edge).collect(),
            closed,
        })
    }

    /// The number of bins.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one bin")]
    pub fn len(&self) -> usize {
        self.inner.len() + 1
    }

    /// The lower and upper edge of a bin; `None` beyond the last.
    pub fn edges_of(&self, bin: usize) -> Option<(f64, f64)> {
        if bin >= self.len() {
            return None;
        }
        let low = if bin == 0 { 0.0 } else { self.inner[bin - 1] };
        let high = self.inner.get(bin).copied().unwrap_or(1.0);
        Some((low, high))
    }

    /// The bin of a value; values below 0 fall in the first and above 1 in the last.
    #[inline]
    pub fn bin_of(&self, value: f64) -> usize {
        let passes = |edge: f64| match self.closed {
            Closed::Left => value >= edge,
            Closed::Right => value > edge,
        };
        // Edges are within a rounding of even spacing, so the guess is off by one at most.
        let guess = (value * self.len() as f64) as usize;
        let mut bin = guess.min(self.inner.len());
        while bin > 0 && !passes(self.inner[bin - 1]) {
            bin -= 1;
        }
        while bin < self.inner.len() && passes(self.inner[bin]) {
            bin += 1;
        }
        bin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(values: [f64; 5], closed: Closed, edges: Edges) -> [usize; 5] {
        let binning = Binning::with(10, closed, edges).unwrap();
        values.map(|value| binning.bin_of(value))
    }

    #[test]
    fn closure_and_edges_decide_where_a_tenth_falls() {
        let values = [0.0, 0.3, 0.5, 0.7, 1.0];
        assert_eq!(bins(values, Closed::Left, Edges::Binary), [0, 2, 5, 6, 9]);
        assert_eq!(bins(values, Closed::Left, Edges::Decimal), [0, 3, 5, 7, 9]);
        assert_eq!(bins(values, Closed::Right, Edges::Binary), [0, 2, 4, 6, 9]);
        assert_eq!(bins(values, Closed::Right, Edges::Decimal), [0, 2, 4, 6, 9]);
    }

    #[test]
    fn a_bin_is_the_number_of_edges_passed() {
        for bins in [1, 2, 7, 15, 400] {
            let binning = Binning::new(bins).unwrap();
            for step in 0..=10_000_u32 {
                let value = f64::from(step) / 1e4;
                let passed = (1..bins).filter(|&edge| value >= edge as f64 * (1.0 / bins as f64));
                assert_eq!(binning.bin_of(value), passed.count());
            }
        }
    }

    #[test]
    fn edges_meet_and_cover_the_unit_interval() {
        let binning = Binning::new(3).unwrap();
        assert_eq!(binning.edges_of(0).unwrap().0, 0.0);
        assert_eq!(
            binning.edges_of(0).unwrap().1,
            binning.edges_of(1).unwrap().0
        );
        assert_eq!(binning.edges_of(2).unwrap().1, 1.0);
        assert_eq!(binning.edges_of(3), None);
    }

    #[test]
    fn no_bins_are_refused() {
        assert!(Binning::new(0).is_err());
        assert!(Binning::new(Binning::MOST + 1).is_err());
    }
}
