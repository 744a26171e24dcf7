//! A probability for every answer.

use crate::Options;

/// Probabilities by label: by text, or by the values of a type.
///
/// Labels that are left out have probability 0; their order does not matter. Whether the probabilities sum to one is
/// judged where they are used.
///
/// ```
/// use decbench::{Distribution, Options};
///
/// let teams = Distribution::new([("billing", 0.75), ("support", 0.25)]);
/// assert_eq!(teams.pairs()[0], ("billing".to_owned(), 0.75));
///
/// #[derive(Debug, PartialEq, Options)]
/// enum Team { Billing, Support }
///
/// let teams = Distribution::of([(Team::Support, 0.25), (Team::Billing, 0.75)]);
/// assert_eq!(teams.top(), Some((&Team::Billing, 0.75)));
/// assert_eq!(teams.lead(), Some(0.5));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution<T = String> {
    pairs: Vec<(T, f64)>,
}

impl Distribution {
    /// From pairs of label and probability.
    pub fn new<L: Into<String>>(pairs: impl IntoIterator<Item = (L, f64)>) -> Self {
        pairs.into_iter().collect()
    }

    /// For a yes/no question, from the probability of yes.
    pub fn yes(probability: f64) -> Self {
        Self::new([("yes", probability), ("no", 1.0 - probability)])
    }

    /// For a score, from the probabilities of its levels, level 0 first.
    pub fn levels(probabilities: impl IntoIterator<Item = f64>) -> Self {
        probabilities
            .into_iter()
            .enumerate()
            .map(|(level, probability)| (level.to_string(), probability))
            .collect()
    }
}

impl<T> Distribution<T> {
    /// The pairs as given.
    pub fn pairs(&self) -> &[(T, f64)] {
        &self.pairs
    }

    /// The pairs as given.
    pub fn into_pairs(self) -> Vec<(T, f64)> {
        self.pairs
    }
}

impl<T: Options> Distribution<T> {
    /// From pairs of answer and probability.
    pub fn of(pairs: impl IntoIterator<Item = (T, f64)>) -> Self {
        pairs.into_iter().collect()
    }

    /// The probability of one answer; 0 where none was given.
    pub fn probability(&self, answer: &T) -> f64 {
        self.pairs
            .iter()
            .find(|(given, _)| given.index() == answer.index())
            .map_or(0.0, |(_, probability)| *probability)
    }

    /// The most probable answer with its probability, the earlier of two equals in the order of the type; `None`
    /// where no probability is a number.
    pub fn top(&self) -> Option<(&T, f64)> {
        let [first, _] = self.best_two();
        first
    }

    /// By how much the most probable answer leads the next, which may be one that was left out; `None` where there
    /// is no [`top`](Self::top).
    pub fn lead(&self) -> Option<f64> {
        let [first, second] = self.best_two();
        let (_, first) = first?;
        Some(first - second.map_or(0.0, |(_, second)| second.max(0.0)))
    }

    fn best_two(&self) -> [Option<(&T, f64)>; 2] {
        let mut order: Vec<(&T, f64)> = self
            .pairs
            .iter()
            .map(|(answer, probability)| (answer, *probability))
            .filter(|(_, probability)| !probability.is_nan())
            .collect();
        order.sort_by(|(a, p), (b, q)| q.total_cmp(p).then(a.index().cmp(&b.index())));
        let mut order = order.into_iter();
        [order.next(), order.next()]
    }
}

impl<L: Into<String>> FromIterator<(L, f64)> for Distribution {
    fn from_iter<I: IntoIterator<Item = (L, f64)>>(pairs: I) -> Self {
        Self {
            pairs: pairs
                .into_iter()
                .map(|(label, probability)| (label.into(), probability))
                .collect(),
        }
    }
}

impl<T: Options> FromIterator<(T, f64)> for Distribution<T> {
    fn from_iter<I: IntoIterator<Item = (T, f64)>>(pairs: I) -> Self {
        Self {
            pairs: pairs.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_the_earlier_of_two_equals_whatever_the_order_given() {
        let even = Distribution::of([(false, 0.5), (true, 0.5)]);
        assert_eq!(even.top(), Some((&true, 0.5)));
        assert_eq!(even.lead(), Some(0.0));
    }

    #[test]
    fn what_is_left_out_has_probability_zero() {
        let sure = Distribution::of([(true, 0.9)]);
        assert_eq!(sure.probability(&false), 0.0);
        assert_eq!(sure.lead(), Some(0.9));
    }

    #[test]
    fn no_number_is_never_on_top() {
        let broken = Distribution::of([(true, f64::NAN), (false, 0.1)]);
        assert_eq!(broken.top(), Some((&false, 0.1)));
        assert_eq!(Distribution::of([(true, f64::NAN)]).top(), None);
        assert_eq!(Distribution::<bool>::of([]).lead(), None);
    }
}
