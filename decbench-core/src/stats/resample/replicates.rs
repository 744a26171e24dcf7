//! What a bootstrap hands on.

/// How replicates were drawn; the two have the same law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resampling {
    /// Counts of the distinct values, by one multinomial draw a resample.
    Multinomial,
    /// An index for every unit of a resample.
    Indices,
}

impl std::fmt::Display for Resampling {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Multinomial => "multinomial",
            Self::Indices => "indices",
        })
    }
}

/// A statistic on each of many resamples.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    /// The values of the resamples on which the statistic is defined, in the order drawn. They may be
    /// infinite where a ratio divides by zero, and are never NaN.
    pub values: Vec<f64>,
    /// The number of resamples on which the statistic is not defined.
    pub undefined: usize,
    /// How the resamples were drawn.
    pub resampling: Resampling,
}

impl Replicates {
    pub(crate) fn new(resampling: Resampling, resamples: usize) -> Self {
        Self {
            values: Vec::with_capacity(resamples),
            undefined: 0,
            resampling,
        }
    }

    pub(crate) fn push(&mut self, value: Option<f64>) {
        match value {
            Some(value) if !value.is_nan() => self.values.push(value),
            _ => self.undefined += 1,
        }
    }
}
