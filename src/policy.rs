//! The numbers by which production decides, under the names that suites use.

use crate::{Distribution, Options};

/// The least probability of the top answer from which production takes it without asking anybody.
///
/// ```
/// use decbench::Distribution;
///
/// decbench::policy! {
///     /// From here on a refund is paid without a person.
///     pub const AUTO_REFUND: Threshold = Threshold::new(0.9);
/// }
///
/// assert_eq!(AUTO_REFUND.decide(&Distribution::of([(true, 0.94)])), Some(&true));
/// assert_eq!(AUTO_REFUND.decide(&Distribution::of([(true, 0.6), (false, 0.4)])), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold(f64);

impl Threshold {
    /// A threshold from 0 to 1.
    ///
    /// # Panics
    ///
    /// When it is not: in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn new(least: f64) -> Self {
        assert!(
            least >= 0.0 && least <= 1.0,
            "a threshold is a probability, from 0 to 1"
        );
        Self(least)
    }

    /// The number itself.
    pub const fn value(self) -> f64 {
        self.0
    }

    /// Whether an answer of this probability is taken.
    pub fn admits(self, probability: f64) -> bool {
        probability >= self.0
    }

    /// The top answer, where it is taken.
    pub fn decide<T: Options>(self, answers: &Distribution<T>) -> Option<&T> {
        answers
            .top()
            .filter(|(_, probability)| self.admits(*probability))
            .map(|(answer, _)| answer)
    }
}

/// The least lead of the top answer over the next from which production takes it without asking anybody.
///
/// ```
/// use decbench::Distribution;
///
/// decbench::policy! {
///     /// Below this two answers are too near to each other.
///     pub const CLEAR_LEAD: Margin = Margin::new(0.2);
/// }
///
/// assert_eq!(CLEAR_LEAD.decide(&Distribution::of([(true, 0.55), (false, 0.45)])), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin(f64);

impl Margin {
    /// A margin from 0 to 1.
    ///
    /// # Panics
    ///
    /// When it is not: in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn new(least: f64) -> Self {
        assert!(
            least >= 0.0 && least <= 1.0,
            "a margin is a difference of two probabilities, from 0 to 1"
        );
        Self(least)
    }

    /// The number itself.
    pub const fn value(self) -> f64 {
        self.0
    }

    /// Whether an answer with this lead is taken.
    pub fn admits(self, lead: f64) -> bool {
        lead >= self.0
    }

    /// The top answer, where it is taken.
    pub fn decide<T: Options>(self, answers: &Distribution<T>) -> Option<&T> {
        let lead = answers.lead()?;
        let (top, _) = answers.top()?;
        self.admits(lead).then_some(top)
    }
}

/// How long production waits for an answer, and what it takes in its place when none came.
///
/// ```
/// decbench::policy! {
///     /// A caller waits no longer; then a person asks.
///     pub const ROUTE_WITHIN: Timeout = Timeout::millis(800).or("no_reason_yet");
/// }
///
/// assert_eq!(ROUTE_WITHIN.duration().as_millis(), 800);
/// assert_eq!(ROUTE_WITHIN.default_key(), Some("no_reason_yet"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout {
    millis: u32,
    default: Option<&'static str>,
}

impl Timeout {
    /// So many milliseconds.
    ///
    /// # Panics
    ///
    /// When it is 0: in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn millis(millis: u32) -> Self {
        assert!(millis > 0, "a timeout is at least a millisecond");
        Self {
            millis,
            default: None,
        }
    }

    /// The same timeout, after which the option with this key is taken.
    #[must_use]
    pub const fn or(mut self, key: &'static str) -> Self {
        self.default = Some(key);
        self
    }

    /// How long to wait.
    pub const fn duration(self) -> std::time::Duration {
        std::time::Duration::from_millis(self.millis as u64)
    }

    /// The key of the option that is taken when no answer came.
    pub const fn default_key(self) -> Option<&'static str> {
        self.default
    }

    /// The answer that is taken when none came; `None` where there is none, or it is no option of the type.
    pub fn default<T: Options>(self) -> Option<T> {
        self.default.and_then(T::from_key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_itself_is_good_enough() {
        let shares = Distribution::of([(true, 0.75), (false, 0.25)]);
        assert_eq!(Threshold::new(0.75).decide(&shares), Some(&true));
        assert_eq!(Threshold::new(0.76).decide(&shares), None);
        assert_eq!(Margin::new(0.5).decide(&shares), Some(&true));
        assert_eq!(Margin::new(0.51).decide(&shares), None);
    }

    #[test]
    fn nothing_is_decided_where_nothing_was_answered() {
        let nothing = Distribution::<bool>::of([]);
        assert_eq!(Threshold::new(0.0).decide(&nothing), None);
        assert_eq!(Margin::new(0.0).decide(&nothing), None);
    }

    #[test]
    fn a_default_is_an_option_or_none() {
        assert_eq!(Timeout::millis(5).or("no").default::<bool>(), Some(false));
        assert_eq!(Timeout::millis(5).or("perhaps").default::<bool>(), None);
        assert_eq!(Timeout::millis(5).default::<bool>(), None);
    }
}
