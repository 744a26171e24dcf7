//! The margins of a confusion table: all that F1, kappa and correlation need, in counts or weights.

use crate::stats::sum::sum;

/// Gold items, answers and right answers by class, in counts or weights.
///
/// Answers that are no class count among gold items alone. A class's score with an empty denominator
/// counts as 0 in averages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Margins {
    gold: Vec<f64>,
    answered: Vec<f64>,
    right: Vec<f64>,
}

/// Over which classes an average runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Gold,
    Seen,
    Declared,
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

    /// Adds `weight` items of a gold class and an answered one; labels beyond the classes are passed over.
    pub fn add(&mut self, gold: usize, answered: Option<usize>, weight: f64) {
        let Some(slot) = self.gold.get_mut(gold) else {
            return;
        };
        *slot += weight;
        if let Some(slot) = answered.and_then(|class| self.answered.get_mut(class)) {
            *slot += weight;
        }
        if answered == Some(gold) {
            self.right[gold] += weight;
        }
    }

    /// 2TP/(2TP+FP+FN); `None` for a class that is neither gold nor answered.
    pub fn f1(&self, class: usize) -> Option<f64> {
        let both = self.gold.get(class)? + self.answered[class];
        (both > 0.0).then(|| 2.0 * self.right[class] / both)
    }

    /// Mean F1 over the classes in gold; `None` without items.
    pub fn macro_f1_gold(&self) -> Option<f64> {
        self.average(Over::Gold, |class| self.f1(class))
    }

    /// Mean F1 over the classes in gold or among the answers; `None` without items.
    pub fn macro_f1_seen(&self) -> Option<f64> {
        self.average(Over::Seen, |class| self.f1(class))
    }

    /// Mean F1 over all classes; `None` without items.
    pub fn macro_f1_declared(&self) -> Option<f64> {
        self.average(Over::Declared, |class| self.f1(class))
    }

    /// Mean recall over the classes in gold; `None` without items.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        self.average(Over::Gold, |class| {
            (self.gold[class] > 0.0).then(|| self.right[class] / self.gold[class])
        })
    }

    /// Cohen's kappa between answers and gold; `None` without items or where chance agreement is complete.
    pub fn kappa(&self) -> Option<f64> {
        let n = self.total();
        let observed = sum(self.right.iter().copied()) / n;
        let chance = sum(self
            .gold
            .iter()
            .zip(&self.answered)
            .map(|(gold, answered)| gold * answered))
            / (n * n);
        (n > 0.0 && chance < 1.0).then(|| (observed - chance) / (1.0 - chance))
    }

    /// Matthews' correlation (Gorodkin 2004); 0 where a margin is constant, `None` without items.
    pub fn mcc(&self) -> Option<f64> {
        let n = self.total();
        if n <= 0.0 {
            return None;
        }
        let square = |side: &[f64]| sum(side.iter().map(|share| share * share));
        let invalid = n - sum(self.answered.iter().copied());
        let chance = sum(self
            .gold
            .iter()
            .zip(&self.answered)
            .map(|(gold, answered)| gold * answered));
        let cross = sum(self.right.iter().copied()) * n - chance;
        let spread =
            (n * n - square(&self.answered) - invalid * invalid) * (n * n - square(&self.gold));
        Some(if spread > 0.0 {
            cross / spread.sqrt()
        } else {
            0.0
        })
    }

    fn total(&self) -> f64 {
        sum(self.gold.iter().copied())
    }

    fn average(&self, over: Over, score: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        if self.total() <= 0.0 {
            return None;
        }
        let belongs = |class: &usize| match over {
            Over::Gold => self.gold[*class] > 0.0,
            Over::Seen => self.gold[*class] > 0.0 || self.answered[*class] > 0.0,
            Over::Declared => true,
        };
        let scores: Vec<f64> = (0..self.gold.len())
            .filter(belongs)
            .map(|class| score(class).unwrap_or(0.0))
            .collect();
        Some(sum(scores.iter().copied()) / scores.len() as f64)
    }
}
