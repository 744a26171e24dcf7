//! Counting words by option, and the models that follow from the counts.

use std::collections::{BTreeMap, HashMap};

use super::words::words;
use crate::decision::Question;

/// What one question teaches.
#[derive(Debug)]
pub(super) struct Lessons {
    options: usize,
    /// What the options' descriptions say; in every model.
    descriptions: Bag,
    folds: BTreeMap<usize, Bag>,
}

impl Lessons {
    /// What the question itself says about its options.
    pub(super) fn of(question: &Question) -> Self {
        let mut descriptions = Bag::of(question.options.len());
        for (position, option) in question.options.iter().enumerate() {
            let name = option.key.replace('_', " ");
            let description = option.description.as_deref().unwrap_or_default();
            descriptions.add(position, &words(&format!("{name} {description}")));
        }
        Self {
            options: question.options.len(),
            descriptions,
            folds: BTreeMap::new(),
        }
    }

    pub(super) fn learn(&mut self, state: &str, label: usize, fold: usize) {
        if label < self.options {
            self.folds
                .entry(fold)
                .or_insert_with(|| Bag::of(self.options))
                .add(label, &words(state));
        }
    }

    /// The model of the descriptions alone.
    pub(super) fn untaught(&self, smoothing: f64) -> Model {
        Model::of(&self.descriptions, smoothing)
    }

    pub(super) fn models(&self, smoothing: f64) -> Models {
        let without = |left_out: Option<usize>| {
            let mut bag = self.descriptions.clone();
            for (fold, taught) in &self.folds {
                if Some(*fold) != left_out {
                    bag.merge(taught);
                }
            }
            Model::of(&bag, smoothing)
        };
        Models {
            whole: without(None),
            without: self
                .folds
                .keys()
                .map(|fold| (*fold, without(Some(*fold))))
                .collect(),
        }
    }
}

/// Documents and words by option.
#[derive(Debug, Clone)]
struct Bag {
    documents: Vec<f64>,
    words: HashMap<String, Vec<f64>>,
}

impl Bag {
    fn of(options: usize) -> Self {
        Self {
            documents: vec![0.0; options],
            words: HashMap::new(),
        }
    }

    fn add(&mut self, option: usize, words: &[String]) {
        self.documents[option] += 1.0;
        for word in words {
            self.counts(word)[option] += 1.0;
        }
    }

    fn merge(&mut self, other: &Self) {
        add_to(&mut self.documents, &other.documents);
        for (word, counts) in &other.words {
            add_to(self.counts(word), counts);
        }
    }

    fn counts(&mut self, word: &str) -> &mut [f64] {
        if !self.words.contains_key(word) {
            let none = vec![0.0; self.documents.len()];
            self.words.insert(word.to_owned(), none);
        }
        self.words.get_mut(word).expect("put in one line above")
    }
}

fn add_to(sums: &mut [f64], counts: &[f64]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// The models of one question: of everything, and without each fold that teaches it.
#[derive(Debug)]
pub(super) struct Models {
    whole: Model,
    without: HashMap<usize, Model>,
}

impl Models {
    pub(super) fn leaving_out(&self, fold: Option<usize>) -> &Model {
        fold.and_then(|fold| self.without.get(&fold))
            .unwrap_or(&self.whole)
    }
}

/// Logarithms of priors, and of the likelihoods of the words it has seen, by option.
#[derive(Debug)]
pub(super) struct Model {
    priors: Vec<f64>,
    words: HashMap<String, Vec<f64>>,
}

impl Model {
    fn of(bag: &Bag, smoothing: f64) -> Self {
        let options = bag.documents.len() as f64;
        let documents: f64 = bag.documents.iter().sum();
        let mut totals = vec![0.0; bag.documents.len()];
        // Counts are whole numbers, so their sums are exact in any order.
        for counts in bag.words.values() {
            add_to(&mut totals, counts);
        }
        let distinct = bag.words.len() as f64;
        let likelihoods = |counts: &Vec<f64>| {
            counts
                .iter()
                .zip(&totals)
                .map(|(count, total)| ((count + smoothing) / (total + smoothing * distinct)).ln())
                .collect()
        };
        Self {
            priors: bag
                .documents
                .iter()
                .map(|count| ((count + 1.0) / (documents + options)).ln())
                .collect(),
            words: bag
                .words
                .iter()
                .map(|(word, counts)| (word.clone(), likelihoods(counts)))
                .collect(),
        }
    }

    /// P(option | words); sums to 1.
    pub(super) fn probabilities(&self, words: &[String]) -> Vec<f64> {
        let mut logs = self.priors.clone();
        for likelihoods in words.iter().filter_map(|word| self.words.get(word)) {
            add_to(&mut logs, likelihoods);
        }
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
        let whole: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / whole).collect()
    }
}
