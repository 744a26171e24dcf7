//! The margins of a confusion table: all that F1, kappa and correlation need, in counts or weights.

use crate::stats::sum::{Sum, sum};

/// Which classes a macro average runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClassSet {
    /// All declared options.
    Declared,
    /// Classes that occur in the gold labels or the answers.
    Seen,
    /// Classes that occur in the gold labels: a class without a gold item says
    /// nothing about a model beyond false positives, which already lower the
    /// other classes' scores.
    Gold,
}

/// Gold items, answers and right answers by class, in counts or weights.
///
/// An answer that is no class is wrong for its gold class and an answer of no
/// class. A class's precision, recall or F1 with an empty denominator is `None`
/// by itself and counts as 0 in averages; averages without items are `None`.
///
/// ```
/// use decbench_core::stats::classification::{ClassSet, Margins};
///
/// let mut margins = Margins::new(3);
/// margins.add(0, Some(0), 2.0);
/// margins.add(1, Some(0), 1.0);
/// margins.add(1, None, 1.0);
/// assert_eq!(margins.recall(1), Some(0.0));
/// assert_eq!(margins.recall(2), None);
/// assert_eq!(margins.macro_f1(ClassSet::Gold), Some(0.4));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Margins {
    gold: Vec<f64>,
    answered: Vec<f64>,
    right: Vec<f64>,
}

impl Margins {
    /// Empty margins of `classes` classes.
    pub fn new(classes: usize) -> Self {
        Self {
            gold: vec![0.0; classes],
            answered: vec![0.0; classes],
            right: vec![0.0; classes],
        }
    }

    /// Sets everything to zero.
    pub fn clear(&mut self) {
        for side in [&mut self.gold, &mut self.answered, &mut self.right] {
            side.fill(0.0);
        }
    }

    /// Adds `weight` items of a gold class and an answered one.
    ///
    /// Passed over are gold labels and answers beyond the classes (such an
    /// answer is none), and weights that are not finite and positive.
    pub fn add(&mut self, gold: usize, answered: Option<usize>, weight: f64) {
        if gold >= self.gold.len() || !weight.is_finite() || weight <= 0.0 {
            return;
        }
        self.gold[gold] += weight;
        if let Some(class) = answered.filter(|class| *class < self.answered.len()) {
            self.answered[class] += weight;
            if class == gold {
                self.right[class] += weight;
            }
        }
    }

    /// The number of declared classes.
    pub fn classes(&self) -> usize {
        self.gold.len()
    }

    /// Items of a gold class; 0 for an unknown class.
    pub fn support(&self, class: usize) -> f64 {
        self.gold.get(class).copied().unwrap_or(0.0)
    }

    /// Answers of a class; 0 for an unknown class.
    pub fn answers(&self, class: usize) -> f64 {
        self.answered.get(class).copied().unwrap_or(0.0)
    }

    /// Right answers of a class; 0 for an unknown class.
    pub fn right(&self, class: usize) -> f64 {
        self.right.get(class).copied().unwrap_or(0.0)
    }

    /// All items.
    pub fn items(&self) -> f64 {
        sum(self.gold.iter().copied())
    }

    /// All right answers.
    pub fn all_right(&self) -> f64 {
        sum(self.right.iter().copied())
    }

    /// All answers that are no class.
    pub fn invalid(&self) -> f64 {
        (self.items() - sum(self.answered.iter().copied())).max(0.0)
    }

    /// The share of right items.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.all_right(), self.items())
    }

    /// TP/(TP+FP); `None` for a class that is never answered.
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.right(class), self.answers(class))
    }

    /// TP/(TP+FN); `None` for a class without a gold item.
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.right(class), self.support(class))
    }

    /// 2TP/(2TP+FP+FN); `None` for a class that is neither gold nor answered.
    pub fn f1(&self, class: usize) -> Option<f64> {
        ratio(
            2.0 * self.right(class),
            self.support(class) + self.answers(class),
        )
    }

    /// Mean F1 over a set of classes.
    pub fn macro_f1(&self, set: ClassSet) -> Option<f64> {
        self.average(set, |class| self.f1(class))
    }

    /// Mean precision over a set of classes.
    pub fn macro_precision(&self, set: ClassSet) -> Option<f64> {
        self.average(set, |class| self.precision(class))
    }

    /// Mean recall over a set of classes.
    pub fn macro_recall(&self, set: ClassSet) -> Option<f64> {
        self.average(set, |class| self.recall(class))
    }

    /// Mean recall over the classes in gold.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        self.macro_recall(ClassSet::Gold)
    }

    /// Mean F1 weighted by gold support.
    pub fn weighted_f1(&self) -> Option<f64> {
        let terms =
            (0..self.classes()).map(|class| self.support(class) * self.f1(class).unwrap_or(0.0));
        ratio(sum(terms), self.items())
    }

    /// F1 of the pooled counts; equal to the accuracy when every answer is a class.
    pub fn micro_f1(&self) -> Option<f64> {
        ratio(2.0 * self.all_right(), 2.0 * self.items() - self.invalid())
    }

    /// Cohen's kappa between answers and gold; `None` where chance agreement is complete.
    pub fn kappa(&self) -> Option<f64> {
        let n = self.items();
        let observed = ratio(self.all_right(), n)?;
        let chance = self.chance() / (n * n);
        (chance < 1.0).then(|| (observed - chance) / (1.0 - chance))
    }

    /// Matthews' correlation for many classes (Gorodkin 2004), in `[-1, 1]`.
    ///
    /// 0 when all gold labels or all answers are one class. Answers that are no
    /// class are a class of their own that is never gold.
    pub fn mcc(&self) -> Option<f64> {
        let n = self.items();
        if n <= 0.0 {
            return None;
        }
        let whole = n * n;
        let square = |side: &[f64]| sum(side.iter().map(|share| share * share));
        let gold = whole - square(&self.gold);
        let answered = whole - square(&self.answered) - self.invalid().powi(2);
        // A margin of one class leaves nothing, or with weights what rounding left of it.
        if gold.min(answered) <= 1e-12 * whole {
            return Some(0.0);
        }
        let covariance = self.all_right() * n - self.chance();
        Some((covariance / (gold.sqrt() * answered.sqrt())).clamp(-1.0, 1.0))
    }

    /// The sum over classes of gold items times answers.
    fn chance(&self) -> f64 {
        let pairs = self.gold.iter().zip(&self.answered);
        sum(pairs.map(|(gold, answered)| gold * answered))
    }

    fn average(&self, set: ClassSet, score: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        if self.items() <= 0.0 {
            return None;
        }
        let (mut scores, mut classes) = (Sum::default(), 0_usize);
        for class in 0..self.classes() {
            let belongs = match set {
                ClassSet::Gold => self.gold[class] > 0.0,
                ClassSet::Seen => self.gold[class] > 0.0 || self.answered[class] > 0.0,
                ClassSet::Declared => true,
            };
            if belongs {
                scores.add(score(class).unwrap_or(0.0));
                classes += 1;
            }
        }
        ratio(scores.value(), classes as f64)
    }
}

/// A share of what is there; sums of weights may leave it a rounding above 1.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_scale_out_of_every_score() {
        let items = [
            (0, Some(0), 3.0),
            (0, Some(1), 1.0),
            (1, Some(1), 2.0),
            (2, None, 1.0),
        ];
        let (mut plain, mut scaled) = (Margins::new(4), Margins::new(4));
        for (gold, answered, weight) in items {
            plain.add(gold, answered, weight);
            scaled.add(gold, answered, weight * 0.1);
        }
        let scores = |margins: &Margins| {
            [
                margins.accuracy(),
                margins.macro_f1(ClassSet::Gold),
                margins.weighted_f1(),
                margins.micro_f1(),
                margins.kappa(),
                margins.mcc(),
            ]
            .map(Option::unwrap)
        };
        for (one, other) in scores(&plain).into_iter().zip(scores(&scaled)) {
            assert!((one - other).abs() < 1e-12, "{one} {other}");
        }
    }

    #[test]
    fn a_constant_margin_has_no_correlation_with_weights_either() {
        let mut margins = Margins::new(2);
        for answered in [0, 0, 0, 1, 1, 0, 1] {
            margins.add(0, Some(answered), 0.1);
        }
        assert_eq!(margins.mcc(), Some(0.0));
    }

    #[test]
    fn what_is_no_class_or_no_weight_is_passed_over() {
        let mut margins = Margins::new(2);
        margins.add(2, Some(0), 1.0);
        margins.add(0, Some(0), f64::NAN);
        margins.add(0, Some(0), -1.0);
        assert_eq!((margins.items(), margins.accuracy()), (0.0, None));
        margins.add(1, Some(7), 1.0);
        assert_eq!((margins.invalid(), margins.accuracy()), (1.0, Some(0.0)));
        margins.clear();
        assert_eq!(margins, Margins::new(2));
    }
}
