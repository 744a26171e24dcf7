//! The embedded baseline: multinomial naive Bayes on words, free, offline, and the floor to beat.
//!
//! Each option is a bag of words: those of its key and description, and those of the states that people gave it. With
//! `n` documents of which `n_o` have option `o`, `c(w, o)` occurrences of word `w` among the `C(o)` words of `o`, `V`
//! distinct words, `K` options and smoothing α,
//!
//! ```text
//! log P(o | state) = log (n_o + 1) / (n + K) + Σ over the state's words of log (c(w, o) + α) / (C(o) + α V) + constant
//! ```
//!
//! (Manning, Raghavan and Schütze 2008, section 13.2). The description counts as one document. Words that were never
//! seen are left out. All is computed in log space and normalised at the end. Naive Bayes is overconfident by
//! construction, as words are not independent: calibration metrics show it.
//!
//! No case is scored by a model that saw it or another case of its unit of evidence: the units of `dev` are dealt into
//! folds, and each is scored by a model trained on the other folds. Lock-box cases train nothing and are scored by a
//! model of all of `dev`. Levels of a score are treated as options without an order.

mod baseline;
mod model;
mod words;

pub use baseline::{Example, NAME, NaiveBayes};

pub(crate) use baseline::SETTINGS;
