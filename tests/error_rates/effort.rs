//! How much is drawn.

/// Numbers of cases.
pub(crate) const SIZES: [usize; 4] = [30, 100, 300, 900];
/// Shares at the bound.
pub(crate) const BOUNDS: [f64; 5] = [0.8, 0.9, 0.95, 0.98, 0.99];

/// The size of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Draws per cell.
    pub(crate) draws: u32,
    /// Whether a person waits for it: more draws, and cells that are slow.
    pub(crate) long: bool,
}

impl Effort {
    /// What CI runs.
    pub(crate) const SMALL: Self = Self {
        draws: 2_000,
        long: false,
    };
    /// What a person runs.
    pub(crate) const LONG: Self = Self {
        draws: 20_000,
        long: true,
    };

    /// Sizes of a cell whose limits are resampled: all where a person waits for it, else those given.
    pub(crate) fn sizes(self, few: &[usize]) -> Vec<usize> {
        if self.long {
            SIZES.to_vec()
        } else {
            few.to_vec()
        }
    }
}
