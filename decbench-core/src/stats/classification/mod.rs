//! Precision, recall and their averages, from a confusion matrix or from its margins alone.

mod margins;
mod matrix;

pub use margins::{ClassSet, Margins};
pub use matrix::ConfusionMatrix;
