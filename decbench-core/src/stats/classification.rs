//! Precision, recall and their averages from a confusion matrix.

use std::collections::BTreeMap;

use crate::stats::Undefined;
use crate::stats::sum::sum;

/// Which classes a macro average runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClassSet {
    /// All declared options.
    Declared,
    /// Classes that occur in the gold labels or the predictions.
    Seen,
    /// Classes that occur in the gold labels: a class without a gold item says
    /// nothing about a model beyond false positives, which already lower the
    /// other classes' scores.
    Gold,
}

/// Counts of gold against predicted class, with invalid predictions apart.
///
/// Rows are gold, columns predicted. An invalid prediction is wrong for its
/// gold class and a prediction of no class. A class's precision, recall or F1
/// with an empty denominator is undefined by itself and counts as 0 in averages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfusionMatrix {
    /// Non-empty cells by (gold, predicted): option lists may be long.
    cells: BTreeMap<(usize, usize), u64>,
    support: Vec<u64>,
    predictions: Vec<u64>,
    invalid: Vec<u64>,
}

/// Longer lists of options than this are a mistake.
const MOST_CLASSES: usize = 1_000_000;

impl ConfusionMatrix {
    /// Counts the items; `None` is an invalid prediction.
    ///
    /// ```
    /// use decbench_core::stats::classification::{ClassSet, ConfusionMatrix};
    ///
    /// let matrix = ConfusionMatrix::count(&[0, 1, 1], &[Some(0), Some(1), None], 3)?;
    /// assert_eq!(matrix.recall(1), Ok(0.5));
    /// assert!(matrix.recall(2).is_err());
    /// assert!((matrix.macro_f1(ClassSet::Gold)? - 5.0 / 6.0).abs() < 1e-12);
    /// # Ok::<(), decbench_core::stats::Undefined>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Undefined::LengthMismatch`]; [`Undefined::OutOfRange`] for a label
    /// that is not below `classes`, or for more than a million classes.
    pub fn count(
        gold: &[usize],
        predicted: &[Option<usize>],
        classes: usize,
    ) -> Result<Self, Undefined> {
        if gold.len() != predicted.len() {
            return Err(Undefined::LengthMismatch);
        }
        if classes > MOST_CLASSES {
            return Err(Undefined::OutOfRange {
                what: "number of classes",
            });
        }
        let mut matrix = Self {
            cells: BTreeMap::new(),
            support: vec![0; classes],
            predictions: vec![0; classes],
            invalid: vec![0; classes],
        };
        for (&gold, &predicted) in gold.iter().zip(predicted) {
            if gold >= classes || predicted.is_some_and(|class| class >= classes) {
                return Err(Undefined::OutOfRange { what: "label" });
            }
            matrix.support[gold] += 1;
            match predicted {
                Some(class) => {
                    matrix.predictions[class] += 1;
                    *matrix.cells.entry((gold, class)).or_default() += 1;
                }
                None => matrix.invalid[gold] += 1,
            }
        }
        Ok(matrix)
    }

    /// The number of declared classes.
    pub fn classes(&self) -> usize {
        self.support.len()
    }

    /// Items of one gold class with one prediction; 0 for an unknown class.
    pub fn at(&self, gold: usize, predicted: usize) -> u64 {
        self.cells.get(&(gold, predicted)).copied().unwrap_or(0)
    }

    /// Invalid predictions of one gold class; 0 for an unknown class.
    pub fn invalid_of(&self, gold: usize) -> u64 {
        self.invalid.get(gold).copied().unwrap_or(0)
    }

    /// All invalid predictions.
    pub fn invalid(&self) -> u64 {
        self.invalid.iter().sum()
    }

    /// All items.
    pub fn items(&self) -> u64 {
        self.support.iter().sum()
    }

    /// Items of a gold class: the n of its recall.
    pub fn support(&self, class: usize) -> u64 {
        self.support.get(class).copied().unwrap_or(0)
    }

    /// Predictions of a class: the n of its precision.
    pub fn predictions(&self, class: usize) -> u64 {
        self.predictions.get(class).copied().unwrap_or(0)
    }

    /// Right predictions of a class: the k of its recall and precision.
    pub fn right(&self, class: usize) -> u64 {
        self.at(class, class)
    }

    /// Right predictions of all classes: the k of the accuracy.
    pub fn all_right(&self) -> u64 {
        (0..self.classes()).map(|class| self.right(class)).sum()
    }

    /// The share of right items; invalid predictions are wrong.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn accuracy(&self) -> Result<f64, Undefined> {
        ratio(self.all_right(), self.items())
    }

    /// TP/(TP+FP).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class is never predicted.
    pub fn precision(&self, class: usize) -> Result<f64, Undefined> {
        ratio(self.right(class), self.predictions(class))
    }

    /// TP/(TP+FN).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class has no gold item.
    pub fn recall(&self, class: usize) -> Result<f64, Undefined> {
        ratio(self.right(class), self.support(class))
    }

    /// 2TP/(2TP+FP+FN).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class is neither gold nor predicted anywhere.
    pub fn f1(&self, class: usize) -> Result<f64, Undefined> {
        ratio(
            2 * self.right(class),
            self.support(class) + self.predictions(class),
        )
    }

    /// Mean F1 over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set; so the other averages.
    pub fn macro_f1(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.average(set, |class| self.f1(class))
    }

    /// Mean precision over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set.
    pub fn macro_precision(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.average(set, |class| self.precision(class))
    }

    /// Mean recall over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set.
    pub fn macro_recall(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.average(set, |class| self.recall(class))
    }

    /// Mean recall over the gold classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn balanced_accuracy(&self) -> Result<f64, Undefined> {
        self.macro_recall(ClassSet::Gold)
    }

    /// Mean F1 weighted by gold support.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn weighted_f1(&self) -> Result<f64, Undefined> {
        let n = self.items();
        if n == 0 {
            return Err(Undefined::NoItems);
        }
        let terms = (0..self.classes())
            .map(|class| self.support(class) as f64 * self.f1(class).unwrap_or(0.0));
        Ok((sum(terms) / n as f64).clamp(0.0, 1.0))
    }

    /// F1 of the pooled counts; equal to the accuracy when no prediction is invalid.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn micro_f1(&self) -> Result<f64, Undefined> {
        let (n, invalid) = (self.items(), self.invalid());
        ratio(2 * self.all_right(), 2 * n - invalid)
    }

    /// Matthews' correlation for many classes (Gorodkin 2004), in `[-1, 1]`.
    ///
    /// 0 when all gold labels or all predictions are one class. Invalid
    /// predictions are a class of their own that is never gold.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn mcc(&self) -> Result<f64, Undefined> {
        let n = self.items();
        if n == 0 {
            return Err(Undefined::NoItems);
        }
        let n = n as f64;
        let (mut chance, mut gold, mut predicted) = (0.0, 0.0, 0.0);
        for class in 0..self.classes() {
            let (support, predictions) = (
                self.support(class) as f64 / n,
                self.predictions(class) as f64 / n,
            );
            chance += support * predictions;
            gold += support * support;
            predicted += predictions * predictions;
        }
        let invalid = self.invalid() as f64 / n;
        predicted += invalid * invalid;
        if self.one_margin_is_constant() {
            return Ok(0.0);
        }
        let covariance = self.all_right() as f64 / n - chance;
        let spread = ((1.0 - gold) * (1.0 - predicted)).sqrt();
        Ok((covariance / spread).clamp(-1.0, 1.0))
    }

    fn one_margin_is_constant(&self) -> bool {
        let n = self.items();
        self.invalid() == n
            || (0..self.classes())
                .any(|class| self.support(class) == n || self.predictions(class) == n)
    }

    fn average(
        &self,
        set: ClassSet,
        of: impl Fn(usize) -> Result<f64, Undefined>,
    ) -> Result<f64, Undefined> {
        if self.items() == 0 {
            return Err(Undefined::NoItems);
        }
        let inside = |class: &usize| match set {
            ClassSet::Declared => true,
            ClassSet::Seen => self.support(*class) + self.predictions(*class) > 0,
            ClassSet::Gold => self.support(*class) > 0,
        };
        let scores = (0..self.classes()).filter(inside);
        let scores: Vec<f64> = scores.map(|class| of(class).unwrap_or(0.0)).collect();
        if scores.is_empty() {
            return Err(Undefined::NoItems);
        }
        Ok((sum(scores.iter().copied()) / scores.len() as f64).clamp(0.0, 1.0))
    }
}

fn ratio(k: u64, n: u64) -> Result<f64, Undefined> {
    if n == 0 {
        Err(Undefined::NoItems)
    } else {
        Ok(k as f64 / n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_counted_is_undefined_everywhere() {
        let matrix = ConfusionMatrix::count(&[], &[], 3).unwrap();
        for value in [
            matrix.accuracy(),
            matrix.macro_f1(ClassSet::Declared),
            matrix.micro_f1(),
            matrix.weighted_f1(),
            matrix.mcc(),
            matrix.recall(0),
        ] {
            assert_eq!(value, Err(Undefined::NoItems));
        }
    }

    #[test]
    fn an_unknown_label_is_refused_and_an_unknown_class_is_empty() {
        assert!(ConfusionMatrix::count(&[3], &[Some(0)], 3).is_err());
        assert!(ConfusionMatrix::count(&[0], &[Some(3)], 3).is_err());
        assert!(ConfusionMatrix::count(&[0], &[], 3).is_err());
        let matrix = ConfusionMatrix::count(&[0], &[Some(0)], 1).unwrap();
        assert_eq!((matrix.support(9), matrix.predictions(9)), (0, 0));
    }

    #[test]
    fn the_three_sets_differ_where_classes_are_absent() {
        // Class 2 is only predicted, class 3 is nowhere.
        let matrix = ConfusionMatrix::count(&[0, 0, 1], &[Some(0), Some(2), Some(1)], 4).unwrap();
        let f1 = |set| matrix.macro_f1(set).unwrap();
        let sum = 2.0 / 3.0 + 1.0;
        assert!((f1(ClassSet::Gold) - sum / 2.0).abs() < 1e-15);
        assert!((f1(ClassSet::Seen) - sum / 3.0).abs() < 1e-15);
        assert!((f1(ClassSet::Declared) - sum / 4.0).abs() < 1e-15);
    }

    #[test]
    fn only_invalid_predictions_are_scores_of_zero() {
        let matrix = ConfusionMatrix::count(&[0, 1], &[None, None], 2).unwrap();
        assert_eq!(matrix.accuracy(), Ok(0.0));
        assert_eq!(matrix.micro_f1(), Ok(0.0));
        assert_eq!(matrix.mcc(), Ok(0.0));
        assert_eq!(matrix.precision(0), Err(Undefined::NoItems));
    }
}
