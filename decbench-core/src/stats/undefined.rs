//! Why a statistic has no value.

/// The reason why a statistic is undefined or its input was refused.
///
/// Statistics never answer with NaN and never panic on data: whatever has no
/// value says why. The texts are lower-case fragments that read well after
/// "not measurable: ".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Undefined {
    /// Nothing was given to compute from (n = 0).
    #[error("there are no items")]
    NoItems,
    /// An input is NaN or infinite where a finite number is required.
    #[error("a value is not a finite number")]
    NotFinite,
    /// An argument lies outside the range in which the statistic is defined.
    #[error("{what} is out of range")]
    OutOfRange {
        /// The argument's name.
        what: &'static str,
    },
    /// Parallel inputs have different lengths.
    #[error("the inputs differ in length")]
    LengthMismatch,
    /// All items belong to one class, so that there is nothing to tell apart.
    #[error("all items belong to one class")]
    SingleClass,
    /// The values do not vary, so that the statistic divides by zero.
    #[error("the values do not vary")]
    ZeroVariance,
    /// Chance agreement is complete, so that agreement beyond chance is 0/0.
    #[error("agreement by chance is already complete")]
    ChanceIsCertain,
    /// There is no success to divide by.
    #[error("there is no success")]
    NoSuccess,
    /// Fewer units than the statistic needs.
    #[error("fewer than {needed} {what}")]
    TooFew {
        /// How many are needed at least.
        needed: u64,
        /// What is counted, in the plural.
        what: &'static str,
    },
    /// No argument in the valid range reaches what was asked for.
    #[error("{what} cannot be reached")]
    Unreachable {
        /// What was asked for.
        what: &'static str,
    },
}
