//! Counts of gold against predicted class, cell by cell.

use std::collections::BTreeMap;

use super::margins::{ClassSet, Margins};
use crate::stats::Undefined;

/// Counts of gold against predicted class, with invalid predictions apart.
///
/// Rows are gold, columns predicted. An invalid prediction is wrong for its
/// gold class and a prediction of no class. A class's precision, recall or F1
/// with an empty denominator is undefined by itself and counts as 0 in averages.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfusionMatrix {
    /// Non-empty cells by (gold, predicted): option lists may be long.
    cells: BTreeMap<(usize, usize), u64>,
    invalid: Vec<u64>,
    margins: Margins,
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
            invalid: vec![0; classes],
            margins: Margins::new(classes),
        };
        for (&gold, &predicted) in gold.iter().zip(predicted) {
            if gold >= classes || predicted.is_some_and(|class| class >= classes) {
                return Err(Undefined::OutOfRange { what: "label" });
            }
            matrix.margins.add(gold, predicted, 1.0);
            match predicted {
                Some(class) => *matrix.cells.entry((gold, class)).or_default() += 1,
                None => matrix.invalid[gold] += 1,
            }
        }
        Ok(matrix)
    }

    /// The number of declared classes.
    pub fn classes(&self) -> usize {
        self.margins.classes()
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
        self.margins.items() as u64
    }

    /// Items of a gold class: the n of its recall.
    pub fn support(&self, class: usize) -> u64 {
        self.margins.support(class) as u64
    }

    /// Predictions of a class: the n of its precision.
    pub fn predictions(&self, class: usize) -> u64 {
        self.margins.answers(class) as u64
    }

    /// Right predictions of a class: the k of its recall and precision.
    pub fn right(&self, class: usize) -> u64 {
        self.margins.right(class) as u64
    }

    /// Right predictions of all classes: the k of the accuracy.
    pub fn all_right(&self) -> u64 {
        self.margins.all_right() as u64
    }

    /// The share of right items; invalid predictions are wrong.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn accuracy(&self) -> Result<f64, Undefined> {
        self.margins.accuracy().ok_or(Undefined::NoItems)
    }

    /// TP/(TP+FP).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class is never predicted.
    pub fn precision(&self, class: usize) -> Result<f64, Undefined> {
        self.margins.precision(class).ok_or(Undefined::NoItems)
    }

    /// TP/(TP+FN).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class has no gold item.
    pub fn recall(&self, class: usize) -> Result<f64, Undefined> {
        self.margins.recall(class).ok_or(Undefined::NoItems)
    }

    /// 2TP/(2TP+FP+FN).
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the class is neither gold nor predicted anywhere.
    pub fn f1(&self, class: usize) -> Result<f64, Undefined> {
        self.margins.f1(class).ok_or(Undefined::NoItems)
    }

    /// Mean F1 over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set; so the other averages.
    pub fn macro_f1(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.margins.macro_f1(set).ok_or(Undefined::NoItems)
    }

    /// Mean precision over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set.
    pub fn macro_precision(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.margins.macro_precision(set).ok_or(Undefined::NoItems)
    }

    /// Mean recall over a set of classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] for an empty matrix or set.
    pub fn macro_recall(&self, set: ClassSet) -> Result<f64, Undefined> {
        self.margins.macro_recall(set).ok_or(Undefined::NoItems)
    }

    /// Mean recall over the gold classes.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn balanced_accuracy(&self) -> Result<f64, Undefined> {
        self.margins.balanced_accuracy().ok_or(Undefined::NoItems)
    }

    /// Mean F1 weighted by gold support.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn weighted_f1(&self) -> Result<f64, Undefined> {
        self.margins.weighted_f1().ok_or(Undefined::NoItems)
    }

    /// F1 of the pooled counts; equal to the accuracy when no prediction is invalid.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`].
    pub fn micro_f1(&self) -> Result<f64, Undefined> {
        self.margins.micro_f1().ok_or(Undefined::NoItems)
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
        self.margins.mcc().ok_or(Undefined::NoItems)
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
