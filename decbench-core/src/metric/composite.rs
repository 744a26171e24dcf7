//! The composites of `JevBench` v1.6 by name, and what counts how much in each.

/// A weighted harmonic mean of intelligence, calibration, speed and cost, each on a scale of which 100 is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Composite {
    /// All four at equal weights; intelligence, speed or cost below 50 lowers it further.
    A,
    /// Intelligence 40, the others 20 each.
    B,
    /// Intelligence, speed and cost at equal weights.
    Balanced,
    /// Intelligence 60, speed and cost 20 each.
    Accuracy,
    /// Speed 60, intelligence and cost 20 each.
    Speed,
    /// Cost 60, intelligence and speed 20 each.
    Cost,
}

impl Composite {
    /// Every composite, in the order of scorecards.
    pub const ALL: [Self; 6] = [
        Self::A,
        Self::B,
        Self::Balanced,
        Self::Accuracy,
        Self::Speed,
        Self::Cost,
    ];

    /// The name between the brackets of a metric, as in `composite[A]`.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Balanced => "balanced",
            Self::Accuracy => "accuracy",
            Self::Speed => "speed",
            Self::Cost => "cost",
        }
    }

    /// The composite with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mix| mix.name() == name)
    }

    /// The weights of intelligence, calibration, speed and cost; 0 for what is no part of it.
    pub fn weights(self) -> [f64; 4] {
        match self {
            Self::A => [1.0, 1.0, 1.0, 1.0],
            Self::B => [0.4, 0.2, 0.2, 0.2],
            Self::Balanced => [1.0, 0.0, 1.0, 1.0],
            Self::Accuracy => [0.6, 0.0, 0.2, 0.2],
            Self::Speed => [0.2, 0.0, 0.6, 0.2],
            Self::Cost => [0.2, 0.0, 0.2, 0.6],
        }
    }

    /// Whether a weak part lowers it beyond what the mean does.
    pub fn is_gated(self) -> bool {
        self == Self::A
    }
}
